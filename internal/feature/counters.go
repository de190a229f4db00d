package feature

import (
	"encoding/binary"
	"math/bits"
)

// Region holds the counters of one instrumented package. Cov[i] counts the executions of the
// package's block i modulo 256. The sum of Len is the exact number of executed blocks, with
// repetition, and zero exactly if none was executed. Ord, if recorded, holds per block the rank of
// its first execution in the whole program.
type Region struct {
	Package  string
	First    int // id of the region's first block among all blocks
	Cov      []byte
	Len      *[8]uint64
	Ord      []uint32
	OwnPages bool // Cov has pages of its own
}

// Counters holds all counters of a binary. Programs in one binary run one after another and share
// them. Read returns one program's run and clears the counters for the next.
type Counters struct {
	Regions []Region
	Blocks  int     // number of counters in all regions
	Seq     *uint32 // clock for Ord; nil means that first-hit order is not recorded
	NoSet   bool    // leave out Trace.Set
}

// Trace holds the blocks that one run of one program executed.
type Trace struct {
	Hits   []uint32 // ids of the executed blocks, ascending
	Counts []byte   // their counters, parallel to Hits
	Length uint64   // executed blocks with repetition: the path's cardinality
	// Allocated is the number of bytes allocated on the heap during the run. Zero means unknown.
	Allocated uint64
	Set       uint64   // hash of the set of blocks; zero with Counters.NoSet
	Order     uint64   // hash of the sequence of first executions; zero unless recorded
	First     []uint32 // ids of the blocks in the order of their first execution; empty unless recorded

	// Digest is a hash of Hits with the buckets of Counts, or of more. Traces with a known digest
	// need not be read again. Zero means unknown.
	Digest uint64
	// Exact is the hash of Hits with Counts and of Length: see Identity. Zero means unknown.
	Exact uint64
	// Lazy fills Hits, Counts and First when Need is called. Nil means that they are filled.
	Lazy Lazy
}

// Lazy provides the blocks of a trace from another process. Most traces' blocks are never read.
type Lazy interface {
	// Fill sets Hits, Counts and First, and nothing else.
	Fill(t *Trace)
}

// Need fills Hits, Counts and First. Call it before reading them.
func (t *Trace) Need() {
	if t.Lazy != nil {
		t.Lazy.Fill(t)
		t.Lazy = nil
	}
}

// NewTrace returns a trace with room for the given number of blocks, so that reading into it never
// allocates.
func NewTrace(blocks int) Trace {
	return Trace{Hits: make([]uint32, 0, blocks), Counts: make([]byte, 0, blocks)}
}

// Reset empties the trace.
func (t *Trace) Reset() {
	t.Hits, t.Counts = t.Hits[:0], t.Counts[:0]
	t.Length, t.Allocated, t.Set, t.Order, t.First = 0, 0, 0, 0, t.First[:0]
	t.Digest, t.Exact, t.Lazy = 0, 0, nil
}

// Clear zeroes the counters of every region that is not clean.
func (c *Counters) Clear() {
	for i := range c.Regions {
		r := &c.Regions[i]
		if length(r.Len) == 0 {
			continue
		}
		*r.Len = [8]uint64{}
		clear(r.Cov)
		clear(r.Ord)
	}
	if c.Seq != nil {
		*c.Seq = 0
	}
}

// Read replaces t by the run since the counters were last clear, and clears them. For an untouched
// region it reads only the length.
func (c *Counters) Read(t *Trace) {
	t.Reset()
	for i := range c.Regions {
		r := &c.Regions[i]
		n := length(r.Len)
		if n == 0 {
			continue
		}
		t.Length += n
		*r.Len = [8]uint64{}
		t.scan(r.Cov, uint32(r.First))
	}
	if t.Length > 0 {
		t.Exact = t.exact()
		t.Digest = t.Exact
	}
	if !c.NoSet {
		t.Set = t.hash()
	}
	if c.Seq != nil {
		c.readOrder(t)
	}
}

// Seal computes Set for a trace whose hits were set directly.
func (t *Trace) Seal() { t.Set = t.hash() }

// Identity returns a hash of the executed blocks and their counts, regardless of order. It covers
// the counters, which are modulo 256, and the exact Length. It is 0 for a trace without blocks.
func (t *Trace) Identity() uint64 {
	if t.Exact == 0 && (t.Length > 0 || t.Lazy != nil) {
		t.Need()
		t.Exact = t.exact()
	}
	return t.Exact
}

// exact computes the hash. One product mixes four blocks, in the manner of wyhash. Blocks are
// sorted, so that the set determines the groups. Hashing the counters during the scan was slower,
// since it took the scan's registers.
func (t *Trace) exact() uint64 {
	h, hits, counts := uint64(0), t.Hits, t.Counts
	for ; len(hits) >= 4 && len(counts) >= 4; hits, counts = hits[4:], counts[4:] {
		a, b := uint64(hits[0])|uint64(hits[1])<<32, uint64(hits[2])|uint64(hits[3])<<32
		high, low := bits.Mul64(a^0x2d358dccaa6c78a5, (b^0x8bb84b93962eacc9)+uint64(binary.LittleEndian.Uint32(counts))*0x9e3779b97f4a7c15)
		h += high ^ low
	}
	for i, id := range hits {
		h += Mix(uint64(id)<<8 | uint64(counts[i]))
	}
	return Chain(h, t.Length) | 1
}

// hash returns the hash of the set of blocks. It mixes two blocks at a time. Blocks are sorted, so
// that the set determines the pairs.
func (t *Trace) hash() uint64 {
	const none = 1<<32 - 1 // not a block's id
	h, hits := uint64(0), t.Hits
	for ; len(hits) >= 2; hits = hits[2:] {
		h += Mix(uint64(hits[0])<<32 | uint64(hits[1]))
	}
	if len(hits) > 0 {
		h += Mix(uint64(hits[0])<<32 | none)
	}
	return h
}

func length(l *[8]uint64) uint64 {
	return l[0] + l[1] + l[2] + l[3] + l[4] + l[5] + l[6] + l[7]
}

// scan appends the non-zero bytes of cov to the trace and zeroes them, 32 bytes per step where
// nothing was hit. It is a function of its own with local variables, since it was five times slower
// inside the loop of Read. The four words of a step are unrolled, and room is allocated beforehand.
// Listing the set bytes without branches first made workers on JSON and TOML a quarter slower at
// reading counters. Blocks of one function are neighbors and mutants of one seed are alike, so that
// branches are predicted well.
func (t *Trace) scan(cov []byte, first uint32) {
	n := len(t.Hits)
	if cap(t.Hits)-n < len(cov) || cap(t.Counts)-n < len(cov) {
		t.grow(len(cov))
	}
	hits, counts := t.Hits[:n+len(cov)], t.Counts[:n+len(cov)]
	i := 0
	for ; i+32 <= len(cov); i += 32 {
		q := cov[i : i+32 : i+32]
		a := binary.LittleEndian.Uint64(q)
		b := binary.LittleEndian.Uint64(q[8:])
		c := binary.LittleEndian.Uint64(q[16:])
		d := binary.LittleEndian.Uint64(q[24:])
		if a|b|c|d == 0 {
			continue
		}
		binary.LittleEndian.PutUint64(q, 0)
		binary.LittleEndian.PutUint64(q[8:], 0)
		binary.LittleEndian.PutUint64(q[16:], 0)
		binary.LittleEndian.PutUint64(q[24:], 0)
		base := first + uint32(i)
		for ; a != 0; n++ {
			s := uint(bits.TrailingZeros64(a)) &^ 7
			hits[n], counts[n] = base+uint32(s>>3), byte(a>>s)
			a &^= 0xff << s
		}
		for ; b != 0; n++ {
			s := uint(bits.TrailingZeros64(b)) &^ 7
			hits[n], counts[n] = base+8+uint32(s>>3), byte(b>>s)
			b &^= 0xff << s
		}
		for ; c != 0; n++ {
			s := uint(bits.TrailingZeros64(c)) &^ 7
			hits[n], counts[n] = base+16+uint32(s>>3), byte(c>>s)
			c &^= 0xff << s
		}
		for ; d != 0; n++ {
			s := uint(bits.TrailingZeros64(d)) &^ 7
			hits[n], counts[n] = base+24+uint32(s>>3), byte(d>>s)
			d &^= 0xff << s
		}
	}
	for ; i < len(cov); i++ {
		if cov[i] != 0 {
			hits[n], counts[n] = first+uint32(i), cov[i]
			n++
			cov[i] = 0
		}
	}
	t.Hits, t.Counts = hits[:n], counts[:n]
}

// grow adds room for n more blocks.
func (t *Trace) grow(n int) {
	t.Hits = append(make([]uint32, 0, len(t.Hits)+n), t.Hits...)
	t.Counts = append(make([]byte, 0, len(t.Counts)+n), t.Counts...)
}

// readOrder hashes the blocks in the order of their first execution. Ranks are dense, so that
// placing every block at its rank sorts them.
func (c *Counters) readOrder(t *Trace) {
	n := int(*c.Seq)
	*c.Seq = 0
	if cap(t.First) < n {
		t.First = make([]uint32, n, 2*n)
	}
	order := t.First[:n]
	clear(order)
	region := 0
	for _, id := range t.Hits { // ascending, as regions are; reading the rank of every block took longer than most inputs
		for int(id) >= c.Regions[region].First+len(c.Regions[region].Cov) {
			region++
		}
		r := &c.Regions[region]
		if r.Ord == nil {
			continue
		}
		rank := &r.Ord[int(id)-r.First]
		if *rank != 0 && int(*rank) <= n {
			order[*rank-1] = id + 1
		}
		*rank = 0
	}
	h, k := uint64(0), 0
	for _, id := range order {
		if id != 0 {
			h = Chain(h, uint64(id))
			order[k] = id - 1
			k++
		}
	}
	t.Order, t.First = h, order[:k]
}

// Bucket maps a counter to its hit-count bucket as a single bit: 1, 2, 3, 4-7, 8-15, 16-31, 32-127,
// 128 and more (AFL's classes).
var Bucket = func() (b [256]byte) {
	for n := 1; n < 256; n++ {
		switch {
		case n < 4:
			b[n] = 1 << (n - 1)
		case n < 8:
			b[n] = 1 << 3
		case n < 16:
			b[n] = 1 << 4
		case n < 32:
			b[n] = 1 << 5
		case n < 128:
			b[n] = 1 << 6
		default:
			b[n] = 1 << 7
		}
	}
	return b
}()

// published holds the value that NEZHA's public code adds to its coarse measure per counter: the
// upper end of the hit-count bucket.
var published = func() (v [256]uint64) {
	ends := []int{1, 2, 3, 7, 15, 31, 127, 255}
	k := 0
	for n := 1; n < 256; n++ {
		if n > ends[k] {
			k++
		}
		v[n] = uint64(ends[k])
	}
	return v
}()

// PublishedLength returns the coarse measure of NEZHA's public code. It sums hit-count buckets
// instead of counting edges.
func (t *Trace) PublishedLength() uint64 {
	t.Need()
	n := uint64(0)
	for _, c := range t.Counts {
		n += published[c]
	}
	return n
}
