// Package golang instruments Go packages during their compilation and describes the
// instrumentation.
//
// Coverage needs a counter for each basic block, and a table that describes the blocks. One builder
// walks a function once and makes both: the blocks, their edges, and the insertions. So the id of a
// block is the index of its counter. NEZHA's path sets and DeltaFuzz's segments rely on that.
//
// The parts, in the order of their use: Options choose the insertions. Flag returns them as a flag
// of the compiler. The harness builder passes it to `go build -gcflags=PKG=FLAG -toolexec "parallax
// toolexec"`. The go command then runs Toolexec in place of the compiler. Toolexec rewrites copies
// of the files of packages with the flag, and compiles the copies. It changes no other package.
// Analyze computes the block table of the same files.
//
// Ids depend only on the sources and the options. An insertion never adds or removes a line.
//
// An instrumented package has these symbols of its own, without imports or registration:
//
//	var plxCov [N]uint8   // hits of block i, modulo 256; with Options.Order 255 is followed by 128 instead of 0
//	var plxLen [8]uint64  // sums to the number of blocks entered, exactly; nonzero if the package ran
//	var plxOrd [N]uint32  // with Options.Order: value of the program-wide plxSeq at the first hit; stale where plxCov is 0
//
// With Options.Apart, the counters are part of a larger array, with a page before and behind them:
//
//	var plxMap [4096+N+4096]uint8
//
// plxSeq is one variable for the whole program. Each package declares it under the link name
// main.plxSeq. The worker's main package may declare `var plxSeq uint32` to read and reset it.
//
// With Options.Calls, the tests of a package also record the results of its functions: see
// calls.go.
//
// With Options.CmpLog, a package holds the operands of its comparisons instead: see cmplog.go and
// cmplog_support.go.
package golang

// Options selects the insertions.
type Options struct {
	// Order also records the order in which the blocks of a program are first hit (NEZHA's
	// published fine variant).
	Order bool

	// CmpLog records the operands of comparisons, instead of counting blocks.
	CmpLog bool

	// Calls is the path of the module under test: tests record the results of the calls that they
	// make into it (calls.go). "": none.
	Calls string
	// Except lists import paths in that module, separated by |, whose packages are not under test:
	// the library, whose generators tests may use.
	Except string

	// Apart has the counters lie in pages of their own (plxMap): a worker can have them in shared
	// memory, where they outlive it.
	Apart bool

	// wide makes the counters 64 bits wide. Tests of flow conservation need exact counts.
	wide bool
}
