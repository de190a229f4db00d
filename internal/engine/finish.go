package engine

import (
	"slices"

	"parallax/internal/adapt"
	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/schedule"
	"parallax/internal/source"
)

// finish evaluates the input that has just run.
func (e *Engine) finish() {
	if e.origin == repeated {
		e.compareRepeat()
		return
	}
	failed := e.failed()
	e.blocks, e.species, e.settled, e.large = 0, species{}, false, false
	e.countBehavior(failed)
	guided := e.origin == mutant && e.search != nil && e.search.Search.Guides
	if guided { // the given tape was empty
		e.settle()
	}
	covered := e.cover(failed)
	novel, wanted := e.observe(failed)
	covers := len(e.covers) > 0
	keep := covered && covers || wanted
	if covered {
		e.length.reset()
	}
	counts := e.origin == mutant || e.origin == seed
	report := Report{Ops: e.step.Ops, Choice: e.step.Choice, Disagree: e.compare(counts, failed)}
	switch {
	case e.origin == replayed:
		keep = true
		e.reportRealigned(failed)
		e.recall(novel)
	case failed:
		keep = false
	case !e.searchAdmits(keep):
		keep = false
	case e.origin == seed && len(e.corpus) == 0:
		keep = true // there must be an input to mutate
	case !e.keeps:
		keep = e.origin == seed
	}
	if !keep && !failed && e.origin == mutant && e.keptForLength() {
		keep = true
	}
	cost := schedule.Cost(e.joint.Traces)
	if counts {
		e.usual.Add(cost)
	}
	report.Kept = e.join(keep, covers && !wanted)
	if e.origin == mutant {
		if e.shares != nil {
			adapt.Record(e.shares, e.step.Choice, e.step.Ops, e.species.hash, e.species.disagrees, e.species.first, e.blocks, cost)
		}
		e.step.Done(source.Result{
			Traces: e.joint.Traces, Found: keep, Failed: failed, Validity: e.joint.Validity, Unique: e.joint.Unique,
			Deviation: e.deviation(), Turns: e.usual.Turns(cost),
		})
		if small, ok := e.trim.Result(); ok {
			e.keep(Item{Flat: small.Flat, Ops: small.Ops, New: small.New}, small.Parent)
			report.Kept = true
		}
	}
	if counts {
		for p := range e.joint.Obs {
			if e.joint.Obs[p].Outcome == 0 {
				report.Skipped++
			}
			report.Blocks += e.joint.Traces[p].Length
		}
		report.Bytes = len(e.step.Flat)
		e.sink.Ran(report)
		if e.repeat.count(e.step.Flat, e.joint.Obs, failed || guided && e.large) && e.cfg.Drawn != nil && !e.batched {
			e.redraw()
		}
	} else {
		e.sink.Uncounted()
	}
	if e.origin == mutant && e.length.step() {
		e.mut.SetMaxLen(e.length.now)
	}
}

// failed reports whether a program crashed or ran out of time or memory.
func (e *Engine) failed() bool {
	for p := range e.joint.Obs {
		if e.joint.Obs[p].Outcome >= oracle.Crashed {
			return true
		}
	}
	return false
}

// accepted reports whether a program accepts the input.
func (e *Engine) accepted() bool {
	for p := range e.joint.Obs {
		if e.joint.Obs[p].Outcome == oracle.Accepted {
			return true
		}
	}
	return false
}

// cover records the executed blocks and reports whether some were new.
func (e *Engine) cover(failed bool) bool {
	e.newIn, e.first = e.newIn[:0], e.first[:0]
	covered := false
	for p := range e.joint.Traces {
		t, fresh := &e.joint.Traces[p], 0
		switch {
		case failed: // it is not kept, so that its new blocks stay new
		case e.seen.has(p, t.Digest):
		case e.cfg.Programs == 1:
			fresh = e.known[p].AddNew(t, e.note)
		default:
			fresh = e.known[p].Add(t)
		}
		e.blocks += fresh
		if covered = covered || fresh > 0; failed || fresh > 0 {
			e.reach(p)
			e.maps[p].Add(t)
		}
		if !failed {
			e.seen.add(p, t.Digest)
		}
	}
	if covered {
		e.newIn = append(e.newIn, e.covers...)
	}
	return covered
}

// reach reports the changed blocks that the input is the first to execute.
func (e *Engine) reach(program int) {
	if e.change == nil || program != e.change.Program {
		return
	}
	if e.reached = e.change.NewlyReached(&e.joint.Traces[program], e.maps[program], e.reached[:0]); len(e.reached) > 0 {
		e.sink.Reached(e.reached)
	}
}

// observe records the features of the input. It reports whether one was new, and whether one makes
// the input wanted.
func (e *Engine) observe(failed bool) (novel, wanted bool) {
	e.placed = false
	for _, d := range e.measured {
		if d.Blockless && failed {
			continue // it is not kept, so that its new cells stay new
		}
		fresh := d.Observe(&e.joint)
		if d.CellOwners && len(fresh) == 0 && e.owners != nil && e.owners.smaller(&e.joint, len(e.step.Flat)) {
			wanted = true
			e.newIn = append(e.newIn, d.Name)
		}
		if len(fresh) == 0 {
			continue
		}
		novel = true
		if d.Blockless {
			e.length.reset()
		}
		if d.Number != feature.Unstored {
			for _, h := range fresh {
				e.sink.Novel(d.Number, h)
			}
		}
		if (!e.adapts || d.Bounded || d.KeepFraction(e.relativeShare(d.Name))) && d.Wants(e.place) {
			wanted = true
			e.newIn = append(e.newIn, d.Name)
		}
	}
	return novel, wanted
}

// relativeShare returns the share of a domain's seeds relative to their usual share.
func (e *Engine) relativeShare(domain string) float64 {
	d := slices.Index(e.guidance, domain)
	if e.shares == nil || d < 0 {
		return 1
	}
	at := schedule.DomainArm(d)
	if at+1 >= e.shares.Seeds.Len() { // another schedule has its own arms
		return 1
	}
	return e.shares.Seeds.Relative(at, at+1)
}

// compare evaluates the observations, reports candidates, and returns whether programs disagree
// that did not fail. Disagreements on uncounted inputs were reported when they were found. They are
// evaluated, so that later candidates are compared with them. Programs that have changed since may
// disagree or crash on kept inputs, which is reported.
func (e *Engine) compare(counts, failed bool) (disagree bool) {
	j := &e.joint
	if e.cfg.Programs == 1 && !failed {
		return false // nothing to compare
	}
	intended := e.cfg.Ignored != nil && oracle.DisagreeLayer(e.cfg.Layers, j.Obs) != 0 && e.cfg.Ignored(e.step.Flat)
	if intended && !failed {
		return false
	}
	if h, ok := e.cands.Unique(j); ok && counts && e.oracle != nil {
		e.sink.Novel(e.oracle.Number, h)
	}
	a := Admission{Failing: e.cands.Fail(j)}
	if !intended {
		a.Layers, a.Candidates = e.cands.Disagree(j)
	}
	a.Fresh = e.cands.fresh
	e.species = e.cands.last
	if !counts && !(e.cfg.Changed && e.origin == replayed) {
		a.Candidates = 0
	}
	if a.Failing != 0 || a.Candidates != 0 {
		e.settle()
		e.sink.Candidate(e.item(), a, j.Obs)
	}
	return counts && a.Layers != 0
}

// join adds the input that has just run to the corpus. If no tuple needs it, it begins to trim it
// instead. It reports whether an input joined.
func (e *Engine) join(keep, covers bool) bool {
	s := e.step
	if !keep {
		return false
	}
	e.settle()
	if e.large && e.confined { // a smaller input with the same blocks takes its place
		if e.short != nil {
			e.joint.Traces[0].Need()
			e.short.add(&e.joint.Traces[0], len(e.tape), e.accepted())
		}
		return false
	}
	if covers && e.trims() {
		e.sink.Provisional(e.item())
		parent := s.Parent
		if e.origin == seed { // the seed joins unchanged, and the trimmed input later
			parent = len(e.corpus)
		}
		e.trim.Begin(s, parent, e.newIn, e.first)
		if e.origin != seed {
			return false
		}
	}
	e.keep(e.item(), s.Parent)
	return true
}

// settle replaces the given tape by the drawn one, which may be longer. A drawn tape above the
// limit, a large one, is not used. It can be drawn again from the given tape. If the given tape is
// empty, all its children are fresh.
func (e *Engine) settle() {
	if e.cfg.Drawn == nil || e.settled || e.origin == replayed {
		return
	}
	e.settled = true
	e.tape = e.cfg.Drawn(e.tape[:0], e.step.Flat)
	if e.large = len(e.tape) > e.cfg.MaxBytes; !e.large && len(e.tape) > 0 {
		e.step.Flat = append(e.step.Flat[:0], e.tape...)
	}
}

// trims reports whether the input that has just run is to be trimmed.
func (e *Engine) trims() bool {
	switch {
	case e.cfg.Programs != 1 || e.cfg.NoTrim || e.cfg.Tapes || e.form != nil:
	case e.origin == seed, e.origin == mutant && !e.trim.Active():
		return e.trim.Worth(e.step.Flat)
	}
	return false
}

// perInput estimates the memory of engine and schedule per input, without its bytes and blocks.
const perInput = 512

// keep adds an input to the corpus. The programs have just run it.
func (e *Engine) keep(it Item, parent int) {
	flat := append(make([]byte, 0, len(it.Flat)), it.Flat...)
	if parent >= 0 {
		it.Parent = e.corpus[parent]
	}
	if e.origin != replayed && e.origin != imported {
		e.sink.Kept(it)
	}
	for p := range e.joint.Traces {
		e.joint.Traces[p].Need()
	}
	e.corpus = append(e.corpus, flat)
	e.kept += perInput + len(flat)
	for p := range e.joint.Traces {
		e.kept += 8 * len(e.joint.Traces[p].Hits)
	}
	if e.cfg.Tapes || e.form != nil {
		e.valid = append(e.valid, e.accepted())
	}
	if e.short != nil {
		e.short.add(&e.joint.Traces[0], len(flat), e.accepted())
	}
	if e.cmplog != nil && e.origin != imported {
		e.cmplog.Added(len(e.corpus)-1, e.origin == replayed)
	}
	if e.operands != nil && e.origin != imported {
		e.operands.Added(len(e.corpus)-1, e.origin == replayed)
	}
	if e.search != nil && e.search.Search.Structures {
		e.shapes.add(flat)
	}
	e.rarity.Add(&e.joint)
	if e.owners != nil {
		e.owners.add(&e.joint, len(flat), !onlyForCells(it.New), e.origin == seed)
	}
	e.schedule.Added(schedule.Seed{
		Len: len(flat), Traces: e.joint.Traces, Parent: parent, Nanos: e.nanos, Known: e.origin == replayed,
		New: it.New, Accepted: e.accepted(), Deviation: e.deviation(),
	})
	if e.length.raise(len(flat)) {
		e.mut.SetMaxLen(e.length.now)
	}
}

// deviation identifies how the programs disagree on the input that has just run, and on which path.
// Zero means that they agree.
func (e *Engine) deviation() uint64 {
	if !e.species.disagrees || e.cfg.Programs < 2 {
		return 0
	}
	return feature.Chain(feature.FineTuple(&e.joint), e.species.hash) | 1
}

func (e *Engine) item() Item {
	it := Item{Flat: e.step.Flat, Ops: e.step.Ops, New: e.newIn}
	if e.step.Parent >= 0 {
		it.Parent = e.corpus[e.step.Parent]
	}
	return it
}
