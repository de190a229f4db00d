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

// Smaller is the result of minimizing a finding's input.
type Smaller struct {
	// Result has the smallest input, its results and holes. Nil means that nothing shows.
	Result *Result
	Wavers bool // the input shows the finding only in some runs; nothing was tried
	Moved  bool // the input shows it in another bucket, as programs have changed; nothing is taken
	Tried  int  // inputs that were tried, out of the budget
	Done   bool // nothing smaller is left to try
	Holed  bool // the search for holes is complete; else known holes of the same input still hold
}

// Minimize minimizes the input of a known finding, with a budget of inputs to try, apart from
// locating and holes. The bucket stays: outcomes, error classes, and deciding blocks, or the class
// or place of a crash. If the programs are unchanged, the bucket that flat shows now may stay too.
// It can differ, since neighbors depend on how an input was found. program is the one that fails,
// or NoProgram, as for Recorded. When ctx ends, Minimize returns the smallest input so far. If
// nothing is known yet, it returns the error of ctx.
func (j *Triager) Minimize(ctx context.Context, flat []byte, bucket, kind, layer string, program, budget int) (*Smaller, error) {
	s := j.Replayer()
	s.Ctx = ctx
	s.disagreement(Disagrees(kind))
	defer s.Close()
	f, flags, wavers, err := j.reproduce(s, flat, kind, layer, program)
	if f == nil || err != nil {
		return &Smaller{Wavers: wavers}, err
	}
	f.Deciding = make([]int, len(j.Names))
	for p := range f.Deciding {
		f.Deciding[p] = None
	}
	m := &Smaller{Result: f}
	if Disagrees(kind) {
		if err = j.recordOrder(ctx, s); err == nil {
			err = j.reduceWithout(s, m, bucket, budget)
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

// afterEnd does necessary work on a smaller input although the replayer's context has ended.
func (s *Replayer) afterEnd(work func() error) error {
	ctx := s.Ctx
	s.Ctx = nil
	defer func() { s.Ctx = ctx }()
	return work()
}

// reproduce executes the input three times, in two processes. It returns the finding that each run
// shows, and the flags of these runs. wavers reports that the runs differ.
func (j *Triager) reproduce(s *Replayer, flat []byte, kind, layer string, program int) (f *Result, flags uint64, wavers bool, err error) {
	show := func() (*Result, error) {
		results, err := s.Run(flat, flags)
		if err != nil {
			return nil, err
		}
		of, shown := Recorded(j.Layers, kind, layer, program, results)
		if !shown {
			return nil, nil
		}
		return j.classify(&Result{Flat: flat, Minimized: flat, Results: results}, results, of), nil
	}
	flags = wire.WantDetail
	left := s.LeftBehind
	if f, err = show(); err != nil {
		return nil, 0, false, err
	}
	if (f == nil || s.LeftBehind > left) && (kind == oracle.KindCrash || kind == oracle.KindFailure) { // a leftover goroutine needs time to fail
		flags |= wire.Settle
		s.Fresh()
		if f, err = show(); err != nil {
			return nil, 0, false, err
		}
	}
	if kind == oracle.KindTimeout || kind == oracle.KindOOM {
		return f, flags, false, nil // each run takes the whole limit
	}
	for n := 0; n < 2; n++ {
		if n == 1 {
			s.Fresh()
		}
		other, err := show()
		if err != nil {
			return nil, 0, false, err
		}
		if (f == nil) != (other == nil) || f != nil && Differ(f.Aspect(), Observations(f.Raw), Observations(other.Raw)) != 0 {
			return nil, 0, true, nil
		}
	}
	return f, flags, false, nil
}

// reduceCrash minimizes the input of a crash or failed test.
func (j *Triager) reduceCrash(s *Replayer, m *Smaller, bucket string, budget int, flags uint64) (err error) {
	f := m.Result
	first := f.Raw[f.Program]
	same := func(r []wire.RunResult) bool {
		return r[f.Program].Outcome == first.Outcome && r[f.Program].Class == first.Class && j.sameOther(f, r)
	}
	f.Crash = s.crash(&first, f.Flat)
	if f.Place = s.place(f.Program, f.Crash); j.crashBucket(f, f.Place, f.Raw) == bucket { // with any message
		same = func(r []wire.RunResult) bool {
			got := &r[f.Program]
			return got.Failure == first.Failure && got.Outcome == first.Outcome && s.place(f.Program, s.crash(got, f.Flat)) == f.Place && j.sameOther(f, r)
		}
	}
	all := s.leave(j.dispensable(f))
	f.Minimized, m.Tried, m.Done = j.search(s, f.Flat, budget, flags, nil, same, nil)
	all()
	err = s.afterEnd(func() error {
		f.Results, err = s.Run(f.Minimized, flags)
		return err
	})
	if err != nil {
		return err
	}
	if !same(f.Results) { // another program may have had its part
		f.Minimized, f.Results, m.Done = f.Flat, f.Raw, false
	}
	f.Crash = s.crash(&f.Results[f.Program], f.Minimized)
	if flags&wire.Settle == 0 {
		defer s.leave(j.dispensable(f))()
		m.Holed = j.holes(s, f, flags, nil, same)
	}
	return nil
}

// reduceWithout calls reduce without the programs that fail on the input. They run on the result.
func (j *Triager) reduceWithout(s *Replayer, m *Smaller, bucket string, budget int) error {
	f := m.Result
	out, raw := j.dispensable(f), f.Raw
	all := s.leave(out)
	f.Raw, f.Results = without(raw, out), without(raw, out)
	err := j.reduce(s, m, bucket, budget)
	all()
	if f.Raw = raw; out == 0 {
		return err
	}
	results := raw
	if !bytes.Equal(f.Minimized, f.Flat) {
		ended := s.afterEnd(func() (err error) {
			results, err = s.Run(f.Minimized, wire.WantDetail)
			return err
		})
		if ended != nil {
			return ended
		}
	}
	if f.Results = results; disagreeing(j.Layers, results)&f.Layer == 0 { // all programs together disagree otherwise
		f.Minimized, f.Results, m.Holed, m.Done = f.Flat, raw, false, false
	}
	return err
}

// reduce minimizes the input of a discrepancy and locates again, until the input stays the same.
func (j *Triager) reduce(s *Replayer, m *Smaller, bucket string, budget int) error {
	f := m.Result
	for {
		want := j.cause(f.Results, f.Layer, f.Minimized)
		at, err := Locate(s, j.Layers, j.Shape, f.Minimized, nil, j.budget(neighborBudget), want.shown)
		if err != nil {
			return err
		}
		f.Deciding, f.Ranked = at.Deciding, at.Ranked
		names := j.names(f.Results, f.Layer, at, f.Minimized)
		name, moved := names[0], !j.Unchanged && !slices.Contains(names, bucket)
		if moved { // a smaller input may be of the bucket
			name = bucket
		}
		decided := want.withPlaces(at)
		taken := false
		for _, keep := range append([]*cause{want.forMinimizing(at)}, want.parts(at)...) {
			var steps [][]byte // accepted smaller inputs
			_, tried, done := j.search(s, f.Minimized, budget-m.Tried, keep.flags(), keep.wanted(), keep.shown, &steps)
			m.Tried, m.Done = m.Tried+tried, done
			keep = keep.withoutPlaces()
			err = s.afterEnd(func() error {
				taken, err = j.lastBelonging(steps, func(flat []byte) (bool, error) { return j.belongs(s, f, keep, flat, name, bucket) })
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

// belongs reports whether an input belongs to one of the buckets, and then makes it the finding's.
func (j *Triager) belongs(s *Replayer, f *Result, want *cause, flat []byte, buckets ...string) (bool, error) {
	if bytes.Equal(flat, f.Minimized) {
		return false, nil
	}
	results, err := s.Run(flat, wire.WantDetail)
	if err != nil || !want.shown(results) {
		return false, err
	}
	at, err := Locate(s, j.Layers, j.Shape, flat, nil, j.budget(neighborBudget), j.cause(results, f.Layer, flat).shown)
	if err != nil || !slices.ContainsFunc(j.names(results, f.Layer, at, flat), func(name string) bool { return slices.Contains(buckets, name) }) {
		return false, err
	}
	f.Minimized, f.Results, f.Deciding, f.Ranked = flat, results, at.Deciding, at.Ranked
	return true, nil
}

// lastBelonging takes the last step that belongs to the bucket, found by bisection.
func (j *Triager) lastBelonging(steps [][]byte, belongs func([]byte) (bool, error)) (taken bool, err error) {
	low, high := 0, len(steps) // low steps belong, steps from high on do not
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

// search minimizes flat while its results stay the same, and appends the steps to steps unless that
// is nil. Runs that fail do not count as the same. Repaired inputs are minimized as given to the
// repair function, and small is its result. want is that of try.
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
