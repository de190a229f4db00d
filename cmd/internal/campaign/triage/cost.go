package triage

import (
	"parallax/cmd/internal/finding"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// A new version that does the same as the old one at a far higher cost is a finding
// (oracle.CostDisagree). Every run must show the cost, among them the first ones of three
// processes. So one-time costs of a process do not count.

// Change is the kind of finding in which two versions differ and neither fails.
const Change = "change"

// Disagrees reports whether findings of a kind are disagreements, and not failures of one program.
func Disagrees(kind string) bool { return kind == finding.KindDiscrepancy || kind == Change }

// disagreement returns the kind of a finding in a layer.
func disagreement(layer oracle.Layers) string {
	if layer == oracle.CostLayer {
		return Change
	}
	return finding.KindDiscrepancy
}

// Cost returns the cost of a run.
func Cost(r *wire.RunResult) oracle.Cost { return oracle.Cost{Blocks: r.Length, Bytes: r.Allocated} }

// Dear returns the measures in which the new version costs too much, if that is the disagreement.
func Dear(layers oracle.Layers, results []wire.RunResult) oracle.Measures {
	if len(results) != 2 {
		return 0
	}
	return oracle.CostDisagree(layers, Observations(results), Cost(&results[0]), Cost(&results[1]))
}

// spare is the part of its cost that a new version may lose while an input is minimized and still
// costs too much. An input exactly at the bound would waver with a few bytes of the runtime.
const spare = 16

// dearWithSpare returns the measures in which the new version costs too much even at less cost.
func dearWithSpare(layers oracle.Layers, results []wire.RunResult) oracle.Measures {
	if len(results) != 2 {
		return 0
	}
	less := Cost(&results[0])
	less.Blocks, less.Bytes = less.Blocks-less.Blocks/spare, less.Bytes-less.Bytes/spare
	return oracle.CostDisagree(layers, Observations(results), less, Cost(&results[1]))
}

// costs is the cost that stays while an input is minimized: the measure of the finding.
type costs struct {
	measure oracle.Measures
	spare   bool // the measure is exceeded even at less cost
}

func costsOf(layers oracle.Layers, results []wire.RunResult) (c costs) {
	c.measure = Dear(layers, results).First()
	c.spare = dearWithSpare(layers, results)&c.measure != 0
	return c
}

func (c costs) shown(layers oracle.Layers, results []wire.RunResult) bool {
	if c.spare {
		return dearWithSpare(layers, results)&c.measure != 0
	}
	return Dear(layers, results)&c.measure != 0
}

// dear reports whether results show the finding's cost. It is true for findings in other layers.
func (f *Result) dear(layers oracle.Layers, results []wire.RunResult) bool {
	return f.Layer != oracle.CostLayer || Dear(layers, results)&f.Dear != 0
}
