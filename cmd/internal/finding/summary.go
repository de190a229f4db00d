package finding

import (
	"slices"
	"strings"

	"parallax/cmd/internal/finding/history"
	"parallax/cmd/internal/finding/regress"
	"parallax/cmd/internal/finding/sample"
)

// Version is the version of summary.json and outputs.json. Keys are added, never renamed.
const Version = 1

// A Summary is the state of a campaign over its folder's whole life. --json prints it, and
// summary.json holds it.
type Summary struct {
	Version             int              `json:"version"`
	Mode                string           `json:"mode"`
	Target              string           `json:"target"`
	Programs            []string         `json:"programs"`
	Guidance            []string         `json:"guidance"`
	Seed                uint64           `json:"seed"`
	ElapsedSeconds      float64          `json:"elapsed_seconds"` // fuzzing time, building not included
	Inputs              uint64           `json:"inputs"`
	Executions          uint64           `json:"executions"` // runs of programs on inputs
	ExecutionsPerSecond float64          `json:"executions_per_second"`
	Corpus              Corpus           `json:"corpus"`
	Diversity           sample.Diversity `json:"diversity,omitempty"` // distinct features over all inputs, of the domains that are measured
	Coverage            []Coverage       `json:"coverage"`
	Behavior            *Behavior        `json:"behaviour,omitempty"` // nil: of no program blocks are known
	Change              *Change          `json:"change,omitempty"`    // comparisons of a change only
	Scope               *Scope           `json:"scope,omitempty"`     // of models only
	Findings            Findings         `json:"findings"`

	UniqueDiscrepancies uint64     `json:"unique_discrepancies"` // NEZHA: distinct tuples of outcome and class with an acceptance and a rejection
	DiscrepantInputs    uint64     `json:"discrepant_inputs"`
	CmpLogRuns          uint64     `json:"operand_runs,omitempty"` // of the build that reports the operands of comparisons
	TriageRuns          uint64     `json:"judging_runs,omitempty"` // to confirm and minimize findings
	Accepted            int        `json:"accepted"`               // buckets that `parallax accept` has marked as intended
	Flaky               uint64     `json:"flaky"`                  // candidates that a fresh process did not show again
	Wavering            []Wavering `json:"wavering,omitempty"`     // programs that do not always do the same on an input
	FlakyCandidates     []Flaky    `json:"flaky_candidates,omitempty"`
	Restarts            uint64     `json:"restarts"` // of workers
	Workers             int        `json:"workers"`
	Stopped             string     `json:"stopped,omitempty"` // "budget", "quiet", "interrupted" or "error"
	Notes               []string   `json:"notes,omitempty"`
	Operators           []Operator `json:"operators,omitempty"`
	Arms                []Arm      `json:"arms,omitempty"` // of the adaptive schedule
}

// The kinds of Outside that no sample shows.
const (
	Unconfirmed = "unconfirmed" // the engine itself, a solver or another C library says otherwise
	NotAnswered = "unanswered"  // one of these did not answer
	NoOriginal  = "no original"

	NothingMeant  = "out of scope"       // the status of a model that is declared to be meant for none of the sampled calls
	Contradiction = "contradicts itself" // the status of a model that no call and no result satisfy
)

// Arm counts the inputs that the adaptive schedule made by one choice. A choice is the seeds that
// one domain keeps and that a program accepts, or that all reject.
type Arm struct {
	Name   string  `json:"name"`
	Inputs uint64  `json:"inputs"`
	Kept   uint64  `json:"kept"`
	Share  float64 `json:"share"` // of the inputs of all arms
}

// Wavering is a program that does not always do the same on an input.
type Wavering struct {
	Program    string `json:"program"`
	Inputs     uint64 `json:"inputs"`     // on which it did otherwise when they were executed a second time
	Of         uint64 `json:"of"`         // inputs executed a second time: a small share of all
	Candidates uint64 `json:"candidates"` // that did not repeat because of it
}

// Corpus counts the kept inputs.
type Corpus struct {
	Size  int   `json:"size"`
	Bytes int64 `json:"bytes"`
}

// Coverage counts the basic blocks of one program. Blocks of test files count only if it has no
// others.
type Coverage struct {
	Program  string `json:"program"`
	Blocks   int    `json:"blocks"`
	Covered  int    `json:"covered"`
	Features bool   `json:"features,omitempty"` // they are numbers that a driver sends, not blocks

	// Blocks of the packages under test, if other packages have blocks, too. Missing if they are
	// fewer than 16 and only wrap a library.
	OwnBlocks  int `json:"own_blocks,omitempty"`
	OwnCovered int `json:"own_covered,omitempty"`
}

// Behavior is the diversity of behaviors that inputs have shown, for all programs together and for
// each.
type Behavior struct {
	sample.Behavior
	Programs []ProgramBehavior `json:"programs,omitempty"` // in order, of those with known blocks, if there are several
	Thin     []Thin            `json:"thin,omitempty"`     // branches that few unique traces execute: what is tested before what it calls, then the fewest first
	Rarefied []Rarefied        `json:"rarefied,omitempty"` // of all programs together, for comparing campaigns of different length
}

// Rarefied is the average number of branches that a number of unique traces cover, drawn from those
// of the campaign.
type Rarefied struct {
	Traces uint64  `json:"traces"`
	B0     float64 `json:"b0"`
}

// ProgramBehavior is the diversity of behaviors of one program.
type ProgramBehavior struct {
	Program string `json:"program"`
	sample.Behavior
}

// Thin is a branch that few unique traces execute.
type Thin struct {
	Program  string `json:"program"`
	Location string `json:"location"`
	Traces   uint64 `json:"traces"` // unique ones that execute it
}

// Findings are all findings of a campaign, in buckets that look like one cause.
type Findings struct {
	Total   uint64 `json:"total"`
	Buckets []Row  `json:"buckets"`

	Unjudged int `json:"unjudged,omitempty"` // candidates that wait for the next run
}

// A Row is a bucket in a summary, with its smallest input. The keys of maps are names of programs.
type Row struct {
	ID        string            `json:"id"`
	Kind      string            `json:"kind"` // discrepancy, crash, timeout, oom, failure, change
	Outcomes  map[string]string `json:"outcomes"`
	Count     uint64            `json:"count"`
	Input     string            `json:"input"` // path
	Minimized string            `json:"minimized"`
	Location  string            `json:"location"` // file:line that represents the bucket

	Layer    string            `json:"layer,omitempty"`    // verdict, value, class or cost
	Quoted   string            `json:"quoted,omitempty"`   // the minimized input as Go text
	Named    string            `json:"named,omitempty"`    // the same with the names of its arguments, where there are several
	Odd      []string          `json:"odd,omitempty"`      // the minority, three programs or more
	Classes  map[string]string `json:"classes,omitempty"`  // by program: error class
	Results  map[string]string `json:"results,omitempty"`  // by program: the value, error or crash message, on one line and cut
	Deciding map[string]string `json:"deciding,omitempty"` // by program: file:line
	Doubtful []string          `json:"-"`                  // programs whose deciding place explains little
	Acceptance
	Flaky       bool   `json:"flaky,omitempty"`
	Wavers      string `json:"flaky_reason,omitempty"` // why it is flaky
	Gone        bool   `json:"gone,omitempty"`         // it did not show any more when a later run tried it
	Unminimized bool   `json:"unminimized,omitempty"`  // its triage was cut off: the next run makes its input smaller
	Unverified  bool   `json:"unverified,omitempty"`   // it was not run once more when the fuzzing had ended: the next run does that

	Seen
	Hex      string       `json:"hex,omitempty"`          // the beginning of a minimized input that is not text
	General  string       `json:"general,omitempty"`      // the minimized input with its holes
	Origin   string       `json:"origin,omitempty"`       // the seed that shows it ("seed: ..."), or that its input was mutated from
	Similar  []Similar    `json:"similar,omitempty"`      // the nearest other buckets, nearest first
	Under    string       `json:"folded_under,omitempty"` // the similar bucket under which lists fold this one
	Variants []VariantRow `json:"variants,omitempty"`     // what else findings of this cause look like, most seen first
	Further  []string     `json:"further,omitempty"`      // other minimized inputs on disk, as Go text, the shortest first, at most ten
	Status   string       `json:"status,omitempty"`       // of a comparison of two versions: new, old, fixed or changed
	Failed
	Later
}

// Acceptance describes what of a bucket was accepted.
type Acceptance struct {
	Accepted    bool   `json:"accepted,omitempty"`
	Reason      string `json:"reason,omitempty"`       // why it was accepted
	Accepts     string `json:"accepts,omitempty"`      // what else is accepted with a failure of a check
	NewVariant  bool   `json:"new_variant,omitempty"`  // the input shown is of a variant that came after it was accepted
	NewVariants int    `json:"new_variants,omitempty"` // variants that came after it was accepted
	AcceptedIn  string `json:"accepted_in,omitempty"`  // the bucket whose entry accepts some of its variants and not all
	NewSeed     bool   `json:"new_seed,omitempty"`     // a seed shows it, and none did when it was accepted
}

// Failed names the program of a failure, and its call of the dependency that crashed.
type Failed struct {
	Program string `json:"program,omitempty"` // the program that fails: others may fail on the same input
	Caller  string `json:"caller,omitempty"`  // of a crash in a dependency: file:line of the call in the tested code
}

// Later holds what other findings, people and the judge of a model add to a bucket after its
// triage.
type Later struct {
	Shared
	State string `json:"state,omitempty"`         // new, confirmed, accepted, fixed or again: it shows again after it was fixed
	Owner string `json:"owner,omitempty"`         // who takes care of it
	Link  string `json:"link,omitempty"`          // address of an issue
	Older bool   `json:"older_sources,omitempty"` // its lines are of sources before an edit
	Note
}

// Note holds the remarks of a model's judge on a finding.
type Note struct {
	Suspect bool   `json:"suspect,omitempty"` // its path is suspect: see Scope.Suspects
	Remark  string `json:"remark,omitempty"`  // where the engine answers rightly, and why a path is suspect
}

// Seen says when a bucket was seen.
type Seen struct {
	FirstSeen     uint64 `json:"first_seen,omitempty"` // inputs that the campaign had run
	LastSeen      uint64 `json:"last_seen,omitempty"`
	FirstSeenTime string `json:"first_seen_time,omitempty"` // RFC 3339
	LastSeenTime  string `json:"last_seen_time,omitempty"`
}

// A VariantRow counts findings of a bucket that look alike, and unlike its smallest.
type VariantRow struct {
	ID        string `json:"id"`
	Count     uint64 `json:"count"`               // of inputs
	Minimized string `json:"minimized,omitempty"` // path; none where no input is kept
	Quoted    string `json:"quoted,omitempty"`    // that input as Go text
	New       bool   `json:"new,omitempty"`       // it came after the bucket was accepted
}

// An Operator is the yield of one mutation operator.
type Operator struct {
	Name  string `json:"name"`
	Kept  uint64 `json:"kept"`
	Tried uint64 `json:"tried"`
}

// Open reports whether the bucket makes a run fail: it still shows, and is neither accepted nor
// flaky. Between two versions, old, fixed and changed buckets do not.
func (b *Row) Open() bool {
	switch regress.Status(b.Status) {
	case regress.StatusOld, regress.StatusFixed, regress.StatusChanged:
		return false
	}
	return !b.Accepted && !b.Flaky && !b.Fixed()
}

// Undecided reports whether the bucket asks for a decision: it shows, the old version differs, and
// the user has not accepted it. A change of behavior is undecided, and fails no run.
func (b *Row) Undecided() bool {
	status := regress.Status(b.Status)
	return Rank(*b) == 0 && status != regress.StatusOld && status != regress.StatusFixed
}

// Fixed reports whether the bucket no longer shows: a run, replay or a person has recorded that.
func (b *Row) Fixed() bool { return b.Gone || b.State == string(history.Fixed) }

// Open counts the buckets that make a run fail.
func (s *Summary) Open() int {
	n := 0
	for i := range s.Findings.Buckets {
		if s.Findings.Buckets[i].Open() {
			n++
		}
	}
	return n
}

// Undecided counts the buckets that ask for a decision.
func (s *Summary) Undecided() int {
	n := 0
	for i := range s.Findings.Buckets {
		if s.Findings.Buckets[i].Undecided() {
			n++
		}
	}
	return n
}

// Once returns texts, such as notes, without repetitions.
func Once(notes []string) (list []string) {
	for _, n := range notes {
		if !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	return list
}

// Flat returns a note on one line. Some notes contain messages of compilers.
func Flat(note string) string { return strings.Join(strings.Fields(note), " ") }

// Below returns the summary as the file in a campaign's folder has it. Paths in the folder are
// relative to the folder, which may be moved.
func (s *Summary) Below(dir string) *Summary {
	c := *s
	c.Notes = slices.Clone(s.Notes)
	for i := range c.Notes {
		c.Notes[i] = strings.ReplaceAll(c.Notes[i], dir+"/", "")
	}
	c.Findings.Buckets = slices.Clone(s.Findings.Buckets)
	for i := range c.Findings.Buckets {
		b := &c.Findings.Buckets[i]
		b.Input, b.Minimized = Relative(dir, b.Input), Relative(dir, b.Minimized)
		b.Variants = slices.Clone(b.Variants)
		for k := range b.Variants {
			b.Variants[k].Minimized = Relative(dir, b.Variants[k].Minimized)
		}
	}
	return &c
}

// Own counts the blocks of what is tested, or all blocks if libraries have none.
func (c *Coverage) Own() (covered, blocks int) {
	if c.OwnBlocks > 0 {
		return c.OwnCovered, c.OwnBlocks
	}
	return c.Covered, c.Blocks
}

// mostlySteady limits the share of inputs on which a repeated run of a program may differ. From one
// in mostlySteady on, its results are not judged.
const mostlySteady = 10

// NotJudged says why nothing follows from a run without findings: nothing ran, or a program does
// not always do the same. It returns "" if something follows.
func (s *Summary) NotJudged() string {
	for i := range s.Findings.Buckets {
		if b := &s.Findings.Buckets[i]; !b.Fixed() && !b.Flaky {
			return ""
		}
	}
	if s.Inputs == 0 {
		return "no input was executed"
	}
	if c := s.Change; c != nil && c.Calls == 0 && len(c.LeftOut) > 0 {
		return "the results of its calls differ from run to run"
	}
	compared := s.Inputs
	if len(s.Programs) == 2 && s.Executions > s.Inputs { // the old version does not run on all
		compared = min(compared, s.Executions-s.Inputs)
	}
	differ := s.DiscrepantInputs*mostlySteady >= compared // and none of them became a finding
	for _, w := range s.Wavering {
		if w.Inputs > 0 && w.Inputs*mostlySteady >= w.Of || w.Candidates > 0 && differ {
			return w.Program + " does not always do the same"
		}
	}
	return ""
}
