package subject

import (
	"context"

	"parallax/cmd/internal/program"
)

// Unfinished is a target some of whose builds are made when they are needed, beside the campaign (Options.Beside).
type Unfinished interface {
	// Unfinished tells whether there is something to be made.
	Unfinished() bool
	// Finish makes it, unless ctx ends, and returns what the user should know. Workers that run use what is made as soon as they see it. Neither
	// CmpLog and what it returns, nor Ordered nor Reproduce may be called meanwhile, but for Build.
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
