package source

import (
	"encoding/binary"
	"math/bits"

	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/mutate"
)

// Trim shortens an input before it joins the corpus, as AFL does (trim_case in afl-fuzz.c), and
// further. The input must keep only the blocks that it was the first to execute, not its whole
// path. Short inputs run faster, and their mutations hit relevant bytes more often. Trim works in
// steps of one execution, so that a program may end the goroutine or the process in between.
//
// Only inputs of single programs that are new in coverage are trimmed. Tuples belong to complete
// inputs.
type Trim struct {
	shape input.Shape

	active bool
	flat   []byte // smallest input so far that covers want
	found  []byte // original input
	want   []Pair // blocks and buckets that it was the first to reach
	result Trimmed
	ready  bool // result is available

	arg   int  // index of the argument being cut
	from  int  // offset of the next cut in the argument
	size  int  // bytes per cut; 0 means that the next argument follows
	last  bool // the next execution is that of the result
	spent int  // turns (schedule.UsualCost) of the executions beyond one each
	spans []input.Span
}

// Trimmed holds the result of trimming an input. The last execution was that of the result.
type Trimmed struct {
	Flat   []byte
	Ops    []mutate.Op // operators of the original input, and OpTrim
	Parent int         // parent of the original input
	New    []string    // domains in which the original input was new
}

// Pair is a block and the bucket of its count.
type Pair struct {
	ID     uint32
	Bucket byte
}

const (
	minTrim   = 16 // smallest argument that is trimmed
	trimParts = 32 // the smallest cut is an argument's 32nd part, and at least minCut bytes
	minCut    = 2
)

// patience bounds the cost of trimming an input, or solving its comparisons, beyond as many inputs
// of usual cost (schedule.UsualCost), in such inputs. Trimming an input of usual cost takes about a
// hundred executions. An input that takes a thousand times as long would use up a short campaign.
const patience = 256

// NewTrim returns the source with nothing to trim.
func NewTrim(shape input.Shape) *Trim { return &Trim{shape: shape} }

// Worth reports whether an input is large enough to be trimmed.
func (t *Trim) Worth(flat []byte) bool {
	t.spans = t.shape.Spans(t.spans[:0], flat)
	for i, sp := range t.spans {
		if t.shape[i].Width() == 0 && sp.End-sp.Start >= minTrim {
			return true
		}
	}
	return false
}

// Begin starts trimming the input that has just run. first holds the blocks and buckets that it was
// the first to reach, in the order of blocks.
func (t *Trim) Begin(s *Step, parent int, newIn []string, first []Pair) {
	t.active, t.last = true, false
	t.flat = append(t.flat[:0], s.Flat...)
	t.found = append(t.found[:0], s.Flat...)
	t.want = append(t.want[:0], first...)
	t.result = Trimmed{
		Flat: t.result.Flat[:0], Ops: append(append(t.result.Ops[:0], s.Ops...), mutate.OpTrim),
		Parent: parent, New: append(t.result.New[:0], newIn...),
	}
	t.arg, t.size, t.spent = -1, 0, 0
}

// Active reports whether an input is being trimmed.
func (t *Trim) Active() bool { return t.active }

// Result returns the result once, right after its step.
func (t *Trim) Result() (*Trimmed, bool) {
	ready := t.ready
	t.ready = false
	return &t.result, ready
}

// Propose implements Source. It proposes the next smaller input. The last proposal is the result.
func (t *Trim) Propose(s *Step) bool {
	if !t.active {
		return false
	}
	s.Flat = t.cut(s.Flat)
	s.Ops = append(s.Ops, mutate.OpTrim)
	s.Parent, s.Determined, s.Fixed = t.result.Parent, true, t.last
	s.Notify(t)
	return true
}

// Done implements Source. An input that is new by itself has joined the corpus. Its step is
// repeated, and it is then no longer new.
func (t *Trim) Done(s *Step, r Result) {
	t.spent += max(r.Turns, 1) - 1
	switch {
	case r.Found:
	case !t.last:
		t.record(s.Flat, &r.Traces[0], r.Failed)
	default:
		t.active, t.ready = false, true
		smallest := s.Flat
		if r.Failed || !covers(&r.Traces[0], t.want) { // it does not repeat
			smallest = t.found
		}
		t.result.Flat = append(t.result.Flat[:0], smallest...)
	}
}

// cut makes the next input to run in dst[:0].
func (t *Trim) cut(dst []byte) []byte {
	for {
		if t.spent >= patience {
			t.size, t.arg = 0, len(t.shape)
		}
		if t.size < minCut {
			if !t.next() {
				t.last = true
				return append(dst[:0], t.flat...)
			}
			continue
		}
		t.spans = t.shape.Spans(t.spans[:0], t.flat)
		sp := t.spans[t.arg]
		if sp.Start+t.from >= sp.End {
			t.size, t.from = t.size/2, 0
			if t.size*trimParts < sp.End-sp.Start {
				t.size = 0
			}
			continue
		}
		return cut(dst, t.flat, sp, t.from, min(t.from+t.size, sp.End-sp.Start), t.shape.Raw())
	}
}

// next goes to the next argument that is large enough.
func (t *Trim) next() bool {
	t.spans = t.shape.Spans(t.spans[:0], t.flat)
	for t.arg++; t.arg < len(t.shape); t.arg++ {
		if n := t.spans[t.arg].End - t.spans[t.arg].Start; t.shape[t.arg].Width() == 0 && n >= minTrim {
			t.size, t.from = 1<<(bits.Len(uint(n))-2), 0
			return true
		}
	}
	return false
}

// record records the run of a proposed input.
func (t *Trim) record(flat []byte, trace *feature.Trace, failed bool) {
	// Repair may restore the length of an input. Then nothing is gained.
	if !failed && len(flat) < len(t.flat) && covers(trace, t.want) {
		t.flat = append(t.flat[:0], flat...) // the next part has moved to from
		return
	}
	t.from += t.size
}

// covers reports whether a trace has all pairs, which are in the order of blocks.
func covers(t *feature.Trace, want []Pair) bool {
	t.Need()
	i := 0
	for _, w := range want {
		for i < len(t.Hits) && t.Hits[i] < w.ID {
			i++
		}
		if i == len(t.Hits) || t.Hits[i] != w.ID || feature.Bucket[t.Counts[i]] != w.Bucket {
			return false
		}
	}
	return true
}

// cut appends flat without the range [from,to) of an argument to dst[:0].
func cut(dst, flat []byte, sp input.Span, from, to int, raw bool) []byte {
	dst = append(append(dst[:0], flat[:sp.Start+from]...), flat[sp.Start+to:]...)
	if !raw {
		binary.LittleEndian.PutUint32(dst[sp.Start-4:], uint32(sp.End-sp.Start-(to-from)))
	}
	return dst
}
