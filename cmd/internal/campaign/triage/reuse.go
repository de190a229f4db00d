package triage

import (
	"bytes"
	"context"
	"parallax/cmd/internal/finding"

	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Some kinds of programs take long to start or to run. This file saves starts and runs.

// slowBudgets divides the budgets for slow inputs.
const slowBudgets = 4

// budget returns a number of inputs, reduced for slow programs.
func (j *Triager) budget(n int) int {
	if j.Traits.CostlyInputs {
		return n / slowBudgets
	}
	return n
}

// noCoverage reports whether the coverage of a program is unknown.
func (j *Triager) noCoverage(program int) bool {
	return program < len(j.Traits.NoCoverage) && j.Traits.NoCoverage[program]
}

// disagreement sets whether the replayer runs for a disagreement. Then it omits builds with
// sanitizers, which are slow and whose errors would hide the disagreement.
func (s *Replayer) disagreement(is bool) {
	if s.plain = 0; is {
		s.plain = wire.Plain
	}
}

// try repairs a draft and runs it, if it may show what same asks for. ok reports whether it does.
// want lists the necessary outcome of each program, or is nil.
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

// screen repairs a draft and runs the program that is most likely to rule it out.
func (s *Replayer) screen(draft []byte, want []wire.Wanted) (made []byte, may bool, err error) {
	if s.Ctx != nil && s.Ctx.Err() != nil {
		return draft, false, s.Ctx.Err()
	}
	if err := s.Start(); err != nil {
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

// dispensable returns the programs that can be left out of a finding's runs: bystanders of a
// disagreement, and other failing programs. For a failure in separate processes, these are all
// others. For one of two versions, there are none.
func (j *Triager) dispensable(f *Result) uint64 {
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

// wanted returns the necessary outcomes by program, or nil if programs cannot run one by one.
func (c *cause) wanted() []wire.Wanted {
	if !c.triager.Traits.SeparateProcesses || c.layer != oracle.VerdictLayer || len(c.obs) < 2 {
		return nil
	}
	want := make([]wire.Wanted, len(c.obs))
	for p, o := range c.obs {
		if o.Outcome == 0 { // the program is left out
			return nil
		}
		want[p] = wire.Wanted{Outcome: uint64(o.Outcome), Class: o.Class, Loose: c.loose[p]}
	}
	return want
}

// Close ends the kept replayer.
func (j *Triager) Close() {
	if j.kept != nil {
		j.kept.Close()
		j.kept = nil
	}
}

// locator returns the replayer that locates and minimizes after s has confirmed.
func (j *Triager) locator(ctx context.Context, s *Replayer) (*Replayer, error) {
	if !j.Traits.SeparateProcesses {
		return s, j.recordOrder(ctx, s)
	}
	s.Fresh() // no longer needed
	return j.keep(ctx)
}

// keep returns the replayer with kept processes.
func (j *Triager) keep(ctx context.Context) (*Replayer, error) {
	if j.kept == nil {
		kept := j.Replayer()
		kept.Ctx = ctx
		kept.disagreement(true)
		if err := j.recordOrder(ctx, kept); err != nil {
			return nil, err
		}
		j.kept = kept
	}
	j.kept.Ctx = ctx
	return j.kept, nil
}

// triageSaturated triages a candidate of a saturated bucket in the kept processes, since fresh ones
// would be wasted. It returns nil for other candidates.
func (j *Triager) triageSaturated(ctx context.Context, c finding.Candidate) (*Result, error) {
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
	f := j.classify(&Result{Flat: c.Flat}, first, AspectOf(&c))
	if f == nil || mismatch(AspectOf(&c), c.Seen, Observations(first)) != 0 {
		return nil, nil
	}
	out := j.dispensable(f)
	defer s.leave(out)()
	part := without(f.Raw, out)
	want := j.cause(part, f.Layer, f.Flat)
	for _, budget := range []int{glanceBudget, neighborBudget} {
		at, err := j.locateOnce(s, f.Flat, c, want, budget)
		if err != nil {
			s.Fresh()
			return nil, ctx.Err()
		}
		f.Before = j.bucketBefore(part, f.Layer, at, f.Flat)
		if j.saturated(f.Before) {
			f.Minimized, f.Deciding, f.Ranked, f.Bucket, f.Runs = f.Flat, at.Deciding, at.Ranked, f.Before, s.Runs-before
			return f, nil
		}
	}
	return nil, nil
}

// located caches the places of a candidate in the kept processes, by budget.
type located struct {
	flat []byte
	skip uint64 // programs that were left out
	at   map[int]*Located
}

// locateOnce locates the disagreement of a candidate, unless the cache has it.
func (j *Triager) locateOnce(s *Replayer, flat []byte, c finding.Candidate, want *cause, budget int) (*Located, error) {
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
