package scope

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/original"
	"parallax/internal/atomicfile"
)

// Model answers calls.
type Model func(context.Context, call.Call) (formula.Answer, error)

// Kind classifies how the model's answer differs from the original's.
type Kind string

// The kinds of deviations.
const (
	Agrees        Kind = "agrees"
	Wrong         Kind = "wrong value"   // another result, or other memory
	Dropped       Kind = "dropped"       // the model has no such call
	Unconstrained Kind = "unconstrained" // the model allows anything, or several results
	Failed        Kind = "failed"        // the model itself is undefined there
	Crashes       Kind = "crashes"       // the model ends its process, or panics
	Unknown       Kind = "unknown"       // no solver knows
	Unspecified   Kind = "undefined in C"
	Declined      Kind = "declined"       // the model itself rejects the call
	OriginalFails Kind = "original fails" // the original crashes or hangs, for models in code
)

// Compare returns how a model's answer differs from the original's.
func Compare(s *call.Signature, by call.Comparator, c call.Call, o *original.Run, m *formula.Answer) Kind {
	switch {
	case o.Undefined != "":
		return Unspecified
	case m.Kind == formula.Dropped:
		return Dropped
	case m.Kind == formula.Unconstrained:
		return Unconstrained
	case m.Kind == formula.Undefined:
		return Failed
	case m.Kind == formula.Crashed:
		return Crashes
	case m.Kind == formula.Unknown:
		return Unknown
	case m.Kind == formula.Declined:
		return Declined
	case s.Text(c, &o.Effect, by) == s.Text(c, &m.Effect, by):
		return Agrees
	}
	return Wrong
}

// Path is a path of the original with its samples.
type Path struct {
	Key   Key `json:"path"`
	Runs  int `json:"runs"`  // distinct calls
	Agree int `json:"agree"` // how many of these agree
	// runs with an effect other than 0, null or nothing
	Telling    int          `json:"telling"`
	AgreeTell  int          `json:"agree_telling"`        // how many of these agree
	Deviations map[Kind]int `json:"deviations,omitempty"` // the other runs
	// further calls, which the model itself rejects
	Declined int    `json:"declined,omitempty"`
	InScope  bool   `json:"in_scope"` // deviations on it are findings
	Why      string `json:"why"`      //
	// of the source, in the order of one call
	Lines     []string `json:"lines,omitempty"`
	Proof     *Proof   `json:"proof,omitempty"`     // nil if nothing was proved
	Agreed    string   `json:"agreed,omitempty"`    // a call on which both agree, as C
	Deviating string   `json:"deviating,omitempty"` // a call on which they differ
	Original  string   `json:"original,omitempty"`  // the original's effect on it
	Model     string   `json:"model,omitempty"`     // the model's answer to it
	// findings on the path, for models in code
	Findings []string `json:"findings,omitempty"`
	// in scope by a formula alone: see Suspects
	Suspect bool            `json:"suspect,omitempty"`
	Steps   []original.Step `json:"-"`
	taken   map[uint64]int  // agreeing calls by the branch of the model; nil if branches are not known
}

// Proof has the answers of solvers about all calls of a path. See package paths. The answers are
// empty if only the path's condition and result are known.
type Proof struct {
	Agrees   string `json:"agrees"`   // sat: both agree on some call (A)
	Deviates string `json:"deviates"` // sat: they differ on some call (D)
	Runs     string `json:"runs"`     // sat: the model has some call (R)
	Drops    string `json:"drops"`    // sat: the model drops some call (N)
	// the paper's decision: a formula of the model is the path's
	Match     bool   `json:"match"`
	Condition string `json:"condition,omitempty"` // of the shortest way to take the path
	Brief     string `json:"brief,omitempty"`     // the condition as shown, if that is shorter
	Result    string `json:"result,omitempty"`    // the result on that way
	// number of ways to take the path, which differ in the iterations of loops
	Ways int  `json:"ways"`
	More bool `json:"more_ways,omitempty"` // there may be more ways, which were not examined
}

// Right reports whether no call deviates.
func (p *Proof) Right() bool {
	return p != nil && p.Agrees == "sat" && p.Deviates == "unsat" && p.Drops == "unsat"
}

// Never reports whether no call agrees.
func (p *Proof) Never() bool { return p != nil && p.Agrees == "unsat" }

// Key identifies a path.
type Key uint64

// MarshalText writes a key in hexadecimal digits.
func (k Key) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(k)), nil }

// UnmarshalText parses hexadecimal digits.
func (k *Key) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 16, 64)
	*k = Key(n)
	return err
}

// Scope holds the decisions about a function.
type Scope struct {
	Version  int             `json:"version"`
	Function string          `json:"function"`
	Compare  call.Comparator `json:"compare"`
	// scope declared by the model's authors, see Declare
	Declared  string  `json:"declared,omitempty"`
	Source    string  `json:"source,omitempty"` // where it is declared
	Threshold float64 `json:"threshold"`        // minimum share of agreeing calls
	Samples   int     `json:"samples"`
	// samples that C does not define; they are on no path
	Undefined int `json:"undefined"`
	// what the paths are, if they are something else: operations
	Unit  string  `json:"unit,omitempty"`
	Paths []*Path `json:"paths"`
	// of paths in scope: the edges of model coverage
	Steps []original.Step `json:"steps,omitempty"`
	// other paths of the function, not listed here, agree on a result besides 0
	telling  bool
	branches branches
	index    map[Key]*Path
	inputs   [][]byte
	sampled  [][]byte
}

// Version is the version of the file.
const Version = 1

// Find returns the path of a key, or nil if no sample took it.
func (s *Scope) Find(k uint64) *Path {
	if s.index == nil {
		s.index = map[Key]*Path{}
		for _, p := range s.Paths {
			s.index[p.Key] = p
		}
	}
	return s.index[Key(k)]
}

// Decided is Find, but also returns nil for a path with too few samples. Around decides about such
// a path when a campaign reaches it.
func (s *Scope) Decided(k uint64) *Path {
	if p := s.Find(k); p != nil && !p.few() {
		return p
	}
	return nil
}

// few reports whether a path is outside only because too few calls took it.
func (p *Path) few() bool {
	return !p.InScope && p.Runs > 0 && p.Runs < least && !p.Proof.Never()
}

// Inputs returns a call for each path, and more for those in scope. They exist only after Find and
// are not stored.
func (s *Scope) Inputs() [][]byte { return s.inputs }

// Sampled returns all sampled calls, in order. They exist only after Find and are not stored.
func (s *Scope) Sampled() [][]byte { return s.sampled }

// InScope counts the paths in scope, without Suspects.
func (s *Scope) InScope() int { return s.count(func(p *Path) bool { return p.InScope && !p.Suspect }) }

// Suspects counts the paths that a formula of the model matches, and on which the model never or
// hardly ever agrees. SEDiff has such paths in scope. Agreement cannot see them, since a model that
// is always wrong looks like one that does not cover the path. Their deviations are findings, which
// are counted apart.
func (s *Scope) Suspects() int { return s.count(func(p *Path) bool { return p.Suspect }) }

func (s *Scope) count(wanted func(*Path) bool) (n int) {
	for _, p := range s.Paths {
		if wanted(p) {
			n++
		}
	}
	return n
}

// Drops reports whether the model has none of the sampled calls.
func (s *Scope) Drops() bool {
	runs := 0
	for _, p := range s.Paths {
		if runs += p.Runs; p.Deviations[Dropped] != p.Runs {
			return false
		}
	}
	return runs > 0
}

// Vague lists the kinds of deviations that are no findings even in scope, since the model makes no
// wrong claim.
var Vague = []Kind{Unconstrained, Failed, Unknown}

// Outside counts the deviating samples that are no findings, by kind: all those outside of the
// scope, and vague or rejected ones on any path.
func (s *Scope) Outside() map[Kind]int {
	counts := map[Kind]int{}
	if len(s.Paths) == 0 && s.Undefined > 0 {
		counts[Unspecified] = s.Undefined
	}
	for _, p := range s.Paths {
		if p.Declined > 0 {
			counts[Declined] += p.Declined
		}
		for k, n := range p.Deviations {
			if !p.InScope || slices.Contains(Vague, k) {
				counts[k] += n
			}
		}
	}
	return counts
}

// Never returns the paths on which the model never or hardly ever agrees, but returns a wrong value
// or crashes. It may be wrong on paths that it is meant to cover. Only its authors can know.
func (s *Scope) Never() (paths []*Path) {
	for _, p := range s.Paths {
		if !p.InScope && p.hardlyEver() && p.Deviations[Wrong]+p.Deviations[Crashes]+p.Agree == p.Runs {
			paths = append(paths, p)
		}
	}
	return paths
}

// hardly is the number of calls per chance agreement, for a model that otherwise never agrees. An
// example is a result of 0 that equals the argument.
const hardly = 10

// least is the minimum number of calls of a path in scope, if samples decide.
const least = 2

// AgreesOnResult reports whether some path agrees on a result other than 0, null or nothing.
func (s *Scope) AgreesOnResult() bool {
	return s.telling || slices.ContainsFunc(s.Paths, func(p *Path) bool { return p.AgreeTell > 0 })
}

// SetTelling records that other paths of the function, not listed here, agree on a result besides
// 0.
func (s *Scope) SetTelling(telling bool) { s.telling = telling }

// hardlyEver reports whether the model agrees on no calls of a path, or on one in ten at most.
func (p *Path) hardlyEver() bool { return p.Agree < p.Runs/hardly+1 && p.Runs >= least }

// suspect reports whether a formula matches a path on which the model never or hardly ever agrees,
// and makes a wrong claim.
func (p *Path) suspect() bool {
	return p.Proof != nil && p.Proof.Match && p.hardlyEver() && p.Deviations[Wrong]+p.Deviations[Dropped]+p.Deviations[Crashes] > 0
}

// Decide sets which paths are in scope.
func (s *Scope) Decide() {
	telling := s.AgreesOnResult()
	chance := s.branches.chance()
	for _, p := range s.Paths {
		share := float64(p.Agree) / float64(max(p.Runs, 1))
		p.InScope, p.Suspect = false, false
		switch {
		case p.Runs == 0 && p.Declined > 0 && s.Declared != "":
			p.Why = fmt.Sprintf("declared%s to be outside, or the model says itself that it does not have these calls", s.DeclaredBy())
		case p.Runs == 0 && p.Declined > 0:
			p.Why = "the model says that it does not have these calls"
		case s.Declared != "":
			p.InScope = true
			p.Why = fmt.Sprintf("declared%s; agrees on %d of %d calls", s.DeclaredBy(), p.Agree, p.Runs)
		case p.Proof.Right():
			p.InScope = true
			p.Why = "agrees on all calls, proved"
		case p.suspect():
			p.InScope, p.Suspect = true, true
			p.Why = fmt.Sprintf("suspect: a formula of the model is the path's, and it agrees on %d of %d calls: %s", p.Agree, p.Runs, p.mostly())
		case p.Proof.Never():
			p.Why = "never agrees, proved: " + p.mostly()
		case p.Runs < least:
			p.Why = "one call takes it: too few to say"
		case p.Agree == 0:
			p.Why = "never agrees: " + p.mostly()
		case share < s.Threshold:
			p.Why = fmt.Sprintf("agrees on %d of %d calls, less than %.0f %%: %s", p.Agree, p.Runs, 100*s.Threshold, p.mostly())
		case p.AgreeTell == 0 && p.Telling > 0:
			p.Why = fmt.Sprintf("agrees on %d of %d calls, but only where the result is 0 or null", p.Agree, p.Runs)
		case p.AgreeTell == 0 && !telling:
			p.Why = "agrees, but the result is always 0 or null, and there is no path on which another result agrees"
		case p.AgreeTell == 0 && 2*p.by(chance) > p.Agree:
			p.Why = fmt.Sprintf("agrees on %d of %d calls, but always on 0 or null, by the branch of the model that answers so on paths outside", p.Agree, p.Runs)
		default:
			p.InScope = true
			p.Why = fmt.Sprintf("agrees on %d of %d calls", p.Agree, p.Runs)
		}
	}
	s.Steps = nil
	for _, p := range s.Paths {
		if p.InScope && !p.Suspect {
			s.Steps = append(s.Steps, p.Steps...)
		}
	}
	slices.SortFunc(s.Steps, original.Step.Compare)
	s.Steps = slices.Compact(s.Steps)
}

// DeclaredBy names the source of the declared scope, as a text to follow "declared". It returns ""
// for an unknown source.
func (s *Scope) DeclaredBy() string {
	if s.Source == "" {
		return ""
	}
	return " by " + s.Source
}

// mostly returns the most frequent kind of deviation.
func (p *Path) mostly() string {
	var most Kind
	for k, n := range p.Deviations {
		if most == "" || n > p.Deviations[most] || n == p.Deviations[most] && k < most {
			most = k
		}
	}
	return string(most)
}

// Write writes the file.
func (s *Scope) Write(path string) error {
	data, err := json.MarshalIndent(s, "", "\t")
	if err != nil {
		return err
	}
	return atomicfile.Write(atomicfile.OS, path, append(data, '\n'))
}

// Read reads the file of a scope.
func Read(path string) (*Scope, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// Parse reads the text of a scope's file.
func Parse(data []byte) (*Scope, error) {
	s := &Scope{}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, err
	}
	if s.Version != Version {
		return nil, fmt.Errorf("it is of version %d, and this parallax reads version %d", s.Version, Version)
	}
	return s, nil
}
