package normalize

import (
	"context"
	"fmt"
	"regexp"
)

// External is a normalizer outside of this package: a Go function of the user, or a command.
type External interface {
	// Normalize replaces each non-nil value by its normal form, which stays valid until the next
	// call. It leaves values that it cannot normalize unchanged. An error ends the campaign.
	Normalize(ctx context.Context, values [][]byte) error
}

// Step is one normalizer: exactly one of Builtin, Replace and External is set.
type Step struct {
	Builtin  string // one of Names
	Replace  *regexp.Regexp
	With     string // replacement for Replace, with $1 and ${name}
	External External
}

// Chain is a sequence of normalizers. It reuses memory from run to run, and belongs to one
// goroutine at a time.
type Chain struct {
	stages []stage
	scratch
	turn  [2][]byte // a value between two steps
	arena []byte    // results of a run
	one   [1][]byte
}

// stage is a sequence of functions, or one external step.
type stage struct {
	steps    []builtin
	external External
}

// New returns a chain. An unknown built-in name is a programming error and panics: Known checks
// names.
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

// replacement returns the normalizer of a regular expression. Whether it is idempotent depends on
// the expression.
func replacement(re *regexp.Regexp, with string) builtin {
	template := []byte(with)
	return func(_ *scratch, dst, value []byte) []byte {
		if !re.Match(value) { // allocates nothing
			return append(dst, value...)
		}
		return append(dst, re.ReplaceAll(value, template)...)
	}
}

// Empty reports whether the chain changes nothing. A nil chain is empty.
func (c *Chain) Empty() bool { return c == nil || len(c.stages) == 0 }

// maxKept limits the memory that is kept from run to run: without it, a few large values would
// occupy memory forever.
const maxKept = 8 << 20

// Run replaces each value by its normal form. Nil values stay nil, and others do not become nil.
// Run does not modify the given bytes. The results are valid until the next Run. Errors come from
// external steps.
func (c *Chain) Run(ctx context.Context, values [][]byte) error {
	if c.Empty() {
		return nil
	}
	if c.arena == nil || cap(c.arena) > maxKept {
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

// apply applies steps to a value. The last one writes into the arena. Earlier results stay valid
// when the arena grows.
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
