// Package minimize shrinks inputs while a test holds, such as "the programs disagree" or "the
// program crashes at this place". Triage calls it with inputs of any shape.
//
// The method is delta debugging (Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing
// Input, TSE 2002). Chunks of halving size are removed until no single byte can be removed, which
// is 1-minimality. Chunks consist of bytes, and of lexemes: words, numbers and quoted strings.
// Structural passes remove more: matching brackets and quotes together, elements between
// separators, an outer value in favor of an inner one, and elements of DER. Text that occurs
// several times, or at the same place of several arguments, is removed from all places at once.
// Remaining bytes are simplified: they become 0, else a, else a blank, and numbers move towards
// zero. In an input with a Layout, NUL comes before these.
//
// Invariants:
//
// Every candidate is a valid flat form, no longer than the input it is made of, and strictly
// simpler. So a run ends whatever the test returns.
//
// A candidate that failed is not tested again.
//
// The budget bounds the tests and the work between them.
//
// There is no randomness and no clock: the same test gives the same result.
//
// With a sufficient budget, minimizing a result returns that result.
package minimize

import (
	"encoding/binary"
	"math/bits"

	"parallax/internal/input"
)

// workPerRun is how many bytes of untested candidates cost as much budget as one test. Candidates
// that failed before are not tested.
const workPerRun = 64 << 10

// Run returns the smallest flat form it finds for which test holds, and the number of calls of
// test, at most budget. done reports that no pass found anything more: the same call on the result
// returns the result.
//
// Run does not call test for flat itself and assumes that it holds. test must not keep its
// argument. If the budget ends, or stop returns true, the result is the best one so far. Run calls
// stop before every candidate. Nil means never stop. The result never shares memory with flat. If
// flat is no flat form of the shape, the result is a copy of flat.
func Run(shape input.Shape, flat []byte, budget int, stop func() bool, test func(flat []byte) bool) (smallest []byte, runs int, done bool) {
	return RunLayout(shape, nil, flat, budget, stop, test)
}

// Layout describes arguments that hold binary values in a fixed order. Values missing at the end
// are zero.
type Layout struct {
	Numbers int // bytes at the start that are numbers; the bytes of strings and buffers follow
	Record  int // bytes per record; each record can be left out; zero means no records
}

// RunLayout is Run for an input with a layout. Nil means that the input is text.
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
	args    [][]byte // data of the arguments of the best input; replaced, never modified
	next    [][]byte // arguments of a candidate that changes several
	budget  int
	runs    int
	work    int // bytes processed without a test
	stop    func() bool
	stopped bool
	ended   bool // the budget or stop ended the run before all candidates failed
	test    func([]byte) bool
	failed  map[uint64]struct{} // hashes of the candidates that failed
	removed removal             // last removal from the best input that failed
	scratch []byte              // the flat form under test
	data    []byte              // candidate for one argument
}

// removal holds the range [start,end) of argument arg. The zero value means none.
type removal struct{ arg, start, end int }

// run repeats the passes until none changes anything. A pass depends on the best input alone, so at
// the end all of them would fail again.
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

// spent reports that no further candidate may be made.
func (m *minimizer) spent() bool {
	if m.stopped || m.runs >= m.budget || m.work/workPerRun > m.budget {
		m.ended = true
		return true
	}
	m.stopped = m.stop != nil && m.stop()
	m.ended = m.stopped
	return m.stopped
}

// try tests the best input with another value for argument i, and keeps it if the test holds. It
// copies data before keeping it.
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

// holds tests m.args, unless the same candidate has failed before.
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
	if c == d && m.sameRemoval(i, a, b) {
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

// sameRemoval reports whether removing [start,end) leaves the same data as the last removal that
// failed. In repetitive data, one removal is then tried instead of one at every offset.
func (m *minimizer) sameRemoval(i, start, end int) bool {
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

// hash identifies the candidates of one run. A collision would skip a candidate, which 64 bits make
// unlikely enough.
func hash(b []byte) uint64 {
	h := mix(uint64(len(b)) + 0x9e3779b97f4a7c15) // mixed, or "\x01" and "\x00\x00" would collide
	for len(b) >= 8 {
		h = mix(h ^ binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	var tail [8]byte
	copy(tail[:], b)
	return mix(h ^ binary.LittleEndian.Uint64(tail[:]))
}

// mix is a bijection: the finalizer of MurmurHash3 on a rotated state.
func mix(x uint64) uint64 {
	x = bits.RotateLeft64(x, 23) * 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
