package schedule

import (
	"math/bits"

	"parallax/internal/feature"
)

// Cost returns the cost of executing an input, in executed blocks. It is the same on every machine.
func Cost(traces []feature.Trace) uint64 {
	n := uint64(0)
	for p := range traces {
		n += costOfInput + traces[p].Length
	}
	return n
}

// UsualCost estimates the usual cost of a campaign's inputs: the geometric mean, rounded down to a
// power of two. A few expensive inputs hardly change it. The zero value has no inputs.
type UsualCost struct{ octaves, inputs uint64 }

// Add counts an input.
func (u *UsualCost) Add(cost uint64) {
	u.octaves += uint64(bits.Len64(cost))
	u.inputs++
}

// Turns returns how many inputs of usual cost an input represents. It is 1 up to a few times the
// usual cost, and proportional to cost above. So cheap inputs share a campaign by number, and
// expensive ones by cost.
func (u *UsualCost) Turns(cost uint64) int {
	if u.inputs == 0 {
		return 1
	}
	return int(min(max(cost>>(u.octaves/u.inputs+1), 1), maxTurns))
}

// maxTurns bounds Turns, so that sums never overflow.
const maxTurns = 1 << 24
