package target

import (
	"context"
	"path/filepath"
	"sync"

	"parallax/cmd/internal/harness"
	"parallax/cmd/internal/target/cache"
)

// build is what a target, or all targets of a package's tests, are executed from: a binary with counters, a second one that
// records what comparisons compare, and a third one that records in which order blocks are executed. The second is built when a
// campaign wants it, the third when there is a disagreement to locate.
type build struct {
	plan   *harness.Plan
	space  *cache.Folder
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
	return cache.OwnName(filepath.Join(b.space.Dir, harness.OperandsFile))
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
	release, err := b.space.Lock()
	if err != nil {
		return err
	}
	defer release()
	if b.mix != nil {
		err = b.mix.buildOperands(ctx)
	} else {
		var built string
		if built, err = b.plan.BuildOperands(ctx); err == nil {
			_, err = b.space.Own(built)
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
	release, err := b.space.Lock()
	if err != nil {
		return "", err
	}
	defer release()
	built, err := b.plan.BuildOrdered(ctx)
	path := ""
	if err == nil {
		path, err = b.space.Own(built)
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
