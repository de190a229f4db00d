package schedule

import "parallax/internal/mutate"

var cheapRow = Row{Name: "cheap", Text: "seeds that execute fewer blocks", New: func(Environment) Schedule { return &cheap{} }}

// cheap prefers seeds that run quickly: of two drawn at random, the one that executed fewer blocks, repetitions counted,
// three times in four. AFL prefers quick seeds for the same reason (calculate_score in afl-fuzz.c: up to three times the
// children for a quarter of the time), by the clock. Blocks do not depend on the machine, so that a campaign repeats.
type cheap struct{ cost []uint64 }

func (c *cheap) Added(s Seed) {
	n := uint64(0)
	for i := range s.Traces {
		n += s.Traces[i].Length
	}
	c.cost = append(c.cost, n)
}

func (c *cheap) Next(r *mutate.Rand) int {
	a, b := r.Intn(len(c.cost)), r.Intn(len(c.cost))
	if (c.cost[b] < c.cost[a]) == r.Chance(3, 4) {
		return b
	}
	return a
}

func (c *cheap) Ran(Result) {}
