package c

import (
	"encoding/binary"
	"math/bits"

	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// Result is the result of a program on an input. The memory that it references is valid until the
// next call of Run.
type Result struct {
	Outcome oracle.Outcome
	Code    int32  // return value of LLVMFuzzerTestOneInput
	Message string // reason of a rejection; may be empty
	Output  []byte
	Lost    int // bytes of output that did not fit
	Length  uint64
	Set     uint64 // hash of the set of blocks
	Counts  uint64 // hash of the set of blocks with their hit-count buckets
	Blocks  int    // number of blocks
	Told    bool   // Trace has the blocks
	End     *End   // end of the process; nil if it did not end

	hits, order []byte
	counters    uint32
}

// exact returns the hash of the exact counters and the length, as feature.Trace.Exact defines it: 0
// if no block was executed. If the counters did not fit, their buckets are used.
func (r *Result) exact() uint64 {
	if r.Length == 0 {
		return 0
	}
	sum := r.Counts
	if r.Told {
		sum = 0
		for h := r.hits; len(h) >= 12; h = h[12:] {
			sum += feature.Mix(binary.LittleEndian.Uint64(h[4:]) ^ uint64(binary.LittleEndian.Uint32(h))*0x9e3779b97f4a7c15)
		}
	}
	return feature.Chain(sum, r.Length) | 1
}

// Trace fills t with the executed blocks, numbered from first.
func (r *Result) Trace(t *feature.Trace, first uint32) {
	t.Hits, t.Counts, t.First = t.Hits[:0], t.Counts[:0], t.First[:0]
	t.Length, t.Set, t.Order = r.Length, r.Set, 0
	for h := r.hits; len(h) >= 12; h = h[12:] {
		id := 8 * binary.LittleEndian.Uint32(h)
		for w := binary.LittleEndian.Uint64(h[4:]); w != 0; {
			k := uint(bits.TrailingZeros64(w)) &^ 7
			if id+uint32(k>>3) >= r.counters {
				break // the program overwrote the memory
			}
			t.Hits, t.Counts = append(t.Hits, first+id+uint32(k>>3)), append(t.Counts, byte(w>>k))
			w &^= 0xff << k
		}
	}
	for o := r.order; len(o) >= 4; o = o[4:] {
		if id := binary.LittleEndian.Uint32(o); id < r.counters {
			t.First = append(t.First, first+id)
			t.Order = feature.Chain(t.Order, uint64(first+id)+1)
		}
	}
}
