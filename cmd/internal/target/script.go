package target

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"parallax/cmd/internal/lockstep"
	"parallax/cmd/internal/program/c"
	"parallax/cmd/internal/program/command"
	"parallax/cmd/internal/program/http"
	"parallax/cmd/internal/program/persistent"
	"parallax/cmd/internal/report"
)

// script is what the reproducer of a finding of programs in lockstep runs. flat is the input, which is a part of some command
// lines.
func (t *Lockstep) script(flat []byte) *report.Script {
	s := &report.Script{}
	for i := range t.mix.spec.Programs {
		p := &t.mix.spec.Programs[i]
		sp := report.ScriptProgram{Name: p.Name, Kind: t.Kind(i), Timeout: p.Limits.Timeout}
		switch r := t.mix.programs[i].(type) {
		case *c.Variants:
			r.Script(&sp)
			if t.Mode != Fuzz { // the environment is the user's own
				sp.Env = t.mix.variables(i, r.Env)
			}
		case *command.Config:
			sp.Args, sp.Dir, sp.Value, sp.Env = r.Args, r.Dir, []string{r.Value}, t.mix.variables(i, r.Env)
			sp.Exit = report.Codes{Accepted: r.Exit.Accepted, Rejected: r.Exit.Rejected, Declined: r.Exit.Declined}
		case *persistent.Config:
			sp.Args, sp.Dir, sp.Env = r.Args, r.Dir, t.mix.variables(i, r.Env)
		case *http.Config:
			sp.Start, sp.Dir, sp.Ready, sp.Value, sp.Env = r.Start, r.Dir, r.Ready, r.Value, t.mix.variables(i, r.Env)
			sp.Curl, sp.Base = curl(*r, flat), base(r.URL)
			sp.Status = report.Statuses{Accepted: r.Accepted, Rejected: r.Rejected}
		default:
			sp.Go = t.goCall(i)
		}
		for _, step := range p.Normalise {
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

// variableName is what a shell can ask for.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// variables is the environment of a program. What the configuration only passes on is not its own: no value of the user's is
// written into a file.
func (m *mix) variables(i int, env []string) []report.Variable {
	var list []report.Variable
	for _, set := range env {
		v := report.Variable{}
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
		if v.Inherited, v.Value = true, ""; variableName.MatchString(v.Name) {
			list = append(list, v)
		}
	}
	return list
}

// curl sends the input as the service's executor does, with $input and $port in the places of file and port.
func curl(c http.Config, flat []byte) string {
	const file = "$input"
	fixed, err := c.Script(flat, file, 1)
	if err != nil {
		return "" // the campaign runs it: it is right
	}
	port := 40000 // a number that stands nowhere else
	for strings.Contains(fixed, strconv.Itoa(port)) {
		port++
	}
	line, _ := c.Script(flat, file, port)
	line = strings.ReplaceAll(line, strconv.Itoa(port), `'"$port"'`)
	line = strings.Replace(line, "--data-binary @'"+file+"'", `--data-binary @"$input"`, 1)
	return strings.Replace(strings.TrimRight(line, "\n"), "curl ", "curl -q ", 1) // without the user's own options
}

// base is the beginning of a URL that can be asked without an input.
func base(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "?")
	return scheme + "://" + host + "/"
}

// goCall is how a program of its own calls a function; nil where no expression can.
func (t *Lockstep) goCall(i int) *report.GoCall {
	m, p := t.mix, &t.Plan.Programs[i]
	if p.Call == "" {
		return nil
	}
	f := m.functions[slices.IndexFunc(m.functions, func(f *function) bool { return f.program == i })]
	plan := m.parts[f.part].plan
	call := &report.GoCall{
		Repro: report.Repro{
			GoVersion: strings.TrimPrefix(plan.GoVersion, "go"), Programs: []report.ReproProgram{reproProgram(p)},
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
