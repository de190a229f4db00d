package engine

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/mutate"
)

// trim makes an input smaller before it joins the corpus, as AFL does (trim_case in afl-fuzz.c), and further: what must stay
// is only what the input was the first to execute, not its whole path. Short inputs run faster, and a mutation of them
// more often hits what matters. It works in steps, one execution each, so that a program may end the goroutine or the process
// in the middle: until the smaller input is kept, the sink knows the one that was found (Sink.Provisional).
//
// Only single programs' inputs are trimmed: tuples belong to inputs as they are.
type trim struct {
	on     bool
	flat   []byte // the smallest so far that covers want
	found  []byte // as it was
	parent int    // of the input that was found
	ops    []mutate.Op
	want   []pair // blocks and buckets that it was the first to reach
	newIn  []string

	arg   int  // of the argument that is cut, in order
	from  int  // where the next cut begins, in the argument
	size  int  // bytes cut at a time; 0: the next argument is begun
	last  bool // the next execution is that of the result
	spans []input.Span
}

// pair is a block and the bucket of its count.
type pair struct {
	id     uint32
	bucket byte
}

const (
	minTrim   = 16 // bytes from which an argument is worth trimming
	trimParts = 32 // the smallest cut is a part of so many, and at least minCut bytes
	minCut    = 2
)

var trimOps = []mutate.Op{mutate.OpTrim}

// begin starts trimming the input that has just run.
func (t *trim) begin(e *Engine) {
	t.on, t.last = true, false
	t.flat = append(t.flat[:0], e.flat...)
	t.found = append(t.found[:0], e.flat...)
	t.parent = e.parent
	t.ops = append(t.ops[:0], e.ops...)
	t.newIn = append(t.newIn[:0], e.newIn...)
	t.want = append(t.want[:0], e.fresh...)
	t.arg, t.size = -1, 0
}

// propose makes the next input to run in dst[:0]. The last one is the result.
func (t *trim) propose(shape input.Shape, dst []byte) []byte {
	for {
		if t.size < minCut {
			if !t.next(shape) {
				t.last = true
				return append(dst[:0], t.flat...)
			}
			continue
		}
		t.spans = shape.Spans(t.spans[:0], t.flat)
		sp := t.spans[t.arg]
		if sp.Start+t.from >= sp.End {
			t.size, t.from = t.size/2, 0
			if t.size*trimParts < sp.End-sp.Start {
				t.size = 0
			}
			continue
		}
		return cut(dst, t.flat, sp, t.from, min(t.from+t.size, sp.End-sp.Start), shape.Raw())
	}
}

// next goes to the next argument that is worth it.
func (t *trim) next(shape input.Shape) bool {
	t.spans = shape.Spans(t.spans[:0], t.flat)
	for t.arg++; t.arg < len(shape); t.arg++ {
		if n := t.spans[t.arg].End - t.spans[t.arg].Start; shape[t.arg].Width() == 0 && n >= minTrim {
			t.size, t.from = 1<<(bits.Len(uint(n))-2), 0
			return true
		}
	}
	return false
}

// ran takes what the proposed input executed.
func (t *trim) ran(flat []byte, trace *feature.Trace, failed bool) {
	// A repaired input may be as long as it was, or longer: then nothing is gained.
	if !failed && len(flat) < len(t.flat) && covers(trace, t.want) {
		t.flat = append(t.flat[:0], flat...) // the next part has moved to from
		return
	}
	t.from += t.size
}

// covers reports whether a trace has all pairs, which are in order of their ids.
func covers(t *feature.Trace, want []pair) bool {
	t.Need()
	i := 0
	for _, w := range want {
		for i < len(t.Hits) && t.Hits[i] < w.id {
			i++
		}
		if i == len(t.Hits) || t.Hits[i] != w.id || feature.Bucket[t.Counts[i]] != w.bucket {
			return false
		}
	}
	return true
}

// cut appends flat without a part of an argument, given from its beginning, to dst[:0].
func cut(dst, flat []byte, sp input.Span, from, to int, raw bool) []byte {
	dst = append(append(dst[:0], flat[:sp.Start+from]...), flat[sp.Start+to:]...)
	if !raw {
		binary.LittleEndian.PutUint32(dst[sp.Start-4:], uint32(sp.End-sp.Start-(to-from)))
	}
	return dst
}

// trims reports whether the input that has just run, and is new, is to be trimmed.
func (e *Engine) trims() bool {
	if e.cfg.Programs != 1 || !e.covers || e.cfg.NoTrim || e.origin != mutant && e.origin != seed {
		return false
	}
	for i, sp := range e.cfg.Shape.Spans(e.trim.spans[:0], e.flat) {
		if e.cfg.Shape[i].Width() == 0 && sp.End-sp.Start >= minTrim {
			return true
		}
	}
	return false
}

// trimmed finishes a step of trimming, and reports whether that is all there is to do with the input.
func (e *Engine) trimmed(failed bool) bool {
	t := &e.trim
	if !t.last {
		t.ran(e.flat, &e.joint.Traces[0], failed)
		return true
	}
	t.on = false
	if failed || !covers(&e.joint.Traces[0], t.want) { // it does not repeat
		e.flat = append(e.flat[:0], t.found...)
	}
	e.parent, e.newIn = t.parent, append(e.newIn[:0], t.newIn...)
	e.ops = append(slices.Clone(t.ops), mutate.OpTrim)
	return false
}
