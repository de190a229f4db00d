package subject

import (
	"slices"

	"parallax/cmd/internal/base/minimize"
	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Facts is what is known of a target without running it.
type Facts struct {
	Plan     *gobuild.Plan
	Name     string        // safe as a file name
	Mode     string        // diff or fuzz
	Versions bool          // the programs are a new version and, unless it is alone, an old one: see Purpose
	Scope    *report.Scope // of a model beside its original; nil else
	Names    []string      // of the programs
	Shape    input.Shape
	Space    *flow.Space // the programs' blocks
	BuildID  string      // identity of the blocks
	CodeID   string      // identity of all that the programs execute, as far as it is in files
	Test     *FuzzTest   // nil: functions or programs, and no test of the user's
	Pair     *Pair       // of a FuzzXxx beside an older version of itself; nil else
	Traits   Traits
	Kinds    []string // of the programs, as in parallax.toml; nil: functions of one build
	Runs     []string // what runs, for people: a command line, an address, a function with its version; nil: functions of one build
	Unsteady string   // what candidates that do not show again mostly mean; empty: nothing special

	confined []execute.Confinement // of the programs; nil: none is
	keyed    bool                  // a configuration says what they are allowed, and not a flag
	hello    wire.HelloMessage
	regions  []wire.Region   // the counters of its workers
	counted  map[string]bool // functions of programs that bring a block table, by name
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
	// Lengths: of each program it is known exactly how many blocks a run executes.
	Lengths bool
	// Layout is how all programs read an input that is no text; nil: it may be text.
	Layout *minimize.Layout
}

// Before are the blocks that are known to have been executed before the first input, ascending.
func (f *Facts) Before() []uint32 { return f.hello.Before }

// Tapes reports whether inputs are tapes, from which a generator draws.
func (f *Facts) Tapes() bool { return f.hello.Tapes }

// MaxBytes is the largest size of an argument: tapes have a limit of their own, since a choice takes more room than what is made of it.
func (f *Facts) MaxBytes(o *Options) int {
	if f.Tapes() {
		return max(o.MaxBytes, o.MaxTape)
	}
	return o.MaxBytes
}

// maxFlat is the largest flat form of an input.
func (f *Facts) maxFlat(o *Options) int { return MaxFlat(f.Shape, f.MaxBytes(o)) }

// DrawnFor reports whether a generator that the user has named makes the inputs of a FuzzXxx, which has none of its own: what that takes is no tape.
func (f *Facts) DrawnFor() bool { return f.Test != nil && f.Plan.DrawnBy != "" }

// Guided reports whether the choices of a generator can be made while it draws: it draws where the programs run.
func (f *Facts) Guided() bool { return f.hello.Guided }

// Takes is the shape of the inputs that a generator makes of tapes; nil: programs get values as they are, or there is no generator.
func (f *Facts) Takes() input.Shape {
	if shape, err := input.ParseShape(f.hello.Takes); f.hello.Takes != "" && err == nil { // of a parallax.Diff
		return shape
	}
	return f.Plan.Takes
}

// About implements Target for what embeds the facts.
func (f *Facts) About() *Facts { return f }

// Purpose is what the user wants of the target: its mode, regress or model.
func (f *Facts) Purpose() string {
	switch {
	case f.Versions:
		return Regress
	case f.Scope != nil:
		return Model
	}
	return f.Mode
}

// Folder is the name of its campaign's folder, where the user names none.
func (f *Facts) Folder() string {
	if f.Versions { // beside what parallax fuzz and parallax diff leave of the same
		return f.Name + "." + Regress
	}
	return f.Name
}

// Kind is the kind of a program, "" where all are functions of one build.
func (f *Facts) Kind(program int) string { return entry(f.Kinds, program) }

// Run is what runs of a program, for people.
func (f *Facts) Run(program int) string { return entry(f.Runs, program) }

// Parameters are the names of the arguments of an input, where there are several; nil: there is one, or they are not known.
func (f *Facts) Parameters() []string {
	names := f.Plan.Parameters()
	if f.Test != nil {
		names = f.Test.fn.Parameters()
	}
	if len(f.Shape) < 2 || len(names) != len(f.Shape) {
		return nil
	}
	return names
}

// Layers are what is compared: what was asked for and, of two versions whose blocks are counted, what they cost. No other programs cost the
// same for the same work, so that nobody can ask for it.
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

// CoverageUnknown reports whether it is not known of any of so many programs what it executes.
func (t *Traits) CoverageUnknown(programs int) bool {
	return len(t.NoCoverage) == programs && !slices.Contains(t.NoCoverage, false)
}
