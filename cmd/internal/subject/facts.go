package subject

import (
	"slices"

	"parallax/cmd/internal/base/minimize"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Facts holds the properties of a target that are known before it runs.
type Facts struct {
	Plan     *gobuild.Plan
	Name     string         // safe as a file name
	Mode     string         // diff or fuzz
	Versions bool           // compares a new version with an old one, or runs the new one alone: see Purpose
	Scope    *finding.Scope // of a model and its original; nil for other targets
	Names    []string       // of the programs
	Shape    input.Shape
	Space    *flow.Space // the programs' blocks
	BuildID  string      // identity of the blocks
	CodeID   string      // identity of all files that the programs execute
	Test     *FuzzTest   // nil for functions and programs
	Pair     *Pair       // of a FuzzXxx and an older version of itself; nil for other targets
	Traits   Traits
	Kinds    []string // of the programs, as in parallax.toml; nil for functions of one build
	Runs     []string // for people, per program: a command line, an address, a function with its version; nil for functions of one build
	Unsteady string   // usual reason why candidates do not reproduce; empty for no special reason

	confined  []execute.Confinement // of the programs; nil if none is confined
	arguments []string              // names of an input's, if the programs are functions of several builds; else Plan has them
	keyed     bool                  // a configuration confines them, not a flag
	hello     wire.HelloMessage
	regions   []wire.Region   // the counters of its workers
	counted   map[string]bool // functions of programs with their own block table, by name
}

// Traits holds the differences between targets in the way their programs run.
type Traits struct {
	// NoCoverage marks the programs whose executed blocks are unknown, such as commands. Nil means
	// none.
	NoCoverage []bool
	// Blockless reports that some program has neither blocks nor features.
	Blockless bool
	// ProcessPerInput marks the programs that have a process per input, or no process that ends. A
	// crash of these costs no more than another run. Nil means none.
	ProcessPerInput []bool
	// CostlyInputs reports that an input takes a process or a request: some ten milliseconds
	// instead of one.
	CostlyInputs bool
	// SeparateProcesses reports that each program runs in its own process. All of these start
	// slowly, and each one can run alone.
	SeparateProcesses bool
	// Lengths reports that the number of blocks that a run executes is known exactly for each
	// program.
	Lengths bool
	// Layout describes how all programs read an input that is no text. Nil means that inputs may be
	// texts.
	Layout *minimize.Layout
}

// Before returns the blocks that were executed before the first input, in ascending order.
func (f *Facts) Before() []uint32 { return f.hello.Before }

// Tapes reports whether inputs are tapes, from which a generator draws values.
func (f *Facts) Tapes() bool { return f.hello.Tapes }

// MaxBytes returns the largest size of an argument. Tapes have their own limit, since a choice
// takes more room than the value drawn from it.
func (f *Facts) MaxBytes(o *Options) int {
	if f.Tapes() {
		return max(o.MaxBytes, o.MaxTape)
	}
	return o.MaxBytes
}

// maxFlat returns the largest flat form of an input.
func (f *Facts) maxFlat(o *Options) int { return MaxFlat(f.Shape, f.MaxBytes(o)) }

// DrawnFor reports whether a generator that the user named makes the inputs of a FuzzXxx without
// its own generator. Such a FuzzXxx takes no tapes.
func (f *Facts) DrawnFor() bool { return f.Test != nil && f.Plan.DrawnBy != "" }

// Guided reports whether choices can be made while the generator draws: then the generator runs in
// the process of the programs.
func (f *Facts) Guided() bool { return f.hello.Guided }

// Takes returns the shape of the inputs that a generator makes from tapes. Nil means that programs
// get values as they are, or that the target has no generator.
func (f *Facts) Takes() input.Shape {
	if shape, err := input.ParseShape(f.hello.Takes); f.hello.Takes != "" && err == nil { // of a parallax.Diff
		return shape
	}
	return f.Plan.Takes
}

// About implements Target for types that embed Facts.
func (f *Facts) About() *Facts { return f }

// Purpose returns the mode of the target, Regress or Model.
func (f *Facts) Purpose() string {
	switch {
	case f.Versions:
		return Regress
	case f.Scope != nil:
		return Model
	}
	return f.Mode
}

// Folder returns the default name of the campaign's folder.
func (f *Facts) Folder() string {
	if f.Versions { // parallax fuzz and parallax diff use the name itself
		return f.Name + "." + Regress
	}
	return f.Name
}

// Kind returns the kind of a program. Empty means that all programs are functions of one build.
func (f *Facts) Kind(program int) string { return entry(f.Kinds, program) }

// Run describes how a program runs, for people.
func (f *Facts) Run(program int) string { return entry(f.Runs, program) }

// Parameters returns the names of the arguments of an input with several arguments. Nil means one
// argument or unknown names.
func (f *Facts) Parameters() []string {
	names := append(f.Plan.Parameters(), f.arguments...)
	if f.Test != nil {
		names = f.Test.fn.Parameters()
	}
	if len(f.Shape) < 2 || len(names) != len(f.Shape) {
		return nil
	}
	return names
}

// Layers returns the layers that are compared: the requested ones and, for two versions with
// counted blocks, their costs. Other programs do not cost the same for the same work, so users
// cannot request the cost layer.
func (f *Facts) Layers(asked oracle.Layers) oracle.Layers {
	if (f.Versions || f.Pair != nil) && len(f.Names) == 2 && f.Traits.Lengths {
		asked |= oracle.CostLayer
	}
	return asked
}

func entry(list []string, i int) string {
	if i >= len(list) {
		return ""
	}
	return list[i]
}

// CoverageUnknown reports whether the executed blocks of all programs are unknown.
func (t *Traits) CoverageUnknown(programs int) bool {
	return len(t.NoCoverage) == programs && !slices.Contains(t.NoCoverage, false)
}
