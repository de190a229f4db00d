package engine

import (
	"parallax/internal/feature"
	"parallax/internal/judge"
	"parallax/internal/schedule"
)

// finish judges the input that has just run.
func (e *Engine) finish() {
	failed := e.failed()
	covered := e.cover(failed)
	novel, wanted := e.observe()
	keep := covered && e.covers || wanted
	if covered {
		e.length.fresh()
	}
	counts := e.origin == mutant || e.origin == seed
	report := Report{Ops: e.ops, Disagree: e.judge(counts, failed)}
	switch {
	case e.origin == replayed:
		keep = true
		if !novel {
			e.recall()
		}
	case failed:
		keep = false
	case e.origin == seed && len(e.corpus) == 0:
		keep = true // something must be there to be mutated
	case !e.keeps:
		keep = e.origin == seed
	}
	found, trimming := keep, e.trim.on && e.origin == mutant
	keep = e.join(keep, trimming, failed)
	if e.origin == mutant {
		if !trimming {
			e.solve.ran(e.patched, found)
		}
		if e.parent >= 0 && !e.patched {
			e.schedule.Ran(schedule.Result{Traces: e.joint.Traces, Kept: found})
		}
	}
	if counts {
		report.Kept = keep
		e.sink.Ran(report)
	}
	if e.origin == mutant && e.length.step() {
		e.mut.SetMaxLen(e.length.now)
	}
}

// failed reports whether a program crashed or ran out of time or memory.
func (e *Engine) failed() bool {
	for p := range e.joint.Obs {
		if e.joint.Obs[p].Outcome >= judge.Crashed {
			return true
		}
	}
	return false
}

// accepted reports whether a program accepts the input.
func (e *Engine) accepted() bool {
	for p := range e.joint.Obs {
		if e.joint.Obs[p].Outcome == judge.Accepted {
			return true
		}
	}
	return false
}

// cover records what was executed and reports whether some of it was new.
func (e *Engine) cover(failed bool) bool {
	e.newIn, e.fresh = e.newIn[:0], e.fresh[:0]
	covered := false
	for p := range e.joint.Traces {
		t, fresh := &e.joint.Traces[p], 0
		switch {
		case failed: // it is not kept: what it was the first to reach stays to be reached
		case e.seen.before(p, t.Digest):
		case e.cfg.Programs == 1:
			fresh = e.known[p].AddNew(t, e.note)
		default:
			fresh = e.known[p].Add(t)
		}
		if covered = covered || fresh > 0; failed || fresh > 0 {
			e.maps[p].Add(t)
		}
		if !failed {
			e.seen.add(p, t.Digest)
		}
	}
	if covered && e.covers {
		e.newIn = append(e.newIn, feature.Coverage)
	}
	return covered
}

// observe records the joint tuples. It reports whether one was new, and whether the input is wanted for one.
func (e *Engine) observe() (novel, wanted bool) {
	e.placed = false
	for i, d := range e.tuples {
		hash, fresh := d.Observe(&e.joint)
		if !fresh {
			continue
		}
		novel = true
		if i < discrepancies {
			e.sink.Novel(i, hash)
		}
		if d.Pool != nil && !d.Pool.Full() && d.Pool.Admit(e.place()) {
			wanted = true
			e.newIn = append(e.newIn, d.Name)
		}
	}
	return novel, wanted
}

// judge compares what the programs did, tells of a candidate and reports whether they disagree. Disagreements on inputs that
// do not count were looked at when they were found; they are judged all the same, so that the next candidate is told from
// them. Programs that have changed since may disagree or crash on what was kept: that is told.
func (e *Engine) judge(counts, failed bool) (disagree bool) {
	j := &e.joint
	if e.cfg.Programs == 1 && !failed {
		return false // there is nothing to compare
	}
	if e.cfg.Ignored != nil && !failed && judge.DisagreeLayer(e.cfg.Layers, j.Obs) != 0 && e.cfg.Ignored(e.flat) {
		return false
	}
	if h, ok := e.cands.Unique(j); ok && counts {
		e.sink.Novel(discrepancies, h)
	}
	layer, candidate := e.cands.Judge(j)
	if candidate && (counts || failed || e.cfg.Changed && e.origin == replayed) {
		e.sink.Candidate(e.item(), layer, j.Obs)
	}
	return counts && layer != 0
}

// join lets the input that has just run into the corpus, or begins to make it smaller, or goes on with that. It reports
// whether something joined.
func (e *Engine) join(keep, trimming, failed bool) bool {
	switch {
	case trimming && !keep && e.trimmed(failed):
		return false
	case trimming && !e.trim.on: // the result
		keep = true
	case keep && !trimming && e.trims():
		e.sink.Provisional(e.item())
		e.trim.begin(e)
		if e.origin != seed {
			return false
		}
		e.keep() // as the user gave it; the smaller one comes beside it
		e.trim.parent = len(e.corpus) - 1
		return true
	}
	if keep {
		e.keep()
	}
	return keep
}

func (e *Engine) keep() {
	flat := append(make([]byte, 0, len(e.flat)), e.flat...)
	if e.origin != replayed && e.origin != imported {
		e.sink.Kept(e.item())
	}
	for p := range e.joint.Traces {
		e.joint.Traces[p].Need()
	}
	e.corpus = append(e.corpus, flat)
	e.solve.added(len(e.corpus)-1, e.origin)
	e.rarity.Add(&e.joint)
	e.schedule.Added(schedule.Seed{
		Len: len(flat), Traces: e.joint.Traces, Parent: e.parent, Nanos: e.nanos, Known: e.origin == replayed,
		New: e.newIn, Accepted: e.accepted(),
	})
	if e.length.see(len(flat)) {
		e.mut.SetMaxLen(e.length.now)
	}
}

func (e *Engine) item() Item {
	it := Item{Flat: e.flat, Ops: e.ops, New: e.newIn}
	if e.parent >= 0 {
		it.Parent = e.corpus[e.parent]
	}
	return it
}
