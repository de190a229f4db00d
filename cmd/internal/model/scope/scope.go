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

// Model says what a call does.
type Model func(context.Context, call.Call) (formula.Answer, error)

// Kind is how a call of the model differs from the original's.
type Kind string

// The kinds of deviations.
const (
	Agrees        Kind = "agrees"
	Wrong         Kind = "wrong value"   // another result, or other memory
	Dropped       Kind = "dropped"       // the model has no such call
	Unconstrained Kind = "unconstrained" // the model says anything, or one of several
	Failed        Kind = "failed"        // the model itself is undefined there
	Crashes       Kind = "crashes"       // the model ends its process, or panics
	Unknown       Kind = "unknown"       // no solver says
	Unspecified   Kind = "undefined in C"
	Declined      Kind = "declined"       // the model says itself that it does not have the call
	OriginalFails Kind = "original fails" // the original crashes or hangs: of models as code
)

// Compare says how a call of the model and one of the original differ.
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

// Path is a path of the original, and what samples say of it.
type Path struct {
	Key        Key             `json:"path"`
	Runs       int             `json:"runs"`                 // different calls
	Agree      int             `json:"agree"`                // of these
	Telling    int             `json:"telling"`              // runs whose effect is not 0, null or nothing
	AgreeTell  int             `json:"agree_telling"`        // of these
	Deviations map[Kind]int    `json:"deviations,omitempty"` // other runs
	Declined   int             `json:"declined,omitempty"`   // calls beside the runs that the model says itself that it does not have
	InScope    bool            `json:"in_scope"`             //
	Why        string          `json:"why"`                  //
	Lines      []string        `json:"lines,omitempty"`      // of the source, in the order of one call
	Proof      *Proof          `json:"proof,omitempty"`      // nil: nothing was proved of it
	Agreed     string          `json:"agreed,omitempty"`     // a call on which both agree, as C
	Deviating  string          `json:"deviating,omitempty"`  // one on which they do not
	Original   string          `json:"original,omitempty"`   // what it does by the original
	Model      string          `json:"model,omitempty"`      // and by the model
	Findings   []string        `json:"findings,omitempty"`   // of models that are code: those on the path
	Steps      []original.Step `json:"-"`
}

// Proof is what solvers say of a path, for all its calls: package paths. The answers are "" if only the path's condition and result are known.
type Proof struct {
	Agrees    string `json:"agrees"`              // sat: there is a call on which both agree (A)
	Deviates  string `json:"deviates"`            // sat: there is one on which they do not (D)
	Runs      string `json:"runs"`                // sat: there is one that the model has (R)
	Drops     string `json:"drops"`               // sat: there is one that it does not have (N)
	Match     bool   `json:"match"`               // the paper's decision: a formula of the model is the path's
	Condition string `json:"condition,omitempty"` // of the shortest way to take the path
	Brief     string `json:"brief,omitempty"`     // the condition as it is shown, if that is shorter
	Result    string `json:"result,omitempty"`    // and its result there
	Ways      int    `json:"ways"`                // to take the path: how often loops go round
	More      bool   `json:"more_ways,omitempty"` // there may be more of them, which were not looked at
}

// Right reports whether no call deviates.
func (p *Proof) Right() bool {
	return p != nil && p.Agrees == "sat" && p.Deviates == "unsat" && p.Drops == "unsat"
}

// Never reports whether no call agrees.
func (p *Proof) Never() bool { return p != nil && p.Agrees == "unsat" }

// Key names a path.
type Key uint64

// MarshalText writes a key in hexadecimal digits.
func (k Key) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(k)), nil }

// UnmarshalText reads one.
func (k *Key) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 16, 64)
	*k = Key(n)
	return err
}

// Scope is what is decided of a function.
type Scope struct {
	Version   int             `json:"version"`
	Function  string          `json:"function"`
	Compare   call.Comparator `json:"compare"`
	Declared  string          `json:"declared,omitempty"` // by the model's authors, as a term: see Declare
	Source    string          `json:"source,omitempty"`   // where they say it
	Threshold float64         `json:"threshold"`          // least share of agreeing calls
	Samples   int             `json:"samples"`
	Undefined int             `json:"undefined"`      // samples for which C defines nothing: no path has them
	Unit      string          `json:"unit,omitempty"` // what the paths are, if they are something else: operations
	Paths     []*Path         `json:"paths"`
	Steps     []original.Step `json:"steps,omitempty"` // of paths in scope: the edges of model coverage
	telling   bool            // other paths of the function, which are not listed here, agree on another result than 0
	index     map[Key]*Path
	inputs    [][]byte
	sampled   [][]byte
}

// Version of the file.
const Version = 1

// Find returns the path of a key, nil for one that no sample took.
func (s *Scope) Find(k uint64) *Path {
	if s.index == nil {
		s.index = map[Key]*Path{}
		for _, p := range s.Paths {
			s.index[p.Key] = p
		}
	}
	return s.index[Key(k)]
}

// Decided is Find, and nil also for a path that too few samples took: calls like one that is found there decide about it (Around).
func (s *Scope) Decided(k uint64) *Path {
	if p := s.Find(k); p != nil && !p.few() {
		return p
	}
	return nil
}

// few reports whether a path is outside only because too few calls take it.
func (p *Path) few() bool {
	return !p.InScope && p.Runs > 0 && p.Runs < least && !p.Proof.Never()
}

// Inputs are a call for each path, and more of those that are in scope. They are there after Find only, and are not kept.
func (s *Scope) Inputs() [][]byte { return s.inputs }

// Sampled are all calls that were sampled, in order. They are there after Find only, and are not kept.
func (s *Scope) Sampled() [][]byte { return s.sampled }

// InScope counts the paths that are.
func (s *Scope) InScope() (n int) {
	for _, p := range s.Paths {
		if p.InScope {
			n++
		}
	}
	return n
}

// Drops reports whether the model has none of the calls that were sampled.
func (s *Scope) Drops() bool {
	runs := 0
	for _, p := range s.Paths {
		if runs += p.Runs; p.Deviations[Dropped] != p.Runs {
			return false
		}
	}
	return runs > 0
}

// Vague are the kinds of deviations that are no findings in scope, either: nothing that the model says there is wrong.
var Vague = []Kind{Unconstrained, Failed, Unknown}

// Outside counts the samples that deviate and are no findings, by kind: those outside of the scope, and on all paths the vague ones and those that the
// model declines.
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

// Never are the paths on which the model never or hardly ever agrees, and gives another value or crashes instead. It may be meant for them, and wrong: only
// its authors can tell.
func (s *Scope) Never() (paths []*Path) {
	for _, p := range s.Paths {
		if !p.InScope && p.Agree < p.Runs/hardly+1 && p.Runs >= least && p.Deviations[Wrong]+p.Deviations[Crashes]+p.Agree == p.Runs {
			paths = append(paths, p)
		}
	}
	return paths
}

// hardly is of how many calls a model that hardly ever agrees has one right: by chance, such as a result of 0 where that is the argument, too.
const hardly = 10

// least is how many calls a path needs to be in scope by samples.
const least = 2

// Tells reports whether some path agrees on another result than 0, null or nothing.
func (s *Scope) Tells() bool {
	return s.telling || slices.ContainsFunc(s.Paths, func(p *Path) bool { return p.AgreeTell > 0 })
}

// SetTelling says that other paths of the function, which are not listed here, agree on another result than 0.
func (s *Scope) SetTelling(telling bool) { s.telling = telling }

// Decide says which paths are in scope.
func (s *Scope) Decide() {
	telling := s.Tells()
	for _, p := range s.Paths {
		share := float64(p.Agree) / float64(max(p.Runs, 1))
		p.InScope = false
		switch {
		case p.Runs == 0 && p.Declined > 0 && s.Declared != "":
			p.Why = fmt.Sprintf("declared%s to be outside, or the model says itself that it does not have these calls", s.By())
		case p.Runs == 0 && p.Declined > 0:
			p.Why = "the model says that it does not have these calls"
		case s.Declared != "":
			p.InScope = true
			p.Why = fmt.Sprintf("declared%s; agrees on %d of %d calls", s.By(), p.Agree, p.Runs)
		case p.Proof.Right():
			p.InScope = true
			p.Why = "agrees on all calls, proved"
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
		default:
			p.InScope = true
			p.Why = fmt.Sprintf("agrees on %d of %d calls", p.Agree, p.Runs)
		}
	}
	s.Steps = nil
	for _, p := range s.Paths {
		if p.InScope {
			s.Steps = append(s.Steps, p.Steps...)
		}
	}
	slices.SortFunc(s.Steps, original.Step.Compare)
	s.Steps = slices.Compact(s.Steps)
}

// By is where the scope is declared, in words, behind "declared"; "": nobody says.
func (s *Scope) By() string {
	if s.Source == "" {
		return ""
	}
	return " by " + s.Source
}

// mostly is the kind of most deviations.
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
