package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding/history"
)

// A Page has the parts of a report that are not in the finding's record.
type Page struct {
	Source     func(file string) ([]byte, error) // reads a source file; nil means Sources of Dir
	Dir        string                            // where the campaign was started: files below it are named from there
	Built      []string                          // folders in which C programs were built
	Trees      map[string]string                 // by program: the folder of its own sources, where programs are versions of one
	Here       string                            // the current folder, for paths on a terminal
	Confirm    string                            // how the engine of a model confirmed it, if not by default: see ConfirmedHow
	Remark     string                            // of a model's judge: see Note
	Reproducer string                            // the reproducer's text; empty means none
	GoMod      string                            // the go.mod next to it
	Script     string                            // the text of reproducer.sh; empty means none
	Folder     string                            // the finding's folder, as the user would type it
	Replay     string                            // the command that runs the finding again; empty means the record's, given in its folder
	Minimize   string                            // the command that looks for a smaller input; empty means none, or not known
	Waits      bool                              // the next run completes its triage
	Older      bool                              // the lines of the record are of sources before an edit
	Similar    []Related                         // nearest first
	Sharers    []Sharer                          // other findings with its cause
	Others     []Other                           // further inputs of the bucket
	Seed       string                            // the origin of a seed that shows the bucket, or empty
	Life       *Life                             // nil: not known
}

// Entry is a bucket with its smallest input, as lists and pages show it.
type Entry struct {
	Row
	Record *Finding // nil if it cannot be read
	Page   Page     // the context of the record's report; its Folder is the finding's
}

// A Related is another bucket that may have the same cause.
type Related struct {
	Similar
	Kind  string
	Input string // as QuoteInput has it
}

// Other is a further input of a finding's bucket.
type Other struct {
	Variant string     // of the bucket, or empty
	Input   string     // minimized, as QuoteInput has it
	Answers []Answer   // of the programs
	Where   []string   // for each program, the place that decides; empty: none
	Doubt   []bool     // for each program, whether that place is doubtful
	Did     [][]string // for each program, further differences between variants, the most important first
	Count   uint64     // the inputs of the bucket when it was filed, and it
	New     bool       // it came after the bucket was accepted, or its variant did
}

// Located reports whether the place of some program is known.
func (o *Other) Located() bool {
	return slices.ContainsFunc(o.Where, func(at string) bool { return at != "" })
}

// OlderSources describes a finding whose lines are of sources before an edit.
const OlderSources = "lines of older sources"

// An Answer is the result of a program on an input, on one line and escaped.
type Answer struct {
	Program, Outcome, Result string
}

// Other returns the finding as a further input of its bucket.
func (f *Finding) Other() Other {
	o := Other{Variant: f.Variant, Input: f.Quote(100), Count: f.Count}
	results := f.Summarize().Results
	for _, p := range f.Programs {
		o.Answers = append(o.Answers, Answer{p.Name, Outcome(f.Kind, p.Outcome), columns.Cut(results[p.Name], 100)})
		o.Where, o.Doubt, o.Did = append(o.Where, p.Deciding), append(o.Doubt, p.Doubtful()), append(o.Did, p.did(f.Kind))
	}
	return o
}

// did returns the differences between variants that one place of a program decides.
func (p *Program) did(kind string) []string {
	outcome, branch, score := Outcome(kind, p.Outcome), "", ""
	if class := cmp.Or(p.ErrorClass, p.Sentinel); class != "" {
		outcome += ": " + escape.Cut(Flat(class), 60)
	}
	if len(p.Ranked) > 0 {
		_, branch = p.Ranked[0].Words()
		score = fmt.Sprintf("separates %.0f of 100", 100*p.Ranked[0].Score)
	}
	return []string{outcome, branch, score}
}

// Unverified counts the findings that did not run again after the fuzzing.
func Unverified(n int) string {
	return units.Plural(n, "finding") + map[bool]string{true: " is", false: " are"}[n == 1] + " unverified"
}

// NotesUnverified reports whether a note of a run begins as Unverified does.
func NotesUnverified(note string) bool {
	count, _, _ := strings.Cut(note, ":")
	return strings.HasSuffix(count, " is unverified") || strings.HasSuffix(count, " are unverified")
}

// Life is the state of a finding's bucket when the page is made: how often and when inputs showed
// it, and whether it is settled.
type Life struct {
	Count       uint64
	FirstSeen   uint64 // inputs that the campaign had run
	First, Last time.Time
	Now         time.Time
	Acceptance
	Gone        bool
	Flaky       string // why it does not always show; empty means that it does
	State       history.State
	Owner, Link string      // empty means none
	History     history.Log // oldest first
}
