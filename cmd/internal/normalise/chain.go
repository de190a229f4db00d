package normalise

import (
	"context"
	"regexp"
)

// External normalises values outside of this package: a Go function of the user's, or a command.
type External interface {
	// Normalise replaces each value, a nil one excepted, by its normal form. What it puts there must stay as it is until the
	// next call. A value that it cannot normalise it leaves alone. An error ends the campaign.
	Normalise(ctx context.Context, values [][]byte) error
}

// Step is one normaliser: exactly one of Builtin, Replace and External is set.
type Step struct {
	Builtin  string // one of Names
	Replace  *regexp.Regexp
	With     string // what Replace is replaced by, with $1 and ${name}
	External External
}

// Chain is a sequence of normalisers. It keeps memory from run to run and belongs to one goroutine at a time.
type Chain struct{}

// New makes a chain. A step that is none is a programming error and panics: names are checked by Known.
func New(steps ...Step) *Chain { return nil }

// Empty reports whether the chain leaves everything as it is. A nil chain does.
func (c *Chain) Empty() bool { return true }

// Run replaces each value by its normal form; nil ones stay nil. The values given are not written to, and what stands in
// their places after it stays as it is until the next Run.
func (c *Chain) Run(ctx context.Context, values [][]byte) error { return nil }
