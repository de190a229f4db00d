package oracle

import (
	"math"
	"testing"
)

func TestDearer(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		a, b Cost
		want Measures
		name string
	}{
		{Cost{}, Cost{}, 0, ""},
		{Cost{Blocks: 100_000}, Cost{Blocks: 1}, 0, ""},
		{Cost{Blocks: 100_001}, Cost{Blocks: 1}, Blocks, "blocks"},
		{Cost{Blocks: 800_000}, Cost{Blocks: 100_000}, Blocks, "blocks"},
		{Cost{Blocks: 799_999}, Cost{Blocks: 100_000}, 0, ""},
		{Cost{Blocks: 1}, Cost{Blocks: 800_000}, 0, ""}, // cheaper than before
		// the other's blocks are unknown
		{Cost{Blocks: 800_000}, Cost{}, 0, ""},
		// 8 times that overflows a uint64
		{Cost{Blocks: math.MaxUint64}, Cost{Blocks: 1 << 62}, 0, ""},
		{Cost{Blocks: math.MaxUint64}, Cost{Blocks: 1}, Blocks, "blocks"},
		{Cost{Bytes: 16 * mib}, Cost{}, 0, ""},
		{Cost{Bytes: 16*mib + 1}, Cost{}, Bytes, "bytes"},
		{Cost{Bytes: 64 * mib}, Cost{Bytes: 8 * mib}, Bytes, "bytes"},
		{Cost{Bytes: 64 * mib}, Cost{Bytes: 8*mib + 1}, 0, ""},
		{Cost{Blocks: 1e6, Bytes: 64 * mib}, Cost{Blocks: 1e3}, Blocks | Bytes, "blocks"},
	} {
		got := Dearer(c.a, c.b)
		if got != c.want || got.String() != c.name {
			t.Errorf("%+v beside %+v: %d %q, want %d %q", c.a, c.b, got, got, c.want, c.name)
		}
	}
	if got := (Blocks | Bytes).First(); got != Blocks {
		t.Errorf("the first of both is %v", got)
	}
	if got := Measures(0).First(); got != 0 {
		t.Errorf("the first of none is %v", got)
	}
}

// TestCostDisagree checks that cost is compared if it is requested and all else agrees.
func TestCostDisagree(t *testing.T) {
	dear, cheap := Cost{Blocks: 1_000_000}, Cost{Blocks: 10}
	both := VerdictLayer | ValueLayer | CostLayer
	for _, c := range []struct {
		name   string
		layers Layers
		obs    []Observation
		want   Measures
	}{
		{"accepted", both, []Observation{acc(1), acc(1)}, Blocks},
		{"rejected", both, []Observation{rej(1), rej(1)}, Blocks},
		{"declined", both, []Observation{declined, declined}, Blocks},
		{"classes are not compared", both, []Observation{rej(1), rej(2)}, Blocks},
		{"classes are", both | ClassLayer, []Observation{rej(1), rej(2)}, 0},
		{"cost is not asked for", all, []Observation{acc(1), acc(1)}, 0},
		{"values differ", both, []Observation{acc(1), acc(2)}, 0},
		{"verdicts differ", both, []Observation{acc(1), rej(1)}, 0},
		{"verdicts differ and are not compared", ValueLayer | CostLayer, []Observation{acc(1), rej(1)}, 0},
		{"failed", both, []Observation{crashed, crashed}, 0},
		{"timeout", both, []Observation{timeout, timeout}, 0},
		{"the old version did not run", both, []Observation{acc(1), {}}, 0},
		{"neither ran", both, []Observation{{}, {}}, 0},
		{"one program", both, []Observation{acc(1)}, 0},
		{"three programs", both, []Observation{acc(1), acc(1), acc(1)}, 0},
	} {
		if got := CostDisagree(c.layers, c.obs, dear, cheap); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
		if got := CostDisagree(c.layers, c.obs, cheap, dear); got != 0 {
			t.Errorf("%s, the new version is cheaper: %v", c.name, got)
		}
	}
	if n := testing.AllocsPerRun(100, func() { CostDisagree(both, []Observation{acc(1), acc(1)}, dear, cheap) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestCostLayer checks that the layer has a name, which configurations cannot use: it applies only
// to two versions of a program.
func TestCostLayer(t *testing.T) {
	if got := CostLayer.String(); got != "cost" {
		t.Error(got)
	}
	if l, err := ParseLayers([]string{"verdict", "cost"}); err == nil {
		t.Errorf("read as %v", l)
	}
	if Disagree(CostLayer, []Observation{acc(1), rej(2)}) || Minority(CostLayer, []Observation{acc(1), acc(1), rej(2)}) != nil {
		t.Error("observations tell of a cost")
	}
}
