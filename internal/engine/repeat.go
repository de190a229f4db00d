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
	r.flat, r.drawn = append(r.flat[:0], flat...), false
	r.hold(obs)
	return true
}

// hold keeps the observations of the first run.
func (r *repeat) hold(obs []oracle.Observation) { r.obs = append(r.obs[:0], obs...) }

// redraw replaces the held input by the tape that was drawn of it.
func (r *repeat) redraw(d *drawing) {
	if tape, fits := d.draw(r.flat); fits {
		r.flat, r.drawn = append(r.flat[:0], tape...), true
	}
}

// compare returns the programs that behaved differently the second time, and whether a generator in
// this process drew something else. A program that ran only once, as an old version may, does not
// count.
func (r *repeat) compare(x *execution, layers oracle.Layers, d *drawing) (differ uint64, redrawn bool) {
	for p := range x.joint.Obs {
		a, b := &r.obs[p], &x.joint.Obs[p]
		if a.Outcome != 0 && b.Outcome != 0 && !alike(layers, a, b) {
			differ |= 1 << p
		}
	}
	if r.drawn && !x.failed() {
		tape, _ := d.draw(r.flat)
		redrawn = !bytes.Equal(tape, r.flat)
	}
	r.obs, r.drawn = r.obs[:0], false
	return differ, redrawn
}

// Repeat executes an input a second time if one is due. Call it after each Fuzz. Batches do it
// themselves.
func (e *Engine) Repeat() {
	if !e.execution.pending && e.repeat.due() {
		e.execute(e.repeat.flat, nil, repeated)
	}
}

// alike reports whether two runs of a program on an input are equal in the given layers.
func alike(layers oracle.Layers, a, b *oracle.Observation) bool {
	return a.Outcome == b.Outcome &&
		(layers&oracle.ClassLayer == 0 || a.Class == b.Class) &&
		(layers&oracle.ValueLayer == 0 || a.Value == b.Value)
}
