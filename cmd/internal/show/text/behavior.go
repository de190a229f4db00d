package text

import (
	"slices"
	"strings"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/sample"
)

// shownThin is how many thinly tested branches are named at the end of a run.
const shownThin = 5

// fewIndependent is the least number of independent inputs whose estimates are shown. Fewer give
// bounds above a tenth.
const fewIndependent = 30

// behavior writes how diverse the behaviors are that inputs have shown.
func behavior(row func(name, format string, args ...any), s *finding.Summary, width int) {
	b := s.Behavior
	if b == nil || b.Traces == 0 {
		return
	}
	about := ""
	if b.Weight > 1 {
		about = "about "
	}
	unique := "unique traces"
	if b.Traces == 1 {
		unique = "unique trace"
	}
	row("behavior", "%s%s %s, %s of them of valid inputs; B(0) %s, B(1) %s, B(2) %s, evenness %.2f", about,
		units.Thousands(b.Traces), unique, units.Thousands(b.ValidTraces), units.Few(b.B0), units.Few(b.B1), units.Few(b.B2), b.Evenness)
	row("", "%s of the inputs are valid; probabilities of the next: a new trace %s, a new branch %s, %s below %s",
		units.Percent(b.ValidShare()), units.Percent(b.NewTrace), NewBranch(&b.Behavior), FailureOf(s.Mode), units.Percent(b.RiskBound))
	if b.Expected > b.B0 {
		row("", "at least %s branches can be covered, by inputs like these", units.Few(b.Expected))
	}
	if i := b.Independent; i != nil && i.Inputs >= fewIndependent {
		branch := &sample.Behavior{NewBranch: i.NewBranch, NewBranchBound: i.NewBranchBound}
		row("", "of %s drawn from nothing, which no guidance biases: a new branch %s, %s below %s", units.Plural(i.Inputs, "input"), NewBranch(branch), FailureOf(s.Mode), units.Percent(i.RiskBound))
	}
	if b.Structural != nil || b.Value != nil {
		row("", "new traces of valid inputs: %s of structural mutants, %s of value mutants", units.Percent(b.Structural.Share()), units.Percent(b.Value.Share()))
	}
	if lines := thinLines(s, min(width, 120)-12); lines != nil {
		row("", "executed by the fewest traces:")
		for _, l := range lines {
			row("", "  %s", l)
		}
	}
}

// FailureOf returns the words for a failure of an input in a mode. In diff mode, programs are
// compared and fail no test.
func FailureOf(mode string) string {
	if mode == "diff" {
		return "a crash or timeout"
	}
	return "a failure"
}

// thinLines returns the thinly tested branches, one a line of at most width columns. Programs with
// the same place share its line.
func thinLines(s *finding.Summary, width int) []string {
	type place struct{ at, what string }
	var places []*place
	for i, t := range s.Behavior.Thin {
		same := func(o finding.Thin) bool { return o.Location == t.Location }
		if slices.ContainsFunc(s.Behavior.Thin[:i], same) {
			continue
		}
		if len(places) == shownThin {
			break
		}
		p := &place{at: escape.Text(t.Location)}
		places = append(places, p)
		if len(s.Programs) < 2 {
			p.what = units.Plural(t.Traces, "trace")
			continue
		}
		var rest []finding.Thin
		for _, o := range s.Behavior.Thin[i:] {
			if same(o) {
				rest = append(rest, o)
			}
		}
		for len(rest) > 0 { // those with as many traces in one word
			n, names, others := rest[0].Traces, []string(nil), []finding.Thin(nil)
			for _, o := range rest {
				if o.Traces == n {
					names = append(names, columns.Cut(escape.Text(o.Program), 24))
				} else {
					others = append(others, o)
				}
			}
			if p.what != "" {
				p.what += ", "
			}
			p.what += units.Plural(n, "trace") + " in " + strings.Join(names, " and ")
			rest = others
		}
	}
	longest := 0
	for _, p := range places {
		p.what = columns.Cut(p.what, max(width/2, 10))
		p.at = columns.CutStart(p.at, max(width-2-columns.Width(p.what), 10))
		longest = max(longest, columns.Width(p.at))
	}
	var lines []string
	for _, p := range places {
		lines = append(lines, columns.Pad(p.at, min(longest, max(width-2-columns.Width(p.what), 10)))+"  "+p.what)
	}
	return lines
}

// NewBranch returns the probability of a new branch in words. If no branch was executed by one
// input alone, it is a bound and no estimate.
func NewBranch(b *sample.Behavior) string {
	p, bound := b.Branch()
	if bound {
		return "below " + units.Percent(p)
	}
	return "about " + units.Percent(p)
}
