package triage

import (
	"slices"

	"parallax/cmd/internal/finding"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// confirm executes the candidate twice in a fresh process. With the run of the fuzzing worker,
// these are three runs in two processes. A nil finding did not show again. A program that runs out
// of memory must do so alone: memory that another one has left in the process counts there.
func (j *Triager) confirm(s *Replayer, c finding.Candidate) (f *Result, wavered Wavering, err error) {
	f, wavered, err = j.repeated(s, c)
	if f == nil || err != nil || f.Kind != oracle.KindOOM || len(j.Names) == 1 || j.Traits.SeparateProcesses {
		return f, wavered, err
	}
	s.Fresh()
	all := s.leave((uint64(1)<<len(j.Names) - 1) &^ (1 << f.Program))
	defer all()
	results, err := s.Run(f.Flat, wire.WantDetail)
	if err != nil {
		return nil, Wavering{}, err
	}
	if oracle.Outcome(results[f.Program].Outcome) != oracle.OOM {
		return nil, Wavering{Programs: 1 << f.Program, Why: WhyShared, Gone: true}, nil
	}
	return f, wavered, nil
}

// repeated is confirm without the run of a program alone.
func (j *Triager) repeated(s *Replayer, c finding.Candidate) (f *Result, wavered Wavering, err error) {
	if c.Deadly {
		if f, err = j.culprit(s, c); f == nil && err == nil {
			wavered = Wavering{Why: WhyDeath, Gone: true}
			if c.Ended == oracle.Timeout {
				wavered.Why = WhyLimit
			} else if c.Ended == oracle.OOM {
				wavered.Why = WhyMemory
			}
		}
		return f, wavered, err
	}
	flags := uint64(wire.WantDetail)
	for {
		s.Fresh()
		deaths := s.Deaths
		first, again, err := twice(s, c.Flat, flags)
		if err != nil {
			return nil, Wavering{}, err
		}
		one, two := Observations(first), Observations(again)
		wavered = waver(mismatch(AspectOf(&c), c.Seen, one), c.Seen, one, WhyEarlier)
		if w := waver(Differ(AspectOf(&c), one, two), one, two, WhyRun); w.Programs != 0 {
			wavered = Wavering{Programs: wavered.Programs | w.Programs, Why: w.Why}
		}
		wavered.Gone = !j.showing(AspectOf(&c), first) && !j.showing(AspectOf(&c), again)
		wavered.addMessage(first)
		wavered.addMessage(again)
		if wavered.Programs == 0 {
			f = j.classify(&Result{Flat: c.Flat, flags: flags, deadly: s.Deaths > deaths}, first, AspectOf(&c))
			switch {
			case f == nil:
				return nil, Wavering{Why: WhyNothing, Gone: true}, nil
			case !f.dear(j.Layers, again):
				return nil, Wavering{Why: WhyCost}, nil
			}
			return f, Wavering{}, nil
		}
		// Under a lockstep process, a leftover goroutine needs time to end its program's process.
		if flags&wire.Settle != 0 || !j.Traits.SeparateProcesses || !slices.ContainsFunc(c.Seen, func(o oracle.Observation) bool { return o.Outcome == oracle.Crashed }) {
			return nil, wavered, nil
		}
		flags |= wire.Settle
	}
}

// twice runs an input two times in one process.
func twice(s *Replayer, flat []byte, flags uint64) (first, again []wire.RunResult, err error) {
	if first, err = s.Run(flat, flags); err == nil {
		again, err = s.Run(flat, flags)
	}
	return first, again, err
}

// showing reports whether results show an aspect. The zero Aspect matches any.
func (j *Triager) showing(want Aspect, results []wire.RunResult) bool {
	list := Aspects(j.Layers, results)
	return slices.Contains(list, want) || want == Aspect{} && len(list) > 0
}

// classify completes a finding from repeated results. It returns nil if they do not show the wanted
// aspect. The zero Aspect means their first one.
func (j *Triager) classify(f *Result, results []wire.RunResult, want Aspect) *Result {
	list := Aspects(j.Layers, results)
	switch {
	case len(list) == 0 || want != Aspect{} && !slices.Contains(list, want):
		return nil
	case want == Aspect{}:
		want = list[0]
	}
	f.Raw = results
	if f.Layer = want.Layer; f.Layer != 0 {
		f.Kind, f.Dear = disagreement(f.Layer), Dear(j.Layers, results).First()
		return f
	}
	f.Program = want.Failing - 1
	f.Kind = Kind(&results[f.Program])
	return f
}

// culprit returns the finding of the latest input that ends a process by itself. A goroutine that
// outlives its input may end the worker some inputs later. The candidate's aspect counts if the
// input shows it, else the first that it shows.
func (j *Triager) culprit(s *Replayer, c finding.Candidate) (*Result, error) {
	inputs := append([][]byte{c.Flat}, c.Before...)
	for i, flat := range inputs {
		if i == settleLimit {
			break
		}
		s.Fresh()
		deaths := s.Deaths
		results, err := s.Run(flat, wire.WantDetail|wire.Settle)
		if err != nil {
			return nil, err
		}
		if _, failed := Failed(results); failed {
			want := AspectOf(&c)
			if !slices.Contains(Aspects(j.Layers, results), want) {
				want = Aspect{}
			}
			return j.classify(&Result{Flat: flat, flags: wire.WantDetail | wire.Settle, deadly: s.Deaths > deaths}, results, want), nil
		}
	}
	return nil, nil
}

// mismatch returns the set of programs that differ between a fresh process and the worker. The
// classes of failures do not count, nor do programs that the worker did not run.
func mismatch(of Aspect, seen, fresh []oracle.Observation) uint64 {
	if len(seen) != len(fresh) {
		return 0
	}
	seen = slices.Clone(seen)
	for p := range seen {
		switch {
		case seen[p].Outcome == 0:
			seen[p] = fresh[p]
		case seen[p].Outcome >= oracle.Crashed:
			seen[p].Class = fresh[p].Class
		}
	}
	return Differ(of, seen, fresh)
}
