// Package target owns what runs: it resolves and builds the programs that a user names, says how their workers are started, and
// knows what there is to know of them without running them. Campaigns, the commands that work on what these left, and bisect
// use it.
//
// Programs share the process of a worker where they can. Those that cannot (versions of one module, toolchains, C programs,
// commands, services) run in lockstep, each in a process of its own (package lockstep).
//
// Invariants: what is built is in the user's cache, and never in a campaign's folder; block ids mean the same in every worker of a
// target, which Check makes sure of.
package target

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"parallax/cmd/internal/execute"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/harness"
	"parallax/cmd/internal/target/cache"
	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/wire"
)

// Target is a resolved and built target: what can be executed, and what is known about its blocks.
type Target struct {
	Plan   *harness.Plan
	Name   string // safe as a file name
	Mode   string // diff or fuzz
	Binary string
	Names  []string
	Shape  input.Shape

	mix     *mix      // nil: the programs share a worker
	Test    *fuzzTest // nil: functions named on the command line
	built   *build    // kept open: what is in use is not removed
	dir     string    // working folder of the programs
	hello   wire.HelloMessage
	regions []wire.Region   // the counters of its workers
	BuildID string          // identity of the blocks
	Space   *flow.Space     // the blocks
	native  map[string]bool // functions of C programs, by name
}

// Modes of a target.
const (
	Diff = "diff"
	Fuzz = "fuzz"
)

// Build resolves the functions and builds the worker. Products go into a cache folder of the user's, one for every
// campaign folder, so that building again is quick and nothing is written where a campaign may not be.
func Build(ctx context.Context, o *Options, tool string, progress func(string)) (*Target, error) {
	if o.Config != nil {
		return buildMixed(ctx, o, tool, progress)
	}
	order := feature.NeedsOrder(o.Guidance)
	space, err := cache.Open(append([]string{o.Dir, fmt.Sprint(o.Instrument), o.Repair, fmt.Sprint(order)}, o.Functions...)...)
	if err != nil {
		return nil, err
	}
	dir := space.Dir
	release, err := space.Lock()
	if err != nil {
		return nil, err
	}
	defer release()
	plan, err := harness.Resolve(ctx, harness.Request{
		Dir: o.Dir, Functions: o.Functions, Out: dir, Parallax: tool, Instrument: o.Instrument, Repair: o.Repair,
		Order: order, Progress: progress,
	})
	var versions *harness.VersionsError
	if errors.As(err, &versions) && o.Repair == "" {
		space.Close()
		return buildMixed(ctx, o, tool, progress)
	}
	if err != nil {
		return nil, err
	}
	t := &Target{Plan: plan, Name: plan.Target, Mode: Diff, Shape: plan.Shape, built: &build{plan: plan, space: space}}
	for _, p := range plan.Programs {
		t.Names = append(t.Names, p.Name)
	}
	built, err := plan.Build(ctx)
	if err != nil {
		return nil, err
	}
	if t.Binary, err = space.Own(built); err != nil {
		return nil, err
	}
	os.Remove(t.built.operandsPath())                                            // of a process that had this one's number
	t.dir = filepath.Join(dir, "run", fmt.Sprintf("%016x", cache.Digest(o.Out))) // other campaigns may share the folder
	if err := os.MkdirAll(t.dir, 0o755); err != nil {
		return nil, exit.Infra("creating the working folder of the programs: %w", err)
	}
	progress("reading the control flow")
	w, err := execute.Start(t.Spec(o))
	if err != nil {
		return nil, exit.Infra("%w", err)
	}
	defer w.Close()
	return t, t.readTables(w.Hello.Regions)
}

// Close gives up the build. Workers must not be started any more. The builds of tests are given up by FuzzTests.Close.
func (t *Target) Close() {
	if t.Test == nil {
		os.Remove(t.dir) // if it is empty, which it is unless programs have littered
		t.built.space.Close()
	}
}

// Spec says how the target's workers are started. Functions run in a folder that they may litter, tests in their
// package's, as they do under go test.
func (t *Target) Spec(o *Options) execute.Spec {
	if t.mix != nil {
		return t.mix.conductor(o, t.Shape, t.mix.file)
	}
	s := execute.Spec{
		Binary: t.Binary, Dir: t.dir, MaxFlat: MaxFlat(t.Shape, o.MaxBytes), Timeout: o.Timeout, Memory: o.Memory,
	}
	if t.Test != nil {
		s.Args, s.Test, s.Mode = t.Test.args(), true, t.Mode
	}
	return s
}

// Check makes sure that a worker's ids mean what the tables say.
func (t *Target) Check(w *execute.Worker) error {
	switch {
	case slices.Equal(w.Hello.Regions, t.regions):
		return nil
	case t.mix != nil:
		return exit.Infra("the programs have changed since they were started first: is another parallax building the same target?")
	}
	return exit.Infra("the worker has changed since it was built: is another parallax building the same target?")
}

// MaxFlat is the largest flat form of an input whose arguments have at most max bytes.
func MaxFlat(shape input.Shape, max int) int {
	n := 0
	for _, k := range shape {
		if w := k.Width(); w > 0 {
			n += w
		} else {
			n += max + 4
		}
	}
	return n
}
