package c

import "testing"

// Inputs of long paths have their part of the share, however many new sets the short ones have.
func TestSample(t *testing.T) {
	var s sample
	executed, inspected := 0, 0
	var long [2]int // so many there were, so many were inspected
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
			s.take(set, length)
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
