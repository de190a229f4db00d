// Package schedule chooses which seed is mutated next. The engine asks it once an input; the answer may depend on
// the corpus, on what became of earlier choices, and on the engine's random numbers, never on the clock, so that a
// campaign repeats.
package schedule

import (
	"fmt"
	"strings"

	"parallax/internal/mutate"
)

// Schedule chooses seeds. Added is called once for every corpus input, in order; Next returns the index of one.
type Schedule interface {
	Added(size int)
	Next(r *mutate.Rand) int
}

// Names lists the schedules.
var Names = []string{"uniform"}

// New returns the schedule of that name.
func New(name string) (Schedule, error) {
	switch name {
	case "", "uniform":
		return &uniform{}, nil
	}
	return nil, fmt.Errorf("unknown schedule %q: choose from %s", name, strings.Join(Names, ", "))
}

// uniform is NEZHA's choice (Algorithm 1, line 4): any input of the corpus, each as likely.
type uniform struct{ n int }

func (u *uniform) Added(int) { u.n++ }

func (u *uniform) Next(r *mutate.Rand) int { return r.Intn(u.n) }
