package regress

import (
	"slices"

	"parallax/cmd/internal/change/plan"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/finding/regress"
	"parallax/cmd/internal/subject"
)

// The change points that targets execute decide which functions are fuzzed, and for how long.

// missed marks change points that FuzzXxx reach, of two kinds. No seed of a FuzzXxx executes the
// first, and all these FuzzXxx drop the results of the second. It returns the numbers of both.
// Points without a block, such as those of declarations, belong to neither.
func (s *session) missed(runs []fuzzing.Run) (missed, dropped int, err error) {
	if s.NoSynthesis || s.Fuzz != "" {
		return 0, 0, nil
	}
	executed, judged := map[int]bool{}, map[int]bool{}
	for i := range runs {
		r, h := &runs[i], &s.plan.Harnesses[i]
		if h.Function { // chosen for points that no FuzzXxx reaches
			for _, at := range h.Reaches {
				executed[at], judged[at] = true, true
			}
		}
		executes, err := s.executed(r)
		if err != nil {
			return 0, 0, err
		} else if executes == nil {
			continue
		}
		for _, at := range h.Reaches {
			if executes(at) {
				executed[at] = true
				judged[at] = judged[at] || !slices.Contains(r.Options.Dropped, at)
			}
		}
	}
	for i := range s.plan.Points {
		switch pt := &s.plan.Points[i]; {
		case !pt.Reached || judged[i]:
		case executed[i]:
			pt.Missed = true
			dropped++
		default:
			pt.Missed = true
			missed++
		}
	}
	return missed, dropped, nil
}

// turn fuzzes a function that parallax chose, a part of its budget at a time. If a fair number of
// mutants executes no change point, the functions after it get the rest. If there are none, the
// first target that executed some of the change gets it.
func (s *session) turn(kill <-chan struct{}, runs []fuzzing.Run, at int) {
	list := s.plan.Harnesses
	r, h := &runs[at], &list[at]
	run := func(i int) {
		runs[i].Options.Budget = s.budget(&list[i])
		runs[i].Fuzz(s.ctx, kill, s.view)
	}
	if !s.idle(r, h) {
		run(at)
		return
	}
	first, rest := h.Cut()
	fair, best := s.fair(r), slices.IndexFunc(runs[:at], func(r fuzzing.Run) bool { return r.Summary.Covered() > 0 })
	for part := first; ; part, rest = rest.Take(first) {
		h.Share = part
		if run(at); r.Summary == nil || r.Err != nil || s.ctx.Err() != nil || rest.Part < first.Part/2 {
			return
		}
		if r.Summary.Covered() > 0 || best < 0 && at+1 == len(list) {
			h.Share = rest
			run(at)
			return
		}
		if r.Summary.Inputs >= fair {
			break
		}
	}
	s.view.Message(r.Name + " executes no change point: the rest of its budget goes to others")
	if !s.plan.Give(rest, at+1) {
		list[best].Part, list[best].Inputs = rest.Part, rest.Inputs
		run(best)
	}
}

// fair returns the number of inputs that a function executes before it gives up: its seeds and
// mutants.
func (s *session) fair(r *fuzzing.Run) uint64 {
	seeds, _, err := subject.Seeds(&r.Options.Options, r.Target.About())
	if err != nil { // run has reported it
		return regress.FairInputs
	}
	return uint64(len(seeds)) + regress.FairInputs
}

// idle builds a function, and reports whether no seed executes a change point that it reaches.
func (s *session) idle(r *fuzzing.Run, h *plan.Harness) bool {
	if r.Target == nil {
		t, err := r.Build(&r.Options)
		if err != nil {
			return false // run reports it
		}
		r.Target = t
	}
	executes, err := s.executed(r)
	return err == nil && executes != nil && !slices.ContainsFunc(h.Reaches, executes)
}

// executed runs the seeds of a target, and returns whether they execute a change point. Points
// without a block count as executed. The function is nil if the target has no blocks of the change.
func (s *session) executed(r *fuzzing.Run) (executes func(at int) bool, err error) {
	t, ok := r.Target.(*subject.Lockstep)
	if !ok || r.Options.Impact == nil {
		return nil, nil
	}
	blocks, err := t.Executed(s.ctx, &r.Options.Options)
	return func(at int) bool {
		list := r.Options.Impact.Points[at].Blocks
		return len(list) == 0 || slices.ContainsFunc(list, func(b uint32) bool { return blocks[b] })
	}, err
}
