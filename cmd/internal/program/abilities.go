package program

import (
	"context"

	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/flow"
	"parallax/internal/cmplog"
	"parallax/internal/wire"
)

// What an Executor may be able to do beside running inputs. Each ability is an interface of its own, and all are called by the goroutine
// that the executor belongs to unless they say otherwise.

// Blocks is an executor of whose program it is known where in the source stands what it executes: what it tells are blocks, and who
// prepared it has their table (Mapped).
type Blocks interface {
	// Regions are the files or packages of the program with the number of their blocks. It is asked once, when the program is open.
	Regions() []Region
}

// Region is a file or a package with blocks.
type Region struct {
	Shared   string // names the build, where programs share one, and begins the region's name; "": the blocks are the program's own
	Name     string // of the file or package
	Counters int
}

// Starter is an executor that knows which of its blocks were executed before the first input: by initializers, for example.
type Starter interface {
	// Before are those blocks, as traces have them, ascending.
	Before() []uint32
}

// Taped is an executor whose inputs may be encoded tapes, from which a generator draws.
type Taped interface{ Tapes() bool }

// Tracer is an executor that fills the last part of observations itself, and the rest wholly: nothing is reset for it.
type Tracer interface {
	Executor
	// Number says which number its first block has among those of all programs, before it runs anything.
	Number(first uint32)
}

// Detailer is an executor that knows more of a run than an Observation has: types of errors, stacks, what sanitizers say.
type Detailer interface {
	// Detail runs inputs and tells what the flags of a Run order ask for, but for what is compared as texts.
	Detail(ctx context.Context, inputs [][]byte, flags uint64, results []wire.RunResult) error
}

// Noter is an executor with something that the user should know: what the machine does not permit, that the program ends between inputs.
type Noter interface {
	Notes() []string // all so far
}

// Mutator is an executor whose program may have a mutator of its own.
type Mutator interface {
	Mutates() bool // whether it has
	// Mutate has it change inputs, by a seed, to at most so many bytes. There is nil in the place of those of which it makes none.
	Mutate(ctx context.Context, inputs [][]byte, seed uint64, most int) ([][]byte, error)
}

// Recaller is an executor that has to see inputs once more, since it was not yet able to look at them closely.
type Recaller interface {
	Recall() [][]byte // some of them, none twice; nil: nothing
}

// CmpLog is an executor whose program can report the operands of its comparisons.
type CmpLog interface {
	// CmpLog is what reports them, nil if nothing can. It is opened when it is first needed, and ends with ctx.
	CmpLog(ctx context.Context) Comparisons
}

// Comparisons reports operands of comparisons. It belongs to a goroutine of its own, but for Notes and Close.
type Comparisons interface {
	Ready() bool                              // whether Compare can be called, which it is asked often: builds may appear later
	Compare(input []byte) []cmplog.Comparison // nil if nothing is known of it
	Notes() []string                          // those that were not reported yet
	Close()
}

// Quoter is an executor whose inputs are something else than their bytes to people.
type Quoter interface {
	Quote(input []byte) string // on one line
}

// What a Prepared may be able to do.

// Mapped is a program whose blocks have a table: that of a region of Blocks.
type Mapped interface {
	Table(region string, counters int) (*flow.Table, error)
}

// CmpLogged is a program that may report the operands of its comparisons.
type CmpLogged interface{ HasCmpLog() bool }

// Unfinished is a program some of whose builds are made when they are needed.
type Unfinished interface {
	// Unfinished tells whether there is something to be made.
	Unfinished() bool
	// Finish makes it, and returns what the user should know of it. Low is for what runs beside something more important. Nothing else of the
	// program is called meanwhile that tells of its builds.
	Finish(ctx context.Context, low bool, say func(string)) (notes []string)
}

// Scoped is a program that is the model of another, and covers a part of it.
type Scoped interface{ Covers() *report.Scope }

// Identified is a program that changes without its blocks: Identity is another one then.
type Identified interface{ Identity() string }

// Scripted is a program whose command may name scripts. Words of their sources go into the dictionary.
type Scripted interface {
	// Script is the command, the folder in which it runs, and its environment.
	Script() (command []string, dir string, env []string)
}
