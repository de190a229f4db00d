package schedule

import (
	"fmt"
	"testing"

	"parallax/internal/mutate"
)

// publishedGuidance is an oracle. It has the parts of BeDivGuidance.java and ZestGuidance.java at
// cf455a3 that decide how long a seed's turn is. Names and data structures are theirs. validOnly is
// SAVE_ONLY_VALID.
type publishedGuidance struct {
	validOnly                    bool
	totalCoverage, validCoverage map[uint32]bool
	maxCoverage                  int
	savedInputs                  []*publishedInput
	responsibleInputs            map[uint32]*publishedInput
}

type publishedInput struct {
	nonZeroCoverage  int
	responsibilities map[uint32]bool
}

func (g *publishedGuidance) handleResult(run []uint32, valid, toSave bool, parent int) {
	if !valid && g.validOnly {
		return
	}
	// computeResponsibilities
	responsibilities := map[uint32]bool{}
	for _, b := range run {
		if !g.totalCoverage[b] || valid && !g.validCoverage[b] {
			responsibilities[b] = true
		}
	}
	// checkSavingCriteriaSatisfied
	for _, b := range run {
		g.totalCoverage[b] = true
		if valid {
			g.validCoverage[b] = true
		}
	}
	g.maxCoverage = max(g.maxCoverage, len(g.totalCoverage))
	if !toSave {
		for b := range responsibilities {
			g.savedInputs[parent].responsibilities[b] = true
		}
		return
	}
	// saveCurrentInput
	in := &publishedInput{len(run), responsibilities}
	g.savedInputs = append(g.savedInputs, in)
	for b := range responsibilities {
		if old := g.responsibleInputs[b]; old != nil {
			delete(old.responsibilities, b)
		}
		g.responsibleInputs[b] = in
	}
}

// getTargetChildrenForParent as in the public code.
func (g *publishedGuidance) getTargetChildrenForParent(seed int) int {
	in := g.savedInputs[seed]
	target := zestChildren * in.nonZeroCoverage / g.maxCoverage
	if len(in.responsibilities) > 0 {
		target *= zestFavored
	}
	return target
}

// TestResponsibilitiesPublished compares the lengths of turns with those of the public code, after
// each of many random inputs.
func TestResponsibilitiesPublished(t *testing.T) {
	row, err := Find(Zest)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(40) {
		r := mutate.NewRand(seed, 0)
		validOnly := seed%2 == 0
		g := &publishedGuidance{
			validOnly: validOnly, totalCoverage: map[uint32]bool{}, validCoverage: map[uint32]bool{}, responsibleInputs: map[uint32]*publishedInput{},
		}
		z := row.New(Environment{Programs: 1, Blocks: 40, HandsOver: true, ValidOnly: validOnly}).(*zest)
		handed, favored := 0, ""
		for n := range 60 {
			var run []uint32
			for b := range uint32(40) { // later inputs execute later blocks
				if int(b) <= n && r.Intn(4) == 0 {
					run = append(run, b)
				}
			}
			valid := n == 0 || r.Intn(2) == 0
			toSave, parent := n == 0 || valid && r.Intn(3) == 0, 0
			if n > 0 {
				parent = r.Intn(len(g.savedInputs))
			}
			if n == 0 {
				run = []uint32{0}
			}
			g.handleResult(run, valid, toSave, parent)
			if toSave {
				z.Added(added(run, valid))
			}
			z.Ran(Result{Seed: parent, Traces: traced(run...), Kept: toSave, Accepted: valid})
			z.Ran(Result{Seed: parent, Traces: traced(39), Failed: true}) // a failure is neither saved nor counted
			for i, in := range g.savedInputs {
				if got, want := z.children(i), g.getTargetChildrenForParent(i); got != want || z.seeds[i].owns != len(in.responsibilities) {
					t.Fatalf("seed %d, input %d: seed %d has %d children for %d blocks; want %d for %d", seed, n, i, got, z.seeds[i].owns, want, len(in.responsibilities))
				}
			}
			handed = len(z.handed.held)
		}
		for i := range g.savedInputs {
			favored += fmt.Sprint(len(g.savedInputs[i].responsibilities), " ")
		}
		if handed == 0 {
			t.Errorf("seed %d: nothing was handed over; seeds own %s", seed, favored)
		}
	}
}

// TestResponsibilitiesHandOver checks that a parent without blocks of its own becomes favored, and
// that the usual schedule ignores inputs that are not kept.
func TestResponsibilitiesHandOver(t *testing.T) {
	row, _ := Find(Zest)
	for _, hands := range []bool{false, true} {
		z := row.New(Environment{Programs: 1, Blocks: 8, HandsOver: hands})
		z.Added(added([]uint32{0, 1}, true))
		z.Added(added([]uint32{0}, true)) // owns nothing
		z.Ran(Result{Seed: 1, Traces: traced(0, 2), Accepted: true})
		want := "0×1000 1×25 0×1000"
		if hands {
			want = "0×660 1×320 0×660" // of 3 blocks; seed 1 has block 2
		}
		if got := turnsOf(z, 3); got != want {
			t.Errorf("hands over %v: turns %s, want %s", hands, got, want)
		}
	}
}
