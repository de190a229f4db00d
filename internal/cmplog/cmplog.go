// Package cmplog owns input-to-state replacement: from the comparisons that one run of an input made, with their operands,
// it makes the mutants in which those comparisons come out the other way.
//
// The method is Redqueen's (Aschermann, Schumilo, Blazytko, Gawlik, Holz: "REDQUEEN: Fuzzing with Input-to-State
// Correspondence", NDSS 2019, section III.A): much of what a program compares is a piece of its input as it stands or in a
// simple encoding, so the operand is looked for in the input and replaced by what it was compared with. Tracing, variations by
// one (for order), encodings, application, strings and the dictionary are the paper's subsections 1 to 4, 6 and 7.
// Colorization (5), which makes the places of an operand unique by randomising the input first, needs further runs of the
// program; instead places are ranked by how many there are, and what an input is extended by repeats nothing. From AFL++'s
// cmplog (src/afl-fuzz-redqueen.c) come text in other letter case and base64, the combination of what solves single
// comparisons, and that those on which replacement fails are tried less and less. Beyond both: typed arguments, inputs seen
// through their own encodings (view.go), lengths (length.go), keys and values (members.go).
//
// The engine calls Solve once for each input of the corpus, runs the patches as mutants made by Apply, and adds Tokens to
// the mutators' dictionary.
//
// Invariants: every mutant is a valid flat form of the shape, no []byte or string argument of it is longer than the limit
// (or than it was before, for inputs that others wrote), and patches depend on nothing but the calls of Solve and their
// order. Work and memory are bounded whatever the operands are.
//
// A call is a pipeline: view.go makes the input and what is encoded in it searchable (index.go, codec.go, decode.go); text.go
// and number.go find the places of operands; strings.go, transform.go, integers.go, length.go, empty.go and members.go
// offer what could be written there (offer.go, render.go), unless memory.go holds it back; rank.go orders the offers and
// makes patches of the best (patch.go).
package cmplog

// Kind is the kind of a comparison. What records them (the instrumentation of Go programs) uses the same numbers.
type Kind uint8

// The kinds of comparisons, with operands A and B or S and T.
const (
	IntEqual    Kind = iota + 1 // A == B, A != B
	IntOrder                    // A < B and the like
	StringEqual                 // S == T, also of byte slices
	StringOrder                 // S < T and the like
	Prefix                      // whether S begins with T
	Suffix                      // whether S ends with T
	Contains                    // whether T is in S, and where
	Fold                        // S == T apart from letter case
	Lookup                      // key S (or A) in a map that holds T (or B); or a switch's tag and one of its constants
)

// Comparison is one comparison that a run made.
type Comparison struct {
	Site           uint64 // which comparison of the program
	Kind           Kind
	Width          uint8 // integers: bytes of their type, 1, 2, 4 or 8; 0 for strings, which tells the Lookups apart
	ConstA, ConstB bool  // whether A or S, and B or T, is a constant of the program
	Signed         bool  // whether integers are signed
	A, B           uint64
	S, T           string // at most the first 256 bytes, of Suffix the last
}

// recorded is where operands that are strings are cut: one of this length may go on.
const recorded = 256
