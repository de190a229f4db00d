package target

import (
	"strings"

	"parallax/cmd/internal/program/kinds"
)

// describeRuns notes what is known of how the programs are run.
func (t *Lockstep) describeRuns() {
	t.Traits.SeparateProcesses = true
	for i, p := range t.assembly.traits {
		kind := kinds.Table.Find(t.assembly.spec.Programs[i].Kind)
		t.Kinds, t.Runs = append(t.Kinds, kind.Name), append(t.Runs, t.runs(i))
		t.Traits.NoCoverage = append(t.Traits.NoCoverage, p.NoCoverage)
		t.Traits.ProcessPerInput = append(t.Traits.ProcessPerInput, p.ProcessPerInput)
		t.Traits.CostlyInputs = t.Traits.CostlyInputs || p.CostlyInputs
		t.Traits.Goroutines = t.Traits.Goroutines || p.Goroutines
		if t.Unsteady == "" {
			t.Unsteady = kind.Unsteady
		}
	}
}

// runs is what runs of a program, for people: a command line, an address, a function with its version and toolchain.
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
