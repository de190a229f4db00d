package engine

import (
	"strings"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/policy"
)

// TestShortest checks that a block passes to an input of at most half the length, and from an
// accepted one only to an accepted one.
func TestShortest(t *testing.T) {
	var s shortest
	run := func(blocks ...uint32) *feature.Trace {
		return &feature.Trace{Hits: blocks, Counts: make([]byte, len(blocks))}
	}
	s.add(run(1, 2), 100, false)
	s.add(run(2, 5), 80, true)
	for _, test := range []struct {
		blocks   []uint32
		size     int
		accepted bool
		want     bool
	}{
		{[]uint32{1}, 51, true, false},
		{[]uint32{1}, 50, false, true},
		{[]uint32{2}, 50, false, true}, // the first one owns it
		{[]uint32{5}, 40, false, false},
		{[]uint32{5}, 40, true, true},
		{[]uint32{3, 9}, 1, true, false}, // they have no owner
	} {
		if got := s.takes(run(test.blocks...), test.size, test.accepted); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
	s.add(run(1, 5), 30, true)
	if s.takes(run(1), 15, false) || !s.takes(run(1), 15, true) || !s.takes(run(5), 15, true) || s.takes(run(2), 51, true) {
		t.Errorf("held %+v", s.owners)
	}
}

// TestShortestIsKept checks that short inputs are kept for known blocks, so that the corpus has
// shorter ones, unless the part is left out.
func TestShortestIsKept(t *testing.T) {
	smallest := func(without string) (kept int, bytes int) {
		g := &grove{}
		e, r := newEngine(t, newFake(60, func(flat []byte) run {
			r := g.run(flat)
			r.path, r.obs = []int{0, 1, 2}, accept(0) // a large input executes the same as a small one
			return r
		}), Config{
			Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Coverage}, Seed: 2, MaxBytes: 4096, Without: without}}, Tapes: true, Drawn: g.drawn,
		})
		e.Seed([]byte(strings.Repeat("\x01", 80)))
		for range 2000 {
			e.Fuzz()
		}
		bytes = 1 << 20
		for _, flat := range r.kept {
			bytes = min(bytes, len(flat))
		}
		return len(r.kept), bytes
	}
	kept, bytes := smallest("")
	first, all := smallest("fresh,shortest")
	if first != 1 || kept < 2 || kept > 8 || bytes > all/2 {
		t.Errorf("kept %d inputs, the smallest of %d bytes; without that %d, of %d", kept, bytes, first, all)
	}
}

// TestLargeIsNoSeed checks that the default search keeps no input whose drawn tape is too large,
// and keeps a smaller one instead. The published searches keep it as it was given.
func TestLargeIsNoSeed(t *testing.T) {
	kept := func(guidance, without string) (large, later int) {
		g, big := &grove{}, false
		drawn := func(b, flat []byte) []byte {
			if b = g.drawn(b, flat); big {
				b = append(b, make([]byte, 400)...)
			}
			return b
		}
		program := newFake(60, func(flat []byte) run {
			r := g.run(flat)
			nodes := r.path[1] - 1
			r.obs, big = accept(0), nodes > 6
			if big {
				r.path = append(r.path, 55) // it is the first to execute that
			} else if g.runs > 1000 {
				r.path = append(r.path, 55)
			}
			return r
		})
		cfg := Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{guidance}, Seed: 2, MaxBytes: 300, Without: without}}, Tapes: true, Drawn: drawn}
		if d := feature.Find(guidance); d.Search != nil {
			cfg.Schedule = d.Search.Schedule
		}
		e, r := newEngine(t, program, cfg)
		before := 0
		for range 4000 {
			if e.Fuzz(); g.runs <= 1000 {
				before = len(r.kept)
			}
		}
		for _, flat := range r.kept {
			if g.run([]byte(flat)).path[1] > 7 {
				large++
			}
		}
		return large, len(r.kept) - before
	}
	large, later := kept(feature.Coverage, "")
	others, least := kept(feature.Coverage, "shortest")
	if large > 0 || others > 0 || later <= least {
		t.Errorf("kept are %d and %d large inputs, and later %d and %d others", large, others, later, least)
	}
	if large, _ := kept(feature.Zest, ""); large == 0 {
		t.Error("zest keeps no large input")
	}
}

// TestRealigned checks that a corpus tape that is now drawn differently is reported, and stays.
func TestRealigned(t *testing.T) {
	g := &grove{}
	longer := 0
	program := func() *fake {
		return newFake(60, func(flat []byte) run {
			r := g.run(flat)
			r.obs = accept(0)
			return r
		})
	}
	cfg := Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Coverage}, Seed: 2, MaxBytes: 4096}}, Tapes: true, Drawn: func(b, flat []byte) []byte {
		return append(g.drawn(b, flat), make([]byte, longer)...)
	}}
	e, first := newEngine(t, program(), cfg)
	for range 500 {
		e.Fuzz()
	}
	for _, longer = range []int{0, 1, 5000} { // the last one exceeds the limit of an input
		e, r := newEngine(t, program(), cfg)
		for _, flat := range first.kept {
			e.Replay([]byte(flat), nil)
		}
		replayed, realigned := len(first.kept), 0
		if longer == 1 {
			realigned = replayed
		} else if longer > 1 {
			replayed = 0
		}
		if r.replayed != replayed || r.realigned != realigned || len(r.kept) > 0 || len(first.kept) < 3 {
			t.Errorf("%d longer: %d of %d, want %d of %d", longer, r.realigned, r.replayed, realigned, replayed)
		}
	}
}
