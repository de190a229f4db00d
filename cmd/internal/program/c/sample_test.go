package c

import (
	"testing"
	"time"
)

// TestSample checks that inputs of long paths get their share, however many new sets the short ones
// have.
func TestSample(t *testing.T) {
	var s sample
	executed, inspected := 0, 0
	var long [2]int // numbers of such inputs and of inspected ones
	next := uint64(1)
	for i := range 400000 {
		next = next*6364136223846793005 + 1442695040888963407
		length := 100 + next>>60*10
		isLong := i%200 == 0
		set := uint64(7) << 52
		if isLong {
			length *= 30
			long[0]++
		}
		if isLong || next>>32%4 == 0 {
			set = next
		}
		executed += int(length)
		if wanted, _ := s.wants(set, length); wanted {
			s.pay(set, length)
			inspected += int(length)
			if isLong {
				long[1]++
			}
		}
	}
	if share := float64(inspected) * inspectShare / float64(executed); share > 1.01 || share < 0.9 {
		t.Errorf("%.2f of the share", share)
	}
	if long[1] < long[0]/20 {
		t.Errorf("%d of %d long paths", long[1], long[0])
	}
}

// TestCharge checks that ended processes and leak checks are paid for, except the first.
func TestCharge(t *testing.T) {
	var s sample
	s.charge(8, 9)
	s.charge(5, 0)
	if wanted, _ := s.wants(1, 1000); !wanted {
		t.Errorf("what is free was paid for: %d", s.credit)
	}
	s.pay(1, 1000)
	s.credit = 0
	s.charge(1, 1)
	if s.credit != -endCost-leakCheckCost {
		t.Errorf("one process and one look cost %d", -s.credit)
	}
	executed := 0
	for wanted := false; !wanted; executed += 1000 {
		wanted, _ = s.wants(uint64(executed)<<52, 1000)
	}
	if executed < endCost+leakCheckCost || executed > endCost+leakCheckCost+2000 {
		t.Errorf("it runs again after %d blocks", executed)
	}
}

// TestMeasured checks that however expensive the build with sanitizers is, it gets little more than
// a third of the time. At usual cost, the price does not change.
func TestMeasured(t *testing.T) {
	for _, test := range []struct {
		factor int           // price factor of a block
		look   time.Duration // additional time per input
	}{{6, 0}, {100, 0}, {6, 20 * time.Millisecond}, {400, time.Millisecond}} {
		var s sample
		var ran, looked time.Duration
		for i := range 3_000_000 {
			length := uint64(10000)
			took := time.Duration(length) * 22 / 10
			s.measured(took, 0)
			again := time.Duration(0)
			set := uint64(i) << 52
			if wanted, _ := s.wants(set, length); wanted {
				s.pay(set, length)
				again = took*time.Duration(test.factor) + test.look
				s.measured(0, again)
			}
			if i > 1_500_000 {
				ran += took
				looked += again
			}
		}
		share := float64(looked) / float64(looked+ran)
		if share > 0.4 || share < 0.05 || test.factor == 6 && test.look == 0 && (s.doublings != 0 || share < 0.15) {
			t.Errorf("%d times and %v more: %.2f of the time, dearer %d", test.factor, test.look, share, s.doublings)
		}
	}
}
