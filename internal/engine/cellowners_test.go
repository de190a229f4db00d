package engine

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/policy"
	"parallax/internal/schedule"
)

// runText returns a RunAll of programs without blocks. Each function returns an output, or a
// message if accepted is false.
func runText(programs ...func([]byte) (text []byte, accepted bool)) RunAll {
	return func(flats [][]byte, joints []feature.Joint) bool {
		for i, flat := range flats {
			j := &joints[i]
			j.Cells = j.Cells[:0]
			for p, program := range programs {
				text, accepted := program(flat)
				j.Obs[p] = oracle.Observation{Outcome: oracle.Rejected, Class: textHash(text)}
				if accepted {
					j.Obs[p] = oracle.Observation{Outcome: oracle.Accepted, Value: textHash(text)}
				}
				j.Cells = append(j.Cells, feature.AppendCells(nil, accepted, text, flat))
			}
		}
		return true
	}
}

func textHash(b []byte) uint64 {
	h := uint64(1)
	for _, c := range b {
		h = feature.Chain(h, uint64(c))
	}
	return h
}

// identity is a program that returns its input, and so a new output each time.
func identity(flat []byte) ([]byte, bool) { return flat, true }

// upper returns its input in capital letters, and rejects an input with a digit.
func upper(flat []byte) ([]byte, bool) {
	if bytes.ContainsAny(flat, "0123456789") {
		return []byte("there is a digit in " + string(flat)), false
	}
	return bytes.ToUpper(flat), true
}

func campaign(t *testing.T, guidance string, inputs int, run RunAll) (*Engine, *record) {
	t.Helper()
	e, r := newEngine(t, newFake(0, nil, nil), Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{guidance}, Seed: 1}}})
	b := &Batch{}
	if !e.SeedAll(b, [][]byte{[]byte("some words: a=b")}, run) {
		t.Fatal("refused")
	}
	for k := 0; k < inputs; k += 64 {
		if _, ok := e.FuzzAll(b, 64, inputs-k, run); !ok {
			t.Fatal("refused")
		}
	}
	return e, r
}

// TestCorpusOfCells checks the corpus of programs without blocks. Any guidance keeps more than the
// first tuples, and at most what the cells admit, although every output is new.
func TestCorpusOfCells(t *testing.T) {
	run := runText(identity, upper)
	for _, guidance := range []string{feature.Ensemble, feature.Output} {
		small, _ := campaign(t, guidance, 10_000, run)
		large, _ := campaign(t, guidance, 40_000, run)
		pool := feature.DefaultPool * (1 + 8) // of 40,000 tuples: see feature.Pool; each cell may have changed its owner once
		if small.Corpus() <= feature.DefaultPool || large.Corpus() <= small.Corpus() || large.Corpus() > 2*2*feature.CellSpace+pool {
			t.Errorf("%s: %d inputs kept of 10,000, %d of 40,000", guidance, small.Corpus(), large.Corpus())
		}
	}
	before := runText(identity, upper)
	silent := func(flats [][]byte, joints []feature.Joint) bool {
		defer func() {
			for i := range joints {
				joints[i].Cells = joints[i].Cells[:0]
			}
		}()
		return before(flats, joints)
	}
	if e, _ := campaign(t, feature.Output, 10_000, silent); e.Corpus() > feature.DefaultPool+1 {
		t.Errorf("%d inputs kept without cells: the test shows nothing", e.Corpus())
	}
}

// TestCellsRepeat checks that campaigns with cells repeat.
func TestCellsRepeat(t *testing.T) {
	_, one := campaign(t, feature.Ensemble, 5000, runText(identity, upper))
	_, other := campaign(t, feature.Ensemble, 5000, runText(identity, upper))
	if !slices.Equal(one.events, other.events) {
		t.Error("the same campaign goes another way")
	}
	if !strings.Contains(strings.Join(one.events, "\n"), "for [cells]") {
		t.Error("nothing is kept for cells alone")
	}
}

// TestCellOwners checks that an input of at most half the length takes the cells of another. The
// other is retired when it has lost all.
func TestCellOwners(t *testing.T) {
	h := newCellOwners(1)
	joint := func(cells ...uint16) *feature.Joint { return &feature.Joint{Cells: [][]uint16{cells}} }
	h.add(joint(1, 2), 100, false, false)
	if h.smaller(joint(1), 51) || !h.smaller(joint(3, 2), 50) || h.smaller(joint(3), 1) {
		t.Fatal("smaller is not at most half")
	}
	h.add(joint(1), 50, false, false)
	if h.successor(0) != 0 {
		t.Fatal("it holds a cell still")
	}
	h.add(joint(1, 2), 40, false, false) // takes 2, and not 1
	if h.successor(0) != 2 || h.successor(1) != 1 {
		t.Fatalf("the successors are %d and %d", h.successor(0), h.successor(1))
	}
	h.add(joint(1, 2), 5, false, false)
	if h.successor(0) != 3 || h.successor(1) != 3 || h.successor(2) != 3 {
		t.Fatalf("the successors are %d, %d and %d", h.successor(0), h.successor(1), h.successor(2))
	}
	h.add(joint(4), 100, true, false)
	h.add(joint(4), 10, false, false)
	if h.successor(4) != 4 {
		t.Error("what was kept for more than cells is retired")
	}
	h.add(joint(5, 5), 10, false, false)
	h.add(joint(5, 5), 1, false, false)
	if h.successor(6) != 7 {
		t.Error("a cell that is shown twice is held twice")
	}
}

// TestCellOwnersCost checks that decisions about cells do not allocate.
func TestCellOwnersCost(t *testing.T) {
	h := newCellOwners(2)
	j := &feature.Joint{Cells: [][]uint16{{1, 2, 3}, {4, 5}}}
	s := &cellSchedule{Schedule: first{}, owners: h}
	for size := 256; size > 1; size /= 2 {
		h.add(j, size, false, size == 256)
	}
	r := mutate.NewRand(1, 1)
	if allocs := testing.AllocsPerRun(100, func() { h.smaller(j, 1); s.Next(r) }); allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
	given := 0
	for range [4000]int{} {
		if s.Next(r) == 0 {
			given++
		}
	}
	if given < 900 || given > 1100 {
		t.Errorf("%d of 4,000 mutants are of the input that the user gave, want a quarter", given)
	}
}

// first always chooses the first seed.
type first struct{ schedule.Schedule }

func (first) Next(*mutate.Rand) int { return 0 }

// TestCellsOfFailures checks that failures are not kept and do not use up their cells.
func TestCellsOfFailures(t *testing.T) {
	ends := oracle.Crashed
	run := runText(identity, upper)
	failing := func(flats [][]byte, joints []feature.Joint) bool {
		run(flats, joints)
		for i := range joints {
			if joints[i].Obs[1].Outcome = ends; ends >= oracle.Crashed {
				joints[i].Cells[1] = nil
			}
		}
		return true
	}
	e, r := newEngine(t, newFake(0, nil, nil), Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Cells}, Seed: 1}}})
	b := &Batch{}
	e.SeedAll(b, [][]byte{[]byte("first"), []byte("2 more")}, failing)
	if e.Diversity(4) != 0 {
		t.Errorf("%d cells of failures", e.Diversity(4))
	}
	ends = oracle.Accepted
	e.SeedAll(b, [][]byte{[]byte("2 more")}, failing)
	if e.Diversity(4) == 0 || len(r.kept) != 1 {
		t.Errorf("%d cells, kept %q", e.Diversity(4), r.kept)
	}
}

// TestCandidatesByOutput checks that a rare output difference is a candidate among many others,
// without blocks.
func TestCandidatesByOutput(t *testing.T) {
	c := NewCandidates(2, 0, oracle.VerdictLayer|oracle.ValueLayer)
	counts := map[uint64]int{}
	for i := range [1000]int{} {
		apart := uint64(7)
		if i == 777 {
			apart = 9
		}
		j := &feature.Joint{Traces: make([]feature.Trace, 2), OutputDiff: apart, Obs: []oracle.Observation{
			{Outcome: oracle.Accepted, Value: uint64(2*i + 1)}, {Outcome: oracle.Accepted, Value: uint64(2*i + 2)},
		}}
		if admitted(c.Admit(j)) {
			counts[apart]++
		}
	}
	if got := fmt.Sprint(counts); got != "map[7:10 9:1]" {
		t.Errorf("candidates by difference: %s", got)
	}
	c, counts = NewCandidates(2, 0, oracle.VerdictLayer|oracle.ValueLayer), map[uint64]int{}
	for i := range [100_000]int{} { // another difference each time
		j := &feature.Joint{Traces: make([]feature.Trace, 2), OutputDiff: uint64(i) + 1, Obs: []oracle.Observation{
			{Outcome: oracle.Accepted, Value: uint64(2*i + 1)}, {Outcome: oracle.Accepted, Value: uint64(2*i + 2)},
		}}
		if admitted(c.Admit(j)) {
			counts[0]++
		}
	}
	if counts[0] > maxDiffs+17 {
		t.Errorf("%d candidates of one tuple of outcomes", counts[0])
	}
}
