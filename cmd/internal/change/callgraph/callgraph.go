// Package callgraph computes which functions of a Go program may call which, for each call in the
// source. It runs variable type analysis on the SSA form of the packages and all their
// dependencies. The analysis is that of golang.org/x/tools (Sundaresan et al., Practical virtual
// method call resolution for Java, OOPSLA 2000).
//
// Commands that need calls across functions use it. They add the calls to the block tables of
// gobuild/golang, and ask which FuzzXxx functions reach a function. Load reads the packages and
// caches the graph, Fill adds calls to tables, and Reaches, Harnesses and Nearest answer queries.
//
// Invariants: source positions identify functions and calls, never names of SSA functions. So
// instances of a generic function are one function, and a range over a function belongs to the
// function that contains it. Wrappers, thunks and bound methods are skipped. All functions that a
// function calls are callees of the call's site. The exceptions are calls that the source does not
// show: by reflection, through go:linkname, from assembly and from C. A function value that a call
// passes as an interface counts as a callee of that call, as in f.Fuzz. So does one that is passed
// to the runtime, whose code is not analyzed. If the analysis finds no callee of an interface's
// method, since reflection made the value, any type converted to an interface may supply it.
//
// A package is checked once, together with its tests, so packages that import it see what its tests
// add. Real test binaries have subsets of that, so no call is missed.
package callgraph

import (
	"slices"
	"time"

	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild/buildroot"
)

// Request selects the packages of a graph and configures the go command.
type Request struct {
	Dir       string   // the user's folder; empty means the working directory
	Patterns  []string // packages, as for `go list`; empty means the one in Dir
	Tests     bool     // include the tests of these packages
	Tested    []string // additional packages to read with their tests
	Tags      string   // build tags, as for -tags
	Parallax  string   // path of the parallax executable, for guard; empty means no guard
	Toolchain string   // Go version that builds, such as 1.21.0; empty means that of PATH
	Environ   []string // additions to the environment of the go command
	// replaces Dir, Tags, Parallax, Toolchain and Environ; nil means the user's module
	Root     *buildroot.Root
	Cache    string            // folder for graphs; empty means one in the user's cache
	Progress func(step string) // reports each long step; may be nil

	// Patience limits how long Load reads packages after listing them, in time of the processor if
	// the machine is busy. After that, Load makes a textual graph, and continues to read for the
	// next Load until the context ends. 0 means no limit.
	Patience time.Duration
}

// Graph holds the calls between the functions of packages and their dependencies. It does not
// change after Load, so goroutines may share it.
type Graph struct {
	Notes   []string // for the user: packages that could not be analyzed
	Textual bool     // calls are guessed by names alone, since reading the packages took too long

	packages  []packageNode
	files     []string
	functions []function
	lists     [][]int // of callbacks, ascending; see site.only

	index index
}

// packageNode is a package.
type packageNode struct {
	path    string
	imports []int // indices of packages, including those of its tests
	skipped bool  // its functions are unknown
	own     bool  // outside of the standard library
}

// function is a function with a source position, or the initializers of a package.
type function struct {
	pkg       int
	name      string // as in flow.Func.Name
	file      int    // index of its file; -1 without a position
	line, col int    // of the keyword func
	kind      kind
	callback  bool // other packages call it only by interfaces and function values
	sites     []site
}

type kind uint8

const (
	ordinary    kind = iota
	initializer      // the initializers of a package: its variables, init functions and imports
	startup          // an init function
	harness          // a FuzzXxx
	bodiless         // in assembly, linked from elsewhere, or in a skipped package
)

// site is a place in a function that calls others.
type site struct {
	file      int
	line, col int
	callees   []int // ascending
	unknown   bool  // may also call unknown functions
	// 1 + index of the list of callbacks that callees in other packages can receive; 0 means any
	only int
}

// Skipped reports whether the functions of a package are unknown, since it could not be read. A
// note gives the reason.
func (g *Graph) Skipped(path string) bool {
	return slices.ContainsFunc(g.packages, func(p packageNode) bool { return p.skipped && p.path == path })
}

// fullName returns the function's name with its package's path.
func (g *Graph) fullName(f int) string {
	return g.packages[g.functions[f].pkg].path + "." + g.functions[f].name
}

func (g *Graph) place(f int) flow.Position {
	fn := &g.functions[f]
	if fn.file < 0 {
		return flow.Position{}
	}
	return flow.Position{File: g.files[fn.file], Line: fn.line, Col: fn.col}
}
