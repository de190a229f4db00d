// Package golang instruments Go packages while they compile and tells what was instrumented.
//
// It owns the rewriting of sources, the -toolexec wrapper that applies it, and the block table: one builder walks a
// function once and makes the counted blocks, the edges between them and the text insertions together, so that a
// block's id is its counter's index by construction (NEZHA's path sets and DeltaFuzz's segments both rest on that).
// The harness builder passes Flag to `go build -gcflags=PKG=FLAG -toolexec "parallax toolexec"`, main dispatches
// `parallax toolexec` to Toolexec, and whoever needs blocks calls Analyze on the same files.
//
// Invariants: ids depend on the sources and the options only; an insertion never adds or removes a line; packages
// without the flag compile exactly as they would without the wrapper.
//
// An instrumented package holds, as symbols of its own (there is no import and no registration):
//
//	var plxCov [N]uint8   // hits of block i, modulo 256; with Options.Order 255 is followed by 128 instead of 0
//	var plxLen [8]uint64  // sums to the number of blocks entered, exactly; non-zero tells that the package ran
//	var plxOrd [N]uint32  // with Options.Order: value of the program-wide plxSeq at the first hit; stale where plxCov is 0
//
// plxSeq is one variable for the whole program: each package declares it under the link name main.plxSeq, and the
// worker's main package may declare `var plxSeq uint32` to read and reset it.
//
// With Options.Operands a package holds the operands of its comparisons instead: operands.go and operands_support.go.
package golang

// Options choose what is inserted.
type Options struct {
	// Order also records the order in which the blocks of a program are first hit (NEZHA's published fine variant).
	Order bool

	// Operands records what comparisons compare, instead of counting blocks.
	Operands bool

	// wide makes the counters 64 bits wide. Tests of flow conservation need exact counts.
	wide bool
}

// Table is the block table of one package.
type Table struct {
	Package string
	Funcs   []Func
	Blocks  []Block // Blocks[i].ID == i == index into plxCov
}

// Func is a function or closure that holds at least one block. Its blocks are Blocks[First : First+Count].
//
// The first block is the entry, except in the pseudo functions named "init" that hold the short-circuit operands of a
// file's package-level variables: each of their blocks can be the first to be hit.
//
// Closures are numbered in source order. The compiler departs from it, by types that are not known here, for closures
// of package-level variables that are initialised out of order and for closures after or in the body of a range over a
// function; there Name may be a sibling's, while File and Line are right.
type Func struct {
	Name  string // as in stack traces, without the package: "F", "T.M", "(*T).M", "F.func1", "F[...]"
	File  string
	Line  int
	First int
	Count int
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
}

// Kind tells what a block begins.
type Kind uint8

// The kinds of blocks. The zero Kind is not a block.
const (
	virtual         Kind = iota // a point of the control-flow graph that is not counted
	Entry                       // body of a function or closure
	Then                        // body of an if
	Else                        // else branch, also of an else-if
	ImplicitElse                // condition false where there is no else
	Body                        // one iteration of a loop
	Case                        // clause of a switch or type switch
	Default                     // default clause of a switch or select
	ImplicitDefault             // no case matched where there is no default
	Comm                        // clause of a select
	Join                        // the statement after a control statement
	Label                       // target of a goto
	And                         // right operand of &&
	Or                          // right operand of ||
	numKinds
)

var kindNames = [numKinds]string{"virtual", "entry", "then", "else", "implicit-else", "body", "case", "default",
	"implicit-default", "comm", "join", "label", "and", "or"}

func (k Kind) String() string {
	if k >= numKinds {
		return "unknown"
	}
	return kindNames[k]
}
