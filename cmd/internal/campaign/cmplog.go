package campaign

import (
	"context"
	"errors"
)

// withCmpLog builds the second binary and returns a function that waits for it. Campaigns that
// repeat, or that have a budget of CPU time, build it before the fuzzing, others during it.
func (c *Campaign) withCmpLog(ctx context.Context) (wait func()) {
	if c.opt.NoCmpLog || c.opt.NoInstrument || c.opt.Grammar != "" && !c.opt.GrammarOperands || c.opt.Mutators == "nezha" {
		return func() {}
	}
	cmplog := c.target.CmpLog()
	if cmplog == nil {
		return func() {}
	}
	if err := cmplog.Ask(&c.spec); err != nil {
		c.note("operands of comparisons are not used: %v", err)
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	c.builds.dropCmpLog = cancel
	done := make(chan error, 1)
	work := func() { done <- cmplog.Build(ctx) }
	if c.opt.Budget.Inputs > 0 || c.opt.Budget.CPU > 0 {
		if cmplog.TakesTime() {
			c.ui.Step("building the cmplog build")
		}
		work()
	} else {
		go work()
	}
	return func() {
		var err error
		select {
		case err = <-done:
		default:
			cancel() // the next campaign will build it
			<-done
		}
		cancel()
		if err != nil && !errors.Is(err, context.Canceled) {
			c.note("operands of comparisons are not used, because the cmplog build failed: %v", err)
		}
	}
}
