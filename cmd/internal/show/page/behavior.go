package page

import (
	"fmt"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/sample"
)

// The diversity of behaviors: plots over time, and thinly tested branches
// (docs/explanation/diversity.md).

// behaviors returns the plots of the diversity. A campaign without blocks, or of an earlier
// parallax, has none.
func behaviors(t timeline) []Plot {
	samples := t.samples
	last := samples[len(samples)-1].Behavior
	if last == nil || last.Traces == 0 {
		return nil
	}
	of := func(name string, f func(b *sample.Behavior) float64) curve {
		return curve{name: name, value: func(i int) float64 {
			if b := samples[i].Behavior; b != nil {
				return f(b)
			}
			return 0
		}}
	}
	list := []Plot{
		draw(t, "Behavioral diversity", "effective number of branches: covered, covered typically, and covered commonly", []curve{
			of("B(0)", func(b *sample.Behavior) float64 { return b.B0 }),
			of("B(1)", func(b *sample.Behavior) float64 { return b.B1 }),
			of("B(2)", func(b *sample.Behavior) float64 { return b.B2 }),
		}, false),
		draw(t, "Diversity of valid inputs", "the same of the unique traces of valid inputs", []curve{
			of("valid B(0)", func(b *sample.Behavior) float64 { return b.ValidB0 }),
			of("valid B(1)", func(b *sample.Behavior) float64 { return b.ValidB1 }),
			of("valid B(2)", func(b *sample.Behavior) float64 { return b.ValidB2 }),
		}, false),
		draw(t, "Unique traces", "distinct behaviors of inputs, by the exact counts of blocks", []curve{
			of("traces", func(b *sample.Behavior) float64 { return float64(b.Traces) }),
			of("of valid inputs", func(b *sample.Behavior) float64 { return float64(b.ValidTraces) }),
		}, false),
		draw(t, "Evenness and validity", "in percent: B(1)/B(0), and inputs that are valid", []curve{
			of("evenness", func(b *sample.Behavior) float64 { return 100 * b.Evenness }),
			of("valid inputs", func(b *sample.Behavior) float64 { return 100 * b.ValidShare() }),
		}, false),
		draw(t, "Expected of 10,000 inputs", "that have a trace that none had; that execute a branch that none did, or a bound of 95 % where no branch was executed by one input alone; that fail, at most", []curve{
			of("new trace", func(b *sample.Behavior) float64 { return 10_000 * b.NewTrace }),
			of("new branch", func(b *sample.Behavior) float64 { p, _ := b.Branch(); return 10_000 * p }),
			of("failure", func(b *sample.Behavior) float64 { return 10_000 * b.RiskBound }),
		}, false),
		draw(t, "Coverage still to come", "branches covered, and an estimate from below of those that inputs like these can cover", []curve{
			of("covered", func(b *sample.Behavior) float64 { return b.B0 }),
			of("expected", func(b *sample.Behavior) float64 { return b.Expected }),
		}, false),
	}
	if last.Structural != nil || last.Value != nil {
		list = append(list, draw(t, "Yield of mutations", "mutants in 10,000 that are valid and have a new trace", []curve{
			of("structural", func(b *sample.Behavior) float64 { return 10_000 * b.Structural.Share() }),
			of("value", func(b *sample.Behavior) float64 { return 10_000 * b.Value.Share() }),
		}, false))
	}
	return list
}

// thinView is a thinly tested branch.
type thinView struct{ Program, Place, To, Traces string }

// thinBranches lists the branches that the fewest unique traces execute, with a link to their line
// if the page has it.
func thinBranches(c *Campaign, where func(place string) string) (list []thinView) {
	if c.Summary.Behavior == nil {
		return nil
	}
	for _, t := range c.Summary.Behavior.Thin {
		list = append(list, thinView{escape.Text(t.Program), escape.Text(t.Location), where(c.place(t.Program, t.Location)), thousands(t.Traces)})
	}
	return list
}

// behaviorTile summarizes the diversity.
func behaviorTile(b *finding.Behavior) tile {
	return tile{"unique traces", thousands(b.Traces), fmt.Sprintf("B(1) %s, B(2) %s of %s branches", units.Few(b.B1), units.Few(b.B2), units.Few(b.B0))}
}
