package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/command/scaffold"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/subject/config"
)

func initCommand() *cobra.Command {
	var o scaffold.Options
	var configured bool
	var languages []string
	var service string
	c := &cobra.Command{
		Use:   "init [FUNC... | CONFIG.toml]",
		Short: "Write a fuzz test for functions, a configuration, drivers, or workflows for CI",
		Long: `init writes a fuzz test into the package of the current folder. For two or more functions, the test compares them:

  parallax init encoding/json.Valid github.com/goccy/go-json.Valid

copies the library into internal/parallax, a package of your module, and writes a FuzzValid that calls parallax.Diff. The test
runs with go test, go test -fuzz and parallax diff. go.mod stays as it is, and modules that depend on yours can build it. For
one function, init writes a plain fuzz test and nothing else. Without functions, it only copies the library, or updates the copy.
Commit the copy. A copy that you changed is not overwritten.

Functions are named as for parallax diff, in the versions of go.mod. A test in the package of a function can also name functions
that are not exported, as in .parse. Existing files are never overwritten.

  parallax init parallax.toml

writes a configuration for programs of several kinds: Go functions, C and C++ programs, commands, drivers in other languages,
and services. It works as it is: it has two programs and two seeds, and the programs disagree on one seed. Comments explain what
else can be set.

  parallax init --driver python,node

writes drivers, which run functions of other languages, an example of a function for each, and parallax.toml, which compares
them with a function in Go. An argument names another configuration. If there is one, init prints what to add to it.

  parallax init --ci github

writes workflows for nightly runs and for pull requests into .github/workflows of the repository (parallax help ci).`,
		Example: "  parallax init .Parse example.com/other.Parse\n  parallax init --driver python\n  parallax init --ci github",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		},
		RunE: func(c *cobra.Command, args []string) error {
			path, ok, err := configuration(configured || len(languages) > 0, args)
			switch {
			case err != nil:
				return err
			case service != "":
				if len(args) > 0 || ok {
					return exit.Usage("--ci writes workflows, and nothing else: leave the arguments and --driver out")
				}
				return initializeFiles(&o, func(dir string) (*scaffold.Result, error) { return scaffold.Workflows(dir, service) })
			case len(languages) > 0:
				return initializeFiles(&o, func(dir string) (*scaffold.Result, error) { return scaffold.Drivers(dir, path, languages) })
			case ok:
				return initializeFiles(&o, func(dir string) (*scaffold.Result, error) { return scaffold.Config(dir, path) })
			}
			return initialize(&o, args)
		},
	}
	fs := c.Flags()
	fs.BoolVar(&configured, "config", false, "write a configuration, "+config.FileName+" unless one is named")
	fs.StringSliceVar(&languages, "driver", nil, "write drivers of languages: "+strings.Join(scaffold.Languages(), ", "))
	fs.StringVar(&service, "ci", "", "write workflows of a service: "+strings.Join(scaffold.Services, ", "))
	choices(c, "driver", true, scaffold.Languages()...)
	choices(c, "ci", false, scaffold.Services...)
	fs.StringVar(&o.Package, "dir", "", "folder of the package that the test is written to (default the current folder)")
	fs.StringVar(&o.Name, "name", "", "name of the fuzz test (default Fuzz followed by the function's name)")
	fs.StringVar(&o.Library, "library", "", "folder for the copy of the library, named parallax (default internal/parallax in the module)")
	for _, flag := range []string{"dir", "library"} {
		mustComplete(c, flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		})
	}
	return c
}

// configuration tells whether a configuration is wanted, and where.
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
func initializeFiles(o *scaffold.Options, write func(dir string) (*scaffold.Result, error)) error {
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
	return tell(result)
}

func initialize(o *scaffold.Options, args []string) error {
	var err error
	o.Functions = args
	if o.Dir, err = os.Getwd(); err != nil {
		return exit.Infra("finding the current folder: %w", err)
	}
	if o.Parallax, err = os.Executable(); err != nil {
		return exit.Infra("finding the parallax executable: %w", err)
	}
	ctx, _ := terminal.Interruptible()
	result, err := scaffold.Init(ctx, *o)
	if err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted: %w", context.Cause(ctx))
		}
		return err
	}
	return tell(result)
}

// tell says what was written.
func tell(result *scaffold.Result) error {
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
	if _, err := os.Stdout.WriteString(b.String()); err != nil {
		return exit.Infra("writing: %w", err)
	}
	return nil
}
