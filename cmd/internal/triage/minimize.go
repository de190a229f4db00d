package triage

import (
	"context"

	"parallax/internal/judge"
	"parallax/internal/wire"
)

// Minimize makes a known finding's input smaller, within a budget of inputs. It returns nil when the input does not show
// the finding any more.
//
// bucket is the finding's: an input that would belong to another is not taken for a smaller one.
func (j *Judge) Minimize(flat []byte, bucket, kind, layer string, budget int) (*Finding, error) {
	s := j.Session()
	defer s.Close()
	results, err := s.Run(flat, wire.WantDetail|wire.WantHits)
	if err != nil {
		return nil, err
	}
	f, flags := j.classify(&Finding{Flat: flat}, results, 0), uint64(wire.WantDetail)
	if (kind == judge.KindCrash || kind == judge.KindFailure) && (f == nil || f.Kind != kind) { // a goroutine that was left behind needs time to fail
		s.Fresh()
		flags |= wire.Settle
		if results, err = s.Run(flat, flags); err != nil {
			return nil, err
		}
		f = j.classify(&Finding{Flat: flat}, results, 0)
	}
	if f == nil || f.Kind != kind || f.Kind == Discrepancy && f.Layer.String() != layer {
		return nil, nil
	}
	f.Deciding = make([]int, len(j.Names))
	for p := range f.Deciding {
		f.Deciding[p] = None
	}
	same := func(r []wire.RunResult) bool {
		return r[f.Program].Outcome == results[f.Program].Outcome && r[f.Program].Class == results[f.Program].Class
	}
	if kind == Discrepancy {
		if err := j.order(context.Background(), s); err != nil {
			return nil, err
		}
		return j.minimizeDiscrepancy(s, f, bucket, budget)
	}
	f.Crash = s.crash(&results[f.Program], flat)
	f.Minimized = j.shrink(s, flat, budget, flags, same)
	f.Results, err = s.Run(f.Minimized, flags|wire.WantDetail)
	f.Runs = s.Runs
	return f, err
}

func (j *Judge) minimizeDiscrepancy(s *Session, f *Finding, bucket string, budget int) (*Finding, error) {
	want := j.cause(f.Raw, f.Layer, f.Flat)
	locate := func(flat []byte) (*Located, error) {
		return Locate(s, j.Layers, j.Shape, flat, nil, neighbourBudget, want.shown)
	}
	at, err := locate(f.Flat)
	if err != nil {
		return nil, err
	}
	f.Deciding, f.Ranked = at.Deciding, at.Ranked
	want.deciding = f.Deciding
	f.Minimized = j.shrink(s, f.Flat, budget, wire.WantHits, want.shown)
	want.deciding = nil
	if f.Results, err = s.Run(f.Minimized, wire.WantDetail); err != nil {
		return nil, err
	}
	if at, err = locate(f.Minimized); err != nil {
		return nil, err
	}
	if j.bucket(f.Results, f.Layer, at.Deciding, f.Minimized) == bucket {
		f.Deciding, f.Ranked = at.Deciding, at.Ranked
	} else {
		f.Minimized, f.Results = f.Flat, f.Raw
	}
	f.Runs = s.Runs
	return f, nil
}
