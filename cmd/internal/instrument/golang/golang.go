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
// With Options.Apart the counters are part of a larger array, which has a page before them and one behind them:
//
//	var plxMap [4096+N+4096]uint8
//
// plxSeq is one variable for the whole program: each package declares it under the link name main.plxSeq, and the
// worker's main package may declare `var plxSeq uint32` to read and reset it.
//
// With Options.Calls the tests of a package also record what its functions return: calls.go.
//
// With Options.CmpLog a package holds the operands of its comparisons instead: cmplog.go and cmplog_support.go.
package golang

// Options choose what is inserted.
type Options struct {
	// Order also records the order in which the blocks of a program are first hit (NEZHA's published fine variant).
	Order bool

	// CmpLog records the operands of comparisons, instead of counting blocks.
	CmpLog bool

	// Calls is the path of the module under test: tests record the results of the calls that they make into it (calls.go). "": none.
	Calls string
	// Except are import paths in that module below which nothing is under test, with | between them: the library, of which tests have generators.
	Except string

	// Apart has the counters lie in pages of their own (plxMap): a worker can have them in shared memory, where they outlive it.
	Apart bool

	// wide makes the counters 64 bits wide. Tests of flow conservation need exact counts.
	wide bool
}
