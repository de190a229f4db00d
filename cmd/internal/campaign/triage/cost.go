package triage

import (
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// What a new version costs beside an old one is a finding where both do the same and it is far more (oracle.CostDisagree). It is filed when
// every run of it shows that, among them the first ones of three fresh processes and later ones: what a process pays once, such as a table that
// is made when it is first needed, is no cost of the input, and shows in the first run only.

// Change is the kind of finding in which a new version of a program does otherwise than the old one, and neither fails.
const Change = "change"

// Disagrees reports whether findings of a kind are of programs that do different things, and not of one that fails.
func Disagrees(kind string) bool { return kind == Discrepancy || kind == Change }

// disagreement is the kind of a finding in a layer.
func disagreement(layer oracle.Layers) string {
	if layer == oracle.CostLayer {
		return Change
	}
	return Discrepancy
}

// Cost is what a run took.
func Cost(r *wire.RunResult) oracle.Cost { return oracle.Cost{Blocks: r.Length, Bytes: r.Allocated} }

// Dear are the measures in which the new version costs too much, where that is what the programs disagree in.
func Dear(layers oracle.Layers, results []wire.RunResult) oracle.Measures {
	if len(results) != 2 {
		return 0
	}
	return oracle.CostDisagree(layers, Observations(results), Cost(&results[0]), Cost(&results[1]))
}

// spare is the part of its cost that a new version may lose while an input is minimized, and still costs too much. Without it the smallest input
// would stand at the bound, where the few bytes that a runtime allocates by itself, or one turn of a loop in another build, make the
// finding come and go.
const spare = 16

// amply are the measures in which the new version would cost too much with less than it costs.
func amply(layers oracle.Layers, results []wire.RunResult) oracle.Measures {
	if len(results) != 2 {
		return 0
	}
	less := Cost(&results[0])
	less.Blocks, less.Bytes = less.Blocks-less.Blocks/spare, less.Bytes-less.Bytes/spare
	return oracle.CostDisagree(layers, Observations(results), less, Cost(&results[1]))
}

// costs is what results must show of a cost while an input becomes smaller: the measure that the finding is called by, amply if it did.
type costs struct {
	measure oracle.Measures
	amply   bool
}

func costsOf(layers oracle.Layers, results []wire.RunResult) (c costs) {
	c.measure = Dear(layers, results).First()
	c.amply = amply(layers, results)&c.measure != 0
	return c
}

func (c costs) shown(layers oracle.Layers, results []wire.RunResult) bool {
	if c.amply {
		return amply(layers, results)&c.measure != 0
	}
	return Dear(layers, results)&c.measure != 0
}

// dear reports whether results show the cost that the finding is of; nothing is asked of findings in other layers.
func (f *Finding) dear(layers oracle.Layers, results []wire.RunResult) bool {
	return f.Layer != oracle.CostLayer || Dear(layers, results)&f.Dear != 0
}
