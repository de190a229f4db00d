package campaign

import (
	"reflect"
	"testing"
	"time"

	"parallax/cmd/internal/finding/state"
	"parallax/internal/wire"
)

func TestTotals(t *testing.T) {
	var first totals
	first.load(nil, state.Clock{})
	first.add(wire.Inputs, 10, 3)
	first.add(wire.Discrepant, 4, 3)
	first.add(wire.Kept, 2, 3)
	first.add(wire.Bytes, 90, 3)
	first.add(wire.Blocks, 700, 3)
	first.restarts, first.flaky = 1, 2
	first.tried["splice"], first.kept["splice"] = 7, 3
	if first.inputs != 10 || first.executions != 30 || first.discrepant != 4 {
		t.Errorf("10 inputs on 3 programs: %+v", first)
	}
	saved := first.save()

	// A resumed campaign continues the totals, and separates its own counts.
	var second totals
	second.load(saved, first.clock(1500*time.Millisecond))
	if second.inputs != 10 || second.startInputs != 10 || second.startExecutions != 30 || second.before != 1500*time.Millisecond ||
		second.restarts != 1 || second.flaky != 2 || second.tried["splice"] != 7 || second.kept["splice"] != 3 ||
		second.bytes != 90 || second.blocks != 700 {
		t.Errorf("resumed: %+v", second)
	}
	second.add(wire.Inputs, 5, 3)
	saved = second.save()
	if clock := second.clock(time.Second); clock.ElapsedMS != 2500 || saved[state.Inputs] != 15 || saved[state.Executions] != 45 {
		t.Errorf("saved: %v", saved)
	}
	again := second.save()
	if !reflect.DeepEqual(saved, again) {
		t.Errorf("saved twice: %v, then %v", saved, again)
	}
}

// TestTotalsKeepForeignCounters checks that counters of other versions survive.
func TestTotalsKeepForeignCounters(t *testing.T) {
	var tot totals
	tot.load(map[string]uint64{"of a later version": 5, state.Inputs: 1}, state.Clock{})
	if got := tot.save(); got["of a later version"] != 5 || got[state.Inputs] != 1 {
		t.Errorf("saved %v", got)
	}
}

func TestFuzzingTime(t *testing.T) {
	var tot totals
	if got := tot.fuzzing(time.Second); got != time.Second {
		t.Errorf("while it runs: %v", got)
	}
	tot.stop(2 * time.Second)
	tot.stop(3 * time.Second)
	if got := tot.fuzzing(time.Hour); got != 2*time.Second {
		t.Errorf("after it has stopped: %v, what follows does not count", got)
	}
}

func TestInputsAt(t *testing.T) {
	tot := totals{inputs: 100}
	m := &instance{}
	m.counts.Stats[wire.Inputs] = 40
	tests := []struct{ count, want uint64 }{{40, 100}, {45, 105}, {39, 99}, {1 << 50, 100}}
	for _, test := range tests {
		if got := tot.inputsAt(m, test.count); got != test.want {
			t.Errorf("at %d: %d, want %d", test.count, got, test.want)
		}
	}
}

func TestRate(t *testing.T) {
	var r rate
	now := time.Unix(100, 0)
	r.start(now, 1000)
	steps := []struct {
		after time.Duration
		count uint64
		want  float64
	}{
		{100 * time.Millisecond, 5000, 0}, // too soon for a rate
		{900 * time.Millisecond, 2000, 1000},
		{100 * time.Millisecond, 9000, 1000},
		{1900 * time.Millisecond, 2000, 0},
	}
	for i, s := range steps {
		now = now.Add(s.after)
		if got := r.update(now, s.count); got != s.want {
			t.Errorf("step %d: %v a second, want %v", i, got, s.want)
		}
	}
}
