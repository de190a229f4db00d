// Package lockstep runs campaigns whose programs cannot share a process: Go functions built with
// other versions or toolchains, C programs, commands, drivers in other languages, services. A
// lockstep process (the hidden command `parallax lockstep`) stands in the place of a Go worker: it
// holds the engine, speaks a worker's protocol to the supervisor (package wire), and runs each
// batch of inputs on all programs at once, each in processes of its own or, if its kind wants that,
// in this one.
//
// Package target writes the Spec. Package execute starts lockstep processes as it starts workers.
// Which kinds there are is handed to Main; what a program can tell beyond its outcome is asked by
// its abilities (package program). What programs do to themselves is an observation; a program that
// cannot be run at all ends the campaign by a program.Failure.
//
// Invariants: results come in the order of inputs and programs, whichever program is quicker; a
// lockstep process leaves no process and no file behind, however it ends; nothing here names a
// kind.
package lockstep

import (
	"encoding/json"
	"fmt"
	"os"

	"parallax/cmd/internal/base/limits"
	"parallax/internal/wire"
	"parallax/internal/worker"
)

// Version of the file that holds a Spec: both sides are the same executable.
const Version = 1

// Spec is all that a lockstep process needs to know.
type Spec struct {
	Version  int
	Shape    string
	Values   bool // accepted values are compared
	Text     bool // and are texts, as are the messages of errors: not all programs are Go functions with the same types
	Programs []Program
	Classes  []Class
	MaxFlat  int
	Repair   *External
	// Generator makes the inputs of the programs, of the shape, of tapes; nil: inputs are what the
	// programs take.
	Generator *External `json:",omitempty"`
	Notes     []string

	CmpLog       bool                 // programs report the operands of their comparisons
	CmpLogBuilds []worker.CmpLogBuild // second builds that report them
	// Ordered asks for the order in which blocks are first executed, of programs that can tell.
	// Regions are those of before, which stay.
	Ordered bool
	Regions []wire.Region
}

// Program is one program. Settings are its kind's own.
type Program struct {
	Name      string
	Kind      string
	Settings  json.RawMessage
	Limits    limits.Limits
	Normalize []Step
	After     *After `json:",omitempty"` // nil: it runs on every input
}

// Step is a normalizer, as normalize.Step.
type Step struct {
	Builtin  string    `json:",omitempty"`
	Replace  string    `json:",omitempty"` // regular expression
	With     string    `json:",omitempty"`
	External *External `json:",omitempty"`
}

// External is a program that turns bytes into others.
type External struct {
	Kind     string
	Settings json.RawMessage
	Limits   limits.Limits
	Name     string // for people: a command line; "" of functions
}

// Class is a declared class of messages.
type Class struct {
	Name     string
	Match    []string // regular expressions
	Programs []string // none: all
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
