package engine

import (
	"parallax/internal/adapt"
	"parallax/internal/mutate"
	"parallax/internal/oracle"
)

// Sink receives events in the order in which they happen. It must not keep the slices that it
// receives.
type Sink interface {
	FeatureSink
	InputSink
	RunSink
}

// FeatureSink receives the first sights of the current input.
type FeatureSink interface {
	// Novel reports a feature seen for the first time in a domain, given by its number
	// (feature.Domain). It belongs to the input that the next Ran or Uncounted ends.
	Novel(domain int, hash uint64)
	// Reached reports the changed blocks that no input executed before the current one.
	Reached(blocks []uint32)
	// Trace reports a trace of a counted input, the first three times: see diversity.Key.
	Trace(key uint64)
}

// InputSink receives the inputs that outlive their execution.
type InputSink interface {
	// Shown reports the features of an input that joins the corpus, before Kept, if the
	// configuration asks for them. Inputs with too many features are left out.
	Shown(flat []byte, features []uint64)
	// Kept reports an input that joins the corpus.
	Kept(item Item)
	// Provisional reports an input that would join the corpus and is being trimmed. Kept follows
	// with the trimmed one, unless the process ends before.
	Provisional(item Item)
	// Candidate reports an input with one or more possible findings, which the admission lists.
	Candidate(item Item, a Admission, obs []oracle.Observation)
}

// RunSink receives the ends of executions.
type RunSink interface {
	// Ran ends a counted input, a seed or a mutant.
	Ran(r Report)
	// Uncounted ends an input that does not count.
	Uncounted()
	// Repeated reports an input that was executed a second time. differ has a bit per program that
	// behaved differently. redrawn reports that the generator drew something else from the drawn
	// tape.
	Repeated(differ uint64, redrawn bool)
	// Replayed reports a tape of the corpus that a generator drew from again, and whether it drew
	// something else.
	Replayed(realigned bool)
}

// Item is an input with its provenance.
type Item struct {
	Flat   []byte
	Parent []byte // seed that it was mutated from; nil for a seed
	Ops    []mutate.Op
	New    []string // domains in which it was new
	// Fresh holds its new features in domains that want it, other than blocks, if the configuration
	// asks for them. Opaque means that they are not all its reasons.
	Fresh  []uint64
	Opaque bool
}

// Report describes a counted input.
type Report struct {
	Ops      []mutate.Op
	Choice   adapt.Choice // arms that made it
	Kept     bool
	Disagree bool
	Skipped  int    // programs that did not run on it and have no observation
	Bytes    int    // length of the input
	Blocks   uint64 // executed blocks, repetitions counted
}
