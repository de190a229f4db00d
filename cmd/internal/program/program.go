// Package program says what a program of any kind is: how it runs and what of that is observed (this file), what more some can tell
// (abilities.go), and what a kind is (kind.go). Package lockstep runs programs on each input; packages below this one are kinds, named as
// in parallax.toml but for gofunc, since go is a word of the language. The table of kinds is in subject/kinds.
//
// Invariants: who runs programs asks for abilities and never for kinds; what a program does to itself is an observation, and that it
// cannot be run at all is a Failure.
package program

import (
	"context"
	"fmt"

	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Observation is what one program did with one input, before anything is compared. It keeps its memory from batch to batch.
type Observation struct {
	Outcome oracle.Outcome
	// Value is what an acceptance is compared by, as the program gave it: normalizers come later.
	Value []byte
	// Message is, of a rejection, what the program said; of a crash, a timeout or too much memory, what happened in a line
	// ("signal: aborted", "exit status 3, which the configuration does not list").
	Message string
	// Detail is for people: the last of standard error, a stack trace. It may be empty, and is not compared.
	Detail string
	// Features are what the run executed, as far as the program tells: numbers below the executor's Features, or of its blocks (Blocks),
	// each once, in ascending order. Counts, parallel to it, is how often, at least 1.
	Features []uint32
	Counts   []byte

	// What follows is filled by a Tracer, and by nobody else.

	Class, Digest uint64 // of message and value, that the program's own worker gave; 0: Message and Value tell
	Place         uint64 // of a failure, where it happened (oracle.Observation); package lockstep fills in what is not known
	Ended         bool   // the program's process ended with it: Detail is what it printed
	Trace         feature.Trace

	Cells []uint16 // of what it said, where nothing else is known of it; package lockstep fills them in
}

// Reset makes o ready for another run and keeps its memory.
func (o *Observation) Reset() {
	trace := o.Trace
	trace.Reset()
	*o = Observation{Value: o.Value[:0], Features: o.Features[:0], Counts: o.Counts[:0], Trace: trace, Cells: o.Cells[:0]}
}

// Result is the observation as a result of a Run order. Digests come later.
func (o *Observation) Result(flags uint64) wire.RunResult {
	if o.Outcome >= oracle.Crashed {
		return wire.RunResult{Outcome: uint64(o.Outcome), Panic: o.Message, Stack: o.Detail, Ended: true}
	}
	r := wire.RunResult{Outcome: uint64(o.Outcome), Length: o.Trace.Length, Set: o.Trace.Set, Error: o.Message, Rendered: string(o.Value)}
	if flags&wire.WantDetail != 0 {
		r.Output = o.Detail
	}
	return r
}

// Executor runs one program. It belongs to one goroutine at a time. Whatever the program does to itself is an observation;
// errors are of what it runs on.
type Executor interface {
	// Execute runs the inputs one after another and fills observations of the same length, which it may keep memory of
	// only until it returns. When ctx ends it returns ctx's error at once, having killed what ran.
	//
	// An error that wraps *Failure ends the campaign with what it says.
	Execute(ctx context.Context, inputs [][]byte, obs []Observation) error
	// Features is how many features the program can tell; 0 if it tells none. It is known once the executor is open.
	Features() int
	// Batch is how many inputs are worth giving at once.
	Batch() int
	// Close ends what runs and removes what is left of it. No process, file or folder stays.
	Close() error
}

// Failure is why a program cannot be run at all: a configuration error when its executable, interpreter, module or service is
// not there, never a finding.
type Failure struct {
	Program string // its name in the target
	Code    int    // of package exit: exit.UsageCode for what the user can put right, exit.InfraCode for the rest
	What    string // what happened, in one line or a few: what, where
	Hint    string // what to do; may be empty
}

// Error implements error.
func (f *Failure) Error() string {
	text := f.What
	if f.Program != "" {
		text = fmt.Sprintf("program %s: %s", f.Program, f.What)
	}
	if f.Hint != "" {
		text += "\n" + f.Hint
	}
	return text
}
