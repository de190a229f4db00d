// Package config owns parallax.toml, the file that describes a target with programs of several
// kinds. It reads the file and reports its mistakes; docs/reference/configuration.md documents each
// key.
//
//	config.go    the content of a file, checked and with absolute paths
//	load.go      reading a file
//	tables.go    the tables of the file, except programs
//	programs.go  [[program]]: its kind and the keys of all kinds; each kind reads its own keys (package subject/kinds)
//	names.go     names for programs without one
//	harness.go   configurations without a file
//	regress.go   [regress], and the configuration of two versions built by it
//	environ.go   the environment of a program, for code that starts it
//
// Package subject and commands call it. It starts nothing: code that starts a program finds out
// whether it exists. Invariants:
//   - a File that Load returns is valid, and its defaults are set;
//   - unknown keys are errors, since a misspelt key would silently change the comparison;
//   - all mistakes are reported at once, by file, line and column, in the order of the file.
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

// Version is the format that this package reads.
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
	Limits      limits.Limits // the default of programs; already in Program.Limits
	Environment Environment
	Programs    []Program // two or more; none for a file with only a Regress
	Regress     *Regress  // nil if the file has no [regress]
	Built       []Built   // the versions that Programs run, for the result of Versions
}

// External is a Go function or a command that repairs or normalizes bytes.
type External struct {
	Go      string   // function as `parallax diff` takes it: func([]byte) []byte; or
	Command []string // reads standard input and writes standard output
	At      Position
}

// Input is the table [input].
type Input struct {
	Seeds      []string // files and folders
	Dictionary string   // file; empty means none
	Grammar    string   // file; empty means none
	Generator  string   // Go function or variable that draws inputs, as parallax diff takes it; empty means none
	Drawn      Position // its place
	MaxBytes   int
	Limited    bool // the file sets MaxBytes
}

// Compare is the table [compare].
type Compare struct {
	Layers      oracle.Layers
	LayersGiven bool   // the file sets Layers
	Accepted    string // file of accepted differences, which need not exist
	Normalize   []Step // of the values of all programs, in this order
	Classes     []Class
}

// Step is one normalizer. Exactly one of its first three fields is set.
type Step struct {
	Builtin  string // one of normalize.Names
	Replace  *regexp.Regexp
	External *External
	With     string // the replacement for matches of Replace, with $1 and ${name}
}

// Class is a declared class of error messages, [[compare.class]].
type Class struct {
	Name     string
	Match    []*regexp.Regexp // any of them, anywhere in the message
	Programs []string         // empty means all programs
}

// Control is an input with a known outcome, [[control]].
type Control struct {
	Path     string // file of the input; empty for a text in parallax.toml itself
	Input    []byte
	Expect   oracle.Outcome // accepted, rejected or declined
	Programs []string       // empty means all programs
	HasValue bool           // Value is expected, after normalization
	Value    []byte
	At       Position
}

// Environment is the table [environment].
type Environment struct {
	Clock   time.Time         // time for programs; zero means the machine's
	Inherit []string          // variables of the user that programs get
	Set     map[string]string // values that override inherited ones
}

// Program is one [[program]].
type Program struct {
	program.Common
	Kind      string           // its name in package kinds
	Settings  program.Settings // the keys of its kind
	Normalize []Step           // applied before those of [compare]
	At        Position         // of its header
}

// Fail returns an error at a place in the file, with exit code 2.
func (f *File) Fail(at Position, format string, args ...any) error {
	return exit.Usage("%s:%d:%d: %w", f.Path, at.Line, at.Column, fmt.Errorf(format, args...))
}
