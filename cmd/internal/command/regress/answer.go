package regress

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/change/plan"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/regress"
)

// The last line of regress, which answers the question.

// An answer counts the results of a run of regress.
type answer struct {
	fresh, changed     tally    // findings: new failures, and changes of behavior
	unjudged, unfuzzed int      // targets
	executed, of       int      // change points
	dropped            []string // places of executed ones that no target judged
	by                 []string // targets that drop their results
	seldom             int      // executed ones whose targets ran less than fewInputs
	interrupted        bool
}

// fewInputs is the number of inputs below which a change point is hardly tested, if the budget is
// in time. A slow function may execute it on its seeds, and run few mutants.
const fewInputs = 1000

// answerOf sums up runs. A target is not judged if it does not build, fails on every seed, reached
// no input, or does not always do the same.
func answerOf(runs []fuzzing.Run, p *plan.Plan, interrupted bool) answer {
	a := answer{of: len(p.Points), interrupted: interrupted}
	var list []*finding.Summary
	thin := thinPoints{}
	for i := range runs {
		r := &runs[i]
		switch s := r.Summary; {
		case s == nil && r.Err == nil && !r.Skipped && interrupted:
			a.unfuzzed++
			continue
		case s == nil || r.Err != nil || s.NotJudged() != "":
			a.unjudged++
		}
		if r.Summary == nil {
			continue
		}
		list = append(list, r.Summary)
		if b := &r.Options.Budget; b.Time > 0 || b.CPU > 0 {
			thin.add(r.Summary)
		}
		for _, b := range r.Summary.Findings.Buckets {
			switch status := regress.Status(b.Status); {
			case b.Fixed() || b.Flaky || b.Accepted:
			case status == regress.StatusChanged:
				a.changed.add(&b)
			case status == regress.StatusNew, b.Open():
				a.fresh.add(&b)
			}
		}
	}
	a.seldom = thin.count()
	if all := finding.Together(list); all != nil {
		a.executed, a.of, a.dropped = all.Covered, all.Points, all.Dropped()
	} else {
		for _, s := range list {
			if s.Change != nil && s.Change.Covered >= a.executed {
				a.executed, a.dropped = s.Change.Covered, s.Change.Dropped()
			}
		}
	}
	for _, s := range list {
		if len(a.dropped) > 0 && s.Change != nil && s.Change.NotJudged > 0 {
			a.by = append(a.by, s.Target)
		}
	}
	return a
}

// thinPoints holds the executed change points by place.
type thinPoints map[string]thinPoint

// thinPoint is the number of change points of a place, and of inputs of the targets that execute
// them.
type thinPoint struct {
	points int
	inputs uint64
}

// add adds the change points that a target executes.
func (t thinPoints) add(s *finding.Summary) {
	if s.Change == nil {
		return
	}
	points := map[string]int{}
	for _, r := range s.Change.Reached {
		points[r.Location]++
	}
	for at, n := range points {
		t[at] = thinPoint{max(t[at].points, n), t[at].inputs + s.Inputs}
	}
}

// count returns the number of change points with fewer inputs than fewInputs.
func (t thinPoints) count() (n int) {
	for _, p := range t {
		if p.inputs < fewInputs {
			n += p.points
		}
	}
	return n
}

func (a answer) String() string {
	parts := []string{a.fresh.text("new failure"), a.changed.text("behavior change")}
	if a.unjudged > 0 {
		parts = append(parts, fmt.Sprintf("%d not judged", a.unjudged))
	}
	if a.unfuzzed > 0 {
		parts = append(parts, fmt.Sprintf("%d not fuzzed", a.unfuzzed))
	}
	text := fmt.Sprintf("regress: %s; %d of %s executed", strings.Join(parts, ", "), a.executed, units.Plural(a.of, "change point"))
	if n := len(a.dropped); n > 0 {
		who := "FuzzXxx drop"
		if len(a.by) == 1 {
			who = a.by[0] + " drops"
		}
		text += fmt.Sprintf(", %d judged (%s the results of %d)", a.executed-n, who, n)
	}
	if a.seldom > 0 {
		text += fmt.Sprintf(", %d hardly tested (their targets ran fewer than %s inputs)", a.seldom, units.Thousands(fewInputs))
	}
	if a.interrupted {
		text += " (interrupted)"
	}
	return text
}

// tally counts findings and their causes. A cause counts where lists show it.
type tally struct{ causes, all, unverified int }

func (t *tally) add(b *finding.Row) {
	if t.all++; b.Unverified {
		t.unverified++
	}
	if b.Shows() {
		t.causes++
	}
}

// text counts them in words.
func (t tally) text(what string) string {
	text, unverified := units.Plural(t.causes, what), fmt.Sprintf("%d of them unverified", t.unverified)
	switch {
	case t.all > t.causes && t.unverified > 0:
		return fmt.Sprintf("%s (%d findings, %s)", text, t.all, unverified)
	case t.all > t.causes:
		return fmt.Sprintf("%s (%d findings)", text, t.all)
	case t.unverified == 0:
		return text
	case t.all == 1:
		return text + ", unverified"
	}
	return text + ", " + unverified
}

// answer prints the last line, and before it the change points that were not judged.
func (s *session) answer(runs []fuzzing.Run) {
	a := answerOf(runs, s.plan, s.ctx.Err() != nil)
	if len(a.dropped) > 0 {
		fmt.Fprintf(os.Stderr, "\n%s\n", escape.Lines(terminal.Folded(s.unjudged(a.dropped), terminal.Width())))
	}
	fmt.Fprintf(os.Stderr, "\n%s\n", a)
}

// unjudged names the change points that were executed only by calls whose results are dropped, and
// functions that return them.
func (s *session) unjudged(places []string) string {
	text := "executed, not judged: " + units.Some(slices.Compact(places), someNames)
	var names []string
	if s.synthesis != nil {
		for _, fn := range s.synthesis.Functions() {
			if s.picked[fn.Full()] == nil && slices.ContainsFunc(s.plan.Reaches(fn.Full()), func(at int) bool { return slices.Contains(places, s.plan.Points[at].Where()) }) {
				names = append(names, fn.Path)
			}
		}
	}
	switch {
	case len(names) > 0:
		return text + "\nfuzz a function that returns the results (--func): " + units.Some(names, someNames)
	case s.Fuzz != "" || s.NoSynthesis:
		return text + "\nwithout --fuzz and --no-synthesis, exported functions that return the results are fuzzed; --func names one"
	case s.synthesis != nil:
		text += "\n" + strings.TrimSpace(s.misfits(s.plan))
	}
	return strings.TrimSpace(text) + "\nchange the FuzzXxx so that it compares the results, or write one: `parallax init .F`; --func names an exported function"
}
