package engine

import (
	"bytes"

	"parallax/internal/oracle"
)

// A small share of all inputs is executed a second time, some inputs later, to see how steady the programs are. What such a run does
// is compared with what the first did and with nothing else: it is not counted, covers nothing and is kept nowhere.

const (
	againEvery = 64 // of so many inputs that count, one is executed again
	againAfter = 21 // inputs later, so that what one leaves behind shows in another
)

// Fitting is how many inputs to execute at once so that with those executed a second time they are no more than n, where that makes
// hardly a difference.
func Fitting(n int) int {
	if n < againEvery {
		return n
	}
	return n - (n+againEvery-1)/againEvery
}

// repeat is the input that is executed again.
type repeat struct {
	inputs uint64 // that count, of this engine
	flat   []byte
	drawn  bool                 // flat is the tape that was drawn, of which the same has to be drawn again
	obs    []oracle.Observation // of the first run; none: there is no input
}

// due reports whether its turn has come.
func (r *repeat) due() bool { return len(r.obs) > 0 && r.inputs%againEvery == againAfter }

// count takes an input that counts, and holds every so many that did not fail: a failure may cost a process.
func (r *repeat) count(flat []byte, obs []oracle.Observation, failed bool) (held bool) {
	if r.inputs++; r.inputs%againEvery != 0 || failed {
		return false
	}
	r.flat, r.obs, r.drawn = append(r.flat[:0], flat...), append(r.obs[:0], obs...), false
	return true
}

// redraw has the input that is held be the tape that was drawn of it.
func (e *Engine) redraw() {
	r := &e.repeat
	if e.tape = e.cfg.Drawn(e.tape[:0], r.flat); len(e.tape) > 0 && len(e.tape) <= e.cfg.MaxBytes {
		r.flat, r.drawn = append(r.flat[:0], e.tape...), true
	}
}

// Again executes an input a second time, if there is one whose turn has come. It belongs after each Fuzz; batches do it themselves.
func (e *Engine) Again() {
	if e.pending || !e.repeat.due() {
		return
	}
	e.begin(e.repeat.flat, again)
	e.Resume()
}

// compareAgain tells which programs did otherwise than before, and whether a generator in this process drew something else. A program that ran only
// once, as an old version may, tells nothing.
func (e *Engine) compareAgain() {
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
	e.sink.Again(differ, redrawn)
}

// alike reports whether two runs of a program on one input are the same to an oracle that compares these layers.
func alike(layers oracle.Layers, a, b *oracle.Observation) bool {
	return a.Outcome == b.Outcome &&
		(layers&oracle.ClassLayer == 0 || a.Class == b.Class) &&
		(layers&oracle.ValueLayer == 0 || a.Value == b.Value)
}
