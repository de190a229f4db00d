package engine

import (
	"parallax/internal/adapt"
	"parallax/internal/mutate"
	"parallax/internal/oracle"
)

// Sink receives events in the order in which they happen. It must not keep the slices it is given.
type Sink interface {
	// Novel is a feature seen for the first time in a domain, which is given by its number (feature.Domain). It belongs to the input that
	// the next Ran or Uncounted ends.
	Novel(domain int, hash uint64)
	// Kept is an input that joins the corpus.
	Kept(item Item)
	// Provisional is an input that would join the corpus, and is being made smaller: Kept follows with the smaller one,
	// unless the process ends before.
	Provisional(item Item)
	// Candidate is an input that may be a finding, or several: the admission says which.
	Candidate(item Item, a Admission, obs []oracle.Observation)
	// Reached are the blocks with a change that no input executed before the one under way.
	Reached(blocks []uint32)
	// Ran ends an input that counts, a seed or a mutant.
	Ran(r Report)
	// Uncounted ends an input that does not count.
	Uncounted()
	// Again is an input that was executed a second time: a bit for each program that did otherwise than before, and whether the generator drew
	// something else of the tape that it had drawn.
	Again(differ uint64, redrawn bool)
	// Replayed is a tape of the corpus that a generator drew from again, and whether it drew something else than was kept.
	Replayed(realigned bool)
	// Trace is a trace of an input that counts, the first three times that it is had: see diversity.Key.
	Trace(key uint64)
}

// Item is an input with its provenance.
type Item struct {
	Flat   []byte
	Parent []byte // the seed it was mutated from, nil for a seed
	Ops    []mutate.Op
	New    []string // the domains in which it was new
}

// Report is what became of an input.
type Report struct {
	Ops      []mutate.Op
	Choice   adapt.Choice // the arms that made it
	Kept     bool
	Disagree bool
	Skipped  int    // programs that were not run on it: nothing is observed of them
	Bytes    int    // of it
	Blocks   uint64 // that the programs entered, repetitions counted
}
