package schedule

import "testing"

func TestFactor(t *testing.T) {
	type call struct {
		s       int
		f, mean uint64
		want    int
	}
	tests := []struct {
		name  string
		power power
		calls []call
	}{
		{"explore", constant, []call{{0, 1, 1, 1}, {40, 1 << 40, 1, 1}}},
		{"exploit", exploit, []call{{0, 1, 1, 32}, {40, 1 << 40, 1, 32}}},
		// f <= mean ? min(2^s, 32) : 0
		{"coe", coe, []call{
			{0, 5, 5, 1}, {1, 5, 5, 2}, {4, 5, 5, 16}, {5, 5, 5, 32}, {6, 5, 5, 32}, {15, 1, 5, 32}, {16, 1, 5, 32}, {70, 1, 5, 32},
			{0, 6, 5, 0}, {20, 6, 5, 0},
		}},
		// s < 16 ? 2^s/f : 32/nextpow2(f)
		{"fast", fast, []call{
			{0, 1, 0, 1}, {0, 2, 0, 0}, {1, 2, 0, 1}, {3, 3, 0, 2}, {4, 3, 0, 5}, {9, 3, 0, 32}, {15, 1 << 15, 0, 1},
			{15, 1<<15 + 1, 0, 0}, {15, 1 << 10, 0, 32},
			{16, 1, 0, 32}, {16, 2, 0, 16}, {16, 3, 0, 8}, {16, 17, 0, 1}, {16, 32, 0, 1}, {16, 33, 0, 0}, {64, 5, 0, 4},
		}},
		// s/f
		{"lin", lin, []call{{0, 1, 0, 0}, {1, 1, 0, 1}, {5, 2, 0, 2}, {6, 7, 0, 0}, {7, 7, 0, 1}, {32, 1, 0, 32}, {1000, 1, 0, 32}}},
		// s^2/f
		{"quad", quad, []call{{0, 1, 0, 0}, {1, 1, 0, 1}, {3, 10, 0, 0}, {4, 10, 0, 1}, {7, 10, 0, 4}, {6, 1, 0, 32}, {100_000, 1 << 40, 0, 0}}},
	}
	for _, test := range tests {
		for _, c := range test.calls {
			if got := test.power.factor(c.s, c.f, c.mean); got != c.want {
				t.Errorf("%s: s %d, f %d, mean %d: factor %d, want %d", test.name, c.s, c.f, c.mean, got, c.want)
			}
		}
	}
}

// TestWait compares wait with visits one after another.
func TestWait(t *testing.T) {
	const far = 300
	for _, p := range []power{fast, lin, quad} {
		for f := uint64(1); f < far; f++ {
			for s := range 40 {
				want, found := 0, false
				for want < far && !found {
					if found = p.factor(s+want, f, 0) > 0; !found {
						want++
					}
				}
				if visits, ever := p.wait(s, f); ever != found || ever && visits != want {
					t.Fatalf("power %d, s %d, f %d: wait %d, %v; want %d, %v", p, s, f, visits, ever, want, found)
				}
			}
		}
	}
	large := []struct {
		power  power
		s      int
		f      uint64
		visits int
		ever   bool
	}{
		{fast, 3, 1 << 15, 12, true}, {fast, 3, 1<<15 + 1, 0, false}, {fast, 16, 33, 0, false},
		{lin, 1000, 1 << 40, 1<<40 - 1000, true}, {quad, 1000, 1 << 40, 1<<20 - 1000, true}, {quad, 0, 1<<40 + 1, 1<<20 + 1, true},
	}
	for _, test := range large {
		if visits, ever := test.power.wait(test.s, test.f); visits != test.visits || ever != test.ever {
			t.Errorf("power %d, s %d, f %d: wait %d, %v; want %d, %v", test.power, test.s, test.f, visits, ever, test.visits, test.ever)
		}
	}
}

func TestFrequency(t *testing.T) {
	q := frequency{index: map[uint64]int{}}
	if q.mean() != 0 {
		t.Error("a mean of nothing")
	}
	a, b := q.join(10), q.join(20)
	q.countMutant(10)
	q.countMutant(10)
	q.countMutant(30) // no seed has it, so that it never counts
	c, again := q.join(30), q.join(20)
	if q.count[a] != 3 || q.count[b] != 2 || q.count[c] != 1 || again != b {
		t.Errorf("counts %v", q.count)
	}
	if q.mean() != 2 {
		t.Errorf("mean %d, want 6 executions over 3 traces", q.mean())
	}
	if q.countMutant(20); q.mean() != 2 {
		t.Errorf("mean %d, want 7/3 cut off", q.mean())
	}
}
