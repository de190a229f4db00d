// Package cmplog implements input-to-state replacement. From the comparisons of one run and their
// operands, it makes mutants in which these comparisons have the opposite result.
//
// The method is Redqueen's (Aschermann et al., "REDQUEEN: Fuzzing with Input-to-State
// Correspondence", NDSS 2019, section III.A). Many operands of comparisons are pieces of the input,
// as they are or in a simple encoding. The method finds the operand in the input and replaces it by
// the other operand. Tracing, variations by one (for order), encodings, application, strings and
// the dictionary are the paper's subsections 1 to 4, 6 and 7.
//
// Colorization (subsection 5) randomizes the input first, to make the places of an operand unique.
// It needs further runs of the program. Here, places are ranked by their number instead, and the
// padding that extends an input has no repetitions.
//
// Three features are from AFL++'s cmplog (src/afl-fuzz-redqueen.c). These are text in other letter
// case and in base64, combinations of solutions, and fewer attempts for comparisons on which
// replacement fails. New are typed arguments, inputs seen through their own encodings (view.go),
// lengths (length.go), and keys and values (members.go).
//
// The engine calls Solve once per input of the corpus, and runs the mutants that Apply makes from
// the patches. It adds Tokens to the mutators' dictionary.
//
// Every mutant is a valid flat form of the shape. Its []byte and string arguments are not longer
// than the limit, or than before, if the input exceeded the limit already. Patches depend only on
// the calls of Solve and their order. Work and memory are bounded for all operands.
//
// A call is a pipeline. view.go makes the input and its encoded parts searchable (index.go,
// codec.go, decode.go). text.go and number.go find the places of operands. strings.go,
// transform.go, integers.go, length.go, empty.go and members.go offer replacements (offer.go,
// render.go), unless memory.go pauses them. rank.go orders the offers and makes patches from the
// best (patch.go).
package cmplog

// Kind is the kind of a comparison. The instrumentation of Go programs, which records comparisons,
// uses the same numbers.
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
	// key S (or A) in a map that has T (or B); or a switch's tag and one of its constants
	Lookup
)

// Comparison is one recorded comparison of a run.
type Comparison struct {
	Site           uint64 // identifies the comparison in the program
	Kind           Kind
	Width          uint8 // bytes of the integers' type: 1, 2, 4 or 8; 0 for strings
	ConstA, ConstB bool  // whether A or S, and B or T, is a constant of the program
	Signed         bool  // whether integers are signed
	A, B           uint64
	S, T           string // at most the first 256 bytes, for Suffix the last
}

// recorded is the length to which string operands are cut. An operand of this length may be
// incomplete.
const recorded = 256
