// Package formats writes the findings of campaigns for continuous integration. Code scanning reads
// SARIF 2.1.0, test reports read JUnit XML, job summaries and pull requests read Markdown, and
// GitHub Actions reads annotations. The commands that fuzz call it at their end. `parallax report`
// calls it with the campaigns that package archive reads.
//
// Every function is a pure function of a Report: equal reports give equal bytes. Inputs, outputs,
// messages and names are untrusted. They are escaped as for a terminal (package report) and then
// for the format, so that no text can end the element around it. All findings are written. If a
// format has a bound, the output counts the omitted parts.
//
// SARIF is written by encoding/json from our own types (sarif_types.go), since it needs a tenth of
// the format, and since libraries write unset keys. Tests read the output with such a library, and
// check it against the schema.
package formats

import (
	"cmp"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/regress"
	"parallax/cmd/internal/show/text"
)

// Report holds the results of one command.
type Report struct {
	Command      string // of parallax: "fuzz"
	Tool         string // version of parallax
	Targets      []Target
	FailOnChange bool // changes of behavior make the run fail
}

// Target is a fuzzed target, or one that could not be fuzzed.
type Target struct {
	Name     string
	Folder   string           // of the campaign, as the user would type it
	Summary  *finding.Summary // nil if it cannot be read
	Problem  string           // the error that prevented or ended the fuzzing
	Earlier  bool             // not fuzzed: the summary is that of an earlier run
	Findings []Placed         // one per bucket of the summary, in its order
}

// Placed is a finding with its place in the repository.
type Placed struct {
	finding.Entry
	Where   Anchor
	Related []Related // the places in the repository where other programs of the finding decide
}

// Related is a place at which a program decides.
type Related struct {
	Program string
	Where   Anchor
}

// fate is the effect of a finding on the run.
type fate int

const (
	fails   fate = iota // makes the run fail
	alters              // a change of behavior that does not make the run fail
	noted               // reproduces, but does not make the run fail: accepted, flaky, old
	settled             // no longer reproduces
)

// fate returns the effect of a finding on the run, and the reason in a word.
func (r *Report) fate(b *finding.Row) (fate, string) {
	status := regress.Status(b.Status)
	switch {
	case b.Fixed():
		return settled, "gone"
	case status == regress.StatusFixed:
		return settled, b.Status
	case b.Accepted:
		return noted, "accepted"
	case b.Flaky:
		return noted, "flaky"
	case status == regress.StatusOld:
		return noted, b.Status
	case status == regress.StatusChanged && !status.Counts(r.FailOnChange):
		return alters, b.Status
	case b.Status != "":
		return fails, b.Status
	}
	return fails, "open"
}

// meanings explains the words for the states of findings.
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

// kind returns the kind of the finding, such as "crash" or "value discrepancy".
func (f *Placed) kind() string {
	if f.Kind == "discrepancy" && f.Layer != "" && f.Layer != "verdict" {
		return escape.Text(f.Layer) + " " + f.Kind
	}
	return escape.Text(f.Kind)
}

// title describes the finding in a line, without its input.
func (f *Placed) title() string {
	if f.Record != nil {
		return text.Title(f.Record)
	}
	return f.kind()
}

// input returns the minimized input in a line. Empty means unknown.
func (f *Placed) input() string { return escape.Text(f.Quoted) }

// origin returns the origin of the input. Empty means unknown.
func (f *Placed) origin() string { return escape.Text(f.Origin) }

// programs returns the programs of the target that have an outcome, in the target's order.
func (f *Placed) programs(t *Target) []string {
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

// outcomesText describes the results of all programs: "a rejected (too long), b accepted (7)".
func (f *Placed) outcomesText(t *Target) string {
	var parts []string
	for _, name := range f.programs(t) {
		text := escape.Text(name) + " " + escape.Text(finding.Outcome(f.Kind, f.Outcomes[name]))
		if result := f.Results[name]; result != "" {
			text += " (" + escape.Cut(escape.Text(result), 1000) + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// odd lists the programs in the minority.
func (f *Placed) odd() string {
	var names []string
	for _, name := range f.Odd {
		names = append(names, escape.Text(name))
	}
	return strings.Join(names, ", ")
}

// rank returns the importance of a kind of finding. 0 is the most important.
func (f *Placed) rank() int {
	order := []string{"crash", "oom", "failure", "timeout", "discrepancy", "change"}
	if i := slices.Index(order, f.Kind); i >= 0 {
		return i
	}
	return len(order)
}

// placed is a finding with its target.
type placed struct {
	*Placed
	target *Target
	word   string // its state
}

// withFate returns the findings of one fate, the most important first.
func (r *Report) withFate(want fate) []placed {
	var list []placed
	for i := range r.Targets {
		t := &r.Targets[i]
		for k := range t.Findings {
			f := &t.Findings[k]
			if got, word := r.fate(&f.Row); got == want {
				list = append(list, placed{f, t, word})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b placed) int { return cmp.Compare(a.rank(), b.rank()) })
	return list
}
