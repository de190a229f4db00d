package lockstep

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
	"time"
)

// order decides when each program runs a batch. All at once is best for programs that wait (a
// service, a tool that sleeps). If they compute, and outnumber the processors, then the slowest
// gets only an equal share and runs alone at the end. With one program four times as slow as four
// others, two processors finish after 5.5 units where 4 suffice. Longest first, one per processor
// (Graham's LPT rule), finishes after 4. The better policy is unknown, so both are tried, and the
// faster one is used until the next trial. The order does not affect observations.
type order struct {
	slots   int             // number of processors
	took    []time.Duration // by program: average time per input of recent batches
	cost    [2]time.Duration
	policy  int // of the current batch
	batches int
}

const (
	longestFirst = iota
	allAtOnce
)

// Out of trialEvery batches, trialLength use the policy that seemed slower, for the first time
// soon.
const (
	trialEvery  = 64
	trialLength = 2
)

func newOrder(programs int) *order {
	return &order{slots: runtime.GOMAXPROCS(0), took: make([]time.Duration, programs)}
}

// choose returns the policy of the next batch.
func (o *order) choose() int {
	if len(o.took) <= o.slots {
		return allAtOnce
	}
	best := longestFirst
	if o.cost[allAtOnce] != 0 && o.cost[allAtOnce] < o.cost[longestFirst] {
		best = allAtOnce
	}
	o.batches++
	if turn := o.batches % trialEvery; turn > 1 && turn <= 1+trialLength {
		return 1 - best
	}
	return best
}

// run calls do for every program, for n inputs. With n of 0 it records no times, because not all
// programs have the same work.
func (o *order) run(n int, do func(p int)) {
	if len(o.took) == 1 { // there is no other program to order
		do(0)
		return
	}
	o.policy = o.choose()
	start := time.Now()
	timed := func(p int) {
		began := time.Now()
		do(p)
		if n > 0 && o.policy == longestFirst {
			smooth(&o.took[p], time.Since(began)/time.Duration(n))
		}
	}
	turns := make([]int, len(o.took))
	for p := range turns {
		turns[p] = p
	}
	runners := len(turns)
	if o.policy == longestFirst {
		slices.SortStableFunc(turns, func(a, b int) int { return cmp.Compare(o.took[b], o.took[a]) })
		runners = min(runners, o.slots)
	}
	next := make(chan int, len(turns))
	for _, p := range turns {
		next <- p
	}
	close(next)
	var wait sync.WaitGroup
	for range runners {
		wait.Go(func() {
			for p := range next {
				timed(p)
			}
		})
	}
	wait.Wait()
	if n > 0 {
		smooth(&o.cost[o.policy], time.Since(start)/time.Duration(n))
	}
}

// smooth moves an average towards a measurement. Zero means that there is no average yet.
func smooth(average *time.Duration, d time.Duration) {
	if *average == 0 {
		*average = d
	} else {
		*average += (d - *average) / 8
	}
}
