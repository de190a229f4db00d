package impact

import (
	"math"
	"reflect"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/wire"
)

// figure6 returns the paper's Fig. 6, with the change in H: A leads to B and C, B to D and E, E to
// H and I, C to F and G. Blocks are the letters from A on.
func figure6() *Impact {
	i := &Impact{Points: []Point{{Blocks: []uint32{'H' - 'A'}, Near: []Near{{0, 3, true}, {1, 2, true}, {4, 1, true}, {7, 0, true}}}}}
	for _, b := range "ABEH" {
		i.Impacted = append(i.Impacted, uint32(b-'A'))
	}
	for _, s := range []string{"AB", "AC", "BD", "BE", "CF", "CG", "EH", "EI"} {
		i.Segments = append(i.Segments, Segment{From: uint32(s[0] - 'A'), To: uint32(s[1] - 'A'), Suspicious: s == "AB" || s == "BE" || s == "EH"})
	}
	i.Distance = []BlockDistance{{0, 3000}, {1, 2000}, {4, 1000}, {7, 0}}
	return i
}

// traceOf returns the trace of a run, in the order of blocks. Each block counts as often as path
// has it.
func traceOf(path string) []feature.Trace {
	var counts [26]byte
	for _, b := range path {
		counts[b-'A']++
	}
	var t feature.Trace
	for b, n := range counts {
		if n > 0 {
			t.Hits, t.Counts, t.Length = append(t.Hits, uint32(b)), append(t.Counts, n), t.Length+uint64(n)
		}
	}
	return []feature.Trace{t}
}

func TestFigure6(t *testing.T) {
	x := NewIndex(figure6(), 26)
	for _, test := range []struct {
		path            string
		fit             float64
		segments        int
		far, share      float64
		gates, distance int
		ok              bool
	}{
		{"ABEH", 1, 3, 1.5, 0.25, 0, 0, true},
		{"ABD", 0.5, 1, 2.5, 0, 2, 2, true},
		{"ACG", 0, 0, 3, 0, 3, 3, true},
		{"ABEI", 2. / 3, 2, 2, 0, 1, 1, true},
		{"Z", 0, 0, math.Inf(1), 0, 4, 0, false},
		{"", 0, 0, math.Inf(1), 0, 4, 0, false},
	} {
		traces := traceOf(test.path)
		if got := x.Fitness(traces, false); got != test.fit {
			t.Errorf("%s: fit %v, want %v", test.path, got, test.fit)
		}
		if got := x.Fitness(traces, true); got != test.fit {
			t.Errorf("%s: fit by visits %v, want %v", test.path, got, test.fit)
		}
		if got := x.Features(traces, nil); len(got) != test.segments {
			t.Errorf("%s: %d segments, want %d", test.path, len(got), test.segments)
		}
		if got := x.MeanDistance(traces); got != test.far {
			t.Errorf("%s: distance %v, want %v", test.path, got, test.far)
		}
		if got := x.Share(traces); got != test.share {
			t.Errorf("%s: share %v, want %v", test.path, got, test.share)
		}
		if gates, distance, ok := x.PointDistance(0, traces); gates != test.gates || distance != test.distance || ok != test.ok {
			t.Errorf("%s: %d gates, distance %d, %v; want %d, %d, %v", test.path, gates, distance, ok, test.gates, test.distance, test.ok)
		}
		if got := x.Touches(traces); got != (test.path != "Z" && test.path != "") {
			t.Errorf("%s: touches: %v", test.path, got)
		}
	}
}

// TestVisits checks that a loop dominates the fitness with visits, and counts once without.
func TestVisits(t *testing.T) {
	// A leads to B; B to its body C and to D; C back to B. The change is in D's other branch, so
	// that A is impacted and B and C are not.
	x := NewIndex(&Impact{Points: []Point{{}}, Segments: []Segment{{0, 1, true, false}, {1, 2, false, false}, {1, 3, false, false}, {2, 1, false, false}}}, 4)
	traces := traceOf("ABCBCBCBD")
	if got := x.Fitness(traces, false); got != 0.25 {
		t.Errorf("distinct segments: %v", got)
	}
	// A to B once, B to C three times, C to B three times, B to D once.
	if got := x.Fitness(traces, true); got != 1./8 {
		t.Errorf("each visit: %v", got)
	}
	// C calls a function that begins with A: one segment more, which was executed at most once.
	x = NewIndex(&Impact{Points: []Point{{}}, Segments: append(x.Segments, Segment{From: 2, To: 0, Call: true})}, 4)
	if got := x.Fitness(traces, false); got != 0.2 {
		t.Errorf("distinct segments with a call: %v", got)
	}
	if got := x.Fitness(traces, true); got != 1./9 {
		t.Errorf("each visit with a call: %v", got)
	}
}

// TestUnknownChange has programs without a known change or a trace.
func TestUnknownChange(t *testing.T) {
	if NewIndex(nil, 5) != nil || NewIndex(&Impact{Impacted: []uint32{1}}, 5) != nil {
		t.Error("an index of no change")
	}
	i := figure6()
	i.Program = 1
	x := NewIndex(i, 3) // fewer blocks than it has
	for _, traces := range [][]feature.Trace{nil, traceOf("AB"), append(traceOf("AB"), feature.Trace{})} {
		if x.Fitness(traces, false) != 0 || x.Fitness(traces, true) != 0 || len(x.Features(traces, nil)) > 0 || x.Touches(traces) || x.Share(traces) != 0 || !math.IsInf(x.MeanDistance(traces), 1) {
			t.Errorf("%v", traces)
		}
	}
	both := append(traceOf("Z"), traceOf("ABEH")...)
	if x.Fitness(both, false) != 1 || !x.Touches(both) {
		t.Error("blocks that there are")
	}
}

// TestEncoded checks that a worker reads what the tool sent.
func TestEncoded(t *testing.T) {
	var back Impact
	r := wire.NewReader(wire.AppendStruct(nil, figure6()))
	wire.ReadStruct(r, &back)
	if r.Err() != nil || !reflect.DeepEqual(&back, figure6()) {
		t.Errorf("%+v, %v", back, r.Err())
	}
}

func TestAllocations(t *testing.T) {
	x, traces := NewIndex(figure6(), 26), traceOf("ABEH")
	room := make([]uint64, 0, 8)
	if n := testing.AllocsPerRun(100, func() {
		x.Fitness(traces, true)
		x.Features(traces, room)
		x.MeanDistance(traces)
		x.PointDistance(0, traces)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
