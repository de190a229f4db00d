package campaign

import (
	"context"
	"slices"
	"sync/atomic"

	"parallax/cmd/internal/subject"
)

// backgroundBuilds makes builds of the programs that are not needed from the start. Campaigns that
// repeat, measure CPU time, or first run findings again make them before the fuzzing, others during
// it.
type backgroundBuilds struct {
	make  func()        // makes the builds; nil after begin
	done  chan struct{} // closed when all builds are done or given up
	drop  context.CancelFunc
	notes []string // valid after done
	left  bool     // some build is missing
	step  atomic.Pointer[string]

	dropCmpLog func() // cancels the cmplog build
}

// finish makes the remaining builds, or prepares them for begin.
func (c *Campaign) finish(ctx context.Context, resumed bool) {
	l := &backgroundBuilds{done: make(chan struct{}), drop: func() {}}
	c.builds = l
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
	l.left = true // until make has run
}

// begin starts the builds during the fuzzing. From now on, no code may ask for their state.
func (l *backgroundBuilds) begin() {
	if l.make != nil {
		go l.make()
		l.make = nil
	}
}

// wait waits for the builds or for ctx, and reports whether all builds are done.
func (l *backgroundBuilds) wait(ctx context.Context) bool {
	select {
	case <-l.done:
		return true
	case <-ctx.Done():
		return false
	}
}

// made reports whether all builds are done.
func (l *backgroundBuilds) made() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

// doing returns the current step of the builds, or "" if they are done.
func (l *backgroundBuilds) doing() string {
	if l.made() {
		return ""
	}
	if step := l.step.Load(); step != nil {
		return *step
	}
	return "making builds of the programs"
}

// close gives up the remaining builds.
func (l *backgroundBuilds) close() {
	l.drop()
	if l.make != nil {
		l.make = nil
		close(l.done)
	}
	<-l.done
}

// end gives up the remaining builds and reports them.
func (l *backgroundBuilds) end(c *Campaign) {
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
