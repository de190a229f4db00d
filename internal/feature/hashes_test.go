package feature

import (
	"math"
	"math/rand"
	"slices"
	"testing"
)

// held returns the hashes of a set, in order.
func held(s *Set) (list []uint64) {
	s.All(func(h uint64) { list = append(list, h) })
	slices.Sort(list)
	return list
}

// TestSetSamples checks that a set is exact up to its limit. Beyond it, the set holds the hashes
// with leading zero bits, in any order of insertion and within its memory. It reports exactly
// whether one of these is new.
func TestSetSamples(t *testing.T) {
	const limit = 1000
	r := rand.New(rand.NewSource(1))
	for _, n := range []int{1, 999, 1000, 1001, 5000, 100_000} {
		order := r.Perm(n)
		forth, back := Set{Limit: limit}, Set{Limit: limit}
		for i, k := range order {
			h := Mix(uint64(k))
			if fresh := forth.Add(h); i < limit-1 && !fresh {
				t.Fatalf("%d is not new", i)
			}
			if forth.Add(h) {
				t.Fatalf("%d is new twice", i)
			}
			if i < limit-1 && (forth.Len() != i+1 || forth.Weight() != 1) {
				t.Fatalf("%d hashes count as %d", i+1, forth.Len())
			}
			if forth.Held() >= limit || 3*len(forth.hashes.slots) > 8*limit {
				t.Fatalf("%d hashes are held in %d slots", forth.Held(), len(forth.hashes.slots))
			}
			back.Add(Mix(uint64(order[n-1-i])))
		}
		if !slices.Equal(held(&forth), held(&back)) || forth.Level() != back.Level() {
			t.Errorf("%d hashes: what is held depends on their order", n)
		}
		want := 0
		for k := range order {
			if h := Mix(uint64(k)); h>>(64-forth.Level()) == 0 {
				if want++; !forth.Has(h) {
					t.Fatalf("%x is not held at level %d", h, forth.Level())
				}
			}
		}
		if forth.Held() != want {
			t.Errorf("%d of %d hashes are held, want %d", forth.Held(), n, want)
		}
	}
}

// TestSetEstimate checks the documented error of the estimate.
func TestSetEstimate(t *testing.T) {
	const limit, n, trials = 1000, 30_000, 200
	sum, squares := 0.0, 0.0
	for trial := uint64(0); trial < trials; trial++ {
		s := Set{Limit: limit}
		for i := uint64(0); i < n; i++ {
			s.Add(Mix(trial<<32 | i))
		}
		e := float64(s.Len())/n - 1
		sum += e
		squares += e * e
	}
	bound := math.Sqrt(2. / 3 / limit)
	if mean, deviation := sum/trials, math.Sqrt(squares/trials); math.Abs(mean) > 3*bound/math.Sqrt(trials) || deviation > 1.2*bound {
		t.Errorf("mean error %.4f, standard error %.4f, want %.4f", mean, deviation, bound)
	}
}

// TestSetPages checks that the pages of a set rebuild it, whether or not it changes in between.
func TestSetPages(t *testing.T) {
	for _, n := range []uint64{0, 1, 700, 5000} {
		for _, more := range []uint64{0, 2000} {
			from, to := Set{Limit: 1000}, Set{Limit: 1000}
			for i := uint64(0); i < n; i++ {
				from.Add(Mix(i))
			}
			from.Add(0)
			first := held(&from)
			buf, moves := make([]uint64, 0, 100), -1
			for at, pages := 0, 0; at >= 0; pages++ {
				if from.Moves() != moves {
					at, moves = 0, from.Moves()
				}
				var page []uint64
				page, at = from.Page(at, buf[:0])
				to.Raise(from.Level())
				for _, h := range page {
					to.Add(h)
				}
				for i := uint64(0); i < more/20 && pages < 20; i++ {
					from.Add(Mix(1<<40 + uint64(pages)*more + i))
				}
			}
			for _, h := range first {
				if to.hashes.Accepts(h) && !to.Has(h) {
					t.Fatalf("%d hashes: %x is missing", n, h)
				}
			}
			if more == 0 && (!slices.Equal(first, held(&to)) || to.Level() != from.Level()) {
				t.Errorf("%d hashes: others were listed", n)
			}
		}
	}
}

// TestSetThinsInPlace checks that thinning takes no memory, and visits each slot once.
func TestSetThinsInPlace(t *testing.T) {
	s := Set{Limit: 3000}
	i := uint64(0)
	for ; s.Level() < 2; i++ {
		s.Add(Mix(i))
	}
	if n := testing.AllocsPerRun(1, func() {
		for level := s.Level(); s.Level() < level+4; i++ {
			s.Add(Mix(i))
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if bound := s.Bytes(); bound < 8*len(s.hashes.slots) || bound > 16*len(s.hashes.slots) {
		t.Errorf("%d bytes for %d slots", bound, len(s.hashes.slots))
	}
}
