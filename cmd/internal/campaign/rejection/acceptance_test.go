package rejection

import (
	"slices"
	"testing"

	"parallax/cmd/internal/flow"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// TestOddAccepting checks which programs add their functions to a variant.
func TestOddAccepting(t *testing.T) {
	yes, other, no := oracle.Observation{Outcome: oracle.Accepted, Value: 1}, oracle.Observation{Outcome: oracle.Accepted, Value: 2}, oracle.Observation{Outcome: oracle.Rejected}
	for _, test := range []struct {
		name string
		obs  []oracle.Observation
		want []int
	}{
		{"one of three accepts", []oracle.Observation{no, yes, no}, []int{1}},
		{"one of three rejects", []oracle.Observation{yes, no, yes}, nil},
		{"one of two accepts", []oracle.Observation{no, yes}, []int{1}},
		{"one value of three", []oracle.Observation{yes, yes, other}, []int{2}},
		{"two values", []oracle.Observation{yes, other}, []int{0, 1}},
		{"agreement", []oracle.Observation{yes, yes}, nil},
	} {
		if got := OddAccepting(test.obs, oracle.VerdictLayer|oracle.ValueLayer); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestEntered checks that a function that only one of two runs enters is left out.
func TestEntered(t *testing.T) {
	table := &flow.Table{Package: "p", Funcs: []flow.Func{{Name: "f", Count: 1}, {Name: "g", First: 1, Count: 1}, {Name: "once", First: 2, Count: 1}}}
	for id := range table.Funcs {
		table.Blocks = append(table.Blocks, flow.Block{ID: id, Func: id})
	}
	space := &flow.Space{}
	space.Add(table, 0)
	first, second := []wire.RunResult{{}, {Hits: []uint32{0, 1, 2}}}, []wire.RunResult{{Hits: []uint32{2}}, {Hits: []uint32{0, 1}}}
	if got, want := Entered(space, []int{1}, first, second), []string{"p.f", "p.g"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
