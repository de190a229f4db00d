package engine

import (
	"math/rand"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// TestGroupsAreBounded checks that programs with unlimited patterns of equal values have a bounded
// number of candidates, in little memory.
func TestGroupsAreBounded(t *testing.T) {
	const programs, inputs = 12, 200_000
	for _, blocks := range []int{8, 1 << 20} {
		c := NewCandidates(programs, blocks, oracle.VerdictLayer|oracle.ValueLayer)
		random := rand.New(rand.NewSource(1))
		admissions := 0
		for range inputs {
			j := &feature.Joint{Obs: make([]oracle.Observation, programs), Traces: make([]feature.Trace, programs)}
			for p := range j.Obs {
				j.Obs[p] = accept(random.Uint64() % 8)
			}
			if admitted(c.Admit(j)) {
				admissions++
			}
		}
		if most := maxGroups + maxClasses + baseCandidates*20; admissions > most {
			t.Errorf("%d blocks: %d of %d inputs are candidates, more than %d", blocks, admissions, inputs, most)
		}
		if size, most := len(c.groups)*programs*blocks/8, maxGroupBytes+8*programs*blocks/8; size > most {
			t.Errorf("%d blocks: %d groups have %d bytes, more than %d", blocks, len(c.groups), size, most)
		}
	}
}
