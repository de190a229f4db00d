package lockstep

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
	"time"
)

// order decides when each program runs a batch. All at once is best where programs wait (a service,
// a tool that sleeps). Where they compute and there are more of them than processors, the slowest
// then gets no more of a processor than the others, and is alone at the end: with one program four
// times as slow as four others, two processors are done after 5.5 units of 4 that are needed.
// Longest first, one a processor (Graham's LPT rule), is done after 4. Which holds is not known
// before, so that both are tried, and the quicker stays until the next trial. The order changes
// nothing of what is observed.
type order struct {
	slots   int             // processors
	took    []time.Duration // by program: its latest batches, an input
	cost    [2]time.Duration
	policy  int // of the batch under way
	batches int
}

const (
	longestFirst = iota
	allAtOnce
)

// In trialEvery batches, trialLength run by the policy that seemed slower, the first time soon.
const (
	trialEvery  = 64
	trialLength = 2
)

func newOrder(programs int) *order {
	return &order{slots: runtime.GOMAXPROCS(0), took: make([]time.Duration, programs)}
}

// choose says how the next batch runs.
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

// run calls do for every program, which is to run n inputs. Where n is 0, nothing is learned from
// it: not all programs have the same work.
func (o *order) run(n int, do func(p int)) {
	if len(o.took) == 1 { // there is nobody to wait for
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
		wait.Add(1)
		go func() {
			defer wait.Done()
			for p := range next {
				timed(p)
			}
		}()
	}
	wait.Wait()
	if n > 0 {
		smooth(&o.cost[o.policy], time.Since(start)/time.Duration(n))
	}
}

// smooth moves an average towards a measurement; a zero average has none yet.
func smooth(average *time.Duration, d time.Duration) {
	if *average == 0 {
		*average = d
	} else {
		*average += (d - *average) / 8
	}
}
