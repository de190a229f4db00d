package engine

import "time"

// clock measures how long the programs run, for schedules that need it. Without such a schedule it
// never reads the time, so that a campaign repeats.
type clock struct {
	now     func() int64 // nil means that nothing is measured
	started int64
	nanos   int64 // time of the programs for the current input, or for one of its batch
}

// newClock returns a clock that reads now. A nil now is the machine's clock.
func newClock(now func() int64) clock {
	if now == nil {
		start := time.Now()
		now = func() int64 { return int64(time.Since(start)) }
	}
	return clock{now: now}
}

func (c *clock) start() {
	if c.now != nil {
		c.started = c.now()
	}
}

// stop divides the time since start among the inputs that ran.
func (c *clock) stop(inputs int) {
	if c.now != nil {
		c.nanos = (c.now() - c.started) / int64(max(inputs, 1))
	}
}
