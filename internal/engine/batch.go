package engine

import (
	"parallax/internal/feature"
	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/source"
)

// Programs that run in processes of their own are given many inputs at once: asking for one at a time would cost more than
// they do. The mutants of a batch are made before any of them is run, and evaluated in order afterwards, so that a campaign with a
// seed repeats as well as with one input at a time.

// RunAll executes inputs on every program and fills a joint behavior for each: its slices have one element a program. It
// reports false when it could not, or was told to stop; then nothing of the batch counts.
type RunAll func(flats [][]byte, joints []feature.Joint) bool

// Batch is what an engine keeps from batch to batch. The zero Batch is ready.
type Batch struct {
	// Repair makes mutants valid before they are executed, as Config.Repair does one at a time: nil in the place of those that
	// stay as they are. Nil: nothing is repaired. It reports false as RunAll does.
	Repair func(flats [][]byte) ([][]byte, bool)

	// Mutate is the programs' own way to make mutants, of a batch of inputs of the corpus; it is used in the place of the
	// operators where there is one. nil stands for an input of which it makes none. It reports false as RunAll does.
	Mutate func(flats [][]byte, seed uint64) (mutants [][]byte, ok bool)

	// Ahead is told of the mutants of a batch before it is executed, mostly while the one before still is. Nil: nobody is told. It reports false as
	// RunAll does.
	Ahead func(flats [][]byte) bool

	// What batches have needed so far, and the part that the batch under way uses.
	now    inputs
	joint  []feature.Joint
	joints []feature.Joint
	ahead  inputs // of the next batch, made while one runs

	batches int // made

	again []int    // the inputs of the batch under way that are executed a second time
	flats [][]byte // the batch with them

	parents [][]byte // of those that Mutate is to change
	places  []int    // their steps
}

// inputs are those of a batch.
type inputs struct {
	room  []source.Step
	flat  [][]byte
	steps []source.Step
	flats [][]byte
}

// settled is after how many batches they are made ahead: at first, much is new in each.
const settled = 64

// FuzzAll executes up to n mutants at once, no more than left, and reports how many and whether it could. While several programs
// run them it makes those of the next call, which know nothing of this batch, so that processors do not stand idle: of one
// program, new inputs matter more. Which inputs a batch has does not depend on how long anything takes.
func (e *Engine) FuzzAll(b *Batch, n, left int, run RunAll) (ran int, ok bool) {
	if len(b.ahead.steps) == 0 && !e.prepare(b, min(n, left)) {
		return 0, false
	}
	b.now, b.ahead = b.ahead, b.now
	ran = len(b.now.steps)
	b.ahead.reset(0)
	n = min(n, left-ran)
	b.batches++
	if b.batches <= settled || b.Mutate != nil || e.cfg.Programs == 1 || n <= 0 { // it is the program that makes mutants, or the only one to wait for
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
	e.custom = b.Mutate != nil
	for i := range b.ahead.steps {
		s := &b.ahead.steps[i]
		e.propose(s)
		b.ahead.flats[i] = s.Flat
	}
	e.custom = false
	ok := (b.Mutate == nil || e.mutateAll(b)) && (b.Repair == nil || e.repairAll(b)) && (b.Ahead == nil || b.Ahead(b.ahead.flats))
	if !ok {
		b.ahead.reset(0)
	}
	return ok
}

// mutateAll has the program's mutator change the steps that are still what their parents are.
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
			e.repaired(s, repaired[i])
			b.ahead.flats[i] = s.Flat
		}
	}
	return true
}

// SeedAll executes inputs at once as Seed does.
func (e *Engine) SeedAll(b *Batch, flats [][]byte, run RunAll) bool {
	e.give(b, flats)
	return e.runAll(b, seed, run)
}

// ImportAll executes inputs at once as Import does.
func (e *Engine) ImportAll(b *Batch, flats [][]byte, run RunAll) bool {
	e.give(b, flats)
	return e.runAll(b, imported, run)
}

// give makes a batch of inputs as they are.
func (e *Engine) give(b *Batch, flats [][]byte) {
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
	flats := e.withAgain(b, o)
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
	began := int64(0)
	if e.now != nil {
		began = e.now()
	}
	if !run(flats, b.joints) {
		return false
	}
	if e.now != nil {
		e.nanos = (e.now() - began) / int64(max(len(flats), 1))
	}
	own := e.joint
	e.origin, e.batched = o, true
	for i := range b.now.steps {
		e.step, e.joint = &b.now.steps[i], b.joints[i]
		e.finish()
	}
	e.origin = again
	for k, i := range b.again {
		if e.joint = b.joints[i]; !e.failed() {
			e.repeat.obs = append(e.repeat.obs[:0], e.joint.Obs...)
			e.joint = b.joints[len(b.now.steps)+k]
			e.compareAgain()
		}
	}
	e.step, e.joint, e.batched = &e.own, own, false
	return true
}

// withAgain returns the inputs of a batch and behind them those that are executed a second time.
func (e *Engine) withAgain(b *Batch, o origin) [][]byte {
	b.again = b.again[:0]
	if o != mutant && o != seed {
		return b.now.flats
	}
	for i := range b.now.flats {
		if (e.repeat.inputs+uint64(i)+1)%againEvery == 0 {
			b.again = append(b.again, i)
		}
	}
	if len(b.again) == 0 {
		return b.now.flats
	}
	b.flats = append(b.flats[:0], b.now.flats...)
	for _, i := range b.again {
		b.flats = append(b.flats, b.now.flats[i])
	}
	return b.flats
}
