package main

import (
	"strings"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/command/scaffold"
)

func initCommand() *cobra.Command {
	var r scaffold.Request
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
		RunE: func(_ *cobra.Command, args []string) error { return scaffold.Write(r, args) },
	}
	fs := c.Flags()
	fs.BoolVar(&r.Configured, "config", false, "write a configuration, "+scaffold.ConfigName+" unless one is named")
	fs.StringSliceVar(&r.Languages, "driver", nil, "write drivers of languages: "+strings.Join(scaffold.Languages(), ", "))
	fs.StringVar(&r.Service, "ci", "", "write workflows of a service: "+strings.Join(scaffold.Services, ", "))
	choices(c, "driver", true, scaffold.Languages()...)
	choices(c, "ci", false, scaffold.Services...)
	fs.StringVar(&r.Package, "dir", "", "folder of the package that the test is written to (default the current folder, or the one of the functions if that is no package)")
	fs.StringVar(&r.Name, "name", "", "name of the fuzz test (default Fuzz followed by the function's name)")
	fs.StringVar(&r.Library, "library", "", "folder for the copy of the library, named parallax (default internal/parallax in the module)")
	for _, flag := range []string{"dir", "library"} {
		mustComplete(c, flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		})
	}
	return c
}
