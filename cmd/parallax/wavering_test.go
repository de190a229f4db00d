package main_test

import (
	"fmt"
	"slices"
	"testing"

	"parallax/puzzles/wavering"
)

// TestWavering checks that nondeterministic programs have no findings that count, whatever the
// seed. The JSON names the programs that waver.
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
			chosen := *tool
			chosen.env = append(slices.Clone(tool.env), wavering.Choice+"="+pair[0]+","+pair[1])
			for seed := range seeds {
				r := chosen.diff(t, []string{"./puzzles/wavering.First", "./puzzles/wavering.Second"},
					"--fuzztime", "20000x", "--parallel", "1", "--seed", fmt.Sprint(seed+1))
				s := r.summary(t)
				if s.Open() > 0 || r.code != 0 {
					t.Errorf("seed %d: %d findings, exit code %d: %+v", seed+1, s.Open(), r.code, s.Findings.Buckets)
				}
				if s.DiscrepantInputs > 0 && len(s.Wavering) == 0 {
					t.Errorf("seed %d: %d inputs differ, and nobody wavers", seed+1, s.DiscrepantInputs)
				}
				for _, w := range s.Wavering {
					if pair[0] == "Steady" && w.Program == "wavering.First" {
						t.Errorf("seed %d: %+v", seed+1, w)
					}
				}
			}
		})
	}
}
