package feature

import (
	"math/bits"

	"parallax/internal/oracle"
)

// Cost returns the cost of a run.
func (t *Trace) Cost() oracle.Cost { return oracle.Cost{Blocks: t.Length, Bytes: t.Allocated} }

// costSeed separates cost features from the domain's other features.
const costSeed = 0x636f7374

// appendCost appends a feature for each power of two up to the ratio of executed blocks. The ratio
// is that of the first program, the new version, to the second, the old one. So an input is new
// only if its ratio exceeds all before. Allocated bytes do not count. A worker measures them only
// roughly per run (internal/worker/cost.go), and campaigns must repeat.
func appendCost(j *Joint, out []uint64) []uint64 {
	if len(j.Traces) != 2 || j.Obs[0].Outcome == 0 || j.Obs[1].Outcome == 0 || j.Obs[0].Outcome >= oracle.Crashed || j.Obs[1].Outcome >= oracle.Crashed || j.Traces[1].Length == 0 {
		return out
	}
	for level := bits.Len64(j.Traces[0].Length/j.Traces[1].Length) - 1; level > 0; level-- {
		out = append(out, Chain(costSeed, uint64(level)))
	}
	return out
}
