package diversity

import (
	"math"
	"math/bits"
	"testing"
)

func TestRichness(t *testing.T) {
	for _, c := range []struct {
		s    Sample
		want float64
	}{
		{Sample{Species: 10, Once: 4, Twice: 2, Units: 20}, 13.8}, // 10 + 19/20 * 16/4
		{Sample{Species: 10, Once: 4, Twice: 0, Units: 20}, 15.7}, // 10 + 19/20 * 4*3/2
		{Sample{Species: 10, Once: 0, Twice: 5, Units: 20}, 10},
		{Sample{}, 0},
	} {
		if got := c.s.Richness(); !near(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.s, got, c.want)
		}
	}
}

func TestDiscovery(t *testing.T) {
	s := Sample{Species: 10, Once: 4, Twice: 2, Units: 20}
	if s.Discovery() != 0.2 || (Sample{}).Discovery() != 1 {
		t.Errorf("%v, and of no input %v", s.Discovery(), (Sample{}).Discovery())
	}
	// Without species seen once there is a bound instead of an estimate.
	if b := (Sample{Species: 10, Twice: 4, Units: 600}).Bound(); b != 0.005 || (Sample{Units: 2}).Bound() != 1 || s.Bound() != 0 || (Sample{}).Bound() != 0 {
		t.Errorf("below %v", b)
	}
	// One further unit shows f1/n*f0/(f0+f1/n) new species. Infinitely many units show all.
	if got, want := s.After(1), 10+3.8*4/(20*3.8+4); !near(got, want) {
		t.Errorf("after one: %v, want %v", got, want)
	}
	if got := s.After(1e9); !near(got, 13.8) || s.After(0) != 10 || (Sample{Species: 3, Units: 5}).After(7) != 3 {
		t.Errorf("after many: %v", got)
	}
}

func TestRisk(t *testing.T) {
	if e, b := Risk(0, 98); e != 0.01 || b != 3.0/98 {
		t.Errorf("no failure in 98: %v, below %v", e, b)
	}
	if e, b := Risk(0, 0); e != 0.5 || b != 1 {
		t.Errorf("no input: %v, below %v", e, b)
	}
	// From a table of one-sided Poisson limits at 95 %.
	for k, want := range map[uint64]float64{1: 4.744, 2: 6.296, 10: 16.962, 19: 27.879, 20: 29.062, 100: 118.08} {
		if _, b := Risk(k, 1000); math.Abs(b*1000-want) > 0.01 {
			t.Errorf("%d failures: %v, want %v", k, b*1000, want)
		}
	}
}

// TestRarefied compares rarefaction with the mean over all subsets of the traces.
func TestRarefied(t *testing.T) {
	traces := []uint{0b0001, 0b0011, 0b0111, 0b0001, 0b1001, 0b0101, 0b0001} // branches per trace
	counts := make([]uint64, 5)
	for _, tr := range traces {
		for b := range counts {
			counts[b] += uint64(tr >> b & 1)
		}
	}
	for k := 0; k <= len(traces); k++ {
		sum, ways := 0.0, 0.0
		for subset := range uint(1 << len(traces)) {
			if bits.OnesCount(subset) != k {
				continue
			}
			union := uint(0)
			for i, tr := range traces {
				if subset>>i&1 != 0 {
					union |= tr
				}
			}
			sum, ways = sum+float64(bits.OnesCount(union)), ways+1
		}
		if got := Rarefied(counts, uint64(len(traces)), uint64(k)); math.Abs(got-sum/ways) > 1e-9 {
			t.Errorf("%d of %d traces: %v, want %v", k, len(traces), got, sum/ways)
		}
	}
}
