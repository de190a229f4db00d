package lockstep

import (
	"math/rand/v2"
	"testing"
)

// TestShare checks that after the allowance, a program that runs after another has at most its
// share of the executions, whatever the inputs are.
func TestShare(t *testing.T) {
	streams := map[string]func(r *rand.Rand, n int) (of rank, wanted bool){
		"all fresh":  func(*rand.Rand, int) (rank, bool) { return fresh, true },
		"all many":   func(*rand.Rand, int) (rank, bool) { return sampled, true },
		"mixed":      func(r *rand.Rand, _ int) (rank, bool) { return rank(r.IntN(int(ranks))), r.IntN(4) > 0 },
		"late":       func(_ *rand.Rand, n int) (rank, bool) { return unsettled, n > 5000 },
		"bursts":     func(r *rand.Rand, n int) (rank, bool) { return rank(n / 700 % int(ranks)), n/300%3 > 0 },
		"after none": func(r *rand.Rand, n int) (rank, bool) { return rank(r.IntN(int(ranks))), n >= repaid-1 },
	}
	for name, stream := range streams {
		for seed := range uint64(20) {
			r, s, old := rand.New(rand.NewPCG(seed, 17)), share{}, 0
			for n := 1; n <= 20000; n++ {
				s.next()
				if of, wanted := stream(r, n); wanted && s.admits(of) {
					old++
				}
				if all := n + old; all >= whole && old*10 > all*tenths {
					t.Fatalf("%s: %d of %d executions", name, old, all)
				}
			}
			if name == "all fresh" && old*100 < (20000+old)*29 {
				t.Errorf("%d of %d executions, where all would have been wanted", old, 20000+old)
			}
		}
	}
}

// TestShareRanks checks that high ranks get all they ask for, and low ranks the rest. No rank
// starves.
func TestShareRanks(t *testing.T) {
	for _, test := range []struct {
		wants [ranks]int // of a hundred inputs each
		least [ranks]int // percent of the wanted runs
	}{
		{[ranks]int{20, 80, 0}, [ranks]int{99, 25, 0}},
		{[ranks]int{5, 95, 0}, [ranks]int{99, 38, 0}},
		{[ranks]int{0, 90, 0, 10}, [ranks]int{0, 42, 0, 5}},
		{[ranks]int{0, 40, 50, 10}, [ranks]int{0, 95, 6, 5}},
		{[ranks]int{10, 18, 7, 7}, [ranks]int{99, 99, 98, 90}},
	} {
		r, s := rand.New(rand.NewPCG(1, 2)), share{}
		var wanted, ran [ranks]int
		for range 50000 {
			s.next()
			k := r.IntN(100)
			for of, part := range test.wants {
				if k -= part; k < 0 {
					wanted[of]++
					if s.admits(rank(of)) {
						ran[of]++
					}
					break
				}
			}
		}
		for of := range wanted {
			if ran[of]*100 < wanted[of]*test.least[of] {
				t.Errorf("%v: of rank %d, %d of %d ran", test.wants, of, ran[of], wanted[of])
			}
		}
	}
}
