// Package command executes programs of kind command: an executable that is started once per input,
// in a sandbox (package confine). Package lockstep opens them. The package defines how an input
// reaches the program, what its value is, and the meaning of its end: see outcome.go.
//
// A program runs in the private folder unless Config.Dir is set. The folder also holds the input,
// if it is a file. The folder's path never appears in an observation, because errors are compared
// by their text.
package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/program"
)

// Config describes a command.
type Config struct {
	Name string // of the program in its target
	// Args is the command line. The first is searched in PATH (of Env, or else of parallax) unless it
	// has a slash. In the others, {input} is the path of a file with the input, {input.EXT} of one
	// with that extension, and {arg} the input itself. {output} or {output.EXT} is the path of a file
	// that the program may write. Without {input} and {arg}, the input is on standard input.
	Args []string
	// Env is the whole environment, except TMPDIR and HOME, which default to the private folder.
	Env  program.Environ
	Dir  string // the working directory; empty means the private folder
	Exit ExitCodes
	// the value of an acceptance: stdout (also if empty), stderr, output (the file {output}) or
	// none
	Value   string
	Limits  limits.Limits
	Sandbox confine.Options // its Limits are replaced by those above
}

// Executor runs a command.
type Executor struct {
	config  Config
	path    string // the executable
	sandbox *confine.Sandbox
	env     []string
	stdin   *os.File // memory with the input, for standard input
	byFile  string   // the name of the input's file, or ""
	output  string   // the name of the output's file, or ""
	tried   bool     // it has run an input
}

var _ program.Executor = (*Executor)(nil)

// place matches a part of an argument that differs per run.
var place = lazyregexp.New(`\{(?:arg|(input|output)(?:\.[A-Za-z0-9._+-]+)?)\}`)

// Open finds the executable and starts the sandbox. ctx limits the start only. Errors that the user
// can fix are *program.Failure.
func Open(ctx context.Context, c Config) (*Executor, error) {
	e := &Executor{config: c}
	if err := e.read(); err != nil {
		return nil, err
	}
	var err error
	if e.path, err = e.find(); err != nil {
		return nil, err
	}
	if err := e.confine(ctx); err != nil {
		return nil, err
	}
	return e, nil
}

// read parses the places in the arguments.
func (e *Executor) read() error {
	c := &e.config
	if len(c.Args) == 0 || c.Args[0] == "" {
		return e.usage("it has no command", `give one, for example command = ["tool", "{input}"]`)
	}
	for _, arg := range c.Args[1:] {
		for _, found := range place().FindAllStringSubmatch(arg, -1) {
			name := strings.Trim(found[0], "{}")
			var which *string
			switch found[1] {
			case "input":
				which = &e.byFile
			case "output":
				which = &e.output
			default:
				continue
			}
			if *which != "" && *which != name {
				return e.usage(fmt.Sprintf("its arguments name both {%s} and {%s}", *which, name), "use one of them")
			}
			*which = name
		}
	}
	if c.Value == "" {
		c.Value = "stdout"
	}
	if !slices.Contains([]string{"stdout", "stderr", "output", "none"}, c.Value) {
		return e.usage(fmt.Sprintf("its value is %q", c.Value), "it can be stdout, stderr, output or none")
	}
	if c.Value == "output" && e.output == "" {
		return e.usage("its value is the file that it writes, and no argument says which", "put {output} where the program takes the file's path")
	}
	return nil
}

// find searches the executable.
func (e *Executor) find() (string, error) {
	name := e.config.Args[0]
	if strings.Contains(name, "/") {
		path, err := filepath.Abs(name)
		if err == nil {
			err = executable(path)
		}
		if err != nil {
			return "", e.unstartable(path, err)
		}
		return path, nil
	}
	path := os.Getenv("PATH")
	for _, set := range e.config.Env {
		if value, ok := strings.CutPrefix(set, "PATH="); ok {
			path = value
		}
	}
	var denied error
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue // a relative folder depends on the current one
		}
		at := filepath.Join(dir, name)
		err := executable(at)
		if err == nil {
			return at, nil
		}
		if denied == nil && !errors.Is(err, unix.ENOENT) && !errors.Is(err, unix.ENOTDIR) {
			denied = e.unstartable(at, err)
		}
	}
	if denied != nil {
		return "", denied
	}
	return "", e.usage(fmt.Sprintf("there is no %s in PATH (%s)", name, path), "install it, or give its path")
}

// executable returns why a file cannot be executed, or nil.
func executable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return unix.EISDIR
	case unix.Access(path, unix.X_OK) != nil:
		return unix.EACCES
	}
	return nil
}

// confine starts the sandbox.
func (e *Executor) confine(ctx context.Context) error {
	options := e.config.Sandbox
	options.Limits = e.config.Limits
	sandbox, err := confine.Open(ctx, options)
	if err != nil {
		return e.infra(err)
	}
	e.sandbox = sandbox
	e.env = sandbox.Environ(e.config.Env)
	return nil
}

// Notes returns notes for the user about protection that the sandbox lacks on this machine.
func (e *Executor) Notes() []string { return e.sandbox.Notes() }

// Features is 0: commands have no features.
func (e *Executor) Features() int { return 0 }

// Batch is large enough to make the cost of a call negligible next to starting processes.
func (e *Executor) Batch() int { return 8 }

// Close ends the program and the sandbox.
func (e *Executor) Close() error {
	if e.stdin != nil {
		e.stdin.Close()
	}
	return e.sandbox.Close()
}

func (e *Executor) usage(what, hint string) error {
	return &program.Failure{Program: e.config.Name, Code: exit.UsageCode, What: what, Hint: hint}
}

func (e *Executor) infra(err error) error {
	return fmt.Errorf("program %s: %w", e.config.Name, err)
}

// unstartable explains why an executable does not start.
func (e *Executor) unstartable(path string, err error) error {
	switch {
	case errors.Is(err, unix.ENOENT):
		if interpreter := interpreter(path); interpreter != "" {
			return e.usage(fmt.Sprintf("%s is a script for %s, which is not there", path, interpreter), "install it, or correct the script's first line")
		}
		if executable(path) == nil {
			return e.usage(fmt.Sprintf("%s is there, but not the loader it is built for", path), "install what it needs (ldd says what), or build it for this machine")
		}
		return e.usage(fmt.Sprintf("%s is not there", path), "install it, or correct the path")
	case errors.Is(err, unix.EISDIR):
		return e.usage(path+" is a folder", "name the executable in it")
	case errors.Is(err, unix.EACCES):
		if interpreter := interpreter(path); interpreter != "" && executable(path) == nil {
			return e.usage(fmt.Sprintf("%s is a script for %s, which may not be executed", path, interpreter), "correct the script's first line")
		}
		return e.usage(path+" may not be executed", "chmod +x "+path+", or start it by its interpreter")
	case errors.Is(err, unix.ENOEXEC):
		return e.usage(path+" is nothing that this machine can execute", "a script needs a first line such as #!/bin/sh; a binary must be built for this machine")
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT):
		return e.usage(fmt.Sprintf("there is no space for an input in the private folder (%v)", err), "give it more: it is as large as the configuration says, or lies where the disk is full")
	}
	return e.infra(err)
}

// interpreter returns the interpreter in a script's first line, or "".
func interpreter(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, 256)
	n, _ := f.Read(head)
	line, ok := strings.CutPrefix(string(head[:n]), "#!")
	if !ok {
		return ""
	}
	line, _, _ = strings.Cut(line, "\n")
	if fields := strings.Fields(line); len(fields) > 0 {
		return fields[0]
	}
	return ""
}
