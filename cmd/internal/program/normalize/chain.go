package normalize

import (
	"context"
	"fmt"
	"regexp"
)

// External normalizes values outside of this package: a Go function of the user's, or a command.
type External interface {
	// Normalize replaces each value, a nil one excepted, by its normal form. What it puts there
	// must stay as it is until the next call. A value that it cannot normalize it leaves alone. An
	// error ends the campaign.
	Normalize(ctx context.Context, values [][]byte) error
}

// Step is one normalizer: exactly one of Builtin, Replace and External is set.
type Step struct {
	Builtin  string // one of Names
	Replace  *regexp.Regexp
	With     string // what Replace is replaced by, with $1 and ${name}
	External External
}

// Chain is a sequence of normalizers. It keeps memory from run to run and belongs to one goroutine
// at a time.
type Chain struct {
	stages []stage
	scratch
	turn  [2][]byte // of a value between two steps
	arena []byte    // holds the results of a run
	one   [1][]byte
}

// stage is some steps that are functions, or one that is not.
type stage struct {
	steps    []builtin
	external External
}

// New makes a chain. A name that is not built in is a programming error and panics: Known checks.
func New(steps ...Step) *Chain {
	c := &Chain{}
	for _, s := range steps {
		if s.External != nil {
			c.stages = append(c.stages, stage{external: s.External})
			continue
		}
		step := builtins[s.Builtin]
		if s.Replace != nil {
			step = replacement(s.Replace, s.With)
		}
		if step == nil {
			panic(fmt.Sprintf("normalize: there is no normalizer %q", s.Builtin))
		}
		if n := len(c.stages); n == 0 || c.stages[n-1].external != nil {
			c.stages = append(c.stages, stage{})
		}
		last := &c.stages[len(c.stages)-1]
		last.steps = append(last.steps, step)
	}
	return c
}

// replacement is the normalizer of a regular expression. Whether it is idempotent is up to whoever
// wrote that.
func replacement(re *regexp.Regexp, with string) builtin {
	template := []byte(with)
	return func(_ *scratch, dst, value []byte) []byte {
		if !re.Match(value) { // this alone allocates nothing
			return append(dst, value...)
		}
		return append(dst, re.ReplaceAll(value, template)...)
	}
}

// Empty reports whether the chain leaves everything as it is. A nil chain does.
func (c *Chain) Empty() bool { return c == nil || len(c.stages) == 0 }

// keep is the memory for results that is kept from run to run: beyond it, a few large values would
// be paid for forever.
const keep = 8 << 20

// Run replaces each value by its normal form; nil ones stay nil, and others do not become nil. The
// values given are not written to, and what stands in their places after it stays as it is until
// the next Run. An error is one of an external step.
func (c *Chain) Run(ctx context.Context, values [][]byte) error {
	if c.Empty() {
		return nil
	}
	if c.arena == nil || cap(c.arena) > keep {
		c.arena = make([]byte, 0, 4096)
	}
	c.arena = c.arena[:0]
	for i := range c.stages {
		s := &c.stages[i]
		if s.external != nil {
			if err := s.external.Normalize(ctx, values); err != nil {
				return err
			}
			continue
		}
		for j, v := range values {
			if v != nil {
				values[j] = c.apply(s.steps, v)
			}
		}
	}
	return nil
}

// apply takes a value through steps. The last one writes into the arena; when that grows, what was
// given out before stays where it was.
func (c *Chain) apply(steps []builtin, value []byte) []byte {
	last := len(steps) - 1
	for i, step := range steps[:last] {
		t := &c.turn[i%2]
		*t = step(&c.scratch, (*t)[:0], value)
		value = *t
	}
	start := len(c.arena)
	c.arena = steps[last](&c.scratch, c.arena, value)
	return c.arena[start:len(c.arena):len(c.arena)]
}

// Value is Run for one value.
func (c *Chain) Value(ctx context.Context, value []byte) ([]byte, error) {
	if c.Empty() || value == nil {
		return value, nil
	}
	c.one[0] = value
	err := c.Run(ctx, c.one[:])
	return c.one[0], err
}
