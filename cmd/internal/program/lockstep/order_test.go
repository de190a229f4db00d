package lockstep

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestOrderLongestFirst checks that every program runs once per batch. Longest first runs at most
// one per processor, and the longest is the first. The clock is fake: on a busy machine any program
// could be the slowest for a while.
func TestOrderLongestFirst(t *testing.T) { synctest.Test(t, orderLongestFirst) }

func orderLongestFirst(t *testing.T) {
	const programs, slots = 5, 2
	o := newOrder(programs)
	o.slots = slots
	var now, most, started atomic.Int32
	for batch := range 40 {
		var ran [programs]atomic.Int32
		most.Store(0)
		started.Store(0)
		first := int32(-1)
		o.run(1, func(p int) {
			if started.Add(1) <= slots && p == programs-1 {
				first = int32(p)
			}
			n := now.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			if p == programs-1 {
				time.Sleep(4 * time.Millisecond)
			} else {
				time.Sleep(time.Millisecond / 2)
			}
			now.Add(-1)
			ran[p].Add(1)
		})
		for p := range ran {
			if ran[p].Load() != 1 {
				t.Errorf("batch %d: program %d ran %d times", batch, p, ran[p].Load())
			}
		}
		if o.policy == longestFirst && most.Load() > slots {
			t.Errorf("batch %d: %d programs at once", batch, most.Load())
		}
		if batch > 1 && o.policy == longestFirst && first != programs-1 {
			t.Errorf("batch %d: the slowest program was not among the first %d", batch, slots)
		}
	}
}

// TestOrderLearns checks that programs that wait run at once after the first trial. Programs that
// compute run one per processor.
func TestOrderLearns(t *testing.T) {
	for name, want := range map[string]int{"waiting": allAtOnce, "computing": longestFirst} {
		o := newOrder(6)
		o.slots = 2
		for range 64 {
			o.policy = o.choose()
			cost := 10 * time.Millisecond
			if (o.policy == allAtOnce) != (want == allAtOnce) {
				cost *= 2
			}
			smooth(&o.cost[o.policy], cost)
		}
		if got := o.choose(); got != want {
			t.Errorf("%s: policy %d, want %d", name, got, want)
		}
	}
	if o := newOrder(2); o.slots >= 2 && o.choose() != allAtOnce {
		t.Error("two programs on two processors take turns")
	}
}
