package schedule

import "math"

// AFLGo's schedules (Böhme et al.: Directed Greybox Fuzzing, CCS 2017, sections 3.2 and 3.3, and
// its code). The targets are the change points, and not all impacted blocks. With impacted blocks
// AFLGo degenerates into coverage guidance (DeltaFuzz, section 3.1).
//
// A seed's distance d is the mean over its executed blocks, scaled to 0 to 1 between the queue's
// extremes. Its power is p = (1-d)(1-T) + T/2, where the temperature T = 20^(-t/tx) falls with
// time. tx, the time from exploration to exploitation, is a sixth of the budget, as ten minutes are
// of the papers' hour. Without a budget it is ten minutes. AFL's score is multiplied by
// 2^(10(p-1/2)). A seed that reaches no block with a path to a target counts as the farthest.
var (
	aflgoRow = Row{Name: "aflgo", Text: "AFLGo: towards the change, by the time that has passed", Needs: Impact | Clock, New: func(e Environment) Schedule {
		start, tx := e.Now(), exploration
		if e.Budget.Nanos > 0 {
			tx = float64(e.Budget.Nanos) * explorationShare
		}
		return newAFLGo(e, func(*aflgo) float64 { return float64(e.Now()-start) / tx })
	}}
	aflgoNoClockRow = Row{Name: "aflgo-noclock", Text: "aflgo by the number of mutants instead of time, without its factor for speed", Needs: Impact, New: func(e Environment) Schedule {
		tx := explorationRuns
		if e.Budget.Inputs > 0 {
			tx = float64(e.Budget.Inputs) * explorationShare
		}
		return newAFLGo(e, func(a *aflgo) float64 { return float64(a.ran) / tx })
	}}
)

const (
	exploration      = 600e9     // nanoseconds: ten minutes
	explorationRuns  = 600_000.0 // mutants: ten minutes at a thousand per second
	explorationShare = 1.0 / 6   // of the budget
)

// aflgo is AFL's queue with AFLGo's factor.
type aflgo struct {
	*queue
	environment Environment
	time        func(*aflgo) float64 // in units of tx
	ran         uint64

	least, most float64 // distances of the seeds that have one
}

func newAFLGo(e Environment, time func(*aflgo) float64) *aflgo {
	a := &aflgo{queue: newQueue(constant), environment: e, time: time, least: math.Inf(1), most: math.Inf(-1)}
	a.queue.scale = a
	return a
}

// Ran implements Schedule.
func (a *aflgo) Ran(r Result) {
	a.ran++
	a.queue.Ran(r)
}

func (a *aflgo) near(s Seed) float64 {
	d := a.environment.Impact.MeanDistance(s.Traces)
	if !math.IsInf(d, 1) {
		a.least, a.most = min(a.least, d), max(a.most, d)
	}
	return d
}

func (a *aflgo) factor(near float64, _ int) float64 {
	d := 0.0
	switch {
	case math.IsInf(near, 1):
		d = 1
	case a.most > a.least:
		d = (near - a.least) / (a.most - a.least)
	}
	temperature := math.Pow(20, -a.time(a))
	p := (1-d)*(1-temperature) + temperature/2
	return math.Exp2(10 * (p - 0.5))
}
