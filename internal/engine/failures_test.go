package engine

import (
	"fmt"
	"math/bits"
	"math/rand"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// TestFailuresAtPowersOfTwo checks that the failures of a class at powers of two are candidates,
// whatever is counted in between.
func TestFailuresAtPowersOfTwo(t *testing.T) {
	var f Failures
	random := rand.New(rand.NewSource(1))
	counted := map[uint64]int{}
	for range 20_000 {
		class := uint64(random.Intn(300))
		counted[class]++
		n := counted[class]
		if first, candidate := f.Count(class%3, class); first != (n == 1) || candidate != (n&(n-1) == 0) {
			t.Fatalf("failure %d of class %d: first %v, candidate %v", n, class, first, candidate)
		}
	}
}

// TestFailuresAreBounded checks that, with any number of classes and places, a new place is a
// candidate and memory is bounded. A place with unlimited messages makes few candidates.
func TestFailuresAreBounded(t *testing.T) {
	const messages = 40_000
	var f Failures
	few := 0
	for n := range uint64(messages) {
		if _, candidate := f.Count(7, feature.Mix(n)); candidate {
			few++
		}
	}
	if few > maxSpotClasses+17 {
		t.Errorf("%d candidates of one place", few)
	}
	for place := range uint64(10 * maxSpots) {
		for class := range uint64(1 + 9*(place%2)) {
			first, candidate := f.Count(100+place, feature.Chain(feature.Mix(place), class))
			if class == 0 && !(first && candidate) {
				t.Fatalf("place %d is no candidate", place)
			}
		}
		if len(f.places) > maxSpots || len(f.classes) > maxFailures {
			t.Fatalf("%d places, %d classes", len(f.places), len(f.classes))
		}
	}
}

// TestFailuresAllowed checks that each allowed failure of a class is a candidate, besides those at
// powers of two, and of no other class. Its memory is bounded.
func TestFailuresAllowed(t *testing.T) {
	var f Failures
	for n := 1; n <= 140; n++ {
		_, candidate := f.Count(1, 1)
		want := n&(n-1) == 0 || n == 6 || n == 7 || n == 133
		if candidate != want {
			t.Errorf("failure %d: candidate %v", n, candidate)
		}
		if _, other := f.Count(1, 2); other != (n&(n-1) == 0) {
			t.Errorf("failure %d of another class: candidate %v", n, other)
		}
		switch n {
		case 5:
			f.AllowAgain(1)
			f.AllowAgain(1)
		case 132:
			f.AllowAgain(1)
		}
	}
	for class := range uint64(3 * maxAllowed) {
		f.AllowAgain(class)
	}
	if len(f.allowed) > maxAllowed {
		t.Errorf("%d classes are owed", len(f.allowed))
	}
}

// TestCrashAfterManyClasses checks that a new crash is a candidate after thousands of other
// classes.
func TestCrashAfterManyClasses(t *testing.T) {
	c := NewCandidates(1, 0, oracle.VerdictLayer)
	failed := func(place, class uint64) *feature.Joint {
		return &feature.Joint{Obs: []oracle.Observation{{Outcome: oracle.Crashed, Class: class, Place: place}}}
	}
	for n := range uint64(10_000) {
		c.Fail(failed(1, feature.Mix(n)))
	}
	if c.Fail(failed(2, 1)) != 1 {
		t.Error("a crash in a new place is no candidate")
	}
}

const everyLayer = oracle.VerdictLayer | oracle.ValueLayer | oracle.ClassLayer

// TestNothingHidesACandidate checks that candidates among several programs include those of each
// pair. The programs fail, accept and reject as planted. The first failure of a class and the first
// disagreement in a layer of each pair must be candidates of the whole target.
func TestNothingHidesACandidate(t *testing.T) {
	for seed := range int64(200) {
		random := rand.New(rand.NewSource(seed))
		n := 3 + random.Intn(3)
		whole := NewCandidates(n, 0, everyLayer)
		failures, disagreements := map[string]bool{}, map[string]bool{} // of all inputs
		gotFailures, gotDisagreements := map[string]bool{}, map[string]bool{}
		for range 50 + random.Intn(200) {
			j := &feature.Joint{}
			for range n {
				switch random.Intn(6) {
				case 0:
					class := uint64(1 + random.Intn(3))
					j.Obs = append(j.Obs, oracle.Observation{Outcome: oracle.Crashed + oracle.Outcome(random.Intn(2)), Class: class, Place: class % 2})
				case 1, 2:
					j.Obs = append(j.Obs, reject(uint64(1+random.Intn(2))))
				default:
					j.Obs = append(j.Obs, accept(uint64(random.Intn(2))))
				}
			}
			a := whole.Admit(j)
			for p, o := range j.Obs {
				if o.Outcome >= oracle.Crashed {
					key := fmt.Sprint(p, o.Outcome, o.Class)
					failures[key] = true
					gotFailures[key] = gotFailures[key] || a.Failing>>p&1 != 0
				} else if a.Failing>>p&1 != 0 {
					t.Fatalf("seed %d: program %d does not fail and is a candidate", seed, p)
				}
				for q, other := range j.Obs[:p] {
					pair := oracle.DisagreeLayer(everyLayer, []oracle.Observation{other, o})
					if key := fmt.Sprint(q, p, pair, other.Outcome, o.Outcome); pair != 0 {
						disagreements[key] = true
						gotDisagreements[key] = gotDisagreements[key] || a.Candidates&pair != 0
					}
				}
			}
		}
		for key := range failures {
			if !gotFailures[key] {
				t.Errorf("seed %d: no candidate for failure %s", seed, key)
			}
		}
		for key := range disagreements {
			if !gotDisagreements[key] {
				t.Errorf("seed %d: no candidate for disagreement %s", seed, key)
			}
		}
	}
}

// TestFailuresWithoutEnd checks that unlimited messages at many places make a bounded number of
// candidates. A full table is not cleared and counted again.
func TestFailuresWithoutEnd(t *testing.T) {
	const (
		places = 400
		rounds = 4 * maxSpotClasses
	)
	var f Failures
	class, candidates := uint64(0), 0
	for round := range uint64(rounds) {
		for place := range uint64(places) {
			class++
			if _, candidate := f.Count(place, class); candidate {
				candidates++
			}
		}
		class++
		if _, candidate := f.Count(places+round, class); !candidate {
			t.Fatalf("the first failure in place %d is no candidate", places+round)
		}
	}
	if most := maxFailures + places*bits.Len(rounds); candidates > most {
		t.Errorf("%d candidates of %d failures; want at most %d", candidates, places*rounds, most)
	}
	for place := range uint64(2 * maxSpots) {
		class++
		if _, candidate := f.Count(places+rounds+place, class); !candidate {
			t.Fatalf("the first failure in place %d is no candidate", places+rounds+place)
		}
	}
	if len(f.classes) > maxFailures || len(f.places) > maxSpots {
		t.Errorf("%d classes, %d places", len(f.classes), len(f.places))
	}
}
