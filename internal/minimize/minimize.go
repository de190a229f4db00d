// Package minimize makes inputs smaller while something about them stays true: that programs disagree, that one crashes in the
// same place. Triage calls it, on inputs of any shape.
//
// The method is delta debugging (Zeller and Hildebrandt, TSE 2002). Chunks of halving size are removed until no single byte can
// go, which is 1-minimality: chunks of bytes, and of words, numbers and quoted strings. What those alone cannot remove goes by
// structure: matching brackets and quotes together, elements between separators, an inner value in place of the outer one,
// elements of DER with the lengths around them. What occurs several times, or lies side by side in several arguments, goes in all
// places at once. What cannot go is made plain: bytes become 0, else a, else a blank, and numbers go towards zero. Where an input is a
// Layout and no text, bytes become NUL before all else.
//
// Invariants: every candidate is a valid flat form, no longer than the input it is made of and strictly simpler, so that a run
// ends whatever the test says; a candidate that failed is not tested again; the budget bounds the tests and the work between them;
// there is no randomness and no clock, so that the same test makes the same result; with a budget that suffices, the result of
// minimising a result is itself.
package minimize

import (
	"encoding/binary"
	"math/bits"

	"parallax/internal/input"
)

// workPerRun is how many bytes of candidates that are not tested, because they
// have failed before, a budget of one pays for.
const workPerRun = 64 << 10

// Run returns the smallest flat form it finds for which test holds, how often it
// called test, at most budget times, and whether it came to the end by itself:
// then the same call on the result gives the result. test is taken to hold for
// flat itself, for which it is not called. It must not keep the slice it is
// given. Should the budget run out, or stop return true, the result is the best
// one so far; stop is asked before every candidate, and may be nil. The result
// never shares memory with flat; if flat is no flat form of the shape, it is a
// copy of flat.
func Run(shape input.Shape, flat []byte, budget int, stop func() bool, test func(flat []byte) bool) (smallest []byte, runs int, done bool) {
	return RunLayout(shape, nil, flat, budget, stop, test)
}

// Layout is of arguments of bytes that are no text: values in a fixed order, of which those that are missing at the end are zero.
type Layout struct {
	Numbers int // so many bytes at the start are numbers; behind them stand the bytes of strings and buffers
	Record  int // the values are records of so many bytes, any of which can be left out; 0: they are not
}

// RunLayout is Run on an input with a layout; nil: it is text, as far as anybody knows.
func RunLayout(shape input.Shape, layout *Layout, flat []byte, budget int, stop func() bool, test func(flat []byte) bool) (smallest []byte, runs int, done bool) {
	m := minimizer{
		layout: layout,
		shape:  shape,
		budget: budget,
		stop:   stop,
		test:   test,
		failed: make(map[uint64]struct{}),
	}
	if shape.Check(flat) != nil {
		return append([]byte{}, flat...), 0, true
	}
	flat = append([]byte{}, flat...)
	for _, span := range shape.Spans(nil, flat) {
		m.args = append(m.args, flat[span.Start:span.End:span.End])
	}
	m.run()
	return append([]byte{}, m.flatten()...), m.runs, !m.ended
}

type minimizer struct {
	shape   input.Shape
	layout  *Layout
	args    [][]byte // the data of the arguments of the best input; replaced, never changed
	next    [][]byte // the same of a candidate that changes several
	budget  int
	runs    int
	work    int // bytes looked at without a test
	stop    func() bool
	stopped bool
	ended   bool // by the budget or by stop, with candidates left
	test    func([]byte) bool
	failed  map[uint64]struct{} // hashes of the candidates that failed
	removed removal             // the last one from the best input that failed
	scratch []byte              // the flat form under test
	data    []byte              // a candidate for one argument
}

// removal is the range [start,end) of argument arg; an empty one is none.
type removal struct{ arg, start, end int }

// run repeats the passes until none of them finds anything. A pass depends on
// the best input alone, so at the end all of them fail, and would again.
func (m *minimizer) run() {
	for changed := true; changed && !m.spent(); {
		changed = m.zeroArguments()
		for i, kind := range m.shape {
			if kind.Width() > 0 {
				changed = m.scalar(i) || changed
				continue
			}
			changed = m.records(i) || changed
			changed = m.derElements(i) || changed
			changed = m.chunks(i) || changed
			changed = m.removeLexemes(i) || changed
			changed = m.nested(i) || changed
			changed = m.elements(i) || changed
		}
		changed = m.repeated() || changed
		changed = m.aligned() || changed
		for i, kind := range m.shape {
			if kind.Width() > 0 {
				continue
			}
			changed = m.windows(i) || changed
			changed = m.pairs(i) || changed
			changed = m.shortLexemes(i) || changed
			changed = m.numbers(i) || changed
			changed = m.runes(i) || changed
			changed = m.plain(i) || changed
		}
	}
}

// spent says that no further candidate may be made.
func (m *minimizer) spent() bool {
	if m.stopped || m.runs >= m.budget || m.work/workPerRun > m.budget {
		m.ended = true
		return true
	}
	m.stopped = m.stop != nil && m.stop()
	m.ended = m.stopped
	return m.stopped
}

// try tests the best input with another value for argument i, and makes it the
// best one if the test holds. It copies data if it keeps it.
func (m *minimizer) try(i int, data []byte) bool {
	if m.spent() {
		return false
	}
	before := m.args[i]
	if string(before) == string(data) {
		m.work += len(data)
		return false
	}
	m.args[i] = data
	if m.holds() {
		m.args[i] = append([]byte{}, data...)
		return true
	}
	m.args[i] = before
	return false
}

// holds tests m.args, unless the same has failed before.
func (m *minimizer) holds() bool {
	flat := m.flatten()
	key := hash(flat)
	if _, known := m.failed[key]; known {
		m.work += len(flat)
		return false
	}
	m.runs++
	if m.test(flat) {
		m.removed = removal{}
		return true
	}
	m.failed[key] = struct{}{}
	return false
}

// without tries argument i without the ranges [a,b) and [c,d), b <= c.
func (m *minimizer) without(i, a, b, c, d int) bool {
	if m.spent() {
		return false // before the copy
	}
	if c == d && m.removedAlike(i, a, b) {
		return false
	}
	data := m.args[i]
	m.data = append(m.data[:0], data[:a]...)
	m.data = append(m.data, data[b:c]...)
	m.data = append(m.data, data[d:]...)
	if m.try(i, m.data) {
		return true
	}
	if c == d {
		m.removed = removal{i, a, b}
	}
	return false
}

// removedAlike reports whether the removal of [start,end) leaves the same as the
// last one that failed: where the data repeats itself, one removal is tried
// instead of one at every place.
func (m *minimizer) removedAlike(i, start, end int) bool {
	last := m.removed
	if last.end == 0 || last.arg != i || start > last.start || end-start != last.end-last.start {
		return false
	}
	data, by := m.args[i], last.start-start
	m.work += by
	if string(data[start:last.start]) != string(data[end:end+by]) {
		return false
	}
	m.removed = removal{i, start, end}
	return true
}

// with tries argument i with text in place of [a,b).
func (m *minimizer) with(i, a, b int, text ...byte) bool {
	if m.spent() {
		return false // before the copy
	}
	data := m.args[i]
	m.data = append(m.data[:0], data[:a]...)
	m.data = append(m.data, text...)
	m.data = append(m.data, data[b:]...)
	return m.try(i, m.data)
}

// flatten builds the flat form of the best input in scratch.
func (m *minimizer) flatten() []byte {
	m.scratch = m.scratch[:0]
	for i, kind := range m.shape {
		if kind.Width() == 0 && !m.shape.Raw() {
			m.scratch = binary.LittleEndian.AppendUint32(m.scratch, uint32(len(m.args[i])))
		}
		m.scratch = append(m.scratch, m.args[i]...)
	}
	return m.scratch
}

// zeroArguments tries each argument as the zero value of its kind.
func (m *minimizer) zeroArguments() (changed bool) {
	for i, kind := range m.shape {
		if zero := make([]byte, kind.Width()); string(m.args[i]) != string(zero) {
			changed = m.try(i, zero) || changed
		}
	}
	return changed
}

// hash is of candidates of one run only, where 64 bits make a collision, which
// would leave out a candidate, unlikely enough.
func hash(b []byte) uint64 {
	h := mix(uint64(len(b)) + 0x9e3779b97f4a7c15) // mixed, or "\x01" and "\x00\x00" would be the same
	for len(b) >= 8 {
		h = mix(h ^ binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	var tail [8]byte
	copy(tail[:], b)
	return mix(h ^ binary.LittleEndian.Uint64(tail[:]))
}

// mix is a bijection: the finaliser of MurmurHash3 on a rotated state.
func mix(x uint64) uint64 {
	x = bits.RotateLeft64(x, 23) * 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
