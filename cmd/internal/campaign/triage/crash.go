package triage

import (
	"bytes"
	"fmt"

	"parallax/cmd/internal/finding/causes"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// shortInput is the size in bytes of an input that people read as it is.
const shortInput = 16

// Findings of one program: crashes, failures and limits, what names their bucket and how they become smaller.

// crash names the bucket by the crash and minimizes within it.
func (j *Triager) crash(s *Replayer, f *Finding) error {
	r := f.Raw[f.Program]
	j.name(s, f, f.Raw, f.Flat)
	all := s.leave(j.beside(f))
	defer func() { all() }()
	if err := j.compute(s, f); err != nil {
		return err
	}
	f.Before, f.Minimized, f.Results = f.Bucket, f.Flat, f.Raw
	f.Deciding = make([]int, len(j.Names))
	for p := range f.Deciding {
		f.Deciding[p] = None
	}
	f.enough = j.saturated(f.Bucket)
	if f.Kind != oracle.KindCrash && f.Kind != oracle.KindFailure || f.enough {
		return nil // every try of what runs into a limit would cost the whole limit
	}
	deaths, left := s.Deaths, s.LeftBehind
	budget, flags := j.budget(minimizeBudget), uint64(wire.WantDetail)
	at, err := s.Run(f.Flat, flags)
	if err == nil && at[f.Program].Class != r.Class && s.skip != 0 { // what another program does may be why
		all()
		at, err = s.Run(f.Flat, flags)
	}
	if err != nil {
		return err
	}
	if at[f.Program].Class != r.Class || s.LeftBehind > left { // a goroutine that was left behind needs time to fail
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
		// Messages of failed tests often hold what the test computed, so that a smaller input has another one. Then the
		// place must stay. A short input needs no smaller one, and keeps its message: one line may report many causes.
		same = there
		f.Minimized = j.shrink(s, f.Flat, budget, flags, nil, same)
	}
	left = s.Deaths
	all()
	results, err := s.Run(f.Minimized, flags)
	if err == nil && same(results) {
		f.Results = results
		j.name(s, f, results, f.Minimized)
		if left == deaths && flags&wire.Settle == 0 { // else each try costs a process
			all = s.leave(j.beside(f))
			j.holes(s, f, wire.WantDetail, nil, same)
		}
	} else {
		f.Minimized = f.Flat
	}
	return err
}

// sameOther reports whether the other one of two versions fails if it did on the input that was found, and else does not: an input that only the
// new version fails on must not become one that both do.
func (j *Triager) sameOther(f *Finding, results []wire.RunResult) bool {
	return !j.Versions || fails(&results[1-f.Program]) == fails(&f.Raw[1-f.Program])
}

func fails(r *wire.RunResult) bool { return oracle.Outcome(r.Outcome) >= oracle.Crashed }

// crashBucket names the bucket of a crash by its key: what both of two versions fail in is another one than what only one does.
func (j *Triager) crashBucket(f *Finding, key string, results []wire.RunResult) string {
	parts := []string{f.Kind, j.Names[f.Program], key}
	if j.Versions && fails(&results[1-f.Program]) {
		parts = append(parts, "both")
	}
	return causes.BucketID(parts...)
}

// name reads a crash from results and names its bucket.
func (j *Triager) name(s *Replayer, f *Finding, results []wire.RunResult, flat []byte) {
	f.Crash = s.crash(&results[f.Program], flat)
	f.Place = s.place(f.Program, f.Crash)
	key := s.key(f.Program, f.Crash)
	f.Shared, f.Own, f.Placed = 0, "", j.Computed.Has(f.Place)
	switch {
	case f.Placed:
		key = f.Place
	case j.Known != nil:
		f.Own = j.crashBucket(f, key, results)
		if f.Shared = j.Known.Shared(f.Place, f.Own, len(f.Crash.Frames) > 0); f.Shared > 0 {
			key = fmt.Sprint(f.Place, " | shared ", f.Shared)
		}
	}
	f.Bucket = j.crashBucket(f, key, results)
}

const (
	computedBudget = 64 // neighbors that are executed to see whether their messages differ
	// So many messages, and three quarters of all, must differ. A line that reports errors of all kinds has fewer kinds.
	computedMin = 6
)

// compute finds out whether the message of a failure holds what was computed from the input, in ways that no rule takes out,
// as in `got %s, want %s`: then hardly two inputs that fail in one place have the same one, and the place names the bucket.
func (j *Triager) compute(s *Replayer, f *Finding) error {
	r := &f.Raw[f.Program]
	if f.Kind != oracle.KindFailure || j.Computed.Has(f.Place) || j.saturated(f.Bucket) {
		return nil
	}
	if isTape(j.Shape, f.Flat) {
		results, err := s.Run(f.Flat, wire.WantDetail)
		if err != nil {
			return err
		}
		if tellsDrawn(results[f.Program].Panic, Drawn(results)) {
			j.Computed.Add(f.Place)
			j.name(s, f, f.Raw, f.Flat)
			return nil
		}
	}
	keys, total, deaths := map[string]bool{}, 0, s.Deaths
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
		}
	}
	if len(keys) < computedMin || 4*len(keys) < 3*total {
		return nil
	}
	j.Computed.Add(f.Place)
	j.name(s, f, f.Raw, f.Flat)
	return nil
}
