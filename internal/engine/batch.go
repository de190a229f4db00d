package engine

import (
	"parallax/internal/feature"
	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/source"
)

// Programs in other processes get many inputs at once, since one request per input would cost more
// than the programs. The mutants of a batch are made before any of them runs, and evaluated in
// order afterwards. So a campaign with a random seed repeats as with single inputs.

// RunAll executes inputs on every program and fills a joint behavior per input. Its slices have one
// element per program. It reports false on failure or after a stop. Then nothing of the batch
// counts.
type RunAll func(flats [][]byte, joints []feature.Joint) bool

// Batch holds an engine's state from batch to batch. The zero Batch is ready.
type Batch struct {
	// Repair makes mutants valid before they are executed, as Config.Repair does for single inputs.
	// It returns nil for mutants that stay unchanged. A nil Repair repairs nothing. It reports
	// false as RunAll does.
	Repair func(flats [][]byte) ([][]byte, bool)

	// Mutate is the programs' own mutator for a batch of corpus inputs. If set, it replaces the
	// operators. It returns nil for an input that it does not mutate. It reports false as RunAll
	// does.
	Mutate func(flats [][]byte, seed uint64) (mutants [][]byte, ok bool)

	// Ahead receives the mutants of a batch before the batch is executed, mostly while the previous
	// one still runs. Nil means that there is no receiver. It reports false as RunAll does.
	Ahead func(flats [][]byte) bool

	// Buffers of past batches, and the parts that the current batch uses.
	now    inputs
	joint  []feature.Joint
	joints []feature.Joint
	ahead  inputs // of the next batch, made while one runs

	batches int // number of batches

	repeats []int    // inputs of the current batch that are executed a second time
	flats   [][]byte // the batch with the repeats

	parents [][]byte // inputs that Mutate changes
	places  []int    // their steps
}

// inputs holds the inputs of a batch.
type inputs struct {
	room  []source.Step
	flat  [][]byte
	steps []source.Step
	flats [][]byte
}

// settled is the number of batches before batches are made ahead. At first, each has many
// discoveries.
const settled = 64

// FuzzAll executes up to n mutants at once, but not more than left. It returns their number and
// whether it could. While several programs run them, it makes the next call's mutants, without
// results of this batch, so that processors are not idle. With one program, fresh results matter
// more. The inputs of a batch do not depend on timing.
func (e *Engine) FuzzAll(b *Batch, n, left int, run RunAll) (ran int, ok bool) {
	if len(b.ahead.steps) == 0 && !e.prepare(b, min(e.smallBatch(b, n), left)) {
		return 0, false
	}
	b.now, b.ahead = b.ahead, b.now
	ran = len(b.now.steps)
	b.ahead.reset(0)
	n = min(n, left-ran)
	b.batches++
	if b.batches <= settled || b.Mutate != nil || e.cfg.Programs == 1 || n <= 0 { // with one program, results matter more
		return ran, e.runAll(b, mutant, run)
	}
	made := true
	return ran, e.runAll(b, mutant, func(flats [][]byte, joints []feature.Joint) bool {
		done := make(chan bool)
		go func() { done <- run(flats, joints) }()
		made = e.prepare(b, n)
		return <-done
	}) && made
}

// prepare makes the mutants of the next batch.
func (e *Engine) prepare(b *Batch, n int) bool {
	b.ahead.reset(n)
	e.sources.custom = b.Mutate != nil
	for i := range b.ahead.steps {
		s := &b.ahead.steps[i]
		e.sources.propose(s)
		b.ahead.flats[i] = s.Flat
	}
	e.sources.custom = false
	ok := (b.Mutate == nil || e.mutateAll(b)) && (b.Repair == nil || e.repairAll(b)) && (b.Ahead == nil || b.Ahead(b.ahead.flats))
	if !ok {
		b.ahead.reset(0)
	}
	return ok
}

// mutateAll calls the program's mutator for the steps that still equal their parents.
func (e *Engine) mutateAll(b *Batch) bool {
	b.parents, b.places = b.parents[:0], b.places[:0]
	for i := range b.ahead.steps {
		if s := &b.ahead.steps[i]; len(s.Ops) == 1 && s.Ops[0] == mutate.OpCustom {
			b.parents, b.places = append(b.parents, s.Flat), append(b.places, i)
		}
	}
	if len(b.parents) == 0 {
		return true
	}
	mutants, ok := b.Mutate(b.parents, e.rand.Uint64())
	if !ok {
		return false
	}
	for k, m := range mutants {
		if s := &b.ahead.steps[b.places[k]]; m != nil {
			s.Flat = append(s.Flat[:0], m...)
			b.ahead.flats[b.places[k]] = s.Flat
		}
	}
	return true
}

// repairAll repairs the mutants of a batch.
func (e *Engine) repairAll(b *Batch) bool {
	repaired, ok := b.Repair(b.ahead.flats)
	if !ok {
		return false
	}
	for i := range b.ahead.steps {
		s := &b.ahead.steps[i]
		if i < len(repaired) && repaired[i] != nil {
			e.applyRepair(s, repaired[i])
			b.ahead.flats[i] = s.Flat
		}
	}
	return true
}

// SeedAll executes inputs at once as Seed does.
func (e *Engine) SeedAll(b *Batch, flats [][]byte, run RunAll) bool {
	e.load(b, flats)
	return e.runAll(b, seed, run)
}

// ImportAll executes inputs at once as Import does.
func (e *Engine) ImportAll(b *Batch, flats [][]byte, from Finder, run RunAll) bool {
	e.load(b, flats)
	return e.runAll(b, from.origin(), run)
}

// load makes a batch of given inputs.
func (e *Engine) load(b *Batch, flats [][]byte) {
	b.now.reset(len(flats))
	for i, flat := range flats {
		s := &b.now.steps[i]
		s.Reset()
		s.Flat = append(s.Flat[:0], flat...)
		b.now.flats[i] = s.Flat
	}
}

// reset makes room for n inputs.
func (in *inputs) reset(n int) {
	for len(in.room) < n {
		in.room, in.flat = append(in.room, source.Step{}), append(in.flat, nil)
	}
	in.steps, in.flats = in.room[:n], in.flat[:n]
}

// runAll executes a batch and evaluates it.
func (e *Engine) runAll(b *Batch, o origin, run RunAll) bool {
	flats := e.withRepeats(b, o)
	for len(b.joint) < len(flats) {
		b.joint = append(b.joint, feature.Joint{})
	}
	b.joints = b.joint[:len(flats)]
	for i := range b.joints {
		j := &b.joints[i]
		for len(j.Obs) < e.cfg.Programs {
			j.Obs = append(j.Obs, oracle.Observation{})
			j.Traces = append(j.Traces, feature.Trace{})
		}
	}
	e.clock.start()
	if !run(flats, b.joints) {
		return false
	}
	e.clock.stop(len(flats))
	x := &e.execution
	own := x.joint
	x.origin, x.batched = o, true
	for i := range b.now.steps {
		x.step, x.joint = &b.now.steps[i], b.joints[i]
		e.finish()
	}
	x.origin = repeated
	for k, i := range b.repeats {
		if x.joint = b.joints[i]; !x.failed() {
			e.repeat.hold(x.joint.Obs)
			x.joint = b.joints[len(b.now.steps)+k]
			e.finish()
		}
	}
	x.step, x.joint, x.batched = &x.own, own, false
	return true
}

// withRepeats returns the inputs of a batch followed by those that are executed a second time.
func (e *Engine) withRepeats(b *Batch, o origin) [][]byte {
	b.repeats = b.repeats[:0]
	if o != mutant && o != seed {
		return b.now.flats
	}
	for i := range b.now.flats {
		if (e.repeat.inputs+uint64(i)+1)%repeatEvery == 0 {
			b.repeats = append(b.repeats, i)
		}
	}
	if len(b.repeats) == 0 {
		return b.now.flats
	}
	b.flats = append(b.flats[:0], b.now.flats...)
	for _, i := range b.repeats {
		b.flats = append(b.flats, b.now.flats[i])
	}
	return b.flats
}
