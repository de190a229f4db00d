package persistent

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/program"
)

// Kind is the table row of drivers.
var Kind = program.Kind{
	Name:  "persistent",
	Keys:  append([]string{"command", "env", "read_only", "call", "method"}, limits.Keys...),
	Parse: parse,
	Open:  openKind,
}

// Settings is a driver in parallax.toml.
type Settings struct {
	Command  []string // as written
	ReadOnly bool     // it may write only its temporary folder
	// inputs are JSON lists of arguments of this function; empty means that they are not calls
	Call   string
	Method bool // the first argument is the function's receiver
}

func parse(t *tomldoc.Table, common *program.Common) program.Settings {
	s := &Settings{Command: t.Command("command"), ReadOnly: t.Bool("read_only"), Call: t.Text("call"), Method: t.Bool("method")}
	if s.Method && s.Call == "" {
		t.Reportf(t.ValuePosition("method"), `method = true says of a call that the function is a method of its first argument: name the function by the key call`)
	}
	if !t.Has("command") {
		t.Reportf(t.ValuePosition("command"), `a program of kind persistent has no command: write one like command = ["python3", "parse.py"]`)
	}
	common.Env = program.Variables(t, "env")
	program.NoPlace(t, "command", s.Command, "a driver gets its inputs on standard input (parallax help driver-protocol); a program that is started for each input is of kind command")
	return s
}

// Runs implements program.Settings.
func (s *Settings) Runs() string {
	if len(s.Command) == 0 {
		return ""
	}
	return s.Command[0]
}

// Traits implements program.Settings. A driver may have blocks, which is known once it runs
// (program.Mapped).
func (s *Settings) Traits() program.Traits { return program.Traits{Processes: true, NoCoverage: true} }

// Prepare implements program.Settings.
func (s *Settings) Prepare(c *program.Common, p *program.Preparation) (program.Prepared, error) {
	name := sha256.Sum256([]byte(c.Name)) // it may contain any character
	return &Config{
		Name: c.Name, Args: program.Absolute(c.Dir, s.Command), Env: p.Env, Dir: c.Dir, Limits: c.Limits,
		Sandbox: confine.Options{Tool: p.Tool, Limits: c.Limits, Dir: p.Dir, ReadOnly: s.ReadOnly},
		Call:    s.Call, Method: s.Method,
		Blocks: filepath.Join(p.Dir, fmt.Sprintf("blocks-%x.json", name[:12])),
	}, nil
}

// Shown implements program.Prepared.
func (c *Config) Shown() string { return strings.Join(c.Args, " ") }

// Line implements program.Prepared.
func (c *Config) Line() string { return program.Line(c.Args) }

// Script implements program.Scripted.
func (c *Config) Script() (command []string, dir string, env []string) { return c.Args, c.Dir, c.Env }
