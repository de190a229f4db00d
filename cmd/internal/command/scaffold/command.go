package scaffold

import (
	"context"
	"fmt"
	"os"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/subject/config"
)

// ConfigName is the name of a configuration, unless the user gives another.
const ConfigName = config.FileName

// A Request lists the files that init writes.
type Request struct {
	Options
	Configured bool     // a configuration
	Languages  []string // drivers
	Service    string   // workflows of a service for continuous integration
}

// Write writes what is asked for, and says what was written.
func Write(r Request, args []string) error {
	path, ok, err := configuration(r.Configured || len(r.Languages) > 0, args)
	switch {
	case err != nil:
		return err
	case r.Service != "":
		if len(args) > 0 || ok {
			return exit.Usage("--ci writes workflows, and nothing else: leave the arguments and --driver out")
		}
		return initializeFiles(&r.Options, func(dir string) (*Result, error) { return Workflows(dir, r.Service) })
	case len(r.Languages) > 0:
		return initializeFiles(&r.Options, func(dir string) (*Result, error) { return Drivers(dir, path, r.Languages) })
	case ok:
		return initializeFiles(&r.Options, func(dir string) (*Result, error) { return Config(dir, path) })
	}
	return initialize(&r.Options, args)
}

// configuration reports whether a configuration is wanted, and returns its path.
func configuration(wanted bool, args []string) (path string, ok bool, err error) {
	for _, arg := range args {
		switch {
		case !strings.HasSuffix(arg, ".toml") && wanted:
			return "", false, exit.Usage("--config and --driver write a configuration, whose name ends in .toml: %s does not", arg)
		case strings.HasSuffix(arg, ".toml") && len(args) > 1:
			return "", false, exit.Usage("%s is a configuration: give it as the only argument, and name the programs in it", arg)
		}
	}
	if len(args) == 1 && strings.HasSuffix(args[0], ".toml") {
		return args[0], true, nil
	}
	return config.FileName, wanted, nil
}

// initializeFiles writes files that are no fuzz test.
func initializeFiles(o *Options, write func(dir string) (*Result, error)) error {
	if o.Package != "" || o.Name != "" || o.Library != "" {
		return exit.Usage("--dir, --name and --library are for fuzz tests: write the folder of a configuration into its path")
	}
	dir, err := os.Getwd()
	if err != nil {
		return exit.Infra("finding the current folder: %w", err)
	}
	result, err := write(dir)
	if err != nil {
		return err
	}
	return printResult(result)
}

func initialize(o *Options, args []string) error {
	var err error
	o.Functions = args
	if o.Dir, err = os.Getwd(); err != nil {
		return exit.Infra("finding the current folder: %w", err)
	}
	if o.Parallax, err = os.Executable(); err != nil {
		return exit.Infra("finding the parallax executable: %w", err)
	}
	ctx, _ := terminal.Interruptible()
	result, err := Init(ctx, *o)
	if err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted: %w", context.Cause(ctx))
		}
		return err
	}
	return printResult(result)
}

// printResult prints the result of init.
func printResult(result *Result) error {
	var b strings.Builder
	for _, line := range result.Done {
		b.WriteString(line + "\n")
	}
	for _, note := range result.Notes {
		b.WriteString("note: " + note + "\n")
	}
	if len(result.Next) > 0 {
		b.WriteString("\nnext:\n\t" + strings.Join(result.Next, "\n\t") + "\n")
	}
	_, err := os.Stdout.WriteString(b.String())
	return exit.Doing("writing", err)
}
