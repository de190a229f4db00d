package campaign

import (
	"context"
	"slices"
	"sync/atomic"

	"parallax/cmd/internal/subject"
)

// later is builds of the programs that are made when they are needed. Campaigns that can be repeated exactly, those whose CPU time is a measure,
// and those that begin with findings to run again have them from the start. Others fuzz meanwhile. Whether a build is there changes nothing
// that repeats.
type later struct {
	make  func()        // what is to run beside the fuzzing, as long as it has not begun
	done  chan struct{} // closed when nothing is made any more
	drop  context.CancelFunc
	notes []string // once done
	left  bool     // something was not made
	step  atomic.Pointer[string]
}

// finish has the builds made that are to be made, or has that wait for begin.
func (c *Campaign) finish(ctx context.Context, resumed bool) {
	l := &later{done: make(chan struct{}), drop: func() {}}
	c.later = l
	u, ok := c.target.(subject.Unfinished)
	if !ok || !u.Unfinished() {
		close(l.done)
		return
	}
	if resumed || c.opt.Budget.Inputs > 0 || c.opt.Budget.CPU > 0 {
		l.notes = u.Finish(ctx, false, c.ui.Step)
		l.left = u.Unfinished()
		close(l.done)
		return
	}
	ctx, l.drop = context.WithCancel(context.WithoutCancel(ctx))
	l.make = func() {
		l.notes = u.Finish(ctx, true, func(text string) {
			l.step.Store(&text)
			c.log.Info("beside the fuzzing", "text", text)
		})
		l.left = u.Unfinished()
		close(l.done)
	}
	l.left = true // if it does not come to that
}

// begin begins with what runs beside the fuzzing. From now on the programs change, so nothing is called that tells of their builds.
func (l *later) begin() {
	if l.make != nil {
		go l.make()
		l.make = nil
	}
}

// wait waits for the builds, unless ctx ends, and reports whether there are no more to come.
func (l *later) wait(ctx context.Context) bool {
	select {
	case <-l.done:
		return true
	case <-ctx.Done():
		return false
	}
}

// made reports whether no builds are to come.
func (l *later) made() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

// doing is what goes on until there are no more builds to come; "" if there are none.
func (l *later) doing() string {
	if l.made() {
		return ""
	}
	if step := l.step.Load(); step != nil {
		return *step
	}
	return "making builds of the programs"
}

// close gives up what is not made yet.
func (l *later) close() {
	l.drop()
	if l.make != nil {
		l.make = nil
		close(l.done)
	}
	<-l.done
}

// end gives up what is not made yet, and tells of it.
func (l *later) end(c *Campaign) {
	l.close()
	for _, n := range l.notes {
		if !slices.Contains(c.problems, n) {
			c.note("%s", n)
		}
	}
	if l.left {
		c.note("some builds of the programs were not ready in time, so operands or sanitizers were not used: the next campaign goes on with them, and `parallax cc --make PROGRAM` makes them")
	}
}
