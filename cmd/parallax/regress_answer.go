package main

import (
	"fmt"
	"os"
	"strings"

	"parallax/cmd/internal/change/plan"
	"parallax/cmd/internal/finding/regress"
	"parallax/cmd/internal/finding/report"
)

// The last line of regress, which answers the question.

// An answer counts what a run of regress came to.
type answer struct {
	fresh, changed     tally // findings: new failures, and changes of behavior
	unjudged, unfuzzed int   // targets
	executed, of       int   // change points
	interrupted        bool
}

// answerOf sums up runs. A target is not judged if it does not build, fails on every seed, did not come to an input, or does not always do the same.
func answerOf(runs []testRun, p *plan.Plan, interrupted bool) answer {
	a := answer{of: len(p.Points), interrupted: interrupted}
	var list []*report.Summary
	for i := range runs {
		r := &runs[i]
		switch s := r.summary; {
		case s == nil && r.err == nil && !r.skipped && interrupted:
			a.unfuzzed++
			continue
		case s == nil || r.err != nil || s.NotJudged() != "":
			a.unjudged++
		}
		if r.summary == nil {
			continue
		}
		list = append(list, r.summary)
		for _, b := range r.summary.Findings.Buckets {
			switch status := regress.Status(b.Status); {
			case b.Gone || b.Flaky || b.Accepted:
			case status == regress.StatusChanged:
				a.changed.add(b.Unverified)
			case status == regress.StatusNew, b.Open():
				a.fresh.add(b.Unverified)
			}
		}
	}
	if all := report.Together(list); all != nil {
		a.executed, a.of = all.Covered, all.Points
		return a
	}
	for _, s := range list {
		if s.Change != nil {
			a.executed = max(a.executed, s.Change.Covered)
		}
	}
	return a
}

func (a answer) String() string {
	parts := []string{a.fresh.text("new failure"), a.changed.text("behavior change")}
	if a.unjudged > 0 {
		parts = append(parts, fmt.Sprintf("%d not judged", a.unjudged))
	}
	if a.unfuzzed > 0 {
		parts = append(parts, fmt.Sprintf("%d not fuzzed", a.unfuzzed))
	}
	text := fmt.Sprintf("regress: %s; %d of %s executed", strings.Join(parts, ", "), a.executed, counted(a.of, "change point"))
	if a.interrupted {
		text += " (interrupted)"
	}
	return text
}

// tally counts findings.
type tally struct{ all, unverified int }

func (t *tally) add(unverified bool) {
	if t.all++; unverified {
		t.unverified++
	}
}

// text counts them in words.
func (t tally) text(what string) string {
	switch text := counted(t.all, what); {
	case t.unverified == 0:
		return text
	case t.all == 1:
		return text + ", unverified"
	default:
		return fmt.Sprintf("%s, %d of them unverified", text, t.unverified)
	}
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// answer prints the last line.
func (s *session) answer(runs []testRun) {
	fmt.Fprintf(os.Stderr, "\n%s\n", answerOf(runs, s.plan, s.ctx.Err() != nil))
}
