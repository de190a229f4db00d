package steadiness

import (
	"reflect"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/internal/wire"
)

// TestSteadyAt checks that the steadiness at the time of a report does not depend on when counts
// are read.
func TestSteadyAt(t *testing.T) {
	for _, read := range []uint64{0, 4, 9} { // inputs executed a second time at the last reading
		s := Counts{names: []string{"a", "b"}, again: 10, differed: []uint64{1, 0}} // of earlier processes
		var had, now wire.Counts
		now.Stats[wire.Repeated], now.Unsteady[1] = read, read/2
		s.Add(&had, &now)
		want := finding.Steadiness{Again: 16, Differed: []uint64{1, 3}}
		if got := s.At(&now, []uint64{6, 0, 3}); !reflect.DeepEqual(*got, want) {
			t.Errorf("read at %d: %+v, want %+v", read, *got, want)
		}
	}
	// Counts that a program has overwritten are ignored.
	s := Counts{names: []string{"a"}, again: 10, differed: []uint64{1}}
	if got := s.At(&wire.Counts{}, []uint64{1 << 50, 1 << 60}); got.Again != 10 || got.Differed[0] != 1 {
		t.Errorf("%+v", *got)
	}
}

// TestOlderTapes checks that the share of tapes of an older generator is that of this process.
func TestOlderTapes(t *testing.T) {
	s := Counts{}
	if s.RealignedShare() != 0 {
		t.Error("without a corpus")
	}
	var had, now wire.Counts
	had.Stats[wire.Replayed], had.Stats[wire.Realigned] = 5, 1
	now.Stats[wire.Replayed], now.Stats[wire.Realigned] = 9, 2
	s.Add(&had, &now)
	if s.RealignedShare() != 0.25 {
		t.Errorf("%v", s.RealignedShare())
	}
}

// TestProbeWavering checks that inputs on which a program differs in the probe count for the
// summary, and not for the rates from which triage estimates.
func TestProbeWavering(t *testing.T) {
	s := Counts{names: []string{"a", "b"}, again: 10, differed: []uint64{0, 1}, candidates: []uint64{0, 0}}
	s.AddProbe(0, 8, 24)
	s.AddProbe(1, 0, 3) // the rest was left out
	want := []finding.Wavering{{Program: "a", Inputs: 8, Of: 34}, {Program: "b", Inputs: 1, Of: 13}}
	if got := s.Rows(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := s.Snapshot(); got.Again != 10 || got.Differed[0] != 0 {
		t.Errorf("triage: %+v", got)
	}
	sum := finding.Summary{Inputs: 80, Executions: 118, Programs: []string{"a", "b"}, DiscrepantInputs: 3, Wavering: s.Rows()}
	if sum.NotJudged() != "a does not always do the same" {
		t.Errorf("not judged: %q", sum.NotJudged())
	}
}
