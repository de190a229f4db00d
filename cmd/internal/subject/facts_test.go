package subject

import (
	"testing"

	"parallax/internal/oracle"
)

// TestLayersOfCost checks that costs are compared between two versions with counted blocks, and
// between no other programs.
func TestLayersOfCost(t *testing.T) {
	const asked = oracle.VerdictLayer | oracle.ValueLayer
	for _, test := range []struct {
		name string
		f    Facts
		cost bool
	}{
		{"two versions of a FuzzXxx", Facts{Pair: &Pair{}, Names: []string{NewVersion, OldVersion}, Traits: Traits{Lengths: true}}, true},
		{"two versions of a program", Facts{Versions: true, Names: []string{NewVersion, OldVersion}, Traits: Traits{Lengths: true}}, true},
		{"blocks are not counted", Facts{Versions: true, Names: []string{NewVersion, OldVersion}}, false},
		{"the new version alone", Facts{Pair: &Pair{}, Names: []string{NewVersion}, Traits: Traits{Lengths: true}}, false},
		{"functions", Facts{Names: []string{"a", "b"}, Traits: Traits{Lengths: true}}, false},
	} {
		want := asked
		if test.cost {
			want |= oracle.CostLayer
		}
		if got := test.f.Layers(asked); got != want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
