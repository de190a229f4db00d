package regress

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/change/plan"
	"parallax/cmd/internal/change/revision"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/regress"
	"parallax/cmd/internal/subject"
)

// The messages of regress where it fuzzes nothing: there is nothing to fuzz, or the user asks for
// the plan only.

// nothing says that there is nothing to fuzz, and why.
func (f *comparison) nothing(versions *revision.Pair, p *plan.Plan) error {
	w := os.Stderr
	c := &finding.Change{Points: len(p.Points), Functions: changed(p)}
	if len(p.Points) == 0 {
		fmt.Fprintln(w, "\nNothing to fuzz: nothing was changed that can be executed.")
	} else {
		why := "no harness reaches the change"
		if p.ByName() {
			why = "perhaps no harness reaches the change, by the names of calls (--plan-time 0 reads the calls)"
		}
		fmt.Fprintf(w, "\nNothing to fuzz: %s.\n\n%s", why, p.Changed())
		c.NotReached = notReached(p)
		text := f.misfits(p)
		switch {
		case f.Fuzz != "":
			text += "Without --fuzz, exported functions that reach the change are fuzzed.\n"
		case f.NoSynthesis:
			text += "Without --no-synthesis, exported functions that reach the change are fuzzed.\n"
		case f.Harness == "":
			text += "To fuzz the change, " + own(&versions.Head) + ".\n"
		}
		fmt.Fprintln(w)
		for line := range strings.Lines(text) {
			for _, line := range columns.Fold(strings.TrimRight(line, "\n"), terminal.Width()) {
				fmt.Fprintln(w, escape.Text(line))
			}
		}
	}
	return f.unfuzzed(versions, p, c)
}

// planned says what would be fuzzed.
func (f *comparison) planned(versions *revision.Pair, p *plan.Plan) error {
	c := &finding.Change{Points: len(p.Points), Functions: changed(p), Harnesses: f.shares(p)}
	c.NotReached = notReached(p)
	return f.unfuzzed(versions, p, c)
}

// notReached are the change points that no harness reaches.
func notReached(p *plan.Plan) (list []finding.NotReached) {
	for i := range p.Points {
		if pt := &p.Points[i]; !pt.Reached {
			list = append(list, finding.NotReached{Location: pt.Where(), Nearest: pt.Nearest, Reason: p.Reason(i, nil)})
		}
	}
	return list
}

// unfuzzed sums up a command that fuzzes nothing.
func (f *comparison) unfuzzed(versions *revision.Pair, p *plan.Plan, c *finding.Change) error {
	w := os.Stderr
	for _, n := range finding.Once(slices.Concat(p.Notes, versions.Head.Notes, versions.Base.Notes)) {
		fmt.Fprintln(w, "note      "+escape.Text(finding.Flat(n)))
	}
	s := &finding.Summary{
		Version: finding.Version, Mode: subject.Regress, Target: filepath.Base(f.Campaign.Dir), Programs: []string{regress.New, regress.Old}, Guidance: f.Campaign.Guidance,
		Seed: f.Campaign.Seed, Change: c,
	}
	err := f.Deliver([]fuzzing.Run{{Name: s.Target, Options: f.Campaign, Summary: s}})
	if f.JSON && err == nil {
		var data []byte
		if data, err = s.Encode(); err == nil {
			_, err = os.Stdout.Write(data)
		}
		if err != nil {
			return exit.Infra("writing the summary: %w", err)
		}
	}
	if !f.PlanOnly {
		fmt.Fprintf(w, "\nregress: nothing was fuzzed; 0 of %s executed\n", units.Plural(len(p.Points), "change point"))
	}
	return err
}

// spoken leaves the grammar out where inputs are not one text, if there are other harnesses. The
// user has not chosen those that reach a change.
func (s *session) spoken(t *subject.Lockstep, o *campaign.Options) {
	if len(s.plan.Harnesses) == 1 || o.CheckGrammar(&t.Facts) == nil {
		return
	}
	why := "its input is not one text"
	if t.Tapes() {
		why = "a generator draws its inputs"
	}
	t.Plan.Notes = append(t.Plan.Notes, fmt.Sprintf("%s is fuzzed without %s: %s", t.Name, o.GrammarFile, why))
	o.Grammar = ""
}
