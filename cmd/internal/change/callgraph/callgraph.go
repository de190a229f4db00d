// Package callgraph knows which function of a Go program may call which: the calls of every place in the source, by variable type
// analysis (Sundaresan et al., Practical virtual method call resolution for Java, OOPSLA 2000, as golang.org/x/tools has it) on the
// SSA form of the packages and of all that they import.
//
// Called by commands that need calls across functions: they fill the block tables of gobuild/golang with them, and ask which
// FuzzXxx reach a function. Load reads the packages and keeps the graph in the user's cache, Fill enters calls into tables, and
// Reaches, Harnesses and Nearest answer questions.
//
// Invariants: functions and calls are known by their places in files as they were read, never by names of SSA functions, so that
// instances of a generic function are one function and a range over a function belongs to the function that holds it. Wrappers,
// thunks and bound methods are passed through. Whatever a function calls is among the callees of the place of the call, but for what
// nobody can see from the source: calls by reflection, through go:linkname, out of assembly and of C. A value of a function type that
// is passed as an interface, as to f.Fuzz, is taken for a callee of the call that it is passed to, and so is one that is passed to the
// runtime, whose own code is not looked at. An interface's method for which the analysis finds no callee, since reflection made the
// value, may be that of any type converted to an interface.
//
// A package is checked once, together with its tests: code that imports it sees what its tests add. Real test binaries are
// subsets of that, so that calls are never missed.
package callgraph

import (
	"slices"
	"time"

	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild/buildroot"
)

// Request says of which packages to make the graph, and how the go command runs.
type Request struct {
	Dir       string            // where the user stands; empty: the working directory
	Patterns  []string          // packages, as `go list` takes them; none: the one in Dir
	Tests     bool              // with the tests of these packages
	Tested    []string          // packages that are read with their tests, besides
	Tags      string            // build tags, as -tags takes them
	Parallax  string            // path of the parallax executable, for guard; empty: no guard
	Toolchain string            // Go version that builds, such as 1.21.0; empty: that of PATH
	Environ   []string          // additions to the environment of the go command
	Root      *buildroot.Root   // where and how the go command runs, in place of Dir, Tags, Parallax, Toolchain and Environ; nil: the user's module
	Cache     string            // folder for graphs; empty: in the user's cache
	Progress  func(step string) // told of each long step; may be nil

	// Patience is how long Load may read packages, once it knows which. Then it makes a textual graph, and reads on for the next Load
	// until the context ends. 0: as long as it takes.
	Patience time.Duration
}

// Graph is the calls between the functions of packages and of all that they import. It is not changed after Load, and may be used
// by several goroutines.
type Graph struct {
	Notes   []string // for the user: what could not be looked at
	Textual bool     // calls are known by names alone, since the packages were not read in time

	packages  []packageNode
	files     []string
	functions []function
	lists     [][]int // of callbacks, ascending: see site.only

	index index
}

// A packageNode is a package.
type packageNode struct {
	path    string
	imports []int // indices of packages, with those of its tests
	skipped bool  // its functions are not known
	own     bool  // it is not of the standard library
}

// A function is one with a place in the source, or the initializers of a package.
type function struct {
	pkg       int
	name      string // as flow.Func.Name
	file      int    // index of its file, -1: it has no place
	line, col int    // of the keyword func
	kind      kind
	callback  bool // other packages call it by interfaces and function values alone
	sites     []site
}

type kind uint8

const (
	ordinary    kind = iota
	initializer      // the initializers of a package: its variables, init functions and imports
	startup          // an init function
	harness          // a FuzzXxx
	bodiless         // written in assembly, linked from elsewhere, or in a package that was skipped
)

// A site is a place in a function from which others are called.
type site struct {
	file      int
	line, col int
	callees   []int // ascending
	unknown   bool  // others, that are not known, may be called here
	only      int   // 1 + index of the list of callbacks that callees in other packages can have got hold of; 0: of any
}

// Skipped reports whether the functions of a package are not known, since it could not be read. A note says why.
func (g *Graph) Skipped(path string) bool {
	return slices.ContainsFunc(g.packages, func(p packageNode) bool { return p.skipped && p.path == path })
}

// fullName is the function's name with its package's path.
func (g *Graph) fullName(f int) string {
	return g.packages[g.functions[f].pkg].path + "." + g.functions[f].name
}

func (g *Graph) place(f int) flow.Place {
	fn := &g.functions[f]
	if fn.file < 0 {
		return flow.Place{}
	}
	return flow.Place{File: g.files[fn.file], Line: fn.line, Col: fn.col}
}
