package engine

import (
	"parallax/internal/adapt"
	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/schedule"
	"parallax/internal/source"
)

// finish evaluates the input that has just run.
func (e *Engine) finish() {
	x := &e.execution
	if x.origin == repeated {
		e.sink.Repeated(e.repeat.compare(x, e.cfg.Layers, &e.drawing))
		return
	}
	failed, counts, cost := x.failed(), x.counts(), schedule.Cost(x.joint.Traces)
	if cost > costlyBlocks || x.exhausted() {
		e.numbers.costly(x.step.Flat, e.mut.LimitMagnitude)
	}
	e.drawing.reset()
	x.joint.Validity, x.joint.Unique = oracle.JointValidity(x.joint.Obs), false
	if counts || x.origin == replayed && e.cfg.Changed {
		e.behavior.count(x, failed, e.search.draws, e.sink)
	}
	guided := x.origin == mutant && e.search.guides()
	if guided { // the given tape was empty
		e.drawing.settle(x)
	}
	covered, novel, wanted := e.observe(failed)
	covers := len(e.coverage.domains) > 0
	report := Report{Ops: x.step.Ops, Choice: x.step.Choice, Disagree: e.compare(counts, failed)}
	if x.origin == replayed {
		e.reportRealigned(failed)
		e.novelty.recall(x, novel)
	}
	keep := e.keeps(covered && covers || wanted, failed)
	if counts {
		e.usual.Add(cost)
	}
	report.Kept = e.join(keep, covers && !wanted)
	if x.origin == mutant && e.learn(keep, failed, cost) {
		report.Kept = true
	}
	if counts {
		e.count(report, failed || guided && e.drawing.large)
	} else {
		e.sink.Uncounted()
	}
	if x.origin == mutant && e.length.step() {
		e.mut.SetMaxLen(e.length.now)
	}
}

// observe records the coverage and the features of the input. It reports whether blocks were new,
// whether a feature was, and whether one makes the input wanted.
func (e *Engine) observe(failed bool) (covered, novel, wanted bool) {
	x := &e.execution
	x.newIn, x.fresh, x.opaque = x.newIn[:0], x.fresh[:0], false
	if covered = e.coverage.add(x.joint.Traces, failed || e.coverage.validOnly && !x.accepted()); covered {
		x.newIn = append(x.newIn, e.coverage.domains...)
	}
	if len(e.coverage.reached) > 0 {
		e.sink.Reached(e.coverage.reached)
	}
	novel, wanted, blockless := e.novelty.observe(x, failed, e.sink)
	if covered || blockless {
		e.length.reset()
	}
	return covered, novel, wanted
}

// keeps reports whether the input joins the corpus. wanted means that it is new.
func (e *Engine) keeps(wanted, failed bool) bool {
	x := &e.execution
	switch {
	case x.origin == replayed:
		return true
	case failed:
		return false
	case !e.search.admits(x, &e.drawing, wanted):
	case x.origin == seed && (len(e.corpus.inputs) == 0 || e.cfg.PoolSize == feature.Unbounded):
		return true // there must be an input to mutate; NEZHA's corpus begins with all seeds
	case e.novelty.keeps && wanted, !e.novelty.keeps && x.origin == seed:
		return true
	}
	if x.origin != mutant || !e.search.shortens(x, &e.drawing) {
		return false
	}
	x.newIn = append(x.newIn, e.coverage.domains...)
	x.opaque = true
	return true
}

// learn passes the results of a mutant to its source and its arms. It reports whether the trimmed
// form of an earlier input joined the corpus.
func (e *Engine) learn(kept, failed bool, cost uint64) (trimmed bool) {
	x, last := &e.execution, e.candidates.last
	if e.shares != nil {
		adapt.Record(e.shares, x.step.Choice, x.step.Ops, last.hash, last.disagrees, last.first, e.coverage.blocks, cost)
	}
	x.step.Done(source.Result{
		Traces: x.joint.Traces, Found: kept, Failed: failed, Accepted: x.accepted(), Validity: x.joint.Validity, Unique: x.joint.Unique,
		Deviation: e.candidates.deviation(&x.joint), Turns: e.usual.Turns(cost),
	})
	small, ok := e.sources.trim.Result()
	if ok {
		e.keep(Item{Flat: small.Flat, Ops: small.Ops, New: small.New}, small.Parent)
	}
	return ok
}

// count reports a counted input, and may hold it to be executed again. once means that it is not.
func (e *Engine) count(report Report, once bool) {
	x := &e.execution
	for p := range x.joint.Obs {
		if x.joint.Obs[p].Outcome == 0 {
			report.Skipped++
		}
		report.Blocks += x.joint.Traces[p].Length
	}
	report.Bytes = len(x.step.Flat)
	e.sink.Ran(report)
	if e.repeat.count(x.step.Flat, x.joint.Obs, once) && e.cfg.Drawn != nil && !x.batched {
		e.repeat.redraw(&e.drawing)
	}
}

// compare evaluates the observations, reports candidates, and returns whether programs disagree
// that did not fail. Disagreements on uncounted inputs were reported when they were found. They are
// evaluated, so that later candidates are compared with them. Programs that have changed since may
// disagree or crash on kept inputs, which is reported.
func (e *Engine) compare(counts, failed bool) (disagree bool) {
	x, c := &e.execution, e.candidates
	j := &x.joint
	c.last = species{}
	if e.cfg.Programs == 1 && !failed {
		return false // nothing to compare
	}
	intended := e.cfg.Ignored != nil && oracle.DisagreeLayer(e.cfg.Layers, j.Obs) != 0 && e.cfg.Ignored(x.step.Flat)
	if intended && !failed {
		return false
	}
	if h, ok := c.Unique(j); ok && x.found() && e.novelty.oracle != nil {
		e.sink.Novel(e.novelty.oracle.Number, h)
	}
	a := Admission{Failing: c.Fail(j)}
	if !intended {
		a.Layers, a.Candidates = c.Disagree(j)
	}
	a.Fresh = c.fresh
	switch {
	case x.origin == claimed:
		a.Failing, a.Candidates = x.failures(), a.Layers
	case !x.found() && !(e.cfg.Changed && x.origin == replayed):
		a.Candidates = 0
	}
	if a.Failing != 0 || a.Candidates != 0 {
		e.drawing.settle(x)
		e.sink.Candidate(e.item(), a, j.Obs)
	}
	return counts && a.Layers != 0
}

// join adds the input that has just run to the corpus. If no tuple needs it, it begins to trim it
// instead. It reports whether an input joined.
func (e *Engine) join(keep, covers bool) bool {
	x := &e.execution
	if !keep {
		return false
	}
	e.drawing.settle(x)
	if e.drawing.large && e.search.confined { // a smaller input with the same blocks takes its place
		e.search.measure(len(e.drawing.tape), x)
		return false
	}
	if covers && e.trims() {
		e.sink.Provisional(e.item())
		parent := x.step.Parent
		if x.origin == seed { // the seed joins unchanged, and the trimmed input later
			parent = len(e.corpus.inputs)
		}
		e.sources.trim.Begin(x.step, parent, x.newIn, e.coverage.first)
		if x.origin != seed {
			return false
		}
	}
	e.keep(e.item(), x.step.Parent)
	return true
}

// trims reports whether the input that has just run is to be trimmed.
func (e *Engine) trims() bool {
	x, t := &e.execution, e.sources.trim
	switch {
	case e.cfg.Programs != 1 || e.cfg.NoTrim || e.search.tapes:
	case x.origin == seed, x.origin == mutant && !t.Active():
		return t.Worth(x.step.Flat)
	}
	return false
}

// keep adds an input to the corpus. The programs have just run it.
func (e *Engine) keep(it Item, parent int) {
	x := &e.execution
	traces, accepted := x.joint.Traces, x.accepted()
	it.Parent = e.corpus.parent(parent)
	e.show(&it)
	if x.origin != replayed && x.origin != imported {
		e.sink.Kept(it)
	}
	for p := range traces {
		traces[p].Need()
	}
	flat := e.corpus.add(it.Flat, traces, accepted)
	if x.origin != imported {
		e.sources.added(len(e.corpus.inputs)-1, x.origin == replayed)
	}
	e.search.kept(flat, x)
	e.novelty.kept(len(flat), it.New, x.origin == seed)
	e.schedule.Added(schedule.Seed{
		Len: len(flat), Traces: traces, Parent: parent, Nanos: e.clock.nanos, Known: x.origin == replayed,
		New: it.New, Accepted: accepted, Deviation: e.candidates.deviation(&x.joint),
	})
	if e.length.raise(len(flat)) {
		e.mut.SetMaxLen(e.length.now)
	}
}

// reportRealigned reports whether the generator drew something else from a replayed tape.
func (e *Engine) reportRealigned(failed bool) {
	if e.cfg.Drawn == nil || failed {
		return
	}
	if realigned, ok := e.drawing.realigned(e.execution.step.Flat); ok {
		e.sink.Replayed(realigned)
	}
}

func (e *Engine) item() Item {
	s := e.execution.step
	x := &e.execution
	return Item{Flat: s.Flat, Parent: e.corpus.parent(s.Parent), Ops: s.Ops, New: x.newIn, Fresh: x.fresh, Opaque: x.opaque}
}
