package page

import (
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/internal/oracle"
)

// TestOutputsOfCost checks that costs replace the results if versions differ in cost: the results
// are the same.
func TestOutputsOfCost(t *testing.T) {
	did := oracle.Detail{Outcome: "accepted", Value: "7"}
	v := &findingView{}
	v.outputs(&Shown{Entry: finding.Entry{Record: &finding.Finding{Kind: "change", Layer: "cost", Programs: []finding.Program{
		{Name: "new", Detail: did, Blocks: 1_204_331}, {Name: "old", Detail: did, Blocks: 8_210},
	}}}})
	if len(v.Outputs) != 2 || v.Compared {
		t.Fatalf("%+v", v)
	}
	for i, want := range []string{"1,204,331 blocks executed", "8,210 blocks executed"} {
		if o := v.Outputs[i]; o.What != "cost" || len(o.Runs) != 1 || o.Runs[0].Text != want {
			t.Errorf("%+v", o)
		}
	}
}
