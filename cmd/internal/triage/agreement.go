package triage

import (
	"context"
	"slices"

	"parallax/internal/wire"
)

// Agreement runs inputs near one, and counts those that take the same path of the first program, the original, and on
// how many of them the programs agree. The path is the set of blocks that a run executes. Nothing is counted of programs without blocks.
func (j *Triager) Agreement(ctx context.Context, flat []byte) (runs, agree int, err error) {
	s := j.Replayer()
	s.Ctx = ctx
	defer s.Close()
	results, err := s.Run(flat, wire.WantHits)
	if err != nil || len(results) < 2 || len(results[0].Hits) == 0 {
		return 0, 0, err
	}
	path := slices.Clone(results[0].Hits)
	seen := map[string]bool{string(flat): true}
	front := [][]byte{flat}
	for round := 0; round < agreementRounds && len(front) > 0 && runs < agreementEnough; round++ {
		var next [][]byte
		for _, from := range front {
			fresh := func(yield func([]byte) bool) {
				for b := range Neighbours(j.Shape, from, agreementBudget) {
					if !seen[string(b)] {
						seen[string(b)] = true
						if !yield(b) {
							return
						}
					}
				}
			}
			err = s.RunAll(fresh, wire.WantHits, func(b []byte, results []wire.RunResult) bool {
				if _, failed := Failed(results); failed || !slices.Equal(results[0].Hits, path) {
					return true
				}
				if runs++; Layer(j.Layers, results) == 0 {
					agree++
				}
				if len(next) < agreementFront {
					next = append(next, slices.Clone(b))
				}
				return true
			})
			if err != nil || runs >= agreementEnough {
				break
			}
		}
		front = next
	}
	return runs, agree, err
}

// Limits of the inputs that are run to see whether a path is one that the programs mostly agree on: neighbours of an input, rounds of neighbours of
// neighbours, from how many each begins, and inputs of the path that are enough.
const (
	agreementBudget = 200
	agreementRounds = 4
	agreementFront  = 12
	agreementEnough = 40
)
