package lockstep

import (
	"context"
	"time"

	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// screen chooses the program that runs an input first, if an input is useful only when no program
// refuses it. It takes the one with the best chance of refusal per time. For independent tests,
// this order is optimal: Mitten, "An analytic solution to the least cost testing sequence problem",
// 1960. The choice does not change the verdict.
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

// shows reports whether a result has the wanted outcome. For a loosely wanted decline, any verdict
// suffices. Classes of crashes need their stacks, and are compared elsewhere.
func shows(r *wire.RunResult, want wire.Wanted) bool {
	if want.Loose && oracle.Outcome(want.Outcome) == oracle.Declined {
		return oracle.Outcome(r.Outcome) < oracle.Crashed
	}
	return r.Outcome == want.Outcome && (oracle.Outcome(r.Outcome) != oracle.Rejected || want.Loose || r.Class == want.Class)
}
