package feature

import (
	"math/bits"

	"parallax/internal/oracle"
)

// Cost is what a run took.
func (t *Trace) Cost() oracle.Cost { return oracle.Cost{Blocks: t.Length, Bytes: t.Allocated} }

// costSeed keeps features of cost apart from others of the domain.
const costSeed = 0x636f7374

// appendCost appends a feature for each power of two that the first program, the new version, executes times the blocks of the second, the
// old one. All up to the highest are appended, so that an input is new when the ratio is larger than on any before, and by no other. Bytes have no
// part in it: a worker tells them of a run only roughly (internal/worker/cost.go), and campaigns are to repeat.
func appendCost(j *Joint, out []uint64) []uint64 {
	if len(j.Traces) != 2 || j.Obs[0].Outcome == 0 || j.Obs[1].Outcome == 0 || j.Obs[0].Outcome >= oracle.Crashed || j.Obs[1].Outcome >= oracle.Crashed || j.Traces[1].Length == 0 {
		return out
	}
	for level := bits.Len64(j.Traces[0].Length/j.Traces[1].Length) - 1; level > 0; level-- {
		out = append(out, Chain(costSeed, uint64(level)))
	}
	return out
}
