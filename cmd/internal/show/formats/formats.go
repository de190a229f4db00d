// Package formats writes what campaigns have found for continuous integration: SARIF 2.1.0 for code scanning, JUnit XML for test
// reports, Markdown for job summaries and pull requests, and the annotations of GitHub Actions. The commands that fuzz call it at their
// end, and `parallax report`, with what package archive has gathered.
//
// Every function is a pure function of a Report: equal reports give equal bytes. Inputs, outputs, messages and names are untrusted: they
// are escaped as for a terminal (package report) and then for the format, so that no text ends what it stands in. All findings are
// written; where a format has a bound, what is left out is said.
//
// SARIF is written by encoding/json from types of our own (sarif_types.go), since it needs a tenth of what the format has, and since
// libraries for it write keys that are not set. Tests read it with such a library, and check it against the schema.
package formats

import (
	"cmp"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/finding/regress"
	"parallax/cmd/internal/finding/report"
)

// A Report is what one command did.
type Report struct {
	Command      string // of parallax: "fuzz"
	Tool         string // version of parallax
	Targets      []Target
	FailOnChange bool // changes of behavior make the run fail
}

// A Target is what was fuzzed, or should have been.
type Target struct {
	Name     string
	Folder   string          // the campaign's, as the user would type it
	Summary  *report.Summary // nil: nothing is known of it
	Problem  string          // the error that kept it from being fuzzed, or ended the fuzzing
	Earlier  bool            // it was not fuzzed: the summary is of an earlier run
	Findings []Finding       // one for each bucket of the summary, in its order
}

// A Finding is a bucket with its smallest input.
type Finding struct {
	report.Bucket
	Record *report.Finding // nil: it cannot be read
	Page   report.Page     // what the record's report shows beside it; its Folder is the finding's
	Where  Place
	Beside []Beside // where other programs of the finding decide, in the repository
}

// A Beside is a place at which a program decides.
type Beside struct {
	Program string
	Where   Place
}

// A fate is what a finding means for the run.
type fate int

const (
	fails   fate = iota // it makes the run fail
	alters              // a change of behavior, which does not
	aside               // it shows, and does not make the run fail: accepted, flaky, old
	settled             // it shows no more
)

// fate says what a finding means for the run, and in a word why.
func (r *Report) fate(b *report.Bucket) (fate, string) {
	status := regress.Status(b.Status)
	switch {
	case b.Gone:
		return settled, "gone"
	case status == regress.StatusFixed:
		return settled, b.Status
	case b.Accepted:
		return aside, "accepted"
	case b.Flaky:
		return aside, "flaky"
	case status == regress.StatusOld:
		return aside, b.Status
	case status == regress.StatusChanged && !status.Counts(r.FailOnChange):
		return alters, b.Status
	case b.Status != "":
		return fails, b.Status
	}
	return fails, "open"
}

// meanings say what a word for the state of a finding means.
var meanings = map[string]string{
	"open":     "it makes the run fail",
	"new":      "the new version fails, and the old one does not",
	"old":      "the old version fails too",
	"fixed":    "the old version fails, and the new one does not",
	"changed":  "the new version behaves differently from the old one",
	"accepted": "the difference is marked as intended",
	"flaky":    "it does not always show",
	"gone":     "it did not show any more when its input was run again",
}

// kind is what a finding is: "crash", "value discrepancy".
func (f *Finding) kind() string {
	if f.Kind == "discrepancy" && f.Layer != "" && f.Layer != "verdict" {
		return escape.Text(f.Layer) + " " + f.Kind
	}
	return escape.Text(f.Kind)
}

// title is what the finding comes to, in a line without its input.
func (f *Finding) title() string {
	if f.Record != nil {
		return f.Record.Title()
	}
	return f.kind()
}

// input is the minimized input in a line; empty where it is not known.
func (f *Finding) input() string { return escape.Text(f.Quoted) }

// origin is where the input is from; empty where it is not known.
func (f *Finding) origin() string { return escape.Text(f.Origin) }

// programs are those of the target, in its order, that the finding says something of.
func (f *Finding) programs(t *Target) []string {
	var names []string
	if t.Summary != nil {
		for _, name := range t.Summary.Programs {
			if _, ok := f.Outcomes[name]; ok && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	var rest []string
	for name := range f.Outcomes {
		if !slices.Contains(names, name) {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	return append(names, rest...)
}

// did is what each program did, in words: "a rejected (too long), b accepted (7)".
func (f *Finding) did(t *Target) string {
	var parts []string
	for _, name := range f.programs(t) {
		text := escape.Text(name) + " " + escape.Text(report.Outcome(f.Kind, f.Outcomes[name]))
		if result := f.Results[name]; result != "" {
			text += " (" + escape.Cut(escape.Text(result), 1000) + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// odd are the programs in the minority, in words.
func (f *Finding) odd() string {
	var names []string
	for _, name := range f.Odd {
		names = append(names, escape.Text(name))
	}
	return strings.Join(names, ", ")
}

// rank is how important a kind of finding is, the most important first.
func (f *Finding) rank() int {
	order := []string{"crash", "oom", "failure", "timeout", "discrepancy", "change"}
	if i := slices.Index(order, f.Kind); i >= 0 {
		return i
	}
	return len(order)
}

// A placed finding is one with its target.
type placed struct {
	*Finding
	target *Target
	word   string // its state
}

// with are the findings of one fate, the most important first.
func (r *Report) with(want fate) []placed {
	var list []placed
	for i := range r.Targets {
		t := &r.Targets[i]
		for k := range t.Findings {
			f := &t.Findings[k]
			if got, word := r.fate(&f.Bucket); got == want {
				list = append(list, placed{f, t, word})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b placed) int { return cmp.Compare(a.rank(), b.rank()) })
	return list
}
