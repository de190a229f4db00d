package triage

import (
	"bytes"
	"context"

	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Programs of several kinds take long to start, and some long to run: what spares starts and runs is here.

// slowBudgets divides the budgets where inputs are slow.
const slowBudgets = 4

// budget is what is left of a number of inputs for programs that are slow.
func (j *Triager) budget(n int) int {
	if j.Traits.CostlyInputs {
		return n / slowBudgets
	}
	return n
}

// noCoverage reports whether it is not known what a program executes.
func (j *Triager) noCoverage(program int) bool {
	return program < len(j.Traits.NoCoverage) && j.Traits.NoCoverage[program]
}

// disagreement says whether what is looked at is how programs disagree. Then builds with sanitizers are left out: they take several times as
// long, a share of what is fuzzed runs there anyway, and an error of memory that they see would hide the disagreement.
func (s *Replayer) disagreement(is bool) {
	if s.plain = 0; is {
		s.plain = wire.Plain
	}
}

// try repairs an input that was made of another one, runs it where it may show what same asks for, and reports whether it does. want
// is what one program can tell of that for all, nil if nothing.
func (s *Replayer) try(draft []byte, flags uint64, want []wire.Wanted, same func([]wire.RunResult) bool) (made []byte, ok bool, err error) {
	if want == nil {
		made = s.Repair(draft)
	} else {
		may := false
		if made, may, err = s.screen(draft, want); err != nil || !may {
			return made, false, err
		}
	}
	results, err := s.Run(made, flags|wire.WantDrawn)
	if err != nil || !same(results) {
		return made, false, err
	}
	for i := range results {
		if results[i].Drawn != "" {
			return []byte(results[i].Drawn), true, nil
		}
	}
	return made, true, nil
}

// screen repairs an input, and has the program run it that is expected to tell soonest that not all do what is wanted.
func (s *Replayer) screen(draft []byte, want []wire.Wanted) (made []byte, may bool, err error) {
	if s.Ctx != nil && s.Ctx.Err() != nil {
		return draft, false, s.Ctx.Err()
	}
	if err := s.start(); err != nil {
		return draft, false, err
	}
	err = s.order(func() (err error) {
		made, may, err = s.worker.Screen(draft, want)
		return err
	})
	if err != nil {
		s.Fresh()
		return draft, false, err
	}
	if s.used = true; !may {
		s.Runs++
	}
	return made, may, nil
}

// beside are the programs that can be left out of the runs of a finding: those that have no part in a disagreement, and those that fail
// beside another. Where programs do not share a process, the others say nothing of a failure, either, but for an old version.
func (j *Triager) beside(f *Finding) uint64 {
	switch {
	case Disagrees(f.Kind):
		return bystanders(j.Layers, f.Layer, f.Raw)
	case j.Versions:
		return 0
	case j.Traits.SeparateProcesses:
		return (uint64(1)<<len(j.Names) - 1) &^ (1 << f.Program)
	}
	return failing(f.Raw) &^ (1 << f.Program)
}

// wanted is what each program must do for the discrepancy to show, where programs can be asked one by one and what they do is told
// by each alone.
func (c *cause) wanted() []wire.Wanted {
	if !c.triager.Traits.SeparateProcesses || c.layer != oracle.VerdictLayer || len(c.obs) < 2 {
		return nil
	}
	want := make([]wire.Wanted, len(c.obs))
	for p, o := range c.obs {
		if o.Outcome == 0 { // it is left out
			return nil
		}
		want[p] = wire.Wanted{Outcome: uint64(o.Outcome), Class: o.Class, Loose: c.loose[p]}
	}
	return want
}

// Close ends the replayer that is kept.
func (j *Triager) Close() {
	if j.kept != nil {
		j.kept.Close()
		j.kept = nil
	}
}

// locator is the replayer that locates and minimizes, after s has confirmed.
func (j *Triager) locator(ctx context.Context, s *Replayer) (*Replayer, error) {
	if !j.Traits.SeparateProcesses {
		return s, j.order(ctx, s)
	}
	s.Fresh() // its programs are not needed any more
	return j.keep(ctx)
}

// keep returns the replayer whose processes are kept.
func (j *Triager) keep(ctx context.Context) (*Replayer, error) {
	if j.kept == nil {
		kept := j.Replayer()
		kept.Ctx = ctx
		kept.disagreement(true)
		if err := j.order(ctx, kept); err != nil {
			return nil, err
		}
		j.kept = kept
	}
	j.kept.Ctx = ctx
	return j.kept, nil
}

// known triages a candidate of a bucket that needs no more inputs, in the processes that are kept: nothing is learnt of it that
// fresh processes for all programs would be worth. It is nil for all others.
func (j *Triager) known(ctx context.Context, c Candidate) (*Finding, error) {
	if !j.Traits.SeparateProcesses || c.Deadly || c.Layer == 0 || j.Known == nil || !j.Known.AnySaturated() {
		return nil, nil
	}
	s, err := j.keep(ctx)
	if err != nil {
		return nil, err
	}
	before := s.Runs
	first, err := s.Run(c.Flat, wire.WantDetail)
	if err != nil {
		s.Fresh()
		return nil, ctx.Err()
	}
	f := j.classify(&Finding{Flat: c.Flat}, first, c.Aspect())
	if f == nil || otherwise(c.Aspect(), c.Seen, Observations(first)) != 0 {
		return nil, nil
	}
	out := j.beside(f)
	defer s.leave(out)()
	part := without(f.Raw, out)
	want := j.cause(part, f.Layer, f.Flat)
	for _, budget := range []int{glanceBudget, neighborBudget} {
		at, err := j.locateOnce(s, f.Flat, c, want, budget)
		if err != nil {
			s.Fresh()
			return nil, ctx.Err()
		}
		f.Before = j.before(part, f.Layer, at, f.Flat)
		if j.saturated(f.Before) {
			f.Minimized, f.Deciding, f.Ranked, f.Bucket, f.Runs = f.Flat, at.Deciding, at.Ranked, f.Before, s.Runs-before
			return f, nil
		}
	}
	return nil, nil
}

// located holds the places found for a candidate in the processes that are kept, by budget. reduceWhole goes on with those that
// known has found.
type located struct {
	flat []byte
	skip uint64 // the programs that were left out
	at   map[int]*Located
}

// locateOnce locates the disagreement that the input of a candidate shows, unless that was done in the same processes.
func (j *Triager) locateOnce(s *Replayer, flat []byte, c Candidate, want *cause, budget int) (*Located, error) {
	var extra [][]byte
	if c.Parent != nil {
		extra = [][]byte{c.Parent}
	}
	locate := func() (*Located, error) {
		return Locate(s, j.Layers, j.Shape, flat, extra, j.budget(budget), want.shown)
	}
	if s != j.kept {
		return locate()
	}
	if l := &j.places; l.at == nil || l.skip != s.skip || !bytes.Equal(l.flat, flat) {
		*l = located{flat: flat, skip: s.skip, at: map[int]*Located{}}
	}
	if at := j.places.at[budget]; at != nil {
		return at, nil
	}
	at, err := locate()
	if err == nil {
		j.places.at[budget] = at
	}
	return at, err
}
