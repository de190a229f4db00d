// Package config owns parallax.toml, the file that describes a target whose programs are of several kinds: what is in it, what
// it means, and what is wrong with it. docs/configuration.md documents each key.
//
//	config.go    what a file says, checked and with every path absolute
//	load.go      reading it
//	document.go  TOML as a tree in which every key and value has its place
//	reader.go    taking values out of the tree: types, known keys, words
//	tables.go    the tables of the file, but for programs
//	programs.go  [[program]]: what belongs to which kind
//	names.go     the names of programs that have none
//	exits.go     exit codes and status codes
//	environ.go   what a program's environment is, for those who start it
//
// It is called by campaign and by `parallax init`, and starts nothing: that a program is there is found out by whoever
// starts it. Invariants:
//   - a File that Load returns has nothing left to complain about, and defaults are filled in;
//   - unknown keys are errors, since a misspelt one would silently compare something else;
//   - all mistakes are told at once, by file, line and column, in the order of the file.
package config

import (
	"fmt"
	"regexp"
	"time"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/program"
	"parallax/internal/judge"
)

// FileName is the file's usual name.
const FileName = "parallax.toml"

// Version is the format that is read.
const Version = 1

// Position is a place in the file, both counted from 1. The column counts bytes.
type Position struct{ Line, Column int }

// File is a configuration. Paths in it are absolute.
type File struct {
	Path        string // of the file itself
	Dir         string // the folder that holds it
	Name        string // of the target
	Repair      *External
	Input       Input
	Compare     Compare
	Controls    []Control
	Limits      program.Limits // of programs that have none of their own; already in Program.Limits
	Environment Environment
	Programs    []Program // two or more
}

// External is a Go function or a command that does something to bytes: it repairs, or it normalises.
type External struct {
	Go      string   // function as `parallax diff` takes it: func([]byte) []byte; or
	Command []string // reads standard input and writes standard output
	At      Position
}

// Input is the table [input].
type Input struct {
	Seeds      []string // files and folders
	Dictionary string   // file; "": none
	MaxBytes   int
}

// Compare is the table [compare].
type Compare struct {
	Layers      judge.Layers
	LayersGiven bool   // and not the default
	Accepted    string // file of accepted differences, which need not be there
	Normalise   []Step // of every program's value, in this order
	Classes     []Class
}

// Step is one normaliser: exactly one of its first four is set.
type Step struct {
	Builtin  string // one of normalise.Names
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
	Expect   judge.Outcome // accepted, rejected or declined
	Programs []string      // none: every program
	HasValue bool          // Value is expected, after normalising
	Value    []byte
	At       Position
}

// Environment is the table [environment].
type Environment struct {
	Clock   time.Time         // what programs take for the time; zero: the machine's
	Inherit []string          // variables that are passed on
	Set     map[string]string // and these, which win
}

// Kind is how a program runs.
type Kind string

// The kinds.
const (
	Go         Kind = "go"         // a Go function, in a worker
	C          Kind = "c"          // a C or C++ harness that parallax cc has linked
	Command    Kind = "command"    // a process for each input
	Persistent Kind = "persistent" // a driver that speaks the protocol of docs/driver-protocol.md
	HTTP       Kind = "http"       // a request for each input
)

// Program is one [[program]]. What does not belong to its kind is empty.
type Program struct {
	Name      string
	Kind      Kind
	Dir       string         // absolute; not given: the folder of the file
	Limits    program.Limits // its own or those of [limits]
	Normalise []Step         // before those of [compare]
	At        Position       // of its header

	// go
	Function   string // import path and function, or ./pkg.Func relative to Dir, without version
	Version    string // of the module, as in v1.2.3; "": what Dir's go.mod selects
	Toolchain  string // Go version, as in 1.25.1; "": that of Dir
	Instrument []string

	// c
	Binary string // absolute
	Args   []string

	// command, persistent; Env also c
	Command []string          // as written; Absolute makes files of Dir findable from elsewhere
	Env     map[string]string // beside [environment]; also of an http program's start

	// command
	Value Value
	Exit  Exit

	// http
	URL      string   // may have {input}, and {port} with Start
	Method   string   // not given: POST, and GET with {input} in URL
	Headers  []Header // by name
	Parts    []string // of the answer that are the value: status, body, header:Name with its canonical name
	Accepted []string // status codes: "200" or "2xx"
	Rejected []string
	Rate     int // requests a second; 0: no limit
	Retries  int // of a request that found nobody to answer it
	Start    []string
	Ready    string // URL that answers with 2xx once Start is ready; "": any answer of URL
}

// Value says which output of a command is its value.
type Value string

// The values of a command.
const (
	Stdout Value = "stdout"
	Stderr Value = "stderr"
	Output Value = "output" // the file that {output} in the command names
	None   Value = "none"   // the verdict alone counts
)

// Header is a line of a request's head.
type Header struct{ Name, Value string }

// Exit maps exit codes of a command to outcomes. No code is in two of them; one that is in none is a crash.
type Exit struct {
	Accepted, Rejected, Declined []int
}

// Fail is an error about a place in the file, with exit code 2.
func (f *File) Fail(at Position, format string, args ...any) error {
	return exit.Usage("%s:%d:%d: %w", f.Path, at.Line, at.Column, fmt.Errorf(format, args...))
}
