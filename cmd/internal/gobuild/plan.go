package gobuild

import (
	"time"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gomod"
	"parallax/cmd/internal/gobuild/signature"
	"parallax/internal"
	"parallax/internal/input"
)

// Request says what to resolve and where.
type Request struct {
	Dir        string            // where the user stands; empty: the working directory
	Functions  []string          // as written
	Out        string            // folder for what is built; exists
	Libraries  string            // folder for copies of the library that builds share; empty: none are shared
	Siblings   string            // folder for what builds that may make the same hand each other; empty: there are none
	Parallax   string            // path of the parallax executable, for -toolexec and guard; empty: no guard, and no Build
	Instrument []string          // patterns of further packages to instrument, as `go list` takes them
	Uncounted  bool              // of a test binary: no package is instrumented
	Order      bool              // record the order in which blocks are first hit
	Repair     string            // the function that repairs mutants, as written; empty: none
	Generator  string            // of which inputs are drawn, as written; empty: none. With it alone, what is built is the generator as the only program
	Drawn      bool              // inputs are drawn elsewhere, and no seeds of tests are of use
	Derive     bool              // where functions take structs, these are drawn by gen.Of
	Texts      bool              // where functions take structs, these are read from JSON, which programs in other processes take too
	DrawFor    string            // a function with structs that are read from JSON: what is built draws such texts, as Generator does alone
	Harmless   string            // one of Functions that is refused if it may act on the machine; empty: none is
	Sequence   *Sequence         // of operations of what two constructors make; nil: functions take the input
	Partial    *Partial          // what the second of two functions leaves out, which is a model of the first; nil: nothing is said
	Instead    []gomod.Instead   // modules whose code is taken from elsewhere
	Toolchain  string            // Go version that builds, such as 1.21.0; empty: that of PATH
	Environ    []string          // additions to the environment of the go command
	Require    []string          // what is required beside functions at versions, as "path version"
	Clock      bool              // time.Now can be pinned, by golang.ClockVariable
	Laid       buildroot.Overlay // files of another tree that are laid over the module
	Apart      bool              // have the counters outlive the worker: golang.Options.Apart
	Calls      bool              // tests record what the calls return that they make into their module, or
	CallsInto  string            // into the module of this path, which they are a harness of; "": their own
	Label      string            // of the version that Dir holds, for people; "": it has none
	Making     signature.Making  // what arguments are made
	Marshal    bool              // values that are no text are written as JSON, for comparison with programs of other languages
	Progress   func(step string) // told of each long step; may be nil

	library []internal.File // of the tests
}

// options are what the request says of where and how the go command runs.
func (req *Request) options() buildroot.Options {
	return buildroot.Options{Dir: req.Dir, Out: req.Out, Parallax: req.Parallax, Toolchain: req.Toolchain, Environ: req.Environ, Require: req.Require, Instead: req.Instead, Laid: req.Laid, Progress: req.Progress}
}

// Program is one function under test.
type Program struct {
	Name      string // unique in the target: json.Valid
	Function  string // import path and function: encoding/json.Valid
	Package   string // import path
	Module    string // module path; std for the standard library
	Version   string // of the module, or of Go; empty for code of the user's own
	Signature string
	ModuleDir string   // of a module that no proxy has
	Call      string   // for a reproducer: a Go expression over package pN and variables in, or in1, in2, ...; empty: none
	Results   []string // types of its results before the last error or bool
	Last      string   // "error", "bool" or ""
	Closure   []string // import paths of the packages that it may run
	Kind      string   // of a program that is no Go function: command, persistent, http
	Toolchain string   // Go version that it is built with, if the target names one
}

// Plan is a resolved target.
type Plan struct {
	Target        string // the programs' names, safe as a file name
	Programs      []Program
	Shape         input.Shape
	Takes         input.Shape // what a generator makes of a tape, which is the input; nil: there is none, or it hands its values over as they are
	CompareValues bool
	Notes         []string  // for the user
	Packages      []Package // to instrument, sorted by import path
	Own           []string  // module paths, and packages of the standard library, whose functions are the programs' own
	Libraries     []string  // import paths of the library in the target's code, whose functions are no program's own
	Dictionary    [][]byte
	Seeds         []corpus.Seed
	GoVersion     string
	Language      string                    // of functions: the oldest release that their modules need, such as 1.22
	ReadsClock    bool                      // the instrumented packages ask for the time, or it is not known whether programs do
	Operations    []signature.OperationKind // of constructors that are compared by sequences; nil: functions
	Closure       []string                  // of a test binary: import paths of the packages in it
	DrawnBy       string                    // of a test binary: what draws inputs of its FuzzXxx, as it is found from the folder of the package; "": nothing

	req     *Request
	root    *buildroot.Root
	graph   *gocommand.Graph
	calls   []*signature.Function
	repair  *signature.Function // the repair function; nil: none
	seq     *sequenced          // what is called of values that the functions make; nil: nothing
	partial *partial            // what a model leaves out; nil: nothing is said
	gen     *generated          // what inputs are drawn of; nil: nothing
	files   []buildroot.File    // that are generated
	main    string              // import path of the worker's package main
	fuzz    *fuzztest.Package   // of a plan for FuzzXxx, which has no calls
	built   time.Time           // when the build of the worker began that is there; zero: there is none
}

// Package is an instrumented package.
type Package struct {
	ImportPath string
	Dir        string
	Files      []string // absolute; what the compiler is given, files that use cgo as they are written
	Standard   bool
	Module     string
	Version    string
}

// newProgram is what is known of a function before anything is written.
func newProgram(c *signature.Function, goVersion string) Program {
	p := Program{Name: c.Name, Function: c.FullName(), Package: c.Package.ImportPath, Signature: c.Signature()}
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

// Parameters are the names of the arguments of an input, as the first of the functions has them that names all; nil: none does.
func (p *Plan) Parameters() []string {
	for _, c := range p.calls {
		if names := c.Names(); names != nil && signature.SameShape(c.Shape, p.Shape) {
			return names
		}
	}
	return nil
}
