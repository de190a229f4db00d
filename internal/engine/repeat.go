package engine

import (
	"bytes"

	"parallax/internal/oracle"
)

// A small share of all inputs is executed twice, the second time some inputs later, to measure how
// deterministic the programs are. The second run is compared with the first. It is not counted,
// adds no coverage and is not kept.

const (
	repeatEvery = 64 // one counted input in repeatEvery is executed again
	repeatAfter = 21 // inputs later, so that state that one input leaves shows in another
)

// BatchSize returns the number of inputs to execute at once, so that with repeated inputs there are
// at most n. For small n it returns n, where repeats hardly matter.
func BatchSize(n int) int {
	if n < repeatEvery {
		return n
	}
	return n - (n+repeatEvery-1)/repeatEvery
}

// repeat holds the input that is executed again.
type repeat struct {
	inputs uint64 // counted inputs of this engine
	flat   []byte
	drawn  bool                 // flat is the drawn tape, and drawing from it must give the same tape
	obs    []oracle.Observation // of the first run; empty means that there is no input
}

// due reports whether the input is to be executed now.
func (r *repeat) due() bool { return len(r.obs) > 0 && r.inputs%repeatEvery == repeatAfter }

// count counts an input, and holds every repeatEvery-th that did not fail, since a failure may cost
// a process.
func (r *repeat) count(flat []byte, obs []oracle.Observation, failed bool) (held bool) {
	if r.inputs++; r.inputs%repeatEvery != 0 || failed {
		return false
	}
	r.flat, r.obs, r.drawn = append(r.flat[:0], flat...), append(r.obs[:0], obs...), false
	return true
}

// redraw replaces the held input by the tape that was drawn of it.
func (e *Engine) redraw() {
	r := &e.repeat
	if e.tape = e.cfg.Drawn(e.tape[:0], r.flat); len(e.tape) > 0 && len(e.tape) <= e.cfg.MaxBytes {
		r.flat, r.drawn = append(r.flat[:0], e.tape...), true
	}
}

// Repeat executes an input a second time if one is due. Call it after each Fuzz. Batches do it
// themselves.
func (e *Engine) Repeat() {
	if e.pending || !e.repeat.due() {
		return
	}
	e.begin(e.repeat.flat, repeated)
	e.Resume()
}

// compareRepeat reports the programs that behaved differently the second time, and whether a
// generator in this process drew something else. A program that ran only once, as an old version
// may, does not count.
func (e *Engine) compareRepeat() {
	var differ uint64
	for p := range e.joint.Obs {
		a, b := &e.repeat.obs[p], &e.joint.Obs[p]
		if a.Outcome != 0 && b.Outcome != 0 && !alike(e.cfg.Layers, a, b) {
			differ |= 1 << p
		}
	}
	redrawn := false
	if e.repeat.drawn && !e.failed() {
		e.tape = e.cfg.Drawn(e.tape[:0], e.repeat.flat)
		redrawn = !bytes.Equal(e.tape, e.repeat.flat)
	}
	e.repeat.obs, e.repeat.drawn = e.repeat.obs[:0], false
	e.sink.Repeated(differ, redrawn)
}

// alike reports whether two runs of a program on an input are equal in the given layers.
func alike(layers oracle.Layers, a, b *oracle.Observation) bool {
	return a.Outcome == b.Outcome &&
		(layers&oracle.ClassLayer == 0 || a.Class == b.Class) &&
		(layers&oracle.ValueLayer == 0 || a.Value == b.Value)
}
