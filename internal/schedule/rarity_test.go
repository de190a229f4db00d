package schedule

import (
	"math"
	"slices"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/mutate"
)

// long returns a trace with that length, repetitions counted.
func long(length uint64, ids ...uint32) []feature.Trace {
	t := traced(ids...)
	t[0].Length = length
	return t
}

// share runs so many turns and returns the number of each seed's turns. Mutants execute what
// executed returns.
func share(q *rarity, seed uint64, turns int, executed func(int) []feature.Trace) []int {
	r := mutate.NewRand(seed, 0)
	n := make([]int, len(q.seeds))
	for range turns {
		for child := range rareTurn {
			k := q.Next(r)
			if child == 0 {
				n[k]++
			}
			q.Ran(Result{Traces: executed(k)})
		}
	}
	return n
}

// TestRarityClass checks the class: 2*log2 of the rarest block's count, plus log2 of 256 and the
// executed blocks, plus log2 of the turns and one.
func TestRarityClass(t *testing.T) {
	tests := []struct {
		name   string
		counts []uint32
		length uint64
		turns  uint64
		class  int
	}{
		{"new", []uint32{1}, 0, 0, 0 + 8 + 0},
		{"the rarest counts", []uint32{900, 1, 7}, 0, 0, 0 + 8 + 0},
		{"a count of two", []uint32{2}, 0, 0, 2 + 8 + 0},
		{"a count of three", []uint32{3}, 0, 0, 3 + 8 + 0},
		{"a count of six", []uint32{6}, 0, 0, 5 + 8 + 0},
		{"often", []uint32{1000}, 0, 0, 19 + 8 + 0},
		{"always", []uint32{math.MaxUint32}, 0, 0, 63 + 8 + 0},
		{"as long as an input costs", []uint32{1}, 256, 0, 0 + 9 + 0},
		{"long", []uint32{1}, 1 << 20, 0, 0 + 20 + 0},
		{"endless", []uint32{1}, 1 << 63, 0, 0 + 39 + 0},
		{"one turn", []uint32{1}, 0, 1, 0 + 8 + 1},
		{"six turns", []uint32{1}, 0, 6, 0 + 8 + 2},
		{"seven turns", []uint32{1}, 0, 7, 0 + 8 + 3},
		{"the most of all", []uint32{math.MaxUint32}, 1 << 63, math.MaxUint64 - 1, 63 + 39 + 39},
	}
	for _, test := range tests {
		q := newRarity()
		q.Added(Seed{Traces: long(test.length, blocks(len(test.counts))...)})
		copy(q.counts[1:], test.counts)
		q.seeds[0].turns = test.turns
		if got := q.class(0); got != test.class {
			t.Errorf("%s: class %d, want %d", test.name, got, test.class)
		}
	}
}

// TestRarityCounts checks that seeds and every eighth mutant are counted, per program. Blocks that
// no seed executes are not.
func TestRarityCounts(t *testing.T) {
	q := newRarity()
	two := func(a, b []uint32) []feature.Trace { return append(traced(a...), traced(b...)...) }
	q.Added(Seed{Traces: two([]uint32{0, 2}, []uint32{2})})
	q.Added(Seed{Traces: two([]uint32{0, 1, 5}, nil)})
	q.Added(Seed{Traces: two(nil, nil)})
	for range 2 * rareSample {
		q.Ran(Result{Traces: two([]uint32{2, 1000}, []uint32{0})})
	}
	q.counts[q.index(0, 5)] = math.MaxUint32
	for range rareSample {
		q.Ran(Result{Traces: two([]uint32{5}, []uint32{5})})
	}
	want := map[[2]int]uint32{{0, 0}: 2, {0, 1}: 1, {0, 2}: 1 + 2, {0, 5}: math.MaxUint32, {1, 2}: 1, {1, 0}: 2}
	for p := range 2 {
		for b := range 6 {
			i := q.index(p, uint32(b))
			if i >= len(q.counts) {
				continue
			}
			if got := q.counts[i]; got != want[[2]int{p, b}] {
				t.Errorf("program %d, block %d: count %d, want %d", p, b, got, want[[2]int{p, b}])
			}
		}
	}
	if q.counts[0] != 1 {
		t.Errorf("%d runs that executed nothing, want 1", q.counts[0])
	}
}

// TestRarest checks that a seed's rarest blocks are remembered, and some of those that are
// similarly rare.
func TestRarest(t *testing.T) {
	q := newRarity()
	q.Added(Seed{Traces: traced(blocks(1000)...)})
	first := q.seeds[0].blocks
	if len(first) != rareBlocks || first[0] > 20 || first[rareBlocks-1] < 980 {
		t.Errorf("of blocks that are all alike: %v", first)
	}
	for i := 1; i < len(first); i++ {
		if first[i] <= first[i-1] || first[i] > first[i-1]+1000/rareBlocks+1 {
			t.Errorf("of blocks that are all alike: %v", first)
			break
		}
	}
	// Ten blocks are rare, a hundred less so, the rest common.
	var rare []uint32
	for i := range q.counts {
		switch {
		case i%100 == 50:
			q.counts[i] = 3
			rare = append(rare, uint32(i))
		case i%10 == 5:
			q.counts[i] = 20
		default:
			q.counts[i] = 1000
		}
	}
	got := q.rarest(traced(blocks(1000)...))
	less := 0
	for _, i := range got {
		if i%10 == 5 {
			less++
		} else if !slices.Contains(rare, i) {
			t.Errorf("index %d is neither rare nor less rare", i)
		}
	}
	if len(got) != rareBlocks || less != rareBlocks-len(rare) {
		t.Errorf("%d remembered, %d of them less rare", len(got), less)
	}
	if few := q.rarest(traced(3, 7)); !slices.Equal(few, []uint32{4, 8}) {
		t.Errorf("of two blocks %v", few)
	}
	if none := q.rarest(traced()); !slices.Equal(none, []uint32{0}) {
		t.Errorf("of none %v", none)
	}
}

// TestRarityFavorsTheRare has nine seeds with the blocks of all mutants, and one with a block of
// no mutant.
func TestRarityFavorsTheRare(t *testing.T) {
	q := newRarity()
	for i := range 10 {
		b := uint32(0)
		if i == 4 {
			b = 1
		}
		q.Added(Seed{Traces: traced(b)})
	}
	n := share(q, 1, 2000, func(int) []feature.Trace { return traced(0) })
	if n[4] < 1800 || n[4] == 2000 {
		t.Errorf("turns %v: the rare one should have nearly all", n)
	}
	// Once mutants hit it as easily, it is one of ten.
	q.counts[2] = q.counts[1]
	for i := range q.seeds {
		q.seeds[i].turns = 1000
	}
	n = share(q, 1, 2000, func(int) []feature.Trace { return traced(0, 1) })
	if n[4] < 100 || n[4] > 300 {
		t.Errorf("turns %v: it should have about as many as the others", n)
	}
}

// TestRarityFavorsTheQuick checks that a seed with 256 times the time has a sixth of the turns. At
// n turns its energy is 1/sqrt(256*n) of another's. The other reaches the same with the cube root
// of 256 times as many turns. Below an input's fixed cost, blocks make no difference.
func TestRarityFavorsTheQuick(t *testing.T) {
	q := newRarity()
	q.Added(Seed{Traces: long(256, 0)})
	q.Added(Seed{Traces: long(512*256-256, 0)})
	q.Added(Seed{Traces: long(200, 0)})
	n := share(q, 1, 4000, func(int) []feature.Trace { return traced(0) })
	if n[1]*4 > n[0] || n[1]*9 < n[0] || n[2] < n[0] || n[2] > 2*n[0] {
		t.Errorf("turns %v", n)
	}
}

// TestRarityCatchesUp checks that equal seeds have equally many turns, and that a late one catches
// up.
func TestRarityCatchesUp(t *testing.T) {
	q := newRarity()
	for i := range 4 {
		q.Added(Seed{Traces: traced(uint32(i))})
	}
	same := func(k int) []feature.Trace { return traced(uint32(k)) }
	n := share(q, 1, 4000, same)
	for _, k := range n {
		if k < 800 || k > 1200 {
			t.Errorf("turns %v, want about as many for each", n)
		}
	}
	q.Added(Seed{Traces: traced(4)})
	if n = share(q, 2, 1000, same); n[4] < 500 {
		t.Errorf("turns %v: the new one should have most", n)
	}
	if n = share(q, 3, 4000, same); n[4] > 1200 {
		t.Errorf("turns %v: the new one has caught up", n)
	}
}

// TestRarityIsExact checks that lazily updated energies give the same shares as exact ones.
func TestRarityIsExact(t *testing.T) {
	const seeds, draws = 6, 60_000
	fresh := func() *rarity {
		q := newRarity()
		for i := range seeds {
			q.Added(Seed{Traces: traced(uint32(i))})
		}
		for i := range seeds {
			q.counts[q.index(0, uint32(i))] = uint32(1 << i) // they were 1 when the seeds were added
		}
		return q
	}
	late := [seeds]int{}
	for k := range uint64(draws) {
		late[fresh().draw(mutate.NewRand(k, 0))]++
	}
	total := 0.0
	for i := range seeds {
		total += math.Pow(2, -float64(i))
	}
	for i := range seeds {
		share := math.Pow(2, -float64(i)) / total
		want, deviation := share*draws, math.Sqrt(share*(1-share)*draws)
		if math.Abs(float64(late[i])-want) > 6*deviation {
			t.Errorf("seed %d was drawn %d times, want %.0f", i, late[i], want)
		}
	}
}
