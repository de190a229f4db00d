package feature

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"
)

// model is a run given by the executed blocks, in order.
type model struct {
	counters *Counters
	path     []int
	rank     map[int]bool
}

// newModel returns counters in regions of the given sizes.
func newModel(order bool, sizes ...int) *model {
	c := &Counters{}
	if order {
		c.Seq = new(uint32)
	}
	for _, n := range sizes {
		r := Region{First: c.Blocks, Cov: make([]byte, n), Len: new([8]uint64)}
		if order {
			r.Ord = make([]uint32, n)
		}
		c.Regions = append(c.Regions, r)
		c.Blocks += n
	}
	return &model{counters: c, rank: map[int]bool{}}
}

// execute does what instrumented code does, once per block of the path.
func (m *model) execute(path ...int) {
	for _, id := range path {
		r := 0
		for id >= m.counters.Regions[r].First+len(m.counters.Regions[r].Cov) {
			r++
		}
		reg := &m.counters.Regions[r]
		k := id - reg.First
		reg.Cov[k]++
		reg.Len[id%8]++
		if m.counters.Seq != nil && reg.Ord[k] == 0 {
			*m.counters.Seq++
			reg.Ord[k] = *m.counters.Seq
		}
	}
	m.path = append(m.path, path...)
}

// expect compares what Read found with the path, and checks that the counters are clear.
func (m *model) expect(t *testing.T, what string, tr *Trace) {
	t.Helper()
	times := map[int]int{}
	for _, id := range m.path {
		times[id]++
	}
	var hits []uint32
	var counts []byte
	for id := 0; id < m.counters.Blocks; id++ {
		if byte(times[id]) != 0 {
			hits = append(hits, uint32(id))
			counts = append(counts, byte(times[id]))
		}
	}
	if !slices.Equal(tr.Hits, hits) || !slices.Equal(tr.Counts, counts) {
		t.Errorf("%s: read %v %v, want %v %v", what, tr.Hits, tr.Counts, hits, counts)
	}
	if tr.Length != uint64(len(m.path)) {
		t.Errorf("%s: length %d, want %d", what, tr.Length, len(m.path))
	}
	m.expectClear(t, what)
	m.path = nil
}

func (m *model) expectClear(t *testing.T, what string) {
	t.Helper()
	for i, r := range m.counters.Regions {
		if slices.Max(append(r.Cov, 0)) != 0 || *r.Len != [8]uint64{} || r.Ord != nil && slices.Max(append(r.Ord, 0)) != 0 {
			t.Errorf("%s: region %d is not clear", what, i)
		}
	}
	if m.counters.Seq != nil && *m.counters.Seq != 0 {
		t.Errorf("%s: the clock is not clear", what)
	}
}

// TestReadEverySize has every size modulo the scan's step, with hits at every offset.
func TestReadEverySize(t *testing.T) {
	for _, base := range []int{0, 32, 2048 - 32, 2048, 2*2048 + 64} {
		for rest := 0; rest < 33; rest++ {
			n := base + rest
			m := newModel(false, n)
			tr := NewTrace(n)
			step := 1 + n/97
			for id := 0; id < n; id += step {
				m.execute(id)
				m.counters.Read(&tr)
				m.expect(t, fmt.Sprintf("block %d of %d", id, n), &tr)
			}
			for id := 0; id < n; id++ {
				m.execute(id)
			}
			m.counters.Read(&tr)
			m.expect(t, fmt.Sprintf("all of %d", n), &tr)
			if t.Failed() {
				return
			}
		}
	}
}

func TestReadRandomRuns(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for round := 0; round < 60; round++ {
		var sizes []int
		for k := r.Intn(5); k >= 0; k-- {
			sizes = append(sizes, 1+r.Intn(1<<uint(1+r.Intn(13))))
		}
		m := newModel(round%2 == 0, sizes...)
		tr := NewTrace(m.counters.Blocks)
		for run := 0; run < 4; run++ {
			for k := r.Intn(1 << uint(r.Intn(12))); k > 0; k-- {
				m.execute(r.Intn(m.counters.Blocks))
			}
			if run == 2 { // stale values from before the run
				m.counters.Clear()
				m.path = nil
				m.expectClear(t, "clear")
				m.execute(0)
			}
			m.counters.Read(&tr)
			m.expect(t, fmt.Sprintf("regions %v", sizes), &tr)
		}
	}
}

// TestLengthIsExact checks that a counter wraps at 256 and the length does not. A block whose
// counter wrapped to zero is missed, but its executions count.
func TestLengthIsExact(t *testing.T) {
	tests := []struct {
		times int
		count byte
	}{{1, 1}, {255, 255}, {256, 0}, {257, 1}, {1000, 1000 % 256}, {1 << 16, 0}}
	for _, test := range tests {
		m := newModel(false, 40)
		tr := NewTrace(40)
		for i := 0; i < test.times; i++ {
			m.execute(7)
		}
		m.counters.Read(&tr)
		if tr.Length != uint64(test.times) || (len(tr.Hits) == 1) != (test.count != 0) {
			t.Errorf("%d executions: length %d, blocks %v", test.times, tr.Length, tr.Hits)
		}
		if test.count != 0 && tr.Counts[0] != test.count {
			t.Errorf("%d executions: counter %d, want %d", test.times, tr.Counts[0], test.count)
		}
		m.expectClear(t, fmt.Sprint(test.times))
	}
}

// TestRegions checks that blocks have the ids of their region, and that an untouched region is
// skipped.
func TestRegions(t *testing.T) {
	m := newModel(false, 10, 50, 1, 100)
	tr := NewTrace(161)
	m.execute(0, 9, 10, 59, 60, 61, 160)
	m.counters.Read(&tr)
	m.expect(t, "edges of regions", &tr)

	m.counters.Regions[1].Cov[3] = 1 // without a length, as only a malicious target could do
	m.execute(0)
	m.counters.Read(&tr)
	if !slices.Equal(tr.Hits, []uint32{0}) {
		t.Errorf("blocks %v, want [0]", tr.Hits)
	}
}

func TestSetAndOrder(t *testing.T) {
	read := func(path ...int) Trace {
		m := newModel(true, 5, 100)
		tr := NewTrace(10) // fewer than there are: Read grows it
		m.execute(path...)
		m.counters.Read(&tr)
		m.expect(t, fmt.Sprint(path), &tr)
		return tr
	}
	tests := []struct {
		name      string
		a, b      Trace
		set, both bool // same set; same order
	}{
		{"the same", read(1, 2, 3), read(1, 2, 3), true, true},
		{"repetition", read(1, 2, 1), read(1, 2), true, true},
		{"other order", read(1, 2), read(2, 1), true, false},
		{"other order across regions", read(50, 2), read(2, 50), true, false},
		{"fewer", read(1, 2), read(1), false, false},
		{"other blocks", read(1), read(2), false, false},
		{"block 0 or not", read(0, 5), read(5), false, false},
		{"block 0 or not, more blocks", read(0, 5, 7), read(5, 7), false, false},
		{"block 0 or none", read(0), read(), false, false},
		{"none", read(), read(), true, true},
	}
	for _, test := range tests {
		if got := test.a.Set == test.b.Set; got != test.set {
			t.Errorf("%s: same set is %v", test.name, got)
		}
		if got := test.a.Order == test.b.Order; got != test.both {
			t.Errorf("%s: same order is %v", test.name, got)
		}
	}
	m := newModel(false, 5)
	tr := NewTrace(5)
	m.execute(1, 2)
	m.counters.Read(&tr)
	if tr.Order != 0 {
		t.Error("an order where none is recorded")
	}
}

func TestReadAllocatesNothing(t *testing.T) {
	m := newModel(true, 3000, 5000)
	tr := NewTrace(8000)
	all := make([]int, 8000)
	for i := range all {
		all[i] = i
	}
	read := func() {
		for i := range m.counters.Regions {
			reg := &m.counters.Regions[i]
			for k := range reg.Cov {
				reg.Cov[k], reg.Len[0] = 1, reg.Len[0]+1
				*m.counters.Seq++
				reg.Ord[k] = *m.counters.Seq
			}
		}
		m.counters.Read(&tr)
	}
	read()
	if n := testing.AllocsPerRun(50, read); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestBuckets(t *testing.T) {
	tests := []struct{ count, bucket, published int }{
		{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 4, 3}, {4, 8, 7}, {7, 8, 7}, {8, 16, 15}, {15, 16, 15}, {16, 32, 31}, {31, 32, 31},
		{32, 64, 127}, {127, 64, 127}, {128, 128, 255}, {255, 128, 255},
	}
	for _, test := range tests {
		if got := Bucket[test.count]; int(got) != test.bucket {
			t.Errorf("bucket of %d is %d, want %d", test.count, got, test.bucket)
		}
		tr := Trace{Hits: []uint32{0, 1}, Counts: []byte{byte(test.count), 1}}
		if got := tr.PublishedLength(); got != uint64(test.published+1) {
			t.Errorf("published length of %d and 1 is %d, want %d", test.count, got, test.published+1)
		}
	}
	for n := 2; n < 256; n++ {
		if Bucket[n] < Bucket[n-1] || Bucket[n]&(Bucket[n]-1) != 0 {
			t.Errorf("bucket of %d is %d after %d", n, Bucket[n], Bucket[n-1])
		}
	}
}

// FuzzRead compares Read with a loop over all bytes.
func FuzzRead(f *testing.F) {
	f.Add([]byte{1, 0, 2}, uint16(0))
	f.Add(make([]byte, 100), uint16(50))
	f.Fuzz(func(t *testing.T, cov []byte, pad uint16) {
		cov = append(make([]byte, pad), cov...)
		var hits []uint32
		var counts []byte
		for i, c := range cov {
			if c != 0 {
				hits, counts = append(hits, uint32(i)+5), append(counts, c)
			}
		}
		c := Counters{Blocks: len(cov), Regions: []Region{{First: 5, Cov: cov, Len: &[8]uint64{3: 9}}}}
		var tr Trace
		c.Read(&tr)
		if !slices.Equal(tr.Hits, hits) || !slices.Equal(tr.Counts, counts) || tr.Length != 9 {
			t.Errorf("read %v %v, want %v %v", tr.Hits, tr.Counts, hits, counts)
		}
		if c.Read(&tr); len(tr.Hits) != 0 || tr.Length != 0 || tr.Set != 0 {
			t.Errorf("a second look finds %v", tr.Hits)
		}
	})
}

// TestIdentity checks that the identity depends on the exact counters and length only, not on the
// order of blocks or the way of reading.
func TestIdentity(t *testing.T) {
	read := func(bytes int, length uint64, set map[int]byte) uint64 {
		c := Counters{Regions: []Region{{Cov: make([]byte, bytes), Len: &[8]uint64{1: length}}}}
		for id, n := range set {
			c.Regions[0].Cov[id] = n
		}
		tr := NewTrace(bytes)
		c.Read(&tr)
		return tr.Identity()
	}
	for _, bytes := range []int{64, 40} { // the second half of the blocks lies behind the last full step
		seen := map[uint64]string{}
		for _, set := range []map[int]byte{{1: 1}, {1: 2}, {2: 1}, {9: 1}, {33: 1}, {33: 2}, {1: 1, 2: 1}, {1: 1, 33: 1}, {1: 1, 34: 1}, {2: 1, 33: 1}} {
			h := read(bytes, 5, set)
			if h == 0 || h != read(bytes, 5, set) || h == read(bytes, 5+256, set) {
				t.Errorf("%v: %x", set, h)
			}
			name := fmt.Sprint(bytes, set)
			if other, ok := seen[h]; ok {
				t.Errorf("%s has the identity of %s", name, other)
			}
			seen[h] = name
		}
	}
	if read(64, 0, nil) != 0 {
		t.Error("a trace of no block has an identity")
	}
	a, b := Trace{Hits: []uint32{1, 2}, Counts: []byte{3, 4}, Length: 7}, Trace{Hits: []uint32{1, 2}, Counts: []byte{3, 5}, Length: 7}
	if a.Identity() == 0 || a.Identity() == b.Identity() {
		t.Error("traces that were made by hand")
	}
	if a.Reset(); a.Identity() != 0 {
		t.Error("an empty trace has the identity of the one before")
	}
}
