package campaign

import (
	"context"
	"errors"
)

// withCmpLog has the second binary built, and returns what waits for it. Campaigns that can be repeated exactly have it
// from the start, and so do those whose CPU time is a measure; others fuzz meanwhile.
func (c *Campaign) withCmpLog(ctx context.Context) (wait func()) {
	if c.opt.NoCmpLog || c.opt.Uncounted || c.opt.Grammar != "" && !c.opt.GrammarOperands || c.opt.Mutators == "nezha" {
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
	c.dropCmpLog = cancel
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
			cancel() // the next campaign builds it
			<-done
		}
		cancel()
		if err != nil && !errors.Is(err, context.Canceled) {
			c.note("operands of comparisons are not used, because the cmplog build failed: %v", err)
		}
	}
}
