package schedule

import (
	"math/bits"

	"parallax/internal/feature"
)

// Cost is what executing an input costs, in blocks that the programs enter: it is the same on every machine.
func Cost(traces []feature.Trace) uint64 {
	n := uint64(0)
	for p := range traces {
		n += costOfInput + traces[p].Length
	}
	return n
}

// Usual is what an input of a campaign usually costs: the geometric mean of all costs, rounded down to a power of two. A few dear inputs hardly
// move it. The zero value knows no input.
type Usual struct{ octaves, inputs uint64 }

// Add counts an input.
func (u *Usual) Add(cost uint64) {
	u.octaves += uint64(bits.Len64(cost))
	u.inputs++
}

// Turns is how many inputs of usual cost an input stands for, where what is made of it has a share: 1 up to four times the usual cost or more, and
// in proportion above. So the shares of inputs that cost much the same are shares of their number, and those of dear inputs are shares of cost.
func (u *Usual) Turns(cost uint64) int {
	if u.inputs == 0 {
		return 1
	}
	return int(min(max(cost>>(u.octaves/u.inputs+1), 1), maxTurns))
}

// maxTurns bounds Turns, so that sums of them never overflow.
const maxTurns = 1 << 24
