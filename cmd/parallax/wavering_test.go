package main_test

import (
	"fmt"
	"testing"

	"parallax/puzzles/wavering"
)

// Programs that do not always do the same have no findings: nothing is filed that counts, whatever the seed. The JSON says which
// programs waver.
func TestWavering(t *testing.T) {
	if testing.Short() {
		t.Skip("runs campaigns")
	}
	t.Parallel()
	tool := newTool(t)
	const kinds = 10 // that have five seeds; the others have two
	for i, pair := range wavering.Kinds {
		seeds := 5
		if i >= kinds {
			seeds = 2
		}
		t.Run(pair[1], func(t *testing.T) {
			t.Parallel()
			for seed := range seeds {
				r := tool.diff(t, []string{"./puzzles/wavering." + pair[0], "./puzzles/wavering." + pair[1]},
					"--fuzztime", "20000x", "--parallel", "1", "--seed", fmt.Sprint(seed+1))
				s := r.summary(t)
				if s.Open() > 0 || r.code != 0 {
					t.Errorf("seed %d: %d findings, exit code %d: %+v", seed+1, s.Open(), r.code, s.Findings.Buckets)
				}
				if s.DiscrepantInputs > 0 && len(s.Wavering) == 0 {
					t.Errorf("seed %d: %d inputs differ, and nobody wavers", seed+1, s.DiscrepantInputs)
				}
				for _, w := range s.Wavering {
					if w.Program == "wavering.Steady" {
						t.Errorf("seed %d: %+v", seed+1, w)
					}
				}
			}
		})
	}
}
