// Package subject owns what runs: it resolves and builds the programs that a user names, says how their workers are started, and
// knows what there is to know of them without running them. Campaigns, the commands that work on what these left, and bisect
// use it.
//
// Programs share the process of a worker where they can. Those that cannot (versions of one module, toolchains, C programs,
// commands, services) run in lockstep, each in a process of its own (package lockstep).
//
// Invariants: what is built is in the user's cache, and never in a campaign's folder; block ids mean the same in every worker of a
// target, which Check makes sure of.
package subject

import (
	"context"

	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/input"
)

// Target is what campaigns fuzz, and what is executed again for findings. Its programs share the process of a worker (InProcess),
// or run in lockstep, each in a process of its own (Lockstep).
type Target interface {
	// About is what is known of it without running it.
	About() *Facts
	// Spec says how its workers are started.
	Spec(o *Options) execute.Spec
	// Check makes sure that a worker's block ids mean what the space says.
	Check(w *execute.Worker) error
	// Fault says what the end of a worker means that is none of the programs' doing: an error to stop for, or what the worker said.
	Fault(d *execute.Death) (said []byte, err error)
	// Ordered has spec start workers that record in which order blocks are executed. They are built when that is asked for first.
	Ordered(ctx context.Context, spec execute.Spec) (execute.Spec, error)
	// CmpLog is the build that records the operands of comparisons; nil: no program has one.
	CmpLog() CmpLog
	// Reproduce puts into a finding's record what its reproducer runs. tags are the build tags.
	Reproduce(f *report.Finding, tags string)
	// Close gives up the build. Workers must not be started any more.
	Close()
}

// CmpLog is a second build of the programs, which records the operands of comparisons.
type CmpLog interface {
	// Ask has the workers that spec starts ask for that, once the build is there.
	Ask(spec *execute.Spec) error
	// Build makes the build, unless it is there. Its error is nothing to stop for.
	Build(ctx context.Context) error
	// TakesTime reports whether Build has something to do: C programs bring their second build.
	TakesTime() bool
}

// Modes of a target.
const (
	Diff    = "diff"
	Fuzz    = "fuzz"
	Regress = "regress" // an older and a newer version, or the newer one alone
	Model   = "model"   // a model of a function and its original
)

// Build resolves the programs that the options name and builds their workers. Products go into a cache folder of the user's, one for
// every campaign folder, so that building again is quick and nothing is written where a campaign may not be.
func Build(ctx context.Context, o *Options, tool string, progress func(string)) (Target, error) {
	if o.Config != nil {
		return buildLockstep(ctx, o, tool, progress)
	}
	if o.Mode != Model {
		return buildFunctions(ctx, o, tool, progress)
	}
	o.Mode = Diff // which is how they run
	t, err := buildFunctions(ctx, o, tool, progress)
	if o.Mode = Model; err != nil {
		return nil, err
	}
	t.About().Scope = &report.Scope{Models: 1, Extracted: 1}
	return t, nil
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
