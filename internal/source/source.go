// Package source owns where the next input comes from. A source proposes inputs and is told what became of them; larger
// sources are composed of smaller ones, as syzkaller's pkg/fuzzer/queue composes its queues: Order, Alternate, Callback. The
// engine composes them once (engine/compose.go) and then asks the whole for every input.
//
// The sources: Trim makes an input smaller before it joins the corpus; CmpLog replaces operands of comparisons; Fresh makes
// inputs while there is no corpus; Mutation asks the schedule for a seed and the mutator for a mutant; Custom leaves the
// mutant to the program's own mutator. Tapes, Operands, Random, Zest, Behavior and RLCheck make what generators draw from.
//
// Invariants: what is proposed depends on nothing but the corpus, the random source and the results so far. Proposing
// allocates nothing once buffers have grown, but for CmpLog, which solves an input's comparisons once. A source belongs to one
// engine. Inputs of a batch are proposed before any of them has run, so Done may come much later than Propose.
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
	// Propose makes the next input in the step and reports whether there is one. If not, the step is as it was.
	Propose(*Step) bool
	// Done tells a source of a step that it proposed what became of it.
	Done(*Step, Result)
}

// Step is an input on its way: proposed, perhaps repaired, executed, done.
type Step struct {
	Flat   []byte      // flat form; the step's own memory
	Ops    []mutate.Op // that made it, in order; the step's own memory
	Parent int         // index in the corpus of the input that it was made from; -1 for none
	// Determined says that no chance was involved: who starts anew from the same corpus makes the same input again, so that a
	// process which it has ended may end on it again.
	Determined bool
	// Choice is the arms that it was made by.
	Choice adapt.Choice
	// Fixed says that the input must be executed as it is: it is not repaired.
	Fixed bool
	// Known is the domains in which an input of the corpus was new, if it is executed once more by another process and they are known.
	Known []string

	sources []Source // that want to know what becomes of it
}

// Reset makes the step ready for the next input.
func (s *Step) Reset() {
	s.Ops, s.sources = s.Ops[:0], s.sources[:0]
	s.Parent, s.Determined, s.Fixed, s.Choice, s.Known = -1, false, false, adapt.Choice{}, nil
}

// Channel is the channel of a tape whose choices the mutant changes, where it is one: whether it was repaired afterwards does not matter.
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

// By adds a source whose Done is called: the one that proposed the step, and those around it that count what comes of it.
func (s *Step) By(src Source) { s.sources = append(s.sources, src) }

// Done tells the sources of the step what became of it.
func (s *Step) Done(r Result) {
	for _, src := range s.sources {
		src.Done(s, r)
	}
}

// Result is what became of an input.
type Result struct {
	Traces []feature.Trace // what it executed, one trace a program; valid during the call
	Found  bool            // it was new: it has joined the corpus, or will once it is trimmed
	Failed bool            // a program crashed, or ran out of time or memory
	// Validity is that of the input, and Unique says that its trace was not seen before: see feature.Joint.
	Validity oracle.Validity
	Unique   bool
	// Deviation is that of schedule.Result.
	Deviation uint64
	// Turns is what it cost: see schedule.Usual. 0 stands for 1.
	Turns int
}

// Corpus is the inputs kept, in the order in which they joined. They never change.
type Corpus [][]byte
