package schedule

import (
	"math"
	"slices"
	"testing"

	"parallax/internal/adapt"
	"parallax/internal/feature"
	"parallax/internal/mutate"
)

func adaptiveOf(domains ...string) (*adaptive, *adapt.Shares) {
	shares := adapt.New(nil)
	return adaptiveRow.New(Environment{Programs: 1, Domains: domains, Arms: &shares.Seeds}).(*adaptive), shares
}

// TestAdaptiveBegins checks that arms without seeds are not chosen, that the sides have equal
// shares, and that the domains with seeds share each side equally.
func TestAdaptiveBegins(t *testing.T) {
	a, _ := adaptiveOf("coverage", "output", "path-fine")
	for range 90 {
		a.Added(Seed{New: []string{"coverage"}, Accepted: true})
	}
	a.Added(Seed{New: []string{"output"}, Accepted: true})
	a.Added(Seed{New: []string{"output"}})
	r := mutate.NewRand(1, 0)
	var counts [3]int
	for range 30_000 {
		switch i := a.Next(r); i {
		case 90, 91:
			counts[i-89]++
		default:
			counts[0]++
		}
	}
	for i, want := range []int{7500, 7500, 15000} {
		if got := counts[i]; got < want*9/10 || got > want*11/10 {
			t.Errorf("shares %v, want 7500, 7500 and 15000", counts)
			break
		}
	}
}

// TestAdaptiveFollows checks that the arm with the cheapest discoveries gets most of the inputs,
// and among its seeds the one whose mutants are kept.
func TestAdaptiveFollows(t *testing.T) {
	a, shares := adaptiveOf("coverage", "output")
	long := []feature.Trace{{Length: 10_000}}
	short := []feature.Trace{{Length: 100}}
	a.Added(Seed{New: []string{"coverage"}, Accepted: true, Traces: long})
	a.Added(Seed{New: []string{"output"}, Accepted: true, Traces: short})
	a.Added(Seed{New: []string{"output"}, Accepted: true, Traces: short})
	r := mutate.NewRand(1, 0)
	var counts [3]int
	for i := range uint64(60_000) {
		s := a.Next(r)
		traces, kept := short, s == 2 && i%40 == 0
		if s == 0 {
			traces = long
		}
		c := adapt.Choice{Made: true, Seed: a.Arm()}
		adapt.Record(shares, c, []mutate.Op{}, i, kept, kept, 0, Cost(traces))
		a.Ran(Result{Seed: s, Traces: traces, Kept: kept})
		if i >= 30_000 {
			counts[s]++
		}
	}
	if 2*counts[2] < 3*counts[1] || counts[2]+counts[1] < 3*counts[0] {
		t.Errorf("the seeds are chosen %v times", counts)
	}
	if slices.Contains(counts[:], 0) {
		t.Errorf("a seed is not chosen any more: %v", counts)
	}
}

// TestArmNames checks that the names have the indices of NumberOf.
func TestArmNames(t *testing.T) {
	names := ArmNames(&adaptiveRow, []string{"coverage", "output"})
	for seed, want := range []string{"seeds/accepted", "seeds/rejected", "coverage/accepted", "coverage/rejected", "output/accepted", "output/rejected"} {
		if got := names[NumberOf(adapt.Choice{Made: true, Seed: seed})]; got != want {
			t.Errorf("arm %d is %q, want %q", seed, got, want)
		}
	}
	if got := names[NumberOf(adapt.Choice{Made: true, Source: adapt.Fresh, Seed: -1})]; got != "fresh" {
		t.Errorf("fresh inputs are %q", got)
	}
	if names := ArmNames(&uniformRow, []string{"coverage"}); names != nil {
		t.Errorf("uniform has arms %v", names)
	}
}

// TestAdaptiveWeighs checks that a seed is mutated more often if more mutants are kept per cost,
// whatever the seed itself cost.
func TestAdaptiveWeighs(t *testing.T) {
	for _, test := range []struct {
		name  string
		costs [2]uint64 // blocks that mutants of the two seeds execute
		every [2]int    // one mutant in so many is kept
		first bool      // the first seed is worth more
	}{
		{"as good, and dearer", [2]uint64{100_000, 100}, [2]int{20, 20}, false},
		{"better, and dearer by more", [2]uint64{100_000, 100}, [2]int{10, 40}, false},
		{"better by more, and dearer", [2]uint64{2_000, 100}, [2]int{5, 1000}, true},
		{"better, and as dear", [2]uint64{2_000, 2_000}, [2]int{10, 100}, true},
		{"nothing is kept of either, and dearer", [2]uint64{100, 100_000}, [2]int{math.MaxInt, math.MaxInt}, true},
	} {
		a, _ := adaptiveOf("coverage")
		for range test.costs {
			a.Added(Seed{New: []string{"coverage"}, Accepted: true, Traces: []feature.Trace{{Length: 1000}}})
		}
		r := mutate.NewRand(1, 0)
		var tried, counts [2]int
		for i := range 20_000 {
			s := a.Next(r)
			tried[s]++
			a.Ran(Result{Seed: s, Traces: []feature.Trace{{Length: test.costs[s]}}, Kept: tried[s]%test.every[s] == 0})
			if i >= 2_000 { // their worth is known by now
				counts[s]++
			}
		}
		more, less := counts[0], counts[1]
		if !test.first {
			more, less = less, more
		}
		if 2*more < 3*less || less == 0 {
			t.Errorf("%s: the seeds are chosen %v times", test.name, counts)
		}
	}
}
