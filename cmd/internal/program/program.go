// Package program says what a program is that runs outside a Go worker of its own campaign: a command, a driver in another
// language, a service, a worker built by another toolchain. Package lockstep runs several of them on each input; the packages
// below it are the kinds.
package program

import (
	"context"
	"fmt"
	"time"

	"parallax/internal/judge"
)

// Observation is what one program did with one input, before anything is compared.
type Observation struct {
	Outcome judge.Outcome
	// Value is what an acceptance is compared by, as the program gave it: normalisers come later.
	Value []byte
	// Message is, of a rejection, what the program said; of a crash, a timeout or too much memory, what happened in a line
	// ("signal: aborted", "exit status 3, which the configuration does not list").
	Message string
	// Detail is for people: the last of standard error, a stack trace. It may be empty, and is not compared.
	Detail string
	// Features are what the run executed, as far as the program tells: numbers below the executor's Features, each once, in
	// ascending order. Counts, parallel to it, is how often, at least 1.
	Features []uint32
	Counts   []byte
}

// Reset makes o ready for another run and keeps its memory.
func (o *Observation) Reset() {
	*o = Observation{Value: o.Value[:0], Features: o.Features[:0], Counts: o.Counts[:0]}
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
	text := fmt.Sprintf("program %s: %s", f.Program, f.What)
	if f.Hint != "" {
		text += "\n" + f.Hint
	}
	return text
}

// Limits are what a run may use. Zero is no limit, but for Network.
type Limits struct {
	Timeout   time.Duration // for an input
	Memory    int64         // resident bytes of all the run's processes together
	FileSize  int64         // bytes of the largest file it may write
	Processes int           // at once, its own included
	Output    int           // bytes of standard output that are read; more is a crash with a message that says so
	Network   bool          // it may use the network
}
