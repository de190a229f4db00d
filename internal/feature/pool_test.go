package feature

import (
	"fmt"
	"testing"
)

// fill offers n tuples, with cells from cell, and returns how many are kept.
func fill(p *Pool, n int, cell func(i int) uint64) (kept int) {
	for i := 0; i < n; i++ {
		if p.Admit(cell(i), 1) {
			kept++
		}
	}
	return kept
}

func TestPool(t *testing.T) {
	same := func(int) uint64 { return 1 }
	own := func(i int) uint64 { return Mix(uint64(i)) }
	tests := []struct {
		name string
		free int
		n    int
		cell func(int) uint64
		want int
	}{
		{"free ones whatever their cell", 256, 256, same, 256},
		{"then only into empty cells", 256, 10_000, same, 256},
		{"cells of free ones are taken", 256, 512, func(i int) uint64 { return own(i % 256) }, 256},
		{"empty cells up to the limit", 256, 512, own, 512},
		{"twice", 256, 1024, own, 3 * 256},
		{"between powers of two", 256, 768, own, 2*256 + 128},
		{"a thousand times", 256, 256 << 10, own, 11 * 256},
		{"one", 1, 1024, own, 11},
		{"nothing free", 0, 1000, own, 0},
	}
	for _, test := range tests {
		if got := fill(&Pool{Size: test.free}, test.n, test.cell); got != test.want {
			t.Errorf("%s: kept %d of %d, want %d", test.name, got, test.n, test.want)
		}
	}
}

// TestPoolLimit checks that the limit Size*(1+log2(n/Size)) never falls. From 2^9 times Size on, it
// grows by less than a tenth while the tuples double.
func TestPoolLimit(t *testing.T) {
	p := &Pool{Size: DefaultPool}
	limits := map[int]int{}
	last := 0
	for n := 0; n <= 10_000_000; n++ {
		p.tuples = n
		limit := p.limit()
		if limit < last || limit > last+1 && n > 0 {
			t.Fatalf("the limit goes from %d to %d at %d tuples", last, limit, n)
		}
		last = limit
		if n&(n-1) == 0 || n == 10_000_000 || n == 5_000_000 {
			limits[n] = limit
		}
	}
	for k := 8; k < 23; k++ {
		if want := DefaultPool * (k - 7); limits[1<<k] != want {
			t.Errorf("limit at 2^%d is %d, want %d", k, limits[1<<k], want)
		}
	}
	for k := 17; k < 23; k++ {
		if a, b := limits[1<<k], limits[1<<(k+1)]; 10*(b-a) > a {
			t.Errorf("from 2^%d to 2^%d tuples the limit grows from %d to %d", k, k+1, a, b)
		}
	}
	if a, b := limits[5_000_000], limits[10_000_000]; 10*(b-a) >= a {
		t.Errorf("over the last five of ten million tuples the limit grows from %d to %d", a, b)
	}
}

// TestPoolRefusalLeavesTheCell checks that a tuple refused by a full pool leaves its cell empty for
// another.
func TestPoolRefusalLeavesTheCell(t *testing.T) {
	p := &Pool{Size: 4}
	cell := uint64(0)
	next := func() uint64 { cell++; return cell }
	for p.admitted < p.limit() || p.tuples < 9 {
		p.Admit(next(), 1)
	}
	refused := uint64(1 << 40)
	if p.Admit(refused, 1) {
		t.Skip("the limit rose")
	}
	for p.admitted >= p.limit() {
		p.tuples++
	}
	if !p.Admit(refused, 1) {
		t.Error("the cell is taken by an input that was not kept")
	}
}

func runs(blocks ...[]uint32) *Joint {
	j := &Joint{}
	for _, b := range blocks {
		j.Traces = append(j.Traces, Trace{Hits: b})
	}
	return j
}

func TestRarityCell(t *testing.T) {
	r := NewRarity(2, 10)
	common := runs([]uint32{1, 2, 3}, []uint32{1})
	for range 5 {
		r.Add(common)
	}
	r.Add(runs([]uint32{2}, []uint32{1, 5}))
	tests := []struct {
		name string
		a, b *Joint
		same bool
	}{
		{"repeats", runs([]uint32{1, 2}, []uint32{1}), runs([]uint32{1, 2}, []uint32{1}), true},
		{"common blocks do not count", runs([]uint32{1, 2, 9}, []uint32{1, 5}), runs([]uint32{3, 9}, []uint32{5}), true},
		{"ties go to the lowest id", runs([]uint32{1, 3}, nil), runs([]uint32{1}, nil), true},
		{"the rarest decides", runs([]uint32{1, 9}, nil), runs([]uint32{1, 8}, nil), false},
		{"programs count apart", runs([]uint32{9}, []uint32{1}), runs([]uint32{1}, []uint32{9}), false},
		{"block 0 is not nothing", runs([]uint32{0}, nil), runs(nil, nil), false},
	}
	for _, test := range tests {
		if got := r.Cell(test.a) == r.Cell(test.b); got != test.same {
			t.Errorf("%s: same cell is %v", test.name, got)
		}
	}
	before := r.Cell(common)
	if r.Cell(common) != before {
		t.Error("looking changes the cell")
	}
	if n := testing.AllocsPerRun(100, func() { r.Add(common); r.Cell(common) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestMap(t *testing.T) {
	m := make(Map, 4)
	steps := []struct {
		ids     []uint32
		counts  []byte
		fresh   int
		covered int
	}{
		{nil, nil, 0, 0},
		{[]uint32{0, 2}, []byte{1, 1}, 2, 2},
		{[]uint32{0, 2}, []byte{1, 1}, 0, 2},
		{[]uint32{0, 2}, []byte{2, 1}, 1, 2},
		{[]uint32{0, 3}, []byte{5, 200}, 2, 3},
		{[]uint32{0, 3}, []byte{7, 255}, 0, 3},
	}
	for i, s := range steps {
		if got := m.Add(&Trace{Hits: s.ids, Counts: s.counts}); got != s.fresh || m.Covered() != s.covered {
			t.Errorf("step %d: %d new, %d covered, want %d, %d", i, got, m.Covered(), s.fresh, s.covered)
		}
	}
	merges := []struct {
		other []byte
		fresh bool
	}{
		{nil, false}, {[]byte{1, 0, 1, 128}, false}, {[]byte{0, 1}, true}, {[]byte{0, 1}, false}, {[]byte{0, 0, 0, 0, 9, 9}, false},
	}
	for _, test := range merges {
		before := fmt.Sprint(m)
		if got := m.Merge(test.other); got != test.fresh || (fmt.Sprint(m) != before) != got {
			t.Errorf("merging %v: new is %v", test.other, got)
		}
	}
}

// TestFull checks that Full refuses exactly what Admit would, and counts it.
func TestFull(t *testing.T) {
	a, b := &Pool{Size: 4}, &Pool{Size: 4}
	for i := range 1000 {
		cell := Mix(uint64(i % 97))
		kept := !a.Full(1) && a.Admit(cell, 1)
		if want := b.Admit(cell, 1); kept != want {
			t.Fatalf("tuple %d: kept %v, want %v", i, kept, want)
		}
	}
	if a.tuples != b.tuples || a.admitted != b.admitted {
		t.Errorf("%d of %d admitted, want %d of %d", a.admitted, a.tuples, b.admitted, b.tuples)
	}
}

// TestRestore checks that a restored pool behaves like the pool that admitted the inputs. If
// several pools admitted more than one would, it behaves like a full one.
func TestRestore(t *testing.T) {
	own := func(i int) uint64 { return Mix(uint64(i)) }
	const size, n = 16, 1000
	first := &Pool{Size: size}
	kept := fill(first, n, own)
	for workers := 1; workers <= 3; workers++ {
		p := &Pool{Size: size}
		for range n {
			p.CountSeen(1)
		}
		for i := range workers * kept {
			p.Restore(own(n + i))
		}
		if p.admitted != first.admitted {
			t.Errorf("%d workers: %d admitted, want %d", workers, p.admitted, first.admitted)
		}
		if p.Admit(own(n), 1) {
			t.Errorf("%d workers: the cell of a restored input is empty", workers)
		}
		if got := fill(p, n, func(i int) uint64 { return own(1<<20 + i) }); got > size || got < size/2 {
			t.Errorf("%d workers: %d more kept as the tuples doubled, want about %d", workers, got, size)
		}
	}
}

// TestUnbounded checks that a domain of unbounded size keeps every new tuple.
func TestUnbounded(t *testing.T) {
	for _, test := range []struct {
		keep    int
		bounded bool
	}{{0, true}, {DefaultPool, true}, {Unbounded, false}} {
		if n := NewNovelty(Find(PathFine), Setting{Programs: 2}, true, test.keep); (n.Pool != nil) != test.bounded {
			t.Errorf("size %d: bounded %v, want %v", test.keep, n.Pool != nil, test.bounded)
		}
	}
}
