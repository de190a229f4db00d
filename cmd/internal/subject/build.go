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

// build is what a target, or all targets of a package's tests, are executed from: a binary with counters, and its variants.
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

// cmplogPath is where the binary appears that records the operands of comparisons.
func (b *build) cmplogPath() string {
	return b.space.OwnName(filepath.Join(b.space.Dir, gobuild.CmpLogFile))
}

// Build implements CmpLog.
func (b *build) Build(ctx context.Context) error {
	return b.makeCmpLog(ctx, func(ctx context.Context) (string, error) { return b.owned(b.plan.BuildCmpLog(ctx)) })
}

// TakesTime implements CmpLog.
func (b *build) TakesTime() bool { return !b.cmplog.done.Load() }

// makeOrdered builds the binary that records in which order blocks are executed, unless it is there, and returns its path.
func (b *build) makeOrdered(ctx context.Context) (string, error) {
	return b.makeFirst(ctx, &b.ordered, func() (string, error) { return b.owned(b.plan.BuildOrdered(ctx)) })
}

// owned gives this process a name of its own for what was built.
func (b *build) owned(built string, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return b.space.Own(built)
}

// variants are other builds of the same programs: one records the operands of comparisons, and is built when a campaign wants it; one
// records in which order blocks are executed, and is built when there is a disagreement to locate.
type variants struct {
	space           *buildcache.Folder
	say             func(string) // told who holds the folder
	cmplog, ordered variant

	made sync.Once
	turn chan struct{} // holds one for who makes a variant

	mu     sync.Mutex
	yield  context.CancelFunc // ends the turn of the cmplog build; nil: it has none
	hasty  int                // who wants a turn before the cmplog build has one
	calmed chan struct{}      // closed when nobody does any more
}

// variant is one of them.
type variant struct {
	path   string
	failed error       // it does not build
	done   atomic.Bool // it is there or does not build: then the others do not change any more
}

// make has a variant built, unless it is there or does not build, and returns where it is. Nobody else builds in the folder
// meanwhile. What is given up because ctx ends is not failed: the next campaign builds it.
func (b *variants) make(ctx context.Context, v *variant, build func() (path string, err error)) (string, error) {
	if v.done.Load() {
		return v.path, v.failed
	}
	if err := b.take(ctx); err != nil {
		return "", err
	}
	defer b.give()
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

// makeFirst makes a variant for which findings wait: the cmplog build, which only makes the fuzzing better, gives up its turn.
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

// makeCmpLog makes the cmplog build. When it gives up its turn it begins again afterwards: the go command has kept what was compiled.
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

// await waits until no other build is wanted first. From then on, end ends the turn of the cmplog build.
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

// take waits for the turn to make a variant. Give ends it.
func (b *variants) take(ctx context.Context) error {
	b.made.Do(func() { b.turn = make(chan struct{}, 1) })
	select {
	case b.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *variants) give() { <-b.turn }
