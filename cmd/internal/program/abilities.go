package program

import (
	"context"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/flow"
	"parallax/internal/cmplog"
	"parallax/internal/wire"
)

// Optional abilities of an Executor, each an interface of its own. The goroutine that owns the
// executor calls them, unless stated otherwise.

// Blocks is an executor whose features are blocks of source. The prepared program has their table
// (Mapped).
type Blocks interface {
	// Regions returns the program's files or packages with the number of their blocks. It is called
	// once, when the program is open.
	Regions() []Region
}

// Region is a file or a package with blocks.
type Region struct {
	// names the build, where programs share one, and begins the region's name; empty means the
	// blocks are the program's own
	Shared   string
	Name     string // of the file or package
	Counters int
}

// Starter is an executor that knows the blocks executed before the first input, for example by
// initializers.
type Starter interface {
	// Before returns those blocks, numbered as in traces, ascending.
	Before() []uint32
}

// Taped is an executor whose inputs may be encoded tapes that a generator draws from.
type Taped interface{ Tapes() bool }

// Tracer is an executor that fills the trace part of observations itself, and fills the rest
// completely: no field is reset for it.
type Tracer interface {
	Executor
	// Number sets the number of its first block among those of all programs, before the first run.
	Number(first uint32)
}

// Detailer is an executor that has more details of a run than an Observation: types of errors,
// stacks, sanitizer reports.
type Detailer interface {
	// Detail runs inputs and fills results with the details that the flags of a Run order request,
	// except values compared as texts.
	Detail(ctx context.Context, inputs [][]byte, flags uint64, results []wire.RunResult) error
}

// Noter is an executor with notes for the user, such as missing rights on the machine, or a program
// that ends between inputs.
type Noter interface {
	Notes() []string // all notes so far
}

// Mutator is an executor whose program may have a mutator.
type Mutator interface {
	Mutates() bool // reports whether the program has one
	// Mutate changes inputs by a seed, to at most most bytes each. An input without a mutant gives
	// nil.
	Mutate(ctx context.Context, inputs [][]byte, seed uint64, most int) ([][]byte, error)
}

// Recaller is an executor that needs some inputs again, because it could not inspect them in their
// first run.
type Recaller interface {
	Recall() [][]byte // some of them, each once; nil means none
}

// CmpLog is an executor whose program can report the operands of its comparisons.
type CmpLog interface {
	// CmpLog returns the source of operands, or nil if there is none. It is opened at its first
	// use, and ends with ctx.
	CmpLog(ctx context.Context) Comparisons
}

// Comparisons reports operands of comparisons. It belongs to a goroutine of its own, except Notes
// and Close.
type Comparisons interface {
	// reports whether Compare can be called; asked often, because builds may appear later
	Ready() bool
	Compare(input []byte) []cmplog.Comparison // nil if unknown
	Notes() []string                          // new notes
	Close()
}

// Quoter is an executor whose inputs have another form for people than their bytes.
type Quoter interface {
	Quote(input []byte) string // on one line
}

// Optional abilities of a Prepared.

// Mapped is a program with a table of the blocks of each region of Blocks.
type Mapped interface {
	Table(region string, counters int) (*flow.Table, error)
}

// CmpLogged is a program that may report the operands of its comparisons.
type CmpLogged interface{ HasCmpLog() bool }

// Unfinished is a program with builds that are made on demand.
type Unfinished interface {
	// Unfinished reports whether a build is missing.
	Unfinished() bool
	// Finish makes the builds, and returns notes for the user. low lowers its priority below more
	// important work. Meanwhile no other method that depends on the builds is called.
	Finish(ctx context.Context, low bool, say func(string)) (notes []string)
}

// Scoped is a program that is the model of another, and covers a part of it.
type Scoped interface{ Covers() *finding.Scope }

// Identified is a program that may change without its blocks: then Identity changes.
type Identified interface{ Identity() string }

// Scripted is a program whose command may name scripts. Words of their sources enter the
// dictionary.
type Scripted interface {
	// Script returns the command, its folder, and its environment.
	Script() (command []string, dir string, env []string)
}
