// Package source makes the next input. A source proposes inputs and receives their results. Large
// sources are composed of smaller ones with Order, Alternate and Callback, as syzkaller's
// pkg/fuzzer/queue composes its queues. The engine composes them once (engine/compose.go) and then
// asks the whole for every input.
//
// The sources: Trim shortens an input before it joins the corpus. CmpLog replaces operands of
// comparisons. Fresh makes inputs while there is no corpus. Mutation asks the schedule for a seed
// and the mutator for a mutant. Custom leaves the mutation to the program's own mutator. Tapes,
// Operands, Random, Zest, Behavior and RLCheck make the tapes that generators draw from.
//
// Invariants: proposals depend only on the corpus, the random source and the results so far.
// Proposing does not allocate once buffers have grown, except in CmpLog, which solves an input's
// comparisons once. A source belongs to one engine. Inputs of a batch are proposed before any of
// them runs, so Done may be called much later than Propose.
package source

import (
	"parallax/internal/adapt"
	"parallax/internal/feature"
	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/tape"
)

// Source proposes inputs.
type Source interface {
	// Propose makes the next input in the step and reports whether there is one. If not, the step
	// is unchanged.
	Propose(*Step) bool
	// Done passes a source the result of a step that it proposed.
	Done(*Step, Result)
}

// Step is one input from its proposal through repair and execution to its result.
type Step struct {
	Flat   []byte      // flat form; memory of the step
	Ops    []mutate.Op // operators that made it, in order; memory of the step
	Parent int         // corpus index of the input that it was made from; -1 for none
	// Determined reports that no chance was involved. A new process with the same corpus makes the
	// same input again. If the input ended a process, it may end the next one too.
	Determined bool
	// Choice holds the arms that made it.
	Choice adapt.Choice
	// Fixed reports that the input must be executed unchanged, without repair.
	Fixed bool
	// Known holds the domains in which a corpus input was new, if another process executes it again
	// and they are known.
	Known []string

	sources []Source // sources to call Done of
}

// Reset prepares the step for the next input.
func (s *Step) Reset() {
	s.Ops, s.sources = s.Ops[:0], s.sources[:0]
	s.Parent, s.Determined, s.Fixed, s.Choice, s.Known = -1, false, false, adapt.Choice{}, nil
}

// Channel returns the channel whose choices the mutant changes, if it is a mutant of a tape. A
// later repair does not matter.
func (s *Step) Channel() (c tape.Channel, ok bool) {
	for _, op := range s.Ops {
		switch op {
		case mutate.OpStructural:
			return tape.Structural, true
		case mutate.OpValue:
			return tape.Value, true
		}
	}
	return 0, false
}

// Notify adds a source whose Done is called: the one that proposed the step, and those that count
// its results.
func (s *Step) Notify(src Source) { s.sources = append(s.sources, src) }

// Done passes the result to the step's sources.
func (s *Step) Done(r Result) {
	for _, src := range s.sources {
		src.Done(s, r)
	}
}

// Result describes the run of an input.
type Result struct {
	Traces []feature.Trace // one trace per program; valid during the call
	Found  bool            // it was new: it has joined the corpus, or will after trimming
	Failed bool            // a program crashed, or ran out of time or memory
	// Accepted reports whether a program accepts the input.
	Accepted bool
	// Validity is the input's validity. Unique reports whether its trace was new: see
	// feature.Joint.
	Validity oracle.Validity
	Unique   bool
	// Deviation is as in schedule.Result.
	Deviation uint64
	// Turns is its cost: see schedule.UsualCost. Zero means 1.
	Turns int
}

// Corpus holds the kept inputs in the order in which they joined. They never change.
type Corpus [][]byte
