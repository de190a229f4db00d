package triage

import (
	"testing"

	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// TestCauseOfFailing checks that failing calls in one version are another cause than failing calls
// in both or in the other one.
func TestCauseOfFailing(t *testing.T) {
	j := &Triager{Layers: oracle.ValueLayer}
	j.Names = []string{"new", "old"}
	results := func(failures ...uint64) (list []wire.RunResult) {
		for p, class := range failures {
			list = append(list, wire.RunResult{Outcome: uint64(oracle.Accepted), Value: uint64(p), Class: class})
		}
		return list
	}
	one, other := uint64(0x50001), uint64(0x90001)
	kinds := [][]wire.RunResult{results(0, 0), results(one, 0), results(0, one), results(one, other)}
	names := map[string]bool{}
	for i, want := range kinds {
		c := j.cause(want, oracle.ValueLayer, nil)
		for k, got := range kinds {
			if c.shown(got) != (i == k) {
				t.Errorf("%d shows %d: %v", k, i, i != k)
			}
		}
		names[j.bucket(want, oracle.ValueLayer, notLocated(2), nil)] = true
	}
	if len(names) != len(kinds) {
		t.Errorf("%d names of variants", len(names))
	}
	if c := j.cause(results(one, one), oracle.ValueLayer, nil); !c.shown(results(0, 0)) {
		t.Error("errors in both versions are no cause")
	}
}

// TestCauseInParts checks that a difference in other parts of the values has another cause, between
// versions and where parts are known.
func TestCauseInParts(t *testing.T) {
	results := func(lanes ...int) []wire.RunResult {
		list := []wire.RunResult{{Outcome: uint64(oracle.Accepted), Value: 1}, {Outcome: uint64(oracle.Accepted), Value: 2}}
		for i := range list {
			list[i].Parts = oracle.Parts{9: 1}
		}
		for _, k := range lanes {
			list[1].Parts[k]++
		}
		return list
	}
	unknown := results(1)
	unknown[0].Parts = oracle.Parts{}
	for _, c := range []struct {
		want, got []wire.RunResult
		shown     bool
	}{
		{results(1), results(1), true},
		{results(1), results(2), false},
		{results(1), results(1, 2), true},
		{results(1, 2), results(2), true},
		{results(1), results(), true},
		{results(1), unknown, true},
		{unknown, results(2), true},
	} {
		for _, versions := range []bool{true, false} {
			j := &Triager{Layers: oracle.ValueLayer, Names: []string{"new", "old"}, Versions: versions}
			if shown := j.cause(c.want, oracle.ValueLayer, nil).shown(c.got); shown != (c.shown || !versions) {
				t.Errorf("%v shows %v: %v, versions %v", c.got, c.want, shown, versions)
			}
		}
	}
}
