package subject

import (
	"context"

	"parallax/cmd/internal/program"
)

// Unfinished is a target that makes some builds on demand, while the campaign runs
// (Options.Beside).
type Unfinished interface {
	// Unfinished reports whether any build is left to make.
	Unfinished() bool
	// Finish makes these builds unless ctx ends, and returns notes for the user. Running workers
	// use a build as soon as they see it. Meanwhile callers must not call CmpLog, Ordered,
	// Reproduce or methods of the value that CmpLog returns, except Build.
	Finish(ctx context.Context, low bool, say func(string)) (notes []string)
}

var _ Unfinished = (*Lockstep)(nil)

// Unfinished implements Unfinished.
func (t *Lockstep) Unfinished() bool {
	for _, p := range t.assembly.programs {
		if u, ok := p.(program.Unfinished); ok && u.Unfinished() {
			return true
		}
	}
	return false
}

// Finish implements Unfinished.
func (t *Lockstep) Finish(ctx context.Context, low bool, say func(string)) (notes []string) {
	for _, p := range t.assembly.programs {
		if u, ok := p.(program.Unfinished); ok && u.Unfinished() && ctx.Err() == nil {
			notes = append(notes, u.Finish(ctx, low, say)...)
		}
	}
	return notes
}
