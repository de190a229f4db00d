// Package flow describes the counted blocks of programs statically: control-flow graphs of
// functions, calls between them, and places in the source.
//
// A Table covers the blocks that are counted together, of a Go package or of a C or C++ program.
// Package gobuild/golang makes it from source, and cbuild/clang reads it from the binary. A Space
// holds the tables of all programs of a target. Package target makes it. Triage, findings and the
// coverage of lines use it for every language.
//
// A block's id is its index in Table.Blocks, and the index of its counter. The blocks of a function
// are consecutive. Edges stay within a function; calls leave it.
package flow

import "slices"

// None means no block, in place of an id.
const None = -1

// Table is the block table of one package or program.
type Table struct {
	Package string
	Funcs   []Func
	Blocks  []Block // Blocks[i].ID == i == the index of its counter
	Files   []File  // nil for Go, where Line and EndLine of blocks have the same information

	// Where the functions of a Go package begin, by their indices in Funcs, and where they call
	// others: package callgraph enters Block.Calls by these. They are not encoded.
	Starts []Position
	Sites  []Site

	// Forwarding has the files of a Go package whose functions forward to a package without
	// counters. It is not encoded.
	Forwarding map[string]bool
}

// Features is the name of the function in the table of a program's features, which are not blocks
// and have no place in a source.
const Features = "features"

// Placeless reports whether the table is one of features.
func (t *Table) Placeless() bool {
	return len(t.Funcs) == 1 && t.Funcs[0].Name == Features && t.Funcs[0].File == ""
}

// Position is a place in the unprocessed file, regardless of //line directives. Functions begin at
// their keyword func.
type Position struct {
	File      string
	Line, Col int
}

// Site is a place of a call, and its blocks: those after which the call may come before another
// block is reached. The place of calls and conversions is their opening parenthesis. For go, defer
// and range, it is the keyword.
type Site struct {
	Position
	Blocks []int // ids, ascending
}

// Func is a function or closure with at least one block. Its blocks are Blocks[First :
// First+Count].
//
// The first block is the entry. Exceptions are the pseudo functions named "init" of Go packages.
// They hold the short-circuit operands of a file's package-level variables, and any of their blocks
// can be hit first.
//
// Closures of Go are numbered in source order. The compiler's order differs for closures of
// package-level variables that are initialized out of order. It also differs for closures after or
// in the body of a range over a function. The difference depends on types that are unknown here.
// For these, Name may be a sibling's, while File and Line are correct.
type Func struct {
	// as in stack traces, without the package: "F", "T.M", "(*T).M", "F.func1", "F[...]"; in C++
	// "ns::f(int)"
	Name   string
	Symbol string // unique in the table, as in Block.Calls: the linker's name; "" in Go
	File   string
	Line   int
	First  int
	Count  int
}

// Block is a counted block.
type Block struct {
	ID      int
	Func    int // index into Table.Funcs
	Kind    Kind
	File    string
	Line    int
	Col     int
	Cond    int   // line of the condition that leads here; Line where there is none
	EndLine int   // last line whose statements run only between this block and the next one
	Succs   []int // ids of the possible next blocks of the same function, ascending
	Exit    bool  // the function can return before another of its blocks is reached
	Fails   bool  // the block ends in a return of an error; known for Go only
	Passes  bool  // the block begins where an error of a call is not nil, or returns one; known for Go only
	// Calls names the functions that may be called before another block is reached, ascending. C and
	// C++ have symbols. Go has package path and name, if a call graph was entered.
	Calls    []string
	Indirect bool // an unknown function may be called, too
	// Named has the last names of the called functions as the source has them, sorted; known for Go
	// only.
	Named []string
}

// Kind classifies a block by the construct that it begins.
type Kind uint8

// The kinds of blocks. The zero Kind is no block.
const (
	Entry           Kind = iota + 1 // body of a function or closure
	Then                            // body of an if
	Else                            // else branch, also of an else-if
	ImplicitElse                    // condition false where there is no else
	Body                            // one iteration of a loop
	Case                            // clause of a switch or type switch
	Default                         // default clause of a switch or select
	ImplicitDefault                 // no case matched where there is no default
	Comm                            // clause of a select
	Join                            // the statement after a control statement
	Label                           // target of a goto
	And                             // right operand of &&
	Or                              // right operand of ||

	// Kinds of blocks if only the graph is known, as in compiled programs:
	Branch   // one of the ways after a condition
	Straight // anything else
	Removed  // no code any more: it is never hit, and no edge leads to it
	numKinds
)

var kindNames = [numKinds]string{"none", "entry", "then", "else", "implicit-else", "body", "case", "default",
	"implicit-default", "comm", "join", "label", "and", "or", "branch", "block", "removed"}

// KindOf returns the kind with a name, or 0.
func KindOf(name string) Kind { return Kind(max(slices.Index(kindNames[1:], name)+1, 0)) }

func (k Kind) String() string {
	if k >= numKinds {
		return "unknown"
	}
	return kindNames[k]
}
