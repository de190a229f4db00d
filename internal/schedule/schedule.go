// Package schedule chooses which seed is mutated next, and how often: power schedules. The engine tells a schedule what
// joins the corpus (Added), asks it once for every mutant (Next) and tells it what became of the mutant (Ran).
//
// Schedules are a table with one row each (table.go), which says what a schedule needs; rows stand in the schedules' files.
//
// The published schedules are AFL's (Zalewski's afl-fuzz, calculate_score) and AFLFast's (Böhme, Pham, Roychoudhury:
// "Coverage-based Greybox Fuzzing as Markov Chain", CCS 2016, section 4), in queue.go, score.go and power.go. Uniform is
// NEZHA's; stratified, adaptive, cheap and rarity are this engine's own.
//
// Invariants: an answer depends on the calls so far, on the random numbers and, for schedules that need the Clock, on the
// time that inputs took, so that a campaign repeats under all others. Next and Ran allocate nothing. A schedule belongs to
// one engine.
package schedule

import (
	"parallax/internal/feature"
	"parallax/internal/mutate"
)

// Seed is an input that joins the corpus.
type Seed struct {
	Len    int             // bytes of its flat form
	Traces []feature.Trace // what it executed, one trace a program, with its blocks; valid during the call
	Parent int             // index of the seed that it is a mutant of; -1 for none
	Nanos  int64           // time that the programs took for it; 0 unless the schedule needs the Clock
	Known  bool            // an earlier process kept it: the campaign goes on
	New    []string        // domains of guidance in which it was new, as far as is known; valid during the call
	// Accepted tells whether a program accepts it.
	Accepted bool
	// Deviation names how the programs disagree on it, and on which path: the sets of blocks that they execute. 0: they agree.
	Deviation uint64
}

// Result is what became of a mutant.
type Result struct {
	Seed   int             // of which it is one
	Traces []feature.Trace // what it executed, one trace a program; valid during the call
	Kept   bool            // it joins the corpus: it was Added just before, or will be before Next once it was made smaller
	// Deviation is as that of a Seed.
	Deviation uint64
	// Turns is what it cost, as Usual counts it; 0 stands for 1.
	Turns int
}

// Armed is a schedule that chooses by arms.
type Armed interface {
	Schedule
	// Arm is the arm of the last choice, -1 if none made it.
	Arm() int
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
