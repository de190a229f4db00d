package pace

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestTimeEstimate checks that the estimate is that of usual candidates. It is unknown at first,
// and while a candidate takes much longer. It never grows while nothing changes.
func TestTimeEstimate(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(int64(1000+s), 0) }
	for _, test := range []struct {
		name  string
		steps [][3]int // seconds, waiting, seconds left
	}{
		{"steady", [][3]int{{0, 10, 0}, {2, 9, 0}, {4, 8, 0}, {6, 7, 14}, {8, 6, 12}, {9, 6, 12}, {12, 4, 8}, {20, 0, 0}}},
		{"one slow candidate", [][3]int{{0, 10, 0}, {3, 7, 7}, {5, 7, 7}, {8, 7, 0}, {33, 6, 6}, {34, 5, 5}}},
		{"several at once", [][3]int{{0, 40, 0}, {10, 20, 10}, {15, 10, 5}}},
		{"more wait", [][3]int{{0, 3, 0}, {3, 0, 0}, {9, 6, 6}, {10, 5, 5}}},
	} {
		var p Pace
		for _, s := range test.steps {
			if got := p.Left(at(s[0]), s[1]); got != time.Duration(s[2])*time.Second {
				t.Errorf("%s, after %d s with %d: %v, want %d s", test.name, s[0], s[1], got, s[2])
			}
		}
	}
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 1))
		var p Pace
		now, waiting := at(0), 60
		for range 200 {
			before := p.Left(now, waiting)
			now = now.Add(time.Duration(random.IntN(3000)) * time.Millisecond)
			if after := p.Left(now, waiting); after > before {
				t.Errorf("seed %d: %v grows to %v", seed, before, after)
			}
			waiting -= random.IntN(2)
			if waiting < 0 {
				break
			}
		}
		if p.Judged > 61 {
			t.Errorf("seed %d: %d of 60 are judged", seed, p.Judged)
		}
	}
}
