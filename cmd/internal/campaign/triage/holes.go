package triage

import (
	"parallax/cmd/internal/base/minimize"
	"parallax/internal/wire"
)

const (
	holesBudget = 200 // inputs to search for the holes of a finding
	deadlyHoles = 40  // the same if every run that reproduces ends a process
)

// holes searches the bytes of the minimized input that do not matter, and stores them in the
// finding. flags, want and same are those of try. A crash that needs time to show has no holes.
// done is false if the user stopped the search, a run failed, or the finding did not show.
func (j *Triager) holes(s *Replayer, f *Result, flags uint64, want []wire.Wanted, same func([]wire.RunResult) bool) (done bool) {
	f.Holes = nil
	deaths, failed := s.Deaths, false
	shown := func(flat []byte) bool {
		_, ok, err := s.try(flat, flags, want, same)
		failed = failed || err != nil
		return ok
	}
	if j.stopped(s) {
		return false
	}
	if len(f.Minimized) == 0 || isTape(j.Shape, f.Minimized) { // the bytes of a tape are no text
		return true
	}
	if !shown(f.Minimized) {
		return false
	}
	budget := j.budget(holesBudget)
	if s.Deaths > deaths {
		budget = deadlyHoles
	}
	made := s.computed(j.Shape, f.Minimized)
	stop := func() bool { return j.stopped(s) }
	f.Holes = withComputed(minimize.Holes(j.Shape, f.Minimized, budget, stop, shown), made)
	return !failed && !stop()
}

// stopped reports that the user wants no further minimizing.
func (j *Triager) stopped(s *Replayer) bool {
	stopped := j.Stop != nil && j.Stop() || s.Ctx != nil && s.Ctx.Err() != nil
	j.cut = j.cut || stopped
	return stopped
}
