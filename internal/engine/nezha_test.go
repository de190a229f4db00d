package engine

import (
	"fmt"
	"strings"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/policy"
)

// The programs of NEZHA's Table I. A return code of 0 accepts. Any other rejects with an error
// class of its own.
const (
	a1 = iota
	a2
	a3
	a4
	b1
	b2
	b3
	tableBlocks
)

func tableA(flat []byte) run {
	switch v := toInteger(flat); {
	case v%2 != 0:
		return code(-1, a1)
	case v < 1 || v > 7:
		return code(-2, a3, a2)
	}
	return code(0, a3, a4)
}

func tableB(flat []byte) run {
	switch v := toInteger(flat); {
	case v < 3 || v > 7:
		return code(-2, b1)
	case v%2 != 0:
		return code(-1, b3, b2)
	}
	return code(0, b3)
}

func code(c int, path ...int) run {
	if c == 0 {
		return run{path, accept(0)}
	}
	return run{path, reject(uint64(-c))}
}

// TestTableOne checks what each guidance keeps of the seeds 7, 0, 1 and of the later inputs 2 and
// 9, and for which of its domains. The tuples are, as (cardinalities) (sets) (codes):
//
//	7  (1,2) {A1},{B3,B2}    -1,-1
//	0  (2,1) {A3,A2},{B1}    -2,-2
//	1  (1,1) {A1},{B1}       -1,-2
//	2  (2,1) {A3,A4},{B1}     0,-2   A accepts, B rejects
//	9  (1,1) {A1},{B1}       -1,-2
func TestTableOne(t *testing.T) {
	tests := []struct {
		guidance string
		keeps    string // input:domains
	}{
		// 7 and 0 have covered every edge of 1: coverage drops the input that leads to the
		// discrepancy.
		{"coverage", "7:coverage 0:coverage 2:coverage"},
		{"blocks", "7:blocks 0:blocks 2:blocks"},
		{"path-coarse", "7:path-coarse 0:path-coarse 1:path-coarse"}, // 2 repeats (2,1): reported, not kept
		{"path-fine", "7:path-fine 0:path-fine 1:path-fine 2:path-fine"},
		{"output", "7:output 0:output 1:output 2:output"}, // 9 repeats (-1,-2)
		// Relative to A, 7 and 0 are equal: A rejects and B agrees.
		{"reference", "7:reference 1:reference 2:reference"},
		{"nezha-coarse", "7:nezha-coarse 0:nezha-coarse 1:nezha-coarse"},
		{"nezha-fine", "7:nezha-fine 0:nezha-fine 1:nezha-fine 2:nezha-fine"},
		{"random", ""},
		{"coverage,path-coarse", "7:coverage+path-coarse 0:coverage+path-coarse 1:path-coarse 2:coverage"},
		{"coverage,output", "7:coverage+output 0:coverage+output 1:output 2:coverage+output"},
		{"path-coarse,output", "7:path-coarse+output 0:path-coarse+output 1:path-coarse+output 2:output"},
		{"ensemble", "7:coverage+path-coarse+path-fine+output 0:coverage+path-coarse+path-fine+output " +
			"1:path-coarse+path-fine+output 2:coverage+path-fine+output"},
	}
	for _, test := range tests {
		t.Run(test.guidance, func(t *testing.T) {
			e, r := newTable(t, test.guidance, 1)
			keeps := &keptList{record: r}
			e.sink = keeps
			for _, v := range []int{7, 0, 1, 2, 9} {
				try(e, integer(v))
				if want := v == 2; r.last().Disagree != want {
					t.Errorf("input %d: disagree is %v", v, !want)
				}
			}
			if got := strings.Join(keeps.list, " "); got != test.keeps {
				t.Errorf("kept\n%s\nwant\n%s", got, test.keeps)
			}
			if len(r.candidates) != 1 || toInteger([]byte(r.candidates[0])) != 2 {
				t.Errorf("candidates %q, want the input 2 whatever guides", r.candidates)
			}
			// The measured diversity is the same under every guidance.
			for domain, want := range []int{3, 4, 4, 1} {
				if got := e.Diversity(domain); got != want {
					t.Errorf("diversity %s is %d, want %d", feature.Numbered(domain).Name, got, want)
				}
			}
		})
	}
}

func newTable(t *testing.T, guidance string, seed uint64) (*Engine, *record) {
	t.Helper()
	return newEngine(t, newFake(tableBlocks, tableA, tableB), Config{
		Setup: policy.Setup{Policy: policy.Policy{Guidance: strings.Split(guidance, ","), Seed: seed}},
		Shape: input.Shape{input.Int},
	})
}

// keptList lists the kept inputs with their domains.
type keptList struct {
	*record
	list []string
}

func (k *keptList) Kept(it Item) {
	k.list = append(k.list, fmt.Sprintf("%d:%s", toInteger(it.Flat), strings.Join(it.New, "+")))
	k.record.Kept(it)
}

// TestTableOneSeeds checks that seeds are evaluated as any input. Without guidance only they are
// mutated.
func TestTableOneSeeds(t *testing.T) {
	tests := []struct {
		guidance string
		corpus   int
	}{
		{"coverage", 2}, {"blocks", 2}, {"path-coarse", 3}, {"path-fine", 3}, {"output", 3}, {"reference", 2}, {"nezha-coarse", 3},
		{"nezha-fine", 3}, {"random", 3}, {"ensemble", 3},
	}
	for _, test := range tests {
		e, r := newTable(t, test.guidance, 1)
		for _, v := range []int{7, 0, 1} {
			e.Seed(integer(v))
		}
		if e.Corpus() != test.corpus || len(r.kept) != test.corpus {
			t.Errorf("%s: %d seeds in the corpus, %d told, want %d", test.guidance, e.Corpus(), len(r.kept), test.corpus)
		}
		if len(r.reports) != 3 || len(r.candidates) != 0 {
			t.Errorf("%s: %d inputs counted and %d candidates, want 3 and none", test.guidance, len(r.reports), len(r.candidates))
		}
	}
}

// TestTableOneIncrement checks that one increment leads from seed 1, which fine path diversity
// keeps, to 2.
func TestTableOneIncrement(t *testing.T) {
	for seed := uint64(1); seed <= 5; seed++ {
		e, r := newTable(t, "path-fine", seed)
		for _, v := range []int{7, 0, 1} {
			e.Seed(integer(v))
		}
		for n := 0; n < 2000 && len(r.candidates) == 0; n++ {
			e.Fuzz()
		}
		if len(r.candidates) == 0 {
			t.Errorf("seed %d: no discrepancy after 2000 mutants", seed)
		}
	}
}

// TestSecondExample has the second example (section III-A): two runs with the same edges, the first
// with one more execution. The coarse domain grows, and the fine one does not.
func TestSecondExample(t *testing.T) {
	const blockA1, blockA2, blockB1 = 0, 1, 2
	a := func(flat []byte) run {
		if string(flat) == "first" {
			return run{[]int{blockA1, blockA2, blockA1}, accept(0)}
		}
		return run{[]int{blockA1, blockA2}, accept(0)}
	}
	b := func([]byte) run { return run{[]int{blockB1}, accept(0)} }
	tests := []struct {
		guidance string
		keeps    bool // the second input
	}{
		{"coverage", true}, // a new hit-count bucket: A1 once instead of twice
		{"path-coarse", true},
		{"path-fine", false},
		{"output", false},
		{"reference", false},
		{"nezha-coarse", true},
		{"nezha-fine", false},
		{"random", false},
		{"path-fine,output", false},
		{"path-coarse,path-fine", true},
		{"ensemble", true},
	}
	for _, test := range tests {
		e, r := newEngine(t, newFake(3, a, b), Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: strings.Split(test.guidance, ",")}}})
		try(e, []byte("first"))
		try(e, []byte("second"))
		if got := r.last().Kept; got != test.keeps {
			t.Errorf("%s: the second input is kept: %v, want %v", test.guidance, got, test.keeps)
		}
		if coarse, fine := e.Diversity(0), e.Diversity(1); coarse != 2 || fine != 1 {
			t.Errorf("%s: coarse %d, fine %d, want 2 and 1", test.guidance, coarse, fine)
		}
	}
}

// TestTuplesAreOrdered checks that swapping the programs' behaviors gives another tuple.
func TestTuplesAreOrdered(t *testing.T) {
	twice := func(who byte) func([]byte) run {
		return func(flat []byte) run {
			if flat[0] == who {
				return run{[]int{0, 0}, reject(7)}
			}
			return run{[]int{0}, accept(0)}
		}
	}
	e, _ := newEngine(t, newFake(1, twice('a'), twice('b')), Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Ensemble}}}})
	try(e, []byte("a"))
	try(e, []byte("b"))
	if e.Diversity(0) != 2 || e.Diversity(2) != 2 {
		t.Errorf("coarse %d, output %d, want 2 and 2", e.Diversity(0), e.Diversity(2))
	}
	if got := e.Diversity(feature.Find(feature.Discrepancy).Number); got != 2 {
		t.Errorf("%d unique discrepancies, want 2", got)
	}
}

// TestSeedsBeyondPool checks that seeds with new tuples join the corpus although the pool is full,
// and mutants do not. Without a bound all seeds join, as in the paper.
func TestSeedsBeyondPool(t *testing.T) {
	path := func(flat []byte) run {
		return run{path: []int{toInteger(flat) % 100}, obs: accept(0)}
	}
	for _, test := range []struct{ pool, seeds, corpus int }{
		{1, 50, 50},                 // each has a path of its own
		{1, 60, 50},                 // ten repeat one
		{feature.Unbounded, 60, 60}, // all
	} {
		e, r := newEngine(t, newFake(100, path, path), Config{
			Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{feature.PathFine}, Seed: 1, PoolSize: test.pool}},
			Shape: input.Shape{input.Int},
		})
		for i := range test.seeds {
			e.Seed(integer(i % 50))
		}
		if len(r.kept) != test.corpus {
			t.Errorf("pool %d: %d of %d seeds joined, want %d", test.pool, len(r.kept), test.seeds, test.corpus)
		}
		before := len(r.kept)
		for i := range 40 { // mutants with new paths; the pool of one is full
			try(e, integer(50+i))
		}
		if got := len(r.kept) - before; got == 40 != (test.pool == feature.Unbounded) {
			t.Errorf("pool %d: %d of 40 mutants joined", test.pool, got)
		}
	}
}

// TestBlocks checks that guidance by blocks ignores their counts, and that by coverage does not.
func TestBlocks(t *testing.T) {
	loop := func(flat []byte) run {
		n := toInteger(flat)
		path := []int{}
		for range n % 10 {
			path = append(path, 0)
		}
		return run{path: append(path, 1+n/10), obs: accept(0)}
	}
	for guidance, want := range map[string]int{feature.Blocks: 2, feature.Coverage: 4, "blocks,coverage": 4} {
		e, r := newEngine(t, newFake(9, loop), Config{
			Setup: policy.Setup{Policy: policy.Policy{Guidance: strings.Split(guidance, ","), Seed: 1}}, Shape: input.Shape{input.Int},
		})
		for _, v := range []int{1, 2, 5, 1, 12} {
			try(e, integer(v))
		}
		if len(r.kept) != want {
			t.Errorf("%s keeps %d inputs, want %d", guidance, len(r.kept), want)
		}
	}
}
