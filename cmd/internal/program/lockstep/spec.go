// Package lockstep runs campaigns whose programs cannot share a process. They may be Go functions
// built with other versions or toolchains, C programs, commands, drivers in other languages, and
// services. A lockstep process (the hidden command `parallax lockstep`) replaces a Go worker: it
// holds the engine, and speaks a worker's protocol to the supervisor (package wire). It runs each
// batch of inputs on all programs at once. Each program runs in processes of its own or, depending
// on its kind, in this one.
//
// Package subject writes the Spec. Package execute starts lockstep processes like workers. Main
// gets the table of kinds. Optional abilities of programs are interfaces (package program). The end
// of a program's process is an observation. A program that cannot be run at all ends the campaign
// with a program.Failure.
//
// Invariants: results have the order of inputs and programs, whichever program is faster. A
// lockstep process leaves no process and no file behind, however it ends. The code names no kind.
//
//	spec.go      the target in JSON, which package subject writes
//	main.go      the process: opens the programs, and serves orders
//	lockstep.go  a batch on all programs
//	running.go   one program in the process: its blocks, and the numbers of its counters
//	order.go     when each program runs a batch: all at once, or the slowest first
//	follower.go  an old version, which runs on some inputs of the new one
//	share.go     how many inputs an old version may run
//	digest.go    normalized values, and classes of messages
//	output.go    cells and words of outputs, for programs without coverage
//	drawer.go    the inputs that a user's generator makes, in a worker of its own
//	screen.go    one program, asked first whether a disagreement can show
//
// The engine proposes a batch while the batch before still runs. It takes the results in the order
// of the inputs, so a campaign repeats. Triage's orders that wait together run as one batch.
package lockstep

import (
	"encoding/json"
	"fmt"
	"os"

	"parallax/cmd/internal/base/limits"
	"parallax/internal/wire"
	"parallax/internal/worker"
)

// Version is the version of the Spec file. Both sides are the same executable.
const Version = 1

// Spec configures a lockstep process.
type Spec struct {
	Version int
	Shape   string
	Values  bool // accepted values are compared
	// values and messages are compared as texts: not all programs are Go functions with the same
	// types
	Text     bool
	Programs []Program
	Classes  []Class
	MaxFlat  int
	Repair   *External
	// Generator makes the programs' inputs, of the shape, from tapes. Nil means that there is none.
	Generator *External `json:",omitempty"`
	Notes     []string

	CmpLog       bool                 // programs report operands of their comparisons
	CmpLogBuilds []worker.CmpLogBuild // builds that report them
	// Ordered requests the order in which blocks are first executed, from programs that can record
	// it. Regions are those of the normal builds, which stay.
	Ordered bool
	Regions []wire.Region
}

// Program is one program. Settings belongs to its kind.
type Program struct {
	Name      string
	Kind      string
	Settings  json.RawMessage
	Limits    limits.Limits
	Normalize []Step
	After     *After `json:",omitempty"` // nil means that it runs on every input
}

// Step is a normalizer, as normalize.Step.
type Step struct {
	Builtin  string    `json:",omitempty"`
	Replace  string    `json:",omitempty"` // regular expression
	With     string    `json:",omitempty"`
	External *External `json:",omitempty"`
}

// External is a program that transforms bytes.
type External struct {
	Kind     string
	Settings json.RawMessage
	Limits   limits.Limits
	Name     string // a command line for people; empty for functions
}

// Class is a declared class of messages.
type Class struct {
	Name     string
	Match    []string // regular expressions
	Programs []string // empty means all
}

// Write writes the file of a lockstep process.
func (s *Spec) Write(path string) error {
	s.Version = Version
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

// read reads the file of a lockstep process.
func read(path string) (*Spec, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := &Spec{}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if s.Version != Version {
		return nil, fmt.Errorf("%s is of version %d, not %d", path, s.Version, Version)
	}
	return s, nil
}
