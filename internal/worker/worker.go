// Package worker is what runs inside the binary that holds the programs under test: it finds their counters, runs the
// engine, and tells its supervisor what happens. The generated package main calls Main and nothing else.
//
// The supervisor starts the process with the shared memory as file 3 and a socket as file 4 (see package wire) and
// outlives it: what Go cannot recover from ends the worker, and the supervisor finds the input in flight in the
// shared memory. The worker is single-threaded as far as programs are concerned: one goroutine runs engine and
// programs; it is replaced when a program ends it by runtime.Goexit.
package worker

import (
	"errors"
	"fmt"
	"os"

	"parallax/internal/input"
	"parallax/internal/oracle"
)

// Program is one implementation under test.
type Program struct {
	Name string
	// Run calls the program with the arguments and stores what it returns.
	Run func(*input.Args, *oracle.Result)
	// Test, for a fuzz target, tells how its executions end. Run is then called between Begin and End.
	Test Test
	// Calls, for a fuzz target that is compared with another version of itself, tells what its calls into the code under test
	// returned: the value of an execution that accepts. One that skips rejects then, and what it called is the class. Nil: a target
	// that is not compared.
	Calls Calls
}

// Calls is what a fuzz target's calls returned in the execution that Begin of its Test began.
type Calls interface {
	// Digest, Failures and Text are those of oracle.Record, and may panic. Digest comes first.
	Digest() uint64
	Failures() uint64
	Text(limit int) (text string, truncated bool)
}

// Test is what package testing knows of the execution of a fuzz target.
type Test interface {
	Begin(detail bool)
	// End runs cleanup functions. It may panic, and end the goroutine.
	End()
	// Status tells whether the execution was ended by Skip, Fatal and the like, and what it said.
	Status() (finished, skipped, failed bool)
	// Failure tells where the target failed first, what it logged last before that, and with detail all that it logged.
	Failure() (pcs []uintptr, message, output string)
	// Reset makes ready for the next execution.
	Reset()
}

// Target is the programs of a campaign.
type Target struct {
	Shape         input.Shape
	CompareValues bool // accepted values are comparable between all programs
	Programs      []Program

	Layers   oracle.Layers // that the harness wants compared; 0: it does not say
	Notes    []string      // of the harness, for the user
	Seeds    [][]byte      // that the harness brings, in flat form
	Problems []string      // of the harness, that make a campaign useless
	Refused  string        // what the user asked for and cannot have, and why
	// Marshal writes a value that is no text as text, for comparison with programs of other languages. Nil: such values have none.
	Marshal func(any) ([]byte, error)
	// Repair reads the arguments of a mutant and makes better ones, in order. Nil: mutants are executed as they are.
	Repair func(*input.Args, *input.Builder)
	// Ignored tells whether a disagreement on the input is intended. It runs the programs again but for those of a set, which have ended
	// their process on it; nil: none is.
	Ignored func(flat []byte, ended uint64) bool
	// Generator makes the only argument, an encoded tape, into what the program runs on; nil: none does. A Maker does so before programs run.
	Generator Generator
	Alone     bool          // the only program answers what the Generator, a Maker, makes
	Tapes     bool          // programs in other processes have one
	Sites     []string      // tables of the calls that can be recorded, as package golang writes them
	Calls     func() string // the calls that the latest run made of its input, for people, a line each; nil: inputs are shown as they are
	before    []uint32      // blocks that were executed before the first input, ascending
}

// Generator is what draws from a tape.
type Generator interface {
	AppendDrawn(b []byte) []byte // appends the encoded tape of the latest run, as it was drawn
	Text() string                // what that run drew, for people, if it was run in detail
}

// Maker is a Generator that makes inputs before programs run on them: what it executes is no program's.
type Maker interface {
	Generator
	// Shape is that of what Make returns; nil: it returns nothing, and programs know where to get values.
	Shape() input.Shape
	// Make makes an input of a tape. End is empty where there is one, and else says how it ended, and text why. It may end the goroutine.
	Make(tape []byte) (flat []byte, end, text string)
	// Again makes the values of the latest input once more, for the next program. It reports false if there are none now.
	Redraw() bool
	// Detail has what is drawn noted, for Text.
	Detail(on bool)
	// Invalid reports whether an end says that there is no input, and no mistake; Fault says in a line what else it means.
	Invalid(end string) bool
	Fault(end, text string) string
	// Check draws some inputs, and says in a line why there are none that can be used; "": there are.
	Check() string
}

// Guided is a Generator whose choices can be made while it draws, where a tape holds none: see tape.Guide.
type Guided interface {
	Guided(choose func(site uint32, state, bound uint64) (value uint64, ok bool), chosen func(site uint32, state, value uint64))
}

// Files that the supervisor hands over.
const (
	memoryFile = 3
	socketFile = 4
	claimsFile = 5 // wire.Claims, if wire.ClaimsVariable is set
)

// Main serves the supervisor until it closes the socket. It does not return.
func Main(t Target) {
	if !Wanted() {
		fmt.Fprintln(os.Stderr, "This is a worker of parallax; `parallax diff` starts it.")
		os.Exit(2)
	}
	Serve(t)
	os.Exit(0)
}

// Wanted reports whether this process was started as a worker.
func Wanted() bool { return os.Getenv("PARALLAX_WORKER") != "" }

// connected is whether there was a supervisor.
var connected bool

// Serve serves the supervisor until it closes the socket. It does not return from what makes that impossible.
func Serve(t Target) {
	if err := serve(t); err != nil {
		lookAtDescriptors()
		if errors.Is(err, errCut) {
			end("took what parallax sends to its worker, or closed the way, on one of the latest inputs")
		}
		fmt.Fprintf(os.Stderr, "parallax worker: %v\n", err)
		os.Exit(120)
	}
}
