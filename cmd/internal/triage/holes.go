package triage

import (
	"parallax/internal/minimize"
	"parallax/internal/wire"
)

const (
	holesBudget = 200 // inputs to look for holes of a finding
	deadlyHoles = 40  // the same when every run that reproduces ends a process
)

// holes finds out which bytes of the minimised input do not matter, and writes them to the finding. same says whether
// results, which have detail and hits, show the finding. A crash that needs time to show has no holes.
func (j *Judge) holes(s *Session, f *Finding, same func([]wire.RunResult) bool) {
	f.Holes = nil
	deaths := s.Deaths
	shown := func(flat []byte) bool {
		results, err := s.Run(s.Repair(flat), wire.WantDetail|wire.WantHits)
		return err == nil && same(results)
	}
	if j.stopped() || len(f.Minimized) == 0 || !shown(f.Minimized) {
		return
	}
	budget := holesBudget
	if s.Deaths > deaths {
		budget = deadlyHoles
	}
	made := s.computed(j.Shape, f.Minimized)
	f.Holes = withComputed(minimize.Holes(j.Shape, f.Minimized, budget, j.Stop, shown), made)
}

// stopped reports that the user does not want to wait any longer.
func (j *Judge) stopped() bool { return j.Stop != nil && j.Stop() }
