package gobuild

import (
	"fmt"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/signature"
	"parallax/internal"
	"parallax/internal/input"
)

// Request describes the functions to resolve and their context. Without Parallax, there is no
// Build.
type Request struct {
	buildroot.Options
	Functions []string // as written
	Libraries string   // folder for copies of the library that builds share; empty means none
	Siblings  string   // folder for products that equal builds share; empty means none

	Instrument   []string // patterns of further packages to instrument, as for `go list`
	NoInstrument bool     // for a test binary: no package is instrumented
	Order        bool     // record the order in which blocks are first hit
	Clock        bool     // time.Now can be pinned, by golang.ClockVariable
	Apart        bool     // make counters outlive the worker: golang.Options.Apart
	Calls        bool     // tests record the results of their calls into their module, or
	CallsInto    string   // into the module of this path, for a harness; empty means their own
	Label        string   // of the version in Dir, for people; may be empty

	Repair string // the function that repairs mutants, as written; empty means none
	// the function that draws inputs, as written; empty means none. Alone, it is the only program
	Generator string
	// a function with structs read from JSON: the build draws such texts, like Generator alone
	DrawFor string
	Drawn   bool             // inputs are drawn elsewhere, so that seeds of tests are useless
	Derive  bool             // if functions take structs, gen.Of draws them
	Making  signature.Making // which arguments are made

	// if functions take structs, read them from JSON, for comparison with programs in other
	// processes
	Texts bool
	// values that are not texts are written as JSON, for comparison with other languages
	Marshal bool
	// one of Functions that is refused if it may change the machine; empty means none
	Harmless string
	// operations on the values of two constructors; nil means that functions take the input
	Sequence *Sequence
	// the part that the second of two functions, a model of the first, omits; nil means none
	Partial *Partial

	library []internal.File // replaces the library in tests
}

// Program is one function under test.
type Program struct {
	Name      string // unique in the target: json.Valid
	Function  string // import path and function: encoding/json.Valid
	Package   string // import path
	Module    string // module path; std for the standard library
	Version   string // of the module, or of Go; empty for code of the user's own
	ModuleDir string // of a module that no proxy has
	// for a reproducer: a Go expression over package pN and variables in, or in1, in2, ...; may be
	// empty
	Call      string
	Results   []string // types of its results before the last error or bool
	Imports   []string // packages of the standard library whose types Call names
	Last      string   // "error", "bool" or ""
	Closure   []string // import paths of the packages that it may run
	Kind      string   // of a program that is not a Go function: command, persistent, http
	Toolchain string   // Go version of its build, if the target names one
}

// Plan is a resolved target.
type Plan struct {
	Target   string // the programs' names, safe as a file name
	Programs []Program
	Shape    input.Shape
	// input that a generator makes from a tape; nil if there is none, or it passes its values
	// directly
	Takes         input.Shape
	CompareValues bool
	Notes         []string  // for the user
	Packages      []Package // to instrument, sorted by import path
	Own           []string  // module paths, and packages of the standard library, whose functions are the programs' own
	// module paths of other code, except the standard library and parallax
	Dependencies []string
	// import paths of the library in the target's code, which is not under test
	Libraries  []string
	Dictionary [][]byte
	Seeds      []corpus.Seed
	GoVersion  string
	Language   string // for functions: the oldest release that their modules need, such as 1.22
	ReadsClock bool   // instrumented packages read the time, or it is unknown whether programs do
	// of constructors compared by sequences; nil for functions
	Operations []signature.OperationKind
	Closure    []string // of a test binary: import paths of its packages
	// of a test binary: the generator of inputs of its FuzzXxx, relative to the package's folder;
	// may be empty
	DrawnBy string

	req     *Request
	root    *buildroot.Root
	graph   *gocommand.Graph
	calls   []*signature.Function
	repair  *signature.Function // the repair function, or nil
	seq     *sequenced          // operations on the functions' values, or nil
	partial *partial            // the part that a model omits, or nil
	gen     *generated          // the source of drawn inputs, or nil
	files   []buildroot.File    // generated files
	main    string              // import path of the worker's package main
	fuzz    *fuzztest.Package   // for FuzzXxx, without calls
	built   time.Time           // start of the build of the present worker; zero if there is none
}

// Package is an instrumented package.
type Package struct {
	ImportPath string
	Dir        string
	Files      []string // absolute; input of the compiler, with cgo files as written
	Standard   bool
	Module     string
}

// newProgram describes a function before any code is generated.
func newProgram(c *signature.Function, goVersion string) Program {
	p := Program{Name: c.Name, Function: c.FullName(), Package: c.Package.ImportPath}
	if m := c.Package.Module; m != nil {
		p.Module, p.Version = m.Path, m.Version
		if m.Replace != nil {
			p.Version = m.Replace.Version
		}
	} else if c.Package.Standard {
		p.Module, p.Version = "std", goVersion
	}
	return p
}

// Parameters returns the names of the input's arguments, from the first function that names all of
// them, or nil.
func (p *Plan) Parameters() []string {
	for _, c := range p.calls {
		if names := c.Names(); names != nil && signature.SameShape(c.Shape, p.Shape) {
			return names
		}
	}
	return nil
}

// NoteVersions notes the command that names changed lines, if the programs are one function of two
// published versions.
func (p *Plan) NoteVersions() {
	if len(p.Programs) != 2 {
		return
	}
	before, after := p.Programs[0], p.Programs[1]
	if before.Function != after.Function || before.Module != after.Module || !semver.IsValid(before.Version) || !semver.IsValid(after.Version) {
		return
	}
	if semver.Compare(before.Version, after.Version) > 0 {
		before, after = after, before
	}
	function := strings.TrimPrefix(before.Function, before.Package+".")
	p.Notes = append(p.Notes, fmt.Sprintf("both are versions of one function: `parallax regress %s@%s %s@%s --func %s` also names the changed lines",
		before.Module, before.Version, after.Module, after.Version, shell.Word(function)))
}
