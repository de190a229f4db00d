package subject

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/reproducer"
	"parallax/cmd/internal/program/lockstep"
)

// Reproduce implements Target. The reproducer is a script, since the programs have several
// processes.
func (t *Lockstep) Reproduce(f *finding.Finding, _ string) {
	s := &reproducer.Script{}
	if t.assembly.from != nil {
		s.Home = t.assembly.from.Dir
	}
	for i := range t.assembly.spec.Programs {
		p := &t.assembly.spec.Programs[i]
		sp := reproducer.Program{Name: p.Name, Kind: t.Kind(i), Timeout: p.Limits.Timeout}
		if r, ok := t.assembly.programs[i].(reproducer.Runner); ok {
			sp.Runner = r
			if t.Mode != Fuzz { // there, the environment is the user's own
				sp.Variables = func(env []string) []reproducer.Variable { return t.assembly.variables(i, env) }
			}
		} else if t.Pair != nil {
			sp.Runner = t.testCall(i)
			s.Unseen = t.Pair.unseen()
		} else {
			sp.Runner = t.goCall(i)
		}
		for _, step := range p.Normalize {
			if name := stepName(step); !slices.Contains(s.Steps, name) {
				s.Steps = append(s.Steps, name)
			}
		}
		s.Programs = append(s.Programs, sp)
	}
	f.Reproducer = s
}

func stepName(s lockstep.Step) string {
	switch {
	case s.Builtin != "":
		return s.Builtin
	case s.External != nil && s.External.Name != "":
		return "the command " + s.External.Name
	case s.External != nil:
		return "a function"
	}
	return fmt.Sprintf("replacing /%s/ by %q", s.Replace, s.With)
}

// variableName matches the names that a shell can read.
var variableName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// variables returns the environment of a program, without the variables that the configuration only
// inherits. No value of the user's environment is written to a file.
func (m *assembly) variables(i int, env []string) []reproducer.Variable {
	var list []reproducer.Variable
	for _, set := range env {
		v := reproducer.Variable{}
		v.Name, v.Value, _ = strings.Cut(set, "=")
		_, all := m.from.Environment.Set[v.Name]
		_, own := m.from.Programs[i].Env[v.Name]
		if own || all || !slices.Contains(m.from.Environment.Inherit, v.Name) {
			list = append(list, v)
			continue
		}
		if theirs, ok := os.LookupEnv(v.Name); ok && theirs != v.Value {
			list = append(list, v) // the pinned clock
			continue
		}
		if v.Inherited, v.Value = true, ""; variableName().MatchString(v.Name) {
			list = append(list, v)
		}
	}
	return list
}

// goCall describes how another program calls a function. Nil means that no expression can call it.
func (t *Lockstep) goCall(i int) *reproducer.GoCall {
	m, p := t.assembly, &t.Plan.Programs[i]
	if p.Call == "" {
		return nil
	}
	f := m.functions[slices.IndexFunc(m.functions, func(f *function) bool { return f.program == i })]
	plan := m.parts[f.part].plan
	call := &reproducer.GoCall{
		Functions: reproducer.Functions{GoVersion: plan.Language, Programs: []reproducer.Function{reproduced(p)}},
		Import:    fmt.Sprintf("p%d", f.index+1), Shape: plan.Shape, Toolchain: p.Toolchain, Text: m.spec.Text,
	}
	if p.Toolchain != "" {
		call.Functions.GoVersion, call.Functions.Exact = strings.TrimPrefix(p.Toolchain, "go"), true
	}
	for _, set := range m.env {
		if list, ok := strings.CutPrefix(set, ignoreVariable); ok {
			call.Ignored = strings.Split(list, ",")
		}
	}
	return call
}
