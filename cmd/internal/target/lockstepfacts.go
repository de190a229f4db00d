package target

import (
	"slices"
	"strings"

	"parallax/cmd/internal/lockstep"
	"parallax/cmd/internal/shell"
)

// describeRuns notes what is known of how the programs are run.
func (t *Lockstep) describeRuns() {
	programs := t.mix.spec.Programs
	t.Traits.SeparateProcesses = true
	for i := range programs {
		p := &programs[i]
		t.Kinds, t.Runs = append(t.Kinds, kindOf(p)), append(t.Runs, t.runs(i))
		t.Traits.NoCoverage = append(t.Traits.NoCoverage, p.Go == nil && p.Native == nil)
		t.Traits.ProcessPerInput = append(t.Traits.ProcessPerInput, p.Command != nil || p.Service != nil && len(p.Service.Start) == 0)
		t.Traits.SlowInputs = t.Traits.SlowInputs || p.Command != nil || p.Service != nil
		t.Traits.Goroutines = t.Traits.Goroutines || p.Go != nil
	}
	if slices.ContainsFunc(programs, func(p lockstep.Program) bool { return p.Native != nil }) {
		t.Unsteady = "in a C program that is what an earlier input has left in the process, such as memory that it has overwritten: mend what is found first"
	}
}

func kindOf(p *lockstep.Program) string {
	if kind := p.Kind(); kind != "" {
		return kind
	}
	return "go"
}

// runs is what runs of a program, for people: a command line, an address, a function with its version and toolchain.
func (t *Lockstep) runs(i int) string {
	p := &t.mix.spec.Programs[i]
	var words []string
	switch {
	case p.Command != nil:
		words = p.Command.Args
	case p.Driver != nil:
		words = p.Driver.Args
	case p.Service != nil:
		return p.Service.URL
	}
	if len(words) > 0 {
		quoted := make([]string, len(words))
		for i, w := range words {
			quoted[i] = w
			if !strings.HasPrefix(w, "{") {
				quoted[i] = shell.Word(w)
			}
		}
		return strings.Join(quoted, " ")
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
