package subject

import (
	"context"
	"path/filepath"
	"sync"
	"sync/atomic"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/process/execute"
)

// build holds the binary with counters of a target, or of all targets of a package's tests, and its
// variants.
type build struct {
	variants
	plan   *gobuild.Plan
	binary string
}

func newBuild(plan *gobuild.Plan, space *buildcache.Folder, progress func(string)) *build {
	return &build{plan: plan, variants: variants{space: space, say: progress}}
}

// Ask implements CmpLog.
func (b *build) Ask(spec *execute.Spec) error {
	spec.CmpLog = b.cmplogPath()
	return nil
}

// cmplogPath returns the path at which the cmplog binary appears.
func (b *build) cmplogPath() string {
	return b.space.OwnName(filepath.Join(b.space.Dir, gobuild.CmpLogFile))
}

// Build implements CmpLog.
func (b *build) Build(ctx context.Context) error {
	return b.makeCmpLog(ctx, func(ctx context.Context) (string, error) { return b.rename(b.plan.BuildCmpLog(ctx)) })
}

// TakesTime implements CmpLog.
func (b *build) TakesTime() bool { return !b.cmplog.done.Load() }

// makeOrdered returns the path of the binary that records the order of blocks. It builds the binary
// if necessary.
func (b *build) makeOrdered(ctx context.Context) (string, error) {
	return b.makeFirst(ctx, &b.ordered, func() (string, error) { return b.rename(b.plan.BuildOrdered(ctx)) })
}

// rename gives a built file a name for this process alone.
func (b *build) rename(built string, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return b.space.Own(built)
}

// variants holds the other builds of the same programs. A campaign requests the cmplog build, which
// records the operands of comparisons. The ordered build, which records the order of blocks, is
// made to locate a disagreement.
type variants struct {
	space           *buildcache.Folder
	say             func(string) // prints who holds the folder
	cmplog, ordered variant

	made sync.Once
	turn chan struct{} // holds one element while a variant is built

	mu     sync.Mutex
	yield  context.CancelFunc // ends the turn of the cmplog build; nil while it has no turn
	hasty  int                // number of builds that wait for a turn before the cmplog build
	calmed chan struct{}      // closed when hasty drops to 0
}

// variant is one such build.
type variant struct {
	path   string
	failed error       // the error of a build that does not compile
	done   atomic.Bool // the build exists or failed: the other fields no longer change
}

// make builds a variant if necessary and returns its path. Only one build at a time uses the
// folder. A build that ctx ends does not count as failed: the next campaign makes it.
func (b *variants) make(ctx context.Context, v *variant, build func() (path string, err error)) (string, error) {
	if v.done.Load() {
		return v.path, v.failed
	}
	if err := b.acquire(ctx); err != nil {
		return "", err
	}
	defer b.release()
	if v.done.Load() {
		return v.path, v.failed
	}
	release, err := b.space.Lock(ctx, b.say)
	if err != nil {
		return "", err
	}
	defer release()
	path, err := build()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	v.path, v.failed = path, err
	v.done.Store(true)
	return path, err
}

// makeFirst makes a variant that findings wait for. The cmplog build, which only improves the
// fuzzing, gives up its turn.
func (b *variants) makeFirst(ctx context.Context, v *variant, build func() (path string, err error)) (string, error) {
	if v.done.Load() {
		return v.path, v.failed
	}
	b.mu.Lock()
	if b.hasty++; b.hasty == 1 {
		b.calmed = make(chan struct{})
	}
	if b.yield != nil {
		b.yield()
	}
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.hasty--; b.hasty == 0 {
			close(b.calmed)
		}
	}()
	return b.make(ctx, v, build)
}

// makeCmpLog makes the cmplog build. A build that gives up its turn starts again later. The go
// command keeps the packages that it compiled.
func (b *variants) makeCmpLog(ctx context.Context, build func(ctx context.Context) (path string, err error)) error {
	for {
		turn, end := context.WithCancel(ctx)
		if err := b.await(ctx, end); err != nil {
			return err
		}
		_, err := b.make(turn, &b.cmplog, func() (string, error) { return build(turn) })
		given := turn.Err() != nil && ctx.Err() == nil && !b.cmplog.done.Load()
		b.mu.Lock()
		b.yield = nil
		b.mu.Unlock()
		if end(); !given {
			return err
		}
	}
}

// await waits until no other build needs a turn first. From then on, end ends the turn of the
// cmplog build.
func (b *variants) await(ctx context.Context, end context.CancelFunc) error {
	for {
		b.mu.Lock()
		if b.hasty == 0 {
			b.yield = end
			b.mu.Unlock()
			return nil
		}
		calmed := b.calmed
		b.mu.Unlock()
		select {
		case <-calmed:
		case <-ctx.Done():
			end()
			return ctx.Err()
		}
	}
}

// acquire waits for the turn to make a variant. release ends the turn.
func (b *variants) acquire(ctx context.Context) error {
	b.made.Do(func() { b.turn = make(chan struct{}, 1) })
	select {
	case b.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *variants) release() { <-b.turn }
