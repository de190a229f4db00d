package target

import (
	"slices"

	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild"
	"parallax/internal/input"
	"parallax/internal/wire"
)

// Facts is what is known of a target without running it.
type Facts struct {
	Plan     *gobuild.Plan
	Name     string   // safe as a file name
	Mode     string   // diff or fuzz
	Names    []string // of the programs
	Shape    input.Shape
	Space    *flow.Space // the programs' blocks
	BuildID  string      // identity of the blocks
	Test     *FuzzTest   // nil: functions or programs, and no test of the user's
	Traits   Traits
	Kinds    []string // of the programs, as in parallax.toml; nil: functions of one build
	Runs     []string // what runs, for people: a command line, an address, a function with its version; nil: functions of one build
	Unsteady string   // what candidates that do not show again mostly mean; empty: nothing special

	hello   wire.HelloMessage
	regions []wire.Region   // the counters of its workers
	counted map[string]bool // functions of programs that bring a block table, by name
}

// Traits are what differs between targets in how their programs are run, beyond how that is done.
type Traits struct {
	// NoCoverage are the programs of which it is not known what they execute, such as commands; nil: none.
	NoCoverage []bool
	// Blockless: there are programs of which neither blocks nor features are known.
	Blockless bool
	// ProcessPerInput are the programs whose process ends with each input anyway, or that have none that ends: a crash costs no
	// more than another run; nil: none.
	ProcessPerInput []bool
	// CostlyInputs: an input takes a process or a request, some ten milliseconds instead of one.
	CostlyInputs bool
	// SeparateProcesses: each program runs in a process of its own. All of them take long to start, and each can be asked alone.
	SeparateProcesses bool
	// Goroutines: there are Go functions among the programs, which may leave goroutines behind.
	Goroutines bool
}

// About implements Target for what embeds the facts.
func (f *Facts) About() *Facts { return f }

// Kind is the kind of a program, "" where all are functions of one build.
func (f *Facts) Kind(program int) string { return entry(f.Kinds, program) }

// Run is what runs of a program, for people.
func (f *Facts) Run(program int) string { return entry(f.Runs, program) }

func entry(list []string, i int) string {
	if i >= len(list) {
		return ""
	}
	return list[i]
}

// Blind reports whether it is not known of any of so many programs what it executes.
func (t *Traits) Blind(programs int) bool {
	return len(t.NoCoverage) == programs && !slices.Contains(t.NoCoverage, false)
}
