// Package config owns parallax.toml, the file that describes a target whose programs are of several kinds: what is in it, what
// it means, and what is wrong with it. docs/reference/configuration.md documents each key.
//
//	config.go    what a file says, checked and with every path absolute
//	load.go      reading it
//	tables.go    the tables of the file, but for programs
//	programs.go  [[program]]: which kind it is, and what programs of all kinds have; each kind reads the rest (package subject/kinds)
//	names.go     the names of programs that have none
//	harness.go   configurations without a file
//	regress.go   [regress], and the configuration of two versions that were built by it
//	environ.go   what a program's environment is, for those who start it
//
// It is called by package subject and by commands, and starts nothing: that a program is there is found out by whoever
// starts it. Invariants:
//   - a File that Load returns has nothing left to complain about, and defaults are filled in;
//   - unknown keys are errors, since a misspelt one would silently compare something else;
//   - all mistakes are told at once, by file, line and column, in the order of the file.
package config

import (
	"fmt"
	"regexp"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
)

// FileName is the file's usual name.
const FileName = "parallax.toml"

// Version is the format that is read.
const Version = 1

// Position is a place in the file.
type Position = tomldoc.Position

// File is a configuration. Paths in it are absolute.
type File struct {
	Path        string // of the file itself
	Dir         string // the folder that holds it
	Name        string // of the target
	Repair      *External
	Input       Input
	Compare     Compare
	Controls    []Control
	Limits      limits.Limits // of programs that have none of their own; already in Program.Limits
	Environment Environment
	Programs    []Program // two or more; none where there is a Regress and no [[program]]
	Regress     *Regress  // nil: the file has no [regress]
	Built       []Built   // what Programs are builds of, by Versions
}

// External is a Go function or a command that does something to bytes: it repairs, or it normalizes.
type External struct {
	Go      string   // function as `parallax diff` takes it: func([]byte) []byte; or
	Command []string // reads standard input and writes standard output
	At      Position
}

// Input is the table [input].
type Input struct {
	Seeds      []string // files and folders
	Dictionary string   // file; "": none
	Grammar    string   // file; "": none
	Generator  string   // Go function or variable of which inputs are drawn, as parallax diff takes it; "": none
	Drawn      Position // where it is named
	MaxBytes   int
	Limited    bool // MaxBytes is given, and not the default
}

// Compare is the table [compare].
type Compare struct {
	Layers      oracle.Layers
	LayersGiven bool   // and not the default
	Accepted    string // file of accepted differences, which need not be there
	Normalize   []Step // of every program's value, in this order
	Classes     []Class
}

// Step is one normalizer: exactly one of its first four is set.
type Step struct {
	Builtin  string // one of normalize.Names
	Replace  *regexp.Regexp
	External *External
	With     string // what Replace is replaced by, with $1 and ${name}
	At       Position
}

// Class is a declared class of error messages, [[compare.class]].
type Class struct {
	Name     string
	Match    []*regexp.Regexp // any of them, anywhere in the message
	Programs []string         // none: every program
	At       Position
}

// Control is an input whose outcome is known, [[control]].
type Control struct {
	Path     string // file that it was read from; "": text stands in the file itself
	Input    []byte
	Expect   oracle.Outcome // accepted, rejected or declined
	Programs []string       // none: every program
	HasValue bool           // Value is expected, after normalizing
	Value    []byte
	At       Position
}

// Environment is the table [environment].
type Environment struct {
	Clock   time.Time         // what programs take for the time; zero: the machine's
	Inherit []string          // variables that are passed on
	Set     map[string]string // and these, which win
}

// Program is one [[program]].
type Program struct {
	program.Common
	Kind      string           // its name in package kinds
	Settings  program.Settings // what is its kind's own
	Normalize []Step           // before those of [compare]
	At        Position         // of its header
}

// Fail is an error about a place in the file, with exit code 2.
func (f *File) Fail(at Position, format string, args ...any) error {
	return exit.Usage("%s:%d:%d: %w", f.Path, at.Line, at.Column, fmt.Errorf(format, args...))
}
