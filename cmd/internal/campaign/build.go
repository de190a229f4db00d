package campaign

import (
	"context"
	"errors"
	"path/filepath"
	"sync"

	"parallax/cmd/internal/harness"
)

// build is what a target, or all targets of a package's tests, are executed from: a binary with counters, a second one that
// records what comparisons compare, and a third one that records in which order blocks are executed. The second is built when a
// campaign wants it, the third when there is a disagreement to locate.
type build struct {
	plan   *harness.Plan
	space  *buildSpace
	mix    *mix // of a mixed target, in whose parts the plans are
	binary string

	made     sync.Once
	turn     chan struct{} // holds one for who builds another binary, or looks at what follows
	operands bool          // it is there
	failed   error         // it does not build
	ordered  string        // the third binary; "": not built
	unfit    error         // it does not build
}

// take waits for the turn to build another binary. Give ends it.
func (b *build) take(ctx context.Context) error {
	b.made.Do(func() { b.turn = make(chan struct{}, 1) })
	select {
	case b.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *build) give() { <-b.turn }

// operandsPath is where the second binary appears.
func (b *build) operandsPath() string {
	return ownName(filepath.Join(b.space.dir, harness.OperandsFile))
}

// buildOperands builds the second binary, unless it is there. Its error is nothing to stop for.
func (b *build) buildOperands(ctx context.Context) error {
	if err := b.take(ctx); err != nil {
		return err
	}
	defer b.give()
	if b.operands || b.failed != nil {
		return b.failed
	}
	release, err := b.space.exclusive()
	if err != nil {
		return err
	}
	defer release()
	if b.mix != nil {
		err = b.mix.buildOperands(ctx)
	} else {
		var built string
		if built, err = b.plan.BuildOperands(ctx); err == nil {
			_, err = b.space.own(built)
		}
	}
	if ctx.Err() != nil {
		return ctx.Err() // the next campaign builds it
	}
	b.operands, b.failed = err == nil, err
	return err
}

// buildOrdered builds the third binary, unless it is there, and returns its path.
func (b *build) buildOrdered(ctx context.Context) (string, error) {
	if err := b.take(ctx); err != nil {
		return "", err
	}
	defer b.give()
	if b.ordered != "" || b.unfit != nil {
		return b.ordered, b.unfit
	}
	release, err := b.space.exclusive()
	if err != nil {
		return "", err
	}
	defer release()
	built, err := b.plan.BuildOrdered(ctx)
	path := ""
	if err == nil {
		path, err = b.space.own(built)
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	b.ordered, b.unfit = path, err
	return path, err
}

// triedOperands reports whether the second binary is there, or cannot be.
func (b *build) triedOperands() bool {
	b.take(context.Background())
	defer b.give()
	return b.operands || b.failed != nil
}

// withOperands has the second binary built, and returns what waits for it. Campaigns that can be repeated exactly have it
// from the start, and so do those whose CPU time is a measure; others fuzz meanwhile.
func (c *Campaign) withOperands(ctx context.Context) (wait func()) {
	if c.opt.NoOperands || c.opt.Mutators == "nezha" || c.target.mix != nil && !c.target.mix.compares() {
		return func() {}
	}
	b := c.target.built
	if c.target.mix == nil {
		c.spec.Operands = b.operandsPath()
	} else if err := c.target.askFor(&c.spec); err != nil {
		c.note("what comparisons compare is not looked at: %v", err)
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	c.dropOperands = cancel
	done := make(chan error, 1)
	work := func() { done <- b.buildOperands(ctx) }
	if c.opt.Budget.Inputs > 0 || c.opt.Budget.CPU > 0 {
		if !b.triedOperands() && (b.mix == nil || len(b.mix.parts) > 0) { // C programs bring theirs
			c.ui.Step("building again, to see what comparisons compare")
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
			c.note("what comparisons compare is not looked at, since the second build failed: %v", err)
		}
	}
}
