// Package worker runs inside the binary that holds the programs under test. It finds their
// counters, runs the engine, and reports to its supervisor. The generated package main calls only
// Main.
//
// The supervisor starts the process with the shared memory as file 3 and a socket as file 4 (see
// package wire), and outlives it. An error that Go cannot recover from ends the worker, and the
// supervisor finds the input in flight in the shared memory. One goroutine runs engine and
// programs. It is replaced when a program ends it by runtime.Goexit.
//
//	server.go        orders of the supervisor
//	local.go         programs in this process
//	remote.go        programs in other processes: the lockstep process
//	runner.go        one input on one program
//	counters.go      the counters, found in the symbol table of the executable
//	sink.go          from the engine to the event ring
//	maker.go         inputs that a generator of the user draws
//	repair.go        the user's repair function
//	test.go          the end of a run of a FuzzXxx: skipped, failed, cleaned up
//	observe.go       orders of a lockstep process, of which this process is one program
//	collect.go       garbage collection between inputs, so that campaigns repeat
//	cmplogclient.go  the cmplog build, seen from the fuzzing worker
//	cmplogserver.go  the cmplog build itself
//
// The cmplog build is a second build of the programs, without counters. It records the operands of
// comparisons. The worker starts a process of it, sends it inputs of the corpus, and gets their
// comparisons. It replaces a process that does not reply. After several failures in a row it
// continues without one.
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
	// Run calls the program with the arguments and stores its results.
	Run func(*input.Args, *oracle.Result)
	// Test reports, for a fuzz target, how its executions end. Run is then called between Begin and
	// End.
	Test Test
	// Calls reports, for a fuzz target that is compared with another version of itself, the results
	// of its calls into the code under test. They are the value of an execution that accepts. An
	// execution that skips rejects, and its calls are the class. Nil means that the target is not
	// compared.
	Calls Calls
}

// Calls reports the results of a fuzz target's calls since Begin of its Test.
type Calls interface {
	// Digest, Failures, Parts and Text are those of oracle.Record, and may panic. Digest must be
	// called first.
	Digest() uint64
	Failures() uint64
	Parts() oracle.Parts
	Text(limit int) (text string, truncated bool)
}

// Test reports package testing's status of a fuzz target's execution.
type Test interface {
	Begin(detail bool)
	// End runs cleanup functions. It may panic, and end the goroutine.
	End()
	// Status reports whether Skip, Fatal or the like ended the execution, and the target's status.
	Status() (finished, skipped, failed bool)
	// Failure returns where the target failed first, its last log message before that, and with
	// detail all that it logged.
	Failure() (pcs []uintptr, message, output string)
	// Reset prepares for the next execution.
	Reset()
}

// Target describes the programs of a campaign.
type Target struct {
	Shape         input.Shape
	CompareValues bool // accepted values are comparable between all programs
	Programs      []Program

	Layers   oracle.Layers // layers that the harness wants compared; zero means no choice
	Notes    []string      // of the harness, for the user
	Seeds    [][]byte      // of the harness, in flat form
	Problems []string      // of the harness, if they make a campaign useless
	Refused  string        // a request of the user that cannot be fulfilled, and the reason
	// Marshal writes a value as text if it is not text, to compare it with programs of other
	// languages. Nil means that such values have no text.
	Marshal func(any) ([]byte, error)
	// Repair reads the arguments of a mutant and makes better ones, in order. Nil means that
	// mutants are not repaired.
	Repair func(*input.Args, *input.Builder)
	// Ignored reports whether a disagreement on the input is intended. It runs the programs again,
	// except those in the set ended, which have ended their process on the input. Nil means that no
	// disagreement is intended.
	Ignored func(flat []byte, ended uint64) bool
	// Generator makes the programs' input from the only argument, an encoded tape. A Maker does so
	// before programs run. Nil means none.
	Generator Generator
	Alone     bool          // the only program returns the input that the Generator, a Maker, makes
	Tapes     bool          // programs in other processes have a generator
	Sites     []string      // tables of the calls that can be recorded, as package golang writes them
	Calls     func() string // the latest run's calls for people, one per line; nil means that inputs are shown
	before    []uint32      // blocks executed before the first input, ascending
}

// Generator draws from a tape.
type Generator interface {
	AppendDrawn(b []byte) []byte // appends the encoded tape of the latest run, as it was drawn
	Text() string                // values drawn by that run, for people, if it ran in detail
}

// Maker is a Generator that makes inputs before programs run. Its blocks do not count as a
// program's.
type Maker interface {
	Generator
	// Shape returns the shape of Make's inputs. Nil means that Make returns none, and that programs
	// get values elsewhere.
	Shape() input.Shape
	// Make makes an input from a tape. An empty end means that there is one. Otherwise end is the
	// kind of end, and text its reason. It may end the goroutine.
	Make(tape []byte) (flat []byte, end, text string)
	// Redraw makes the values of the latest input again for the next program. It reports false if
	// there are none now.
	Redraw() bool
	// Detail makes draws record their values, for Text.
	Detail(on bool)
	// Invalid reports whether an end means that there is no input, without an error. Fault returns
	// a one-line message about any other end.
	Invalid(end string) bool
	Fault(end, text string) string
	// Check draws some inputs and returns a one-line reason why none can be used. Empty means that
	// they can.
	Check() string
}

// Guided is a Generator whose choices can be made while it draws, for an empty tape: see
// tape.Guide.
type Guided interface {
	Guided(choose func(site uint32, state, bound uint64) (value uint64, ok bool), chosen func(site uint32, state, value uint64))
}

// Files from the supervisor.
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

// connected reports whether there was a supervisor.
var connected bool

// Serve serves the supervisor until it closes the socket. If that is impossible, it exits.
func Serve(t Target) {
	if err := serve(t); err != nil {
		checkDescriptors()
		if errors.Is(err, errCut) {
			exitHarmed("took what parallax sends to its worker, or closed the way, on one of the latest inputs")
		}
		fmt.Fprintf(os.Stderr, "parallax worker: %v\n", err)
		os.Exit(120)
	}
}
