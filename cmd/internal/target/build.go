package target

import (
	"context"
	"path/filepath"
	"sync"

	"parallax/cmd/internal/execute"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/target/cache"
)

// build is what a target, or all targets of a package's tests, are executed from: a binary with counters, and its variants.
type build struct {
	variants
	plan   *gobuild.Plan
	binary string
}

func newBuild(plan *gobuild.Plan, space *cache.Folder, progress func(string)) *build {
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
	_, err := b.make(ctx, &b.cmplog, func() (string, error) { return b.owned(b.plan.BuildCmpLog(ctx)) })
	return err
}

// TakesTime implements CmpLog.
func (b *build) TakesTime() bool { return !b.tried(&b.cmplog) }

// makeOrdered builds the binary that records in which order blocks are executed, unless it is there, and returns its path.
func (b *build) makeOrdered(ctx context.Context) (string, error) {
	return b.make(ctx, &b.ordered, func() (string, error) { return b.owned(b.plan.BuildOrdered(ctx)) })
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
	space           *cache.Folder
	say             func(string) // told who holds the folder
	cmplog, ordered variant

	made sync.Once
	turn chan struct{} // holds one for who makes a variant, or looks at one
}

// variant is one of them.
type variant struct {
	path   string
	done   bool  // it is there
	failed error // it does not build
}

// make has a variant built, unless it is there or does not build, and returns where it is. Nobody else builds in the folder
// meanwhile. What is given up because ctx ends is not failed: the next campaign builds it.
func (b *variants) make(ctx context.Context, v *variant, build func() (path string, err error)) (string, error) {
	if err := b.take(ctx); err != nil {
		return "", err
	}
	defer b.give()
	if v.done || v.failed != nil {
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
	v.path, v.done, v.failed = path, err == nil, err
	return path, err
}

// tried reports whether a variant is there, or cannot be.
func (b *variants) tried(v *variant) bool {
	b.take(context.Background())
	defer b.give()
	return v.done || v.failed != nil
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
