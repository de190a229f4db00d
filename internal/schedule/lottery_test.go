package schedule

import (
	"math"
	"testing"

	"parallax/internal/mutate"
)

// check checks that the order is that of the classes.
func (l *lottery) check(t *testing.T) {
	t.Helper()
	if len(l.order) != len(l.members) || l.ends[classes-1] != len(l.members) {
		t.Fatalf("%d members, %d in order, the last class ends at %d", len(l.members), len(l.order), l.ends[classes-1])
	}
	for i, m := range l.members {
		begin := 0
		if m.class > 0 {
			begin = l.ends[m.class-1]
		}
		if int(l.order[m.place]) != i || m.place < begin || m.place >= l.ends[m.class] {
			t.Fatalf("member %d of class %d is at %d, in [%d,%d): %d", i, m.class, m.place, begin, l.ends[m.class], l.order[m.place])
		}
	}
}

func TestLotteryOrder(t *testing.T) {
	var l lottery
	r := mutate.NewRand(1, 0)
	for range 2000 {
		if len(l.members) == 0 || r.Chance(1, 10) {
			l.add(r.Intn(classes))
		} else {
			i := r.Intn(len(l.members))
			l.raise(i, l.members[i].class+r.Intn(classes-l.members[i].class))
		}
		l.check(t)
	}
}

// TestLotteryDraw checks that members are drawn in proportion to 2^(-class/2), within six standard
// deviations.
func TestLotteryDraw(t *testing.T) {
	tests := []struct {
		name    string
		classes []int
	}{
		{"one", []int{0}}, {"the last class", []int{classes - 1}}, {"alike", []int{9, 9, 9, 9}}, {"halves", []int{4, 6, 8, 8, 5}},
		{"far apart", []int{30, 10, 20}}, {"too far apart", []int{3, 100, 3 + 64}},
	}
	const draws = 100_000
	for _, test := range tests {
		var l lottery
		total := 0.0
		for _, k := range test.classes {
			l.add(k)
			total += math.Pow(2, -float64(k)/2)
		}
		r := mutate.NewRand(1, 0)
		count := make([]int, len(test.classes))
		for range draws {
			count[l.draw(r)]++
		}
		for i, k := range test.classes {
			share := math.Pow(2, -float64(k)/2) / total
			want, deviation := share*draws, math.Sqrt(share*(1-share)*draws)
			if math.Abs(float64(count[i])-want) > 6*deviation+1e-3 {
				t.Errorf("%s: member %d was drawn %d times, want %.1f", test.name, i, count[i], want)
			}
		}
	}
}

// TestAccept checks that members drawn by old energies and accepted are as many as by their new
// energies.
func TestAccept(t *testing.T) {
	r := mutate.NewRand(1, 0)
	for fall, want := range []int{100_000, 70_711, 50_000, 35_355, 25_000} {
		n := 0
		for range 100_000 {
			if accept(r, 7, 7+fall) {
				n++
			}
		}
		if n < want-1000 || n > want+1000 {
			t.Errorf("%d classes lower: %d of 100000, want %d", fall, n, want)
		}
	}
	if accept(r, 0, 64) || accept(r, 0, classes-1) {
		t.Error("no energy is left 64 classes lower")
	}
}
