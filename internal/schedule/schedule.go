// Package schedule chooses which seed is mutated next, and how often: power schedules. The engine tells a schedule what
// joins the corpus (Added), asks it once for every mutant (Next) and tells it what became of the mutant (Ran).
//
// The published schedules are AFL's (Zalewski's afl-fuzz, calculate_score) and AFLFast's (Böhme, Pham, Roychoudhury:
// "Coverage-based Greybox Fuzzing as Markov Chain", CCS 2016, section 4), in queue.go, score.go and power.go. Uniform is
// NEZHA's; even, cheap and rarity are this engine's own.
//
// Invariants: an answer depends on the calls so far, on the random numbers and, for schedules that are Clocked, on the
// time that inputs took, so that a campaign repeats under all others. Next and Ran allocate nothing. A schedule belongs to
// one engine.
package schedule

import (
	"fmt"
	"strings"

	"parallax/internal/feature"
	"parallax/internal/mutate"
)

// Seed is an input that joins the corpus.
type Seed struct {
	Len    int             // bytes of its flat form
	Traces []feature.Trace // what it executed, one trace a program, with its blocks; valid during the call
	Parent int             // index of the seed that it is a mutant of; -1 for none
	Nanos  int64           // time that the programs took for it; 0 unless the schedule is Clocked
	Known  bool            // an earlier process kept it: the campaign goes on
	New    []string        // domains of guidance in which it was new, as far as is known; valid during the call
	// Accepted tells whether a program accepts it.
	Accepted bool
}

// Result is what became of a mutant.
type Result struct {
	Traces []feature.Trace // what it executed, one trace a program; valid during the call
	Kept   bool            // it joins the corpus: it was Added just before, or will be before Next once it was made smaller
}

// Schedule chooses seeds.
type Schedule interface {
	// Added is called once for every input of the corpus, in order: the first has the index 0.
	Added(Seed)
	// Next returns the index of the seed to make a mutant of. There is one.
	Next(*mutate.Rand) int
	// Ran follows Next, once the mutant has run. Inputs that other workers kept may be Added in between.
	Ran(Result)
}

// Clocked is a schedule that wants to be told how long inputs took.
type Clocked interface {
	Clock() bool
}

// ReadsClock reports whether the schedule wants Seed.Nanos.
func ReadsClock(s Schedule) bool {
	c, ok := s.(Clocked)
	return ok && c.Clock()
}

// Names lists the schedules.
var Names = []string{
	"uniform", "even", "cheap", "rarity", "afl", "afl-noclock",
	"aflfast-explore", "aflfast-exploit", "aflfast-coe", "aflfast-fast", "aflfast-lin", "aflfast-quad", "aflfast-fast-noclock",
}

// UnknownError is the error for a name that is none of Names.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("unknown schedule %q: choose from %s", e.Name, strings.Join(Names, ", "))
}

// New returns the schedule of that name, without seeds. No name is uniform.
func New(name string) (Schedule, error) {
	switch name {
	case "", "uniform":
		return &uniform{}, nil
	case "even":
		return &even{}, nil
	case "cheap":
		return &cheap{}, nil
	case "rarity":
		return newRarity(), nil
	case "afl", "aflfast-explore": // the same by AFLFast's definition: AFL's energy, whatever was executed
		return newQueue(constant, true), nil
	case "afl-noclock":
		return newQueue(constant, false), nil
	case "aflfast-exploit":
		return newQueue(exploit, true), nil
	case "aflfast-coe":
		return newQueue(coe, true), nil
	case "aflfast-fast":
		return newQueue(fast, true), nil
	case "aflfast-fast-noclock":
		return newQueue(fast, false), nil
	case "aflfast-lin":
		return newQueue(lin, true), nil
	case "aflfast-quad":
		return newQueue(quad, true), nil
	}
	return nil, &UnknownError{Name: name}
}

// uniform is NEZHA's choice (Algorithm 1, line 4): any input of the corpus, each as likely.
type uniform struct{ n int }

func (u *uniform) Added(Seed) { u.n++ }

func (u *uniform) Next(r *mutate.Rand) int { return r.Intn(u.n) }

func (u *uniform) Ran(Result) {}
