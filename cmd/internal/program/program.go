// Package program defines programs of all kinds: executors and observations (this file), optional
// abilities (abilities.go), and kinds (kind.go). Package lockstep runs programs on each input. The
// packages below this one are kinds, named as in parallax.toml, except gofunc, since go is a
// keyword. The table of kinds is in subject/kinds.
//
// Invariants: callers ask for abilities and never for kinds. The end of a program's process is an
// observation. A program that cannot be run at all is a Failure.
package program

import (
	"context"
	"fmt"

	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Observation is the result of one program on one input, before any comparison. Its memory is
// reused from batch to batch.
type Observation struct {
	Outcome oracle.Outcome
	// Value is the value of an acceptance that is compared, before normalization.
	Value []byte
	// Message is the program's message for a rejection. For a crash, a timeout or an excess of memory,
	// a line describes it ("signal: aborted", "exit status 3, which the configuration does not list").
	Message string
	// Detail is for people: the end of standard error, or a stack trace. It may be empty, and is
	// not compared.
	Detail string
	// Features lists the executed features, as far as known: numbers below the executor's Features,
	// or block numbers (Blocks), each once, ascending. Counts is parallel and has their counts, at
	// least 1.
	Features []uint32
	Counts   []byte

	// Only a Tracer fills the fields below.

	// of message and value, from the program's worker; 0 means Message and Value have them
	Class, Digest uint64
	// Parts is the sketch of the value that Digest digests
	Parts oracle.Parts
	// place of a failure (oracle.Observation); package lockstep fills in a missing one
	Place uint64
	Ended bool // the program's process ended on the input: Detail is its output
	Trace feature.Trace

	Cells []uint16 // of its output, for programs without coverage; package lockstep fills them in
}

// Reset prepares o for another run and keeps its memory.
func (o *Observation) Reset() {
	trace := o.Trace
	trace.Reset()
	*o = Observation{Value: o.Value[:0], Features: o.Features[:0], Counts: o.Counts[:0], Trace: trace, Cells: o.Cells[:0]}
}

// Result returns the observation as the result of a Run order, without digests.
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

// Executor runs one program. It belongs to one goroutine at a time. The end of the program's
// process is an observation; errors concern its environment.
type Executor interface {
	// Execute runs the inputs in order and fills observations of the same length. It must not keep
	// their memory after it returns. When ctx ends, it kills the program and returns ctx's error at
	// once.
	//
	// An error that wraps *Failure ends the campaign with its text.
	Execute(ctx context.Context, inputs [][]byte, obs []Observation) error
	// Features returns the number of features, or 0 if there are none. It is fixed once the
	// executor is open.
	Features() int
	// Batch returns a good number of inputs per call.
	Batch() int
	// Close ends the program and removes the rest: no process, file or folder stays.
	Close() error
}

// Failure is the reason why a program cannot be run at all, and never a finding. A missing
// executable, interpreter, module or service is a configuration error.
type Failure struct {
	Program string // its name in the target
	// of package exit: exit.UsageCode for errors that the user can fix, exit.InfraCode for others
	Code int
	What string // what happened, in a line or a few
	Hint string // what to do; may be empty
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
