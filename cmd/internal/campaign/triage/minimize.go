package triage

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"parallax/cmd/internal/base/minimize"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Smaller is what came of making a finding's input smaller.
type Smaller struct {
	// Finding has the smallest input, its results and holes. Nil: the input does not show the finding.
	Finding *Finding
	Wavers  bool // it shows in some runs and not in others; nothing was tried
	Moved   bool // it shows, and in a way that belongs to another bucket: programs have changed; nothing smaller is taken
	Tried   int  // inputs that were tried in its place, of the budget
	Done    bool // nothing smaller is left to try; else the budget or the user ended it
	Holed   bool // the search for holes reached its end; else holes that are known of the same input still hold
}

// Minimize makes a known finding's input smaller, within a budget of inputs to try. Locating the blocks that decide and
// looking for holes are not counted, and are a few hundred inputs a round.
//
// What stays is the bucket: outcomes, error classes, and the deciding block of each program; of a crash its class or, where
// the bucket does not depend on the message, its place.
//
// Program is the one whose failure it is, or NoProgram, as for Recorded.
//
// When ctx ends it returns the smallest so far, or the error of ctx if it is not known yet whether the finding shows.
func (j *Triager) Minimize(ctx context.Context, flat []byte, bucket, kind, layer string, program, budget int) (*Smaller, error) {
	s := j.Replayer()
	s.Ctx = ctx
	s.disagreement(Disagrees(kind))
	defer s.Close()
	f, flags, wavers, err := j.again(s, flat, kind, layer, program)
	if f == nil || err != nil {
		return &Smaller{Wavers: wavers}, err
	}
	f.Deciding = make([]int, len(j.Names))
	for p := range f.Deciding {
		f.Deciding[p] = None
	}
	m := &Smaller{Finding: f}
	if Disagrees(kind) {
		if err = j.order(ctx, s); err == nil {
			err = j.reduceBeside(s, m, bucket, budget)
		}
	} else {
		err = j.reduceCrash(s, m, bucket, budget, flags)
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		m.Done, err = false, nil
	}
	f.Runs = s.Runs
	return m, err
}

// toTheEnd does what must be known of a smaller input before it can be kept, although the replayer's context has ended.
func (s *Replayer) toTheEnd(work func() error) error {
	ctx := s.Ctx
	s.Ctx = nil
	defer func() { s.Ctx = ctx }()
	return work()
}

// again executes the input three times, in two processes, and returns the finding that it shows each time, and the flags that
// it takes to show it. It wavers when it does not do the same each time.
func (j *Triager) again(s *Replayer, flat []byte, kind, layer string, program int) (f *Finding, flags uint64, wavers bool, err error) {
	look := func() (*Finding, error) {
		results, err := s.Run(flat, flags)
		if err != nil {
			return nil, err
		}
		of, shown := Recorded(j.Layers, kind, layer, program, results)
		if !shown {
			return nil, nil
		}
		return j.classify(&Finding{Flat: flat, Minimized: flat, Results: results}, results, of), nil
	}
	flags = wire.WantDetail
	left := s.LeftBehind
	if f, err = look(); err != nil {
		return nil, 0, false, err
	}
	if (f == nil || s.LeftBehind > left) && (kind == oracle.KindCrash || kind == oracle.KindFailure) { // a goroutine that was left behind needs time to fail
		flags |= wire.Settle
		s.Fresh()
		if f, err = look(); err != nil {
			return nil, 0, false, err
		}
	}
	if kind == oracle.KindTimeout || kind == oracle.KindOOM {
		return f, flags, false, nil // each run costs the whole limit
	}
	for n := 0; n < 2; n++ {
		if n == 1 {
			s.Fresh()
		}
		other, err := look()
		if err != nil {
			return nil, 0, false, err
		}
		if (f == nil) != (other == nil) || f != nil && !alike(f.Aspect(), Observations(f.Raw), Observations(other.Raw)) {
			return nil, 0, true, nil
		}
	}
	return f, flags, false, nil
}

// reduceCrash makes the input of a crash or failed test smaller.
func (j *Triager) reduceCrash(s *Replayer, m *Smaller, bucket string, budget int, flags uint64) (err error) {
	f := m.Finding
	first := f.Raw[f.Program]
	same := func(r []wire.RunResult) bool {
		return r[f.Program].Outcome == first.Outcome && r[f.Program].Class == first.Class && j.sameOther(f, r)
	}
	f.Crash = s.crash(&first, f.Flat)
	if f.Place = s.place(f.Program, f.Crash); j.crashBucket(f, f.Place, f.Raw) == bucket { // whatever the message
		same = func(r []wire.RunResult) bool {
			got := &r[f.Program]
			return got.Failure == first.Failure && got.Outcome == first.Outcome && s.place(f.Program, s.crash(got, f.Flat)) == f.Place && j.sameOther(f, r)
		}
	}
	all := s.leave(j.beside(f))
	f.Minimized, m.Tried, m.Done = j.search(s, f.Flat, budget, flags, nil, same, nil)
	all()
	err = s.toTheEnd(func() error {
		f.Results, err = s.Run(f.Minimized, flags)
		return err
	})
	if err != nil {
		return err
	}
	if !same(f.Results) { // what else was running at the time had its part in it
		f.Minimized, f.Results, m.Done = f.Flat, f.Raw, false
	}
	f.Crash = s.crash(&f.Results[f.Program], f.Minimized)
	if flags&wire.Settle == 0 {
		defer s.leave(j.beside(f))()
		m.Holed = j.holes(s, f, flags, nil, same)
	}
	return nil
}

// reduceBeside is reduce without the programs that fail on the input. What they do on the smaller one is looked up at the end.
func (j *Triager) reduceBeside(s *Replayer, m *Smaller, bucket string, budget int) error {
	f := m.Finding
	out, raw := j.beside(f), f.Raw
	all := s.leave(out)
	f.Raw, f.Results = without(raw, out), without(raw, out)
	err := j.reduce(s, m, bucket, budget)
	all()
	if f.Raw = raw; out == 0 {
		return err
	}
	results := raw
	if !bytes.Equal(f.Minimized, f.Flat) {
		ended := s.toTheEnd(func() (err error) {
			results, err = s.Run(f.Minimized, wire.WantDetail)
			return err
		})
		if ended != nil {
			return ended
		}
	}
	if f.Results = results; disagreeing(j.Layers, results)&f.Layer == 0 { // with those programs there is another disagreement
		f.Minimized, f.Results, m.Holed, m.Done = f.Flat, raw, false, false
	}
	return err
}

// reduce makes the input of a discrepancy smaller, and locates again, until the input stays as it is.
func (j *Triager) reduce(s *Replayer, m *Smaller, bucket string, budget int) error {
	f := m.Finding
	for {
		want := j.cause(f.Results, f.Layer, f.Minimized)
		at, err := Locate(s, j.Layers, j.Shape, f.Minimized, nil, neighborBudget, want.shown)
		if err != nil {
			return err
		}
		f.Deciding, f.Ranked = at.Deciding, at.Ranked
		moved := j.bucket(f.Results, f.Layer, at.Best, f.Minimized) != bucket
		decided := want.located(at)
		taken := false
		for _, keep := range append([]*cause{want.whole(at)}, want.parts(at)...) {
			var steps [][]byte // that were taken
			_, tried, done := j.search(s, f.Minimized, budget-m.Tried, keep.flags(), keep.wanted(), keep.shown, &steps)
			m.Tried, m.Done = m.Tried+tried, done
			keep = keep.anywhere()
			err = s.toTheEnd(func() error {
				taken, err = j.furthest(steps, func(flat []byte) (bool, error) { return j.belongs(s, f, keep, flat, bucket) })
				return err
			})
			if err != nil {
				return err
			}
			if taken {
				break
			}
		}
		if !taken {
			m.Moved = moved
			if !moved {
				m.Holed = j.holes(s, f, decided.flags(), decided.wanted(), decided.shown)
			}
			return nil
		}
	}
}

// belongs reports whether an input that shows the disagreement belongs to the bucket, and makes it the finding's if so.
func (j *Triager) belongs(s *Replayer, f *Finding, want *cause, flat []byte, bucket string) (bool, error) {
	if bytes.Equal(flat, f.Minimized) {
		return false, nil
	}
	results, err := s.Run(flat, wire.WantDetail)
	if err != nil || !want.shown(results) {
		return false, err
	}
	at, err := Locate(s, j.Layers, j.Shape, flat, nil, neighborBudget, j.cause(results, f.Layer, flat).shown)
	if err != nil || j.bucket(results, f.Layer, at.Best, flat) != bucket {
		return false, err
	}
	f.Minimized, f.Results, f.Deciding, f.Ranked = flat, results, at.Deciding, at.Ranked
	return true, nil
}

// furthest takes the last of the steps that belongs to the bucket, and reports whether there is one. Where the last of all
// does not, it looks for another by halves: a handful is looked at, since each costs as much as locating does.
func (j *Triager) furthest(steps [][]byte, belongs func([]byte) (bool, error)) (taken bool, err error) {
	low, high := 0, len(steps) // so many steps belong, so many do not
	for at := high; at > low; at = low + (high-low)/2 {
		ok, err := belongs(steps[at-1])
		if err != nil {
			return taken, err
		}
		if ok {
			low, taken = at, true
		} else {
			high = at
		}
	}
	return taken, nil
}

// search minimizes flat while its results stay the same, and appends what it takes on the way to steps, if that is not nil.
// What cannot be executed does not count as the same. Where inputs are repaired, it works on what is given to the repair
// function, and returns what that makes of it. want is as try has it.
func (j *Triager) search(s *Replayer, flat []byte, budget int, flags uint64, want []wire.Wanted, same func([]wire.RunResult) bool, steps *[][]byte) (small []byte, tried int, done bool) {
	small = flat
	stop := func() bool { return j.stopped(s) || s.enough > 0 && s.Executed > s.enough }
	if isTape(j.Shape, flat) {
		return shrink(flat, budget, stop, func(draft []byte) ([]byte, bool) {
			made, ok, _ := s.try(draft, flags, want, same)
			return made, ok
		}, func(taken []byte) {
			if steps != nil {
				*steps = append(*steps, taken)
			}
		})
	}
	if t := j.read(flat); t != nil {
		return j.shrinkText(flat, t, budget, stop, func(draft []byte) ([]byte, bool) {
			made, ok, _ := s.try(draft, flags, want, same)
			return made, ok
		}, func(taken []byte) {
			if steps != nil {
				*steps = append(*steps, taken)
			}
		})
	}
	_, tried, done = minimize.RunLayout(j.Shape, j.Traits.Layout, flat, budget, stop, func(draft []byte) bool {
		if stop() {
			return false
		}
		made, ok, _ := s.try(draft, flags, want, same)
		if !ok || len(made) > len(small) {
			return false
		}
		if !bytes.Equal(made, small) {
			small = slices.Clone(made)
			if steps != nil {
				*steps = append(*steps, small)
			}
		}
		return true
	})
	return small, tried, done && !stop()
}
