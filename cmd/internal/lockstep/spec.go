// Package lockstep runs campaigns whose programs cannot share a process: Go functions built with other versions or toolchains,
// commands, drivers in other languages, services. A conductor is a process of parallax (the hidden command `parallax lockstep`) that
// stands in the place of a Go worker: it holds the engine, speaks a worker's protocol to the supervisor (package wire), and
// runs each batch of inputs on all programs at once, each in processes of its own.
//
// Package campaign writes the Spec and starts conductors as it starts workers. What programs do to themselves is an
// observation; a program that cannot be run at all ends the campaign by a program.Failure.
//
// Invariants: results come in the order of inputs and programs, whichever program is quicker; a conductor leaves no process
// and no file behind, however it ends.
package lockstep

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/command"
	"parallax/cmd/internal/program/http"
	"parallax/cmd/internal/program/persistent"
)

// Version of the file that holds a Spec: both sides are the same executable.
const Version = 1

// Spec is all that a conductor needs to know.
type Spec struct {
	Version  int
	Shape    string
	Values   bool // accepted values are compared
	Text     bool // and are texts, as are the messages of errors: not all programs are Go functions with the same types
	Programs []Program
	Builds   []Build // of Go programs
	Classes  []Class
	MaxFlat  int
	Repair   *External
	Notes    []string
}

// Program is one program. Exactly one of the kinds is set.
type Program struct {
	Name      string
	Normalise []Step
	Go        *Go                `json:",omitempty"`
	Native    *Native            `json:",omitempty"`
	Command   *command.Config    `json:",omitempty"`
	Driver    *persistent.Config `json:",omitempty"`
	Service   *http.Config       `json:",omitempty"`
	Limits    program.Limits
}

// Shown is what runs: a command line or an address; empty for Go functions.
func (p *Program) Shown() string {
	switch {
	case p.Native != nil:
		return strings.Join(append([]string{p.Native.Shown}, p.Native.Args...), " ")
	case p.Command != nil:
		return strings.Join(p.Command.Args, " ")
	case p.Driver != nil:
		return strings.Join(p.Driver.Args, " ")
	case p.Service != nil:
		return p.Service.URL
	}
	return ""
}

// Kind names the kind of a program as configurations do; empty for Go functions.
func (p *Program) Kind() string {
	switch {
	case p.Native != nil:
		return "c"
	case p.Command != nil:
		return "command"
	case p.Driver != nil:
		return "persistent"
	case p.Service != nil:
		return "http"
	}
	return ""
}

// Go is a function in a worker of a build.
type Go struct {
	Build   int
	Program int // its number in the build
}

// Build is a worker's executable. Programs of one build have processes of their own, so that they run at the same time.
type Build struct {
	Binary string
	// Operands is the executable of the operand build, which may appear later; empty: it is not wanted.
	Operands string
	Dir      string
	Env      []string
}

// Step is a normaliser, as normalise.Step.
type Step struct {
	Builtin  string    `json:",omitempty"`
	Replace  string    `json:",omitempty"` // regular expression
	With     string    `json:",omitempty"`
	External *External `json:",omitempty"`
}

// External is a Go function or a command that turns bytes into others.
type External struct {
	Go      *Go             `json:",omitempty"`
	Command *command.Config `json:",omitempty"`
	Limits  program.Limits
}

// Class is a declared class of messages.
type Class struct {
	Name     string
	Match    []string // regular expressions
	Programs []string // none: all
}

// Write writes the file of a conductor.
func (s *Spec) Write(path string) error {
	s.Version = Version
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

// read reads the file of a conductor.
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

// defaults of Go programs
const (
	defaultTimeout = 2 * time.Second
	defaultMemory  = 2 << 30
)
