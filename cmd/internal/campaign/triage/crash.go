package triage

import (
	"bytes"
	"fmt"

	"parallax/cmd/internal/finding/causes"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// shortInput is the size in bytes up to which an input needs no minimizing to be read.
const shortInput = 16

// crash names the bucket of a failure and minimizes its input within the bucket.
func (j *Triager) crash(s *Replayer, f *Result) error {
	r := f.Raw[f.Program]
	j.name(s, f, f.Raw, f.Flat)
	all := s.leave(j.dispensable(f))
	defer func() { all() }()
	if err := j.compute(s, f); err != nil {
		return err
	}
	f.Before, f.Minimized, f.Results = f.Bucket, f.Flat, f.Raw
	own := f.Own
	f.Deciding = make([]int, len(j.Names))
	for p := range f.Deciding {
		f.Deciding[p] = None
	}
	f.enough = j.saturated(f.Bucket)
	if f.Kind != oracle.KindCrash && f.Kind != oracle.KindFailure || f.enough {
		return nil // each run of a timeout or oom would take the whole limit
	}
	deaths, left := s.Deaths, s.LeftBehind
	budget, flags := j.budget(minimizeBudget), uint64(wire.WantDetail)
	at, err := s.Run(f.Flat, flags)
	if err == nil && at[f.Program].Class != r.Class && s.skip != 0 { // another program may be the reason
		all()
		at, err = s.Run(f.Flat, flags)
	}
	if err != nil {
		return err
	}
	if at[f.Program].Class != r.Class || s.LeftBehind > left { // a leftover goroutine needs time to fail
		flags |= wire.Settle
		s.Fresh()
	}
	f.flags = flags
	if s.Deaths > deaths || flags&wire.Settle != 0 {
		budget = deadlyBudget
	}
	same := func(results []wire.RunResult) bool {
		return results[f.Program].Outcome == r.Outcome && results[f.Program].Class == r.Class && j.sameOther(f, results)
	}
	there := func(results []wire.RunResult) bool {
		got := &results[f.Program]
		return got.Failure == r.Failure && got.Outcome == r.Outcome && s.place(f.Program, s.crash(got, f.Flat)) == f.Place && j.sameOther(f, results)
	}
	if j.Computed.Has(f.Place) {
		same = there
	}
	f.Minimized = j.shrink(s, f.Flat, budget, flags, nil, same)
	if f.Kind == oracle.KindFailure && len(f.Flat) > shortInput && bytes.Equal(f.Minimized, f.Flat) {
		// Messages of failed tests often hold computed values. Then only the place must stay. A
		// short input keeps its message: one line may report many causes.
		same = there
		f.Minimized = j.shrink(s, f.Flat, budget, flags, nil, same)
	}
	left = s.Deaths
	all()
	results, err := s.Run(f.Minimized, flags)
	if err == nil && same(results) {
		f.Results = results
		if j.name(s, f, results, f.Minimized); f.Placed && f.Own != own {
			f.Own = "" // the message may have changed to an accepted one
		}
		if left == deaths && flags&wire.Settle == 0 { // else each run costs a process
			all = s.leave(j.dispensable(f))
			j.holes(s, f, wire.WantDetail, nil, same)
		}
	} else {
		f.Minimized = f.Flat
	}
	return err
}

// sameOther reports whether the other one of two versions fails as on the original input. An input
// on which only the new version fails must not become one on which both fail.
func (j *Triager) sameOther(f *Result, results []wire.RunResult) bool {
	return !j.Versions || fails(&results[1-f.Program]) == fails(&f.Raw[1-f.Program])
}

func fails(r *wire.RunResult) bool { return oracle.Outcome(r.Outcome) >= oracle.Crashed }

// crashBucket returns the bucket of a crash by its key. A crash of both versions has another.
func (j *Triager) crashBucket(f *Result, key string, results []wire.RunResult) string {
	parts := []string{f.Kind, j.Names[f.Program], key}
	if j.Versions && fails(&results[1-f.Program]) {
		parts = append(parts, "both")
	}
	return causes.BucketID(parts...)
}

// name parses a crash in results and names its bucket.
func (j *Triager) name(s *Replayer, f *Result, results []wire.RunResult, flat []byte) {
	f.Crash = s.crash(&results[f.Program], flat)
	f.Place = s.place(f.Program, f.Crash)
	key := s.key(f.Program, f.Crash)
	f.Shared, f.Own, f.Whole, f.Placed = 0, j.crashBucket(f, key, results), "", j.Computed.Has(f.Place)
	if f.Kind == oracle.KindFailure {
		f.Whole = j.crashBucket(f, f.Place, results)
	}
	switch {
	case f.Placed:
		key = f.Place
	case j.Known != nil:
		if f.Shared = j.Known.Shared(f.Place, f.Own, len(f.Crash.Frames) > 0); f.Shared > 0 {
			key = fmt.Sprint(f.Place, " | shared ", f.Shared)
		}
	}
	f.Bucket = j.crashBucket(f, key, results)
}

const (
	computedBudget = 64 // neighbors whose messages are compared
	// At least computedMin messages, and three quarters of all, must differ, unless one changes with a
	// drawn value.
	computedMin = 6
)

// compute determines whether the message of a failure holds computed values, as in `got %s, want
// %s`. Then messages differ between inputs, and the place names the bucket.
func (j *Triager) compute(s *Replayer, f *Result) error {
	r := &f.Raw[f.Program]
	if f.Kind != oracle.KindFailure || j.Computed.Has(f.Place) || j.saturated(f.Bucket) {
		return nil
	}
	message, drawn := "", ""
	if isTape(j.Shape, f.Flat) {
		results, err := s.Run(f.Flat, wire.WantDetail)
		if err != nil {
			return err
		}
		message, drawn = results[f.Program].Panic, Drawn(results)
	}
	computed, keys, total, deaths := false, map[string]bool{}, 0, s.Deaths
	for _, flat := range s.repaired(Neighbors(j.Shape, f.Flat, computedBudget), f.Flat) {
		results, err := s.Run(flat, wire.WantDetail)
		if err != nil {
			return err
		}
		if s.Deaths-deaths > maxDeaths {
			return nil
		}
		got := &results[f.Program]
		if !got.Failure || got.Outcome != r.Outcome {
			continue
		}
		if c := s.crash(got, flat); s.place(f.Program, c) == f.Place {
			keys[s.key(f.Program, c)] = true
			total++
			if computed = s.key(f.Program, c) != s.key(f.Program, f.Crash) && varies(message, drawn, got.Panic, Drawn(results)); computed {
				break
			}
		}
	}
	if !computed && (len(keys) < computedMin || 4*len(keys) < 3*total) {
		return nil
	}
	j.Computed.Add(f.Place)
	j.name(s, f, f.Raw, f.Flat)
	return nil
}
