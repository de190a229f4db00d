package subject

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/program/lockstep"
)

// script returns the reproducer script of a finding in a lockstep target. flat is the input, which
// is a part of some command lines.
func (t *Lockstep) script(flat []byte) *finding.Script {
	s := &finding.Script{}
	if t.assembly.from != nil {
		s.Home = t.assembly.from.Dir
	}
	for i := range t.assembly.spec.Programs {
		p := &t.assembly.spec.Programs[i]
		var sp finding.ScriptProgram
		if r, ok := t.assembly.programs[i].(finding.Reproducible); ok {
			sp = r.Reproducer(flat, func(env []string) []finding.Variable {
				if t.Mode == Fuzz { // the environment is the user's own
					return nil
				}
				return t.assembly.variables(i, env)
			})
		} else if t.Pair != nil {
			sp.Runner = t.testCall(i)
			s.Unseen = t.Pair.unseen()
		} else {
			sp.Runner = t.goCall(i)
		}
		sp.Name, sp.Kind, sp.Timeout = p.Name, t.Kind(i), p.Limits.Timeout
		for _, step := range p.Normalize {
			if name := stepName(step); !slices.Contains(s.Steps, name) {
				s.Steps = append(s.Steps, name)
			}
		}
		s.Programs = append(s.Programs, sp)
	}
	return s
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
func (m *assembly) variables(i int, env []string) []finding.Variable {
	var list []finding.Variable
	for _, set := range env {
		v := finding.Variable{}
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
func (t *Lockstep) goCall(i int) *finding.GoCall {
	m, p := t.assembly, &t.Plan.Programs[i]
	if p.Call == "" {
		return nil
	}
	f := m.functions[slices.IndexFunc(m.functions, func(f *function) bool { return f.program == i })]
	plan := m.parts[f.part].plan
	call := &finding.GoCall{
		Repro: finding.Repro{
			GoVersion: plan.Language, Programs: []finding.ReproProgram{reproProgram(p)},
		},
		Import: fmt.Sprintf("p%d", f.index+1), Shape: plan.Shape, Toolchain: p.Toolchain, Text: m.spec.Text,
	}
	if p.Toolchain != "" {
		call.Repro.GoVersion, call.Repro.Exact = strings.TrimPrefix(p.Toolchain, "go"), true
	}
	for _, set := range m.env {
		if list, ok := strings.CutPrefix(set, ignoreVariable); ok {
			call.Ignored = strings.Split(list, ",")
		}
	}
	return call
}
