package lockstep

import (
	"context"
	"time"

	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// screen chooses the program that is to run an input first, where an input is of no use unless all
// programs do what is wanted: the one with the best chance to refuse it for its time. (For tests
// that are independent, sorting by cost over the chance of failing is the best order: Mitten, "An
// analytic solution to the least cost testing sequence problem", 1960.) Which one it is does not
// change whether all programs do what is wanted.
type screen struct {
	took          []time.Duration // by program
	runs, refused []int
}

func (s *screen) choose() int {
	best, least := 0, 0.0
	for p, took := range s.took {
		cost := float64(took) * float64(s.runs[p]+2) / float64(s.refused[p]+1)
		if p == 0 || cost < least {
			best, least = p, cost
		}
	}
	return best
}

// Screen implements worker.Remote.
func (l *lockstep) Screen(flat []byte, wanted []wire.Wanted) (bool, error) {
	s := &l.screen
	if len(s.took) == 0 {
		s.took = make([]time.Duration, len(l.running))
		s.runs, s.refused = make([]int, len(l.running)), make([]int, len(l.running))
	}
	if l.drawer != nil {
		var ok bool
		var err error
		if flat, ok, err = l.screenDrawn(flat); err != nil || !ok {
			return false, err
		}
	}
	p := s.choose()
	began := time.Now()
	var told [1]wire.RunResult
	err := l.running[p].detail(l.ctx, [][]byte{flat}, l.asText(0), told[:])
	if err == nil {
		err = l.digests[p].detail(l.ctx, told[:])
	}
	if l.ctx.Err() != nil {
		return false, context.Canceled
	}
	if err != nil {
		return false, explain(err)
	}
	smooth(&s.took[p], time.Since(began))
	may := shows(&told[0], wanted[p])
	s.runs[p]++
	if !may {
		s.refused[p]++
	}
	return may, nil
}

// shows reports whether a result has the outcome that is wanted; of who declined and is loose, any
// verdict is. Classes of crashes are known to who reads their stacks.
func shows(r *wire.RunResult, want wire.Wanted) bool {
	if want.Loose && oracle.Outcome(want.Outcome) == oracle.Declined {
		return oracle.Outcome(r.Outcome) < oracle.Crashed
	}
	return r.Outcome == want.Outcome && (oracle.Outcome(r.Outcome) != oracle.Rejected || want.Loose || r.Class == want.Class)
}
