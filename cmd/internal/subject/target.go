// Package subject owns the programs under test. It resolves and builds the programs that a user
// names, describes how their workers start, and collects the facts that are known before they run.
// Campaigns, commands on campaigns' folders, and bisect use it.
//
// Programs share the process of a worker if possible. Others (versions of one module, toolchains, C
// programs, commands, services) run in lockstep, each in its own process (package lockstep).
//
// Invariants: builds are in the user's cache, and never in a campaign's folder. Block ids mean the
// same in every worker of a target, which Check ensures.
package subject

import (
	"context"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/input"
)

// Target is the subject of a campaign, whose inputs are executed again for findings. Its programs
// share the process of a worker (InProcess), or run in lockstep, each in its own process
// (Lockstep).
type Target interface {
	// About returns the facts that are known before it runs.
	About() *Facts
	// Spec describes how its workers start.
	Spec(o *Options) execute.Spec
	// Check verifies that a worker's block ids mean the same as in the space.
	Check(w *execute.Worker) error
	// Fault explains the end of a worker that no program caused: by an error to stop for, or by the
	// output of the worker.
	Fault(d *execute.Death) (said []byte, err error)
	// Ordered makes spec start workers that record the order of blocks. The first call builds them.
	Ordered(ctx context.Context, spec execute.Spec) (execute.Spec, error)
	// CmpLog returns the build that records the operands of comparisons. Nil means that no program
	// has one.
	CmpLog() CmpLog
	// Reproduce adds the reproducer to a finding's record. tags are the build tags.
	Reproduce(f *finding.Finding, tags string)
	// Close releases the build. Workers must not start after it.
	Close()
}

// CmpLog is a second build of the programs, which records the operands of comparisons.
type CmpLog interface {
	// Ask makes the workers that spec starts use the build, once it exists.
	Ask(spec *execute.Spec) error
	// Build makes the build if necessary. An error is no reason to stop.
	Build(ctx context.Context) error
	// TakesTime reports whether Build has something to do. C programs include their second build.
	TakesTime() bool
}

// Modes of a target.
const (
	Diff    = "diff"
	Fuzz    = "fuzz"
	Regress = "regress" // an older and a newer version, or the newer one alone
	Model   = "model"   // a model of a function and its original
)

// Build resolves the programs that the options name and builds their workers. The products go into
// the user's cache, into a folder per campaign. Later builds are faster, and nothing is written to
// places without a campaign.
func Build(ctx context.Context, o *Options, tool string, progress func(string)) (Target, error) {
	if o.Config != nil {
		return buildLockstep(ctx, o, tool, progress)
	}
	if o.Mode != Model {
		return buildFunctions(ctx, o, tool, progress)
	}
	o.Mode = Diff // their workers run like those of diff
	t, err := buildFunctions(ctx, o, tool, progress)
	if o.Mode = Model; err != nil {
		return nil, err
	}
	t.About().Scope = &finding.Scope{Models: 1, Extracted: 1}
	return t, nil
}

// MaxFlat returns the largest flat form of an input whose arguments have at most max bytes.
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
