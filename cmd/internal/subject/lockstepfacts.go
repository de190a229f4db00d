package subject

import (
	"slices"
	"strings"

	"parallax/cmd/internal/program/lockstep"
	"parallax/cmd/internal/subject/kinds"
	"parallax/internal/wire"
)

// describeRuns sets the facts about how the programs run.
func (t *Lockstep) describeRuns() {
	t.Traits.SeparateProcesses, t.Traits.Lengths = true, true
	for i, p := range t.assembly.traits {
		kind := kinds.Table.Find(t.assembly.spec.Programs[i].Kind)
		t.Kinds, t.Runs = append(t.Kinds, kind.Name), append(t.Runs, t.runs(i))
		t.Traits.NoCoverage = append(t.Traits.NoCoverage, p.NoCoverage)
		t.Traits.ProcessPerInput = append(t.Traits.ProcessPerInput, p.ProcessPerInput)
		t.Traits.CostlyInputs = t.Traits.CostlyInputs || p.CostlyInputs
		t.Traits.Blockless = t.Traits.Blockless || t.hasNoBlocks(i)
		t.Traits.Lengths = t.Traits.Lengths && p.Lengths
		if p.Layout != nil {
			t.Traits.Layout = p.Layout
		}
		if t.Unsteady == "" {
			t.Unsteady = kind.Unsteady
		}
	}
}

// hasNoBlocks reports whether a program has neither blocks nor features.
func (t *Lockstep) hasNoBlocks(i int) bool {
	name := t.assembly.spec.Programs[i].Name
	return !t.assembly.traits[i].Typed && !slices.ContainsFunc(t.hello.Regions, func(r wire.Region) bool {
		program, _, _ := lockstep.Blocks(r.Package)
		return program == name || r.Package == lockstep.FeaturesOf+name
	})
}

// runs describes a program for people: a command line, an address, a function with its version and
// toolchain.
func (t *Lockstep) runs(i int) string {
	if line := t.assembly.programs[i].Line(); line != "" {
		return line
	}
	f := &t.Plan.Programs[i]
	text := f.Function
	if f.Version != "" && f.Module != "std" {
		text += "@" + f.Version
	}
	if f.Toolchain != "" {
		text += " with go" + strings.TrimPrefix(f.Toolchain, "go")
	}
	return text
}

// LockstepMain is `parallax lockstep SPEC`, for programs of all kinds. It returns the exit code.
func LockstepMain(args []string) int { return lockstep.Main(args, kinds.Table) }
