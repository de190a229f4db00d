package execute

import (
	"os"
	"testing"
	"time"
)

func TestDelays(t *testing.T) {
	before := delays{"1": 5, "2": 100}
	for _, c := range []struct {
		now  delays
		want int64
	}{
		{nil, 0},
		{before, 0},
		{delays{"1": 9, "2": 101}, 4},
		{delays{"3": 7}, 7}, // a new thread
	} {
		if got := c.now.maxIncrease(before); int64(got) != c.want {
			t.Errorf("%v since %v: %d, want %d", c.now, before, got, c.want)
		}
	}
	if _, err := os.Stat("/proc/self/schedstat"); err == nil && len(runDelays(os.Getpid())) == 0 {
		t.Error("no thread of our own")
	}
	if d := runDelays(-1); len(d) != 0 {
		t.Errorf("of no process: %v", d)
	}
}

func TestDelayed(t *testing.T) {
	for _, c := range []struct{ seen, took, unseen, want time.Duration }{
		{0, 100, 20, 0},
		{70, 80, 10, 80}, // all of the run was seen
		{35, 80, 10, 40},
		{5, 10, 10, 5},
		{5, 10, 0, 5},
	} {
		if got := extrapolateDelay(c.seen, c.took, c.unseen); got != c.want {
			t.Errorf("%d of %d, %d of them unseen: %d, want %d", c.seen, c.took, c.unseen, got, c.want)
		}
	}
}
