// Package schedule chooses which seed is mutated next, and how often: power schedules. The engine
// passes a schedule the inputs that join the corpus (Added). It asks for a seed per mutant (Next),
// and passes the mutant's result (Ran).
//
// Energy is the relative number of mutants of a seed. A turn is a run of mutants of one seed. The
// schedules form a table (table.go) with one row each, which lists their needs. The rows are in the
// schedules' files.
//
// The published schedules are AFL's (Zalewski's afl-fuzz, calculate_score) and AFLFast's, in
// queue.go, score.go and power.go. AFLFast's are in Böhme, Pham, Roychoudhury: Coverage-based
// Greybox Fuzzing as Markov Chain, CCS 2016, section 4. Uniform is NEZHA's. Stratified, adaptive,
// cheap and rarity are this engine's own.
//
// Invariants: an answer depends on the calls so far and on the random numbers. For schedules that
// need the Clock it also depends on the inputs' times. So campaigns repeat under all other
// schedules. Next and Ran do not allocate. A schedule belongs to one engine.
package schedule

import (
	"parallax/internal/feature"
	"parallax/internal/mutate"
)

// Seed describes an input that joins the corpus.
type Seed struct {
	Len    int             // bytes of its flat form
	Traces []feature.Trace // one trace per program, with its blocks; valid during the call
	Parent int             // index of the seed that it is a mutant of; -1 for none
	Nanos  int64           // execution time; 0 unless the schedule needs the Clock
	Known  bool            // an earlier process of the campaign kept it
	New    []string        // guidance domains in which it was new, if known; valid during the call
	// Accepted reports whether a program accepts it.
	Accepted bool
	// Deviation identifies the kind of disagreement and its path, the programs' sets of blocks.
	// Zero means that they agree.
	Deviation uint64
}

// Result describes the run of a mutant.
type Result struct {
	Seed   int             // seed that it is a mutant of
	Traces []feature.Trace // one trace per program; valid during the call
	Kept   bool            // it was just Added, or will be before Next once it is trimmed
	// Failed and Accepted report whether a program failed on it, and whether one accepts it. Sources
	// of tapes set both.
	Failed, Accepted bool
	// Deviation is as in Seed.
	Deviation uint64
	// Turns is its cost as UsualCost counts it. Zero means 1.
	Turns int
}

// Armed is a schedule that chooses by arms.
type Armed interface {
	Schedule
	// Arm returns the arm of the last choice, or -1 if there was none.
	Arm() int
}

// Schedule chooses seeds.
type Schedule interface {
	// Added is called once per input of the corpus, in order. The first has index 0.
	Added(Seed)
	// Next returns the index of the seed to mutate. There must be one.
	Next(*mutate.Rand) int
	// Ran follows Next after the mutant's run. Inputs of other workers may be Added in between.
	Ran(Result)
}
