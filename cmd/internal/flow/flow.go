// Package flow holds what is known about the counted blocks of programs without running them: the control-flow graphs of
// their functions, whom they call, and where they stand in the source.
//
// A Table belongs to what is counted together: a Go package (instrument/golang makes it from source) or a C or C++ program
// (instrument/clang reads it from the binary). A Space holds the tables of all programs of a target: package target makes it, and
// triage, findings and the coverage of lines look blocks up there, whatever the language.
//
// Invariants: a block's id is its index in Table.Blocks and its counter's; the blocks of a function are consecutive; edges stay
// within a function, calls lead elsewhere.
package flow

import "slices"

// None is no block, where an id could stand.
const None = -1

// Table is the block table of one package or program.
type Table struct {
	Package string
	Funcs   []Func
	Blocks  []Block // Blocks[i].ID == i == the index of its counter
	Files   []File  // nil for Go, where Line and EndLine of blocks say the same

	// Where the functions of a Go package begin, by their indices in Funcs, and where they call others: package callgraph enters
	// Block.Calls by these. They are not encoded.
	Starts []Place
	Sites  []Site
}

// Features is the name of the function in the table of a program's features, which are no blocks and have no place in a source.
const Features = "features"

// Placeless reports whether the table is one of features.
func (t *Table) Placeless() bool {
	return len(t.Funcs) == 1 && t.Funcs[0].Name == Features && t.Funcs[0].File == ""
}

// Place is a place in a file as it was read, whatever //line directives say. Functions begin at their keyword func.
type Place struct {
	File      string
	Line, Col int
}

// Site is a place from which functions may be called, and the blocks it belongs to: those after which the call may come before
// another block is reached. Calls and conversions are placed at their opening parenthesis, go, defer and range at the keyword.
type Site struct {
	Place
	Blocks []int // ids, ascending
}

// Func is a function or closure that holds at least one block. Its blocks are Blocks[First : First+Count].
//
// The first block is the entry, except in the pseudo functions named "init" of Go packages that hold the short-circuit
// operands of a file's package-level variables: each of their blocks can be the first to be hit.
//
// Closures of Go are numbered in source order. The compiler departs from it, by types that are not known here, for closures
// of package-level variables that are initialized out of order and for closures after or in the body of a range over a
// function; there Name may be a sibling's, while File and Line are right.
type Func struct {
	Name   string // as in stack traces, without the package: "F", "T.M", "(*T).M", "F.func1", "F[...]"; in C++ "ns::f(int)"
	Symbol string // unique in the table, what Block.Calls holds: the linker's name; "" in Go
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
	EndLine int   // last line whose statements run only after this block and before another one
	Succs   []int // ids of the blocks that can be the next one of the same function, ascending
	Exit    bool  // the function can return before another of its blocks is reached
	// Calls names the functions that may be called before another block is reached, ascending: the symbols of C and C++; of Go package path
	// and name, where a call graph was entered.
	Calls    []string
	Indirect bool // a function that is not known may be called, too
}

// Kind tells what a block begins.
type Kind uint8

// The kinds of blocks. The zero Kind is not a block.
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

	// Where only the graph is known, as in compiled programs:
	Branch   // one of the ways after a condition
	Straight // anything else
	Removed  // no code any more: it is never hit, and no edge leads to it
	numKinds
)

var kindNames = [numKinds]string{"none", "entry", "then", "else", "implicit-else", "body", "case", "default",
	"implicit-default", "comm", "join", "label", "and", "or", "branch", "block", "removed"}

// KindOf is the kind of that name, 0 if there is none.
func KindOf(name string) Kind { return Kind(max(slices.Index(kindNames[1:], name)+1, 0)) }

func (k Kind) String() string {
	if k >= numKinds {
		return "unknown"
	}
	return kindNames[k]
}
