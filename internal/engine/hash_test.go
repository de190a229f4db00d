package engine

import (
	"fmt"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// TestCandidatesDistinct checks that each kind of failure of one of two programs is a class of its
// own, whose first failure is a candidate.
func TestCandidatesDistinct(t *testing.T) {
	for programs := 1; programs <= 3; programs++ {
		c := NewCandidates(programs, 4, oracle.VerdictLayer|oracle.ValueLayer)
		for p := 0; p < programs; p++ {
			for o := oracle.Crashed; o <= oracle.OOM; o++ {
				for class := uint64(0); class < 50; class++ {
					j := feature.Joint{Traces: make([]feature.Trace, programs)}
					for q := 0; q < programs; q++ {
						j.Obs = append(j.Obs, oracle.Observation{Outcome: oracle.Accepted})
					}
					j.Obs[p] = oracle.Observation{Outcome: o, Class: class}
					if !admitted(c.Admit(&j)) || !c.last.first {
						t.Fatalf("program %d of %d: %s of class %d is no candidate", p, programs, o, class)
					}
				}
			}
		}
	}
}

// TestGroupsDistinct checks that tuples of outcomes, with and without equal values, are distinct
// groups in each layer.
func TestGroupsDistinct(t *testing.T) {
	c := NewCandidates(3, 4, oracle.VerdictLayer)
	seen := map[uint64]string{}
	var all []oracle.Observation
	for _, o := range []oracle.Outcome{oracle.Accepted, oracle.Rejected, oracle.Declined} {
		for value := uint64(0); value < 3; value++ {
			all = append(all, oracle.Observation{Outcome: o, Value: value})
		}
	}
	for _, layer := range []oracle.Layers{oracle.VerdictLayer, oracle.ValueLayer, oracle.ClassLayer, oracle.CostLayer} {
		for n := 0; n < len(all)*len(all)*len(all); n++ {
			obs := []oracle.Observation{all[n%9], all[n/9%9], all[n/81]}
			name := fmt.Sprint(layer)
			for i := range obs {
				same := 0
				for layer == oracle.ValueLayer && (obs[i].Outcome == oracle.Accepted || obs[i].Value != 0) &&
					(obs[same].Outcome != obs[i].Outcome || obs[same].Value != obs[i].Value) {
					same++
				}
				name += fmt.Sprint(" ", obs[i].Outcome, same)
			}
			key, _ := c.key(obs, layer, allPrograms)
			if other, ok := seen[key]; ok && other != name {
				t.Fatalf("%s and %s are one group", other, name)
			}
			seen[key] = name
		}
	}
}
