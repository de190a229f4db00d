package command

import (
	"slices"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/program"
)

// Kind is the table row of commands.
var Kind = program.Kind{
	Name:  "command",
	Mark:  "command",
	Keys:  append([]string{"command", "value", "env", "exit"}, limits.Keys...),
	Parse: parse,
	Open:  program.Opener(Open),
}

// Settings is a command in parallax.toml.
type Settings struct {
	Command []string // as written
	Value   string   // one of values
	Exit    ExitCodes
}

// values lists the outputs that can be the value. With none, only the verdict counts.
var values = []string{"stdout", "stderr", "output", "none"}

// misspelt matches an argument that was meant as a place, alone or after a flag. In a script the
// same text may be correct.
var misspelt = lazyregexp.New(`(?i)^(?:-[-\w]*=)?(?:\{\{\s*(?:input|output|arg)\s*\}\}|\{\s*(?:in|out|inptu|imput|inpt|ouput|file|infile|outfile|inputfile|input_file|input|output|arg|args)\s*\}|@@)$`)

func parse(t *tomldoc.Table, common *program.Common) program.Settings {
	s := &Settings{Command: t.Command("command"), Value: values[0]}
	if !t.Has("command") {
		t.Reportf(t.ValuePosition("command"), `a program of kind command has no command: write one like command = ["python3", "parse.py"]`)
	}
	common.Env = program.Variables(t, "env")
	places(t, s.Command)
	if v := t.OneOf("value", values...); v != "" {
		s.Value = v
	}
	if s.Value == "output" && len(s.Command) > 0 && !strings.Contains(strings.Join(s.Command, " "), "{output") {
		t.Reportf(t.ValuePosition("value"), "value is the file that the command writes, and no argument says which: put {output} where it takes the file's name")
	}
	s.Exit = exitCodes(t)
	return s
}

// places checks the places of a command.
func places(t *tomldoc.Table, command []string) {
	named := map[string]string{} // input and output, as written
	for i, arg := range command {
		found := program.Place().FindAllStringSubmatch(arg, -1)
		switch at := t.ValuePosition("command"); {
		case len(found) > 0 && i == 0:
			t.Reportf(at, "command: %s differs from input to input, which what is started cannot", found[0][0])
		case len(found) == 0 && misspelt().MatchString(arg):
			t.Reportf(at, "command: %q is passed as it is: the places are written {input}, {arg} and {output}", arg)
		}
		for _, f := range found {
			if before := named[f[1]]; f[1] != "" && before != "" && before != f[0] {
				t.Reportf(t.ValuePosition("command"), "command has %s and %s, and there is one such file: use one of them", before, f[0])
			}
			named[f[1]] = f[0]
		}
	}
}

// crashCodes are the exit codes of shells and wrappers for commands that a signal ended: SIGILL,
// SIGABRT, SIGBUS, SIGFPE and SIGSEGV plus 128.
var crashCodes = []int{132, 134, 135, 136, 139}

// exitCodes reads the exit codes of a command. Without them, 0 is accepted and all others except
// crashCodes are rejected. A missing list defaults to the rest: accepted to 0, rejected to all
// codes in no other list.
func exitCodes(t *tomldoc.Table) ExitCodes {
	inner := t.Open("exit", "exit")
	var e ExitCodes
	seen := map[int]string{}
	for _, list := range []struct {
		name string
		to   *[]int
	}{{"accepted", &e.Accepted}, {"rejected", &e.Rejected}, {"declined", &e.Declined}} {
		*list.to = codes(inner, list.name, seen)
	}
	inner.ReportUnknown()
	if _, taken := seen[0]; !inner.Has("accepted") && !taken {
		e.Accepted, seen[0] = []int{0}, "accepted"
	}
	if !inner.Has("rejected") {
		for code := 0; code <= 255; code++ {
			if seen[code] == "" && !slices.Contains(crashCodes, code) {
				e.Rejected = append(e.Rejected, code)
			}
		}
	}
	return e
}

func codes(t *tomldoc.Table, name string, seen map[int]string) []int {
	k := t.FindForm(name, tomldoc.ArrayForm)
	if k == nil {
		return nil
	}
	var all []int
	for _, n := range k.Value.Elems {
		code, err := tomldoc.Integer(n.Text)
		switch {
		case n.Form != tomldoc.IntegerForm || err != nil || code < 0 || code > 255:
			t.Reportf(n.At, "exit.%s has exit codes, 0 to 255, and here is %s", name, n.Shown())
		case seen[int(code)] != "":
			t.Reportf(n.At, "exit: %d is in %s already", code, seen[int(code)])
		default:
			seen[int(code)] = name
			all = append(all, int(code))
		}
	}
	slices.Sort(all)
	return all
}

// Runs implements program.Settings.
func (s *Settings) Runs() string {
	if len(s.Command) == 0 {
		return ""
	}
	return s.Command[0]
}

// Traits implements program.Settings.
func (s *Settings) Traits() program.Traits {
	return program.Traits{Processes: true, NoCoverage: true, CostlyInputs: true, ProcessPerInput: true}
}

// Meaning implements program.Meaningful.
func (s *Settings) Meaning() map[string]string {
	m := map[string]string{
		"reading of exit codes": program.Listed("accepted", ranges(s.Exit.Accepted), "rejected", ranges(s.Exit.Rejected), "declined", ranges(s.Exit.Declined)),
	}
	if s.Value != values[0] {
		m["value"] = s.Value
	}
	return m
}

// ranges formats codes in ascending order, and neighbors as 1-5.
func ranges(codes []int) string {
	codes = slices.Sorted(slices.Values(codes))
	var all []string
	for i := 0; i < len(codes); {
		last := i
		for last+1 < len(codes) && codes[last+1] == codes[last]+1 {
			last++
		}
		text := strconv.Itoa(codes[i])
		if last > i {
			text += "-" + strconv.Itoa(codes[last])
		}
		all = append(all, text)
		i = last + 1
	}
	return strings.Join(all, " ")
}

// Prepare implements program.Settings.
func (s *Settings) Prepare(c *program.Common, p *program.Preparation) (program.Prepared, error) {
	return &Config{
		Name: c.Name, Args: program.Absolute(c.Dir, s.Command), Env: p.Env, Value: s.Value, Limits: c.Limits,
		Sandbox: confine.Options{Tool: p.Tool, Limits: c.Limits, Dir: p.Dir}, Exit: s.Exit,
	}, nil
}

// Filter returns a command that transforms standard input to standard output.
func Filter(name string, args []string, l limits.Limits, p *program.Preparation) *Config {
	return &Config{Name: name, Args: args, Env: p.Env, Limits: l, Sandbox: confine.Options{Tool: p.Tool, Limits: l, Dir: p.Dir}}
}

// Shown implements program.Prepared.
func (c *Config) Shown() string { return strings.Join(c.Args, " ") }

// Line implements program.Prepared.
func (c *Config) Line() string { return program.Line(c.Args) }

// Script implements program.Scripted.
func (c *Config) Script() (command []string, dir string, env []string) { return c.Args, "", c.Env }
