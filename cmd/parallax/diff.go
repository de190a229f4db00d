package main

import (
	"github.com/spf13/cobra"

	"parallax/cmd/internal/command/fuzzing"
)

func diffCommand() *cobra.Command {
	f := fuzzing.New(fuzzing.ModeDiff)
	c := &cobra.Command{
		Use:   "diff {FUNC FUNC [FUNC...] | PACKAGE... | CONFIG.toml}",
		Short: "Fuzz implementations against each other and report where they disagree",
		Long: `diff runs functions with the same parameters on the same inputs and reports inputs on which they disagree. One accepts
an input that another rejects, or both accept it and return different values.

Name a function by its import path and name. Add a version if your module does not require the function's module:

  parallax diff encoding/json.Valid github.com/goccy/go-json.Valid@v0.10.5
  parallax diff ./semver.Parse golang.org/x/mod/semver.IsValid
  parallax diff 'net/netip.(*Addr).UnmarshalText' 'net.(*IP).UnmarshalText'

Several versions of one module run side by side, each in a worker of its own:

  parallax diff gopkg.in/yaml.v3.Unmarshal@v3.0.0 gopkg.in/yaml.v3.Unmarshal@v3.0.1

Parameters have Go's fuzzing types ([]byte, string, bool, integers, floats); []byte and string are interchangeable. A last
result of type error or bool decides between accepted and rejected; the other results are values.

With packages, diff runs every FuzzXxx that compares implementations with parallax.Diff, one after another:

  parallax diff ./... --fuzz FuzzParse --fuzztime 1m

With the paths of C and C++ harnesses that parallax cc or parallax c++ has linked (parallax help c), diff compares the harnesses:

  parallax diff ./harness-1.0 ./harness-1.1 --fuzztime 1m

With a configuration, diff compares programs of any kind (parallax help configuration). They may be Go functions of several
versions and toolchains, C and C++ harnesses, commands, drivers in other languages, and services. parallax init parallax.toml
writes a first one:

  parallax diff parallax.toml --fuzztime 1m

Functions have no network, and write no files but below a folder of their own, unless --allow gives it to them.

The campaign is stored in a folder (--out), and the same command resumes it. Exit code 1 means that there are findings.`,
		Example: "  parallax diff encoding/json.Valid github.com/goccy/go-json.Valid@v0.10.5 --fuzztime 30s\n  parallax diff ./... --fuzz FuzzParse --fuzztime 1m\n  parallax diff parallax.toml --fuzztime 1m",
		Args:    atLeast(1, "two functions or more, packages, or a configuration"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		},
		RunE: func(c *cobra.Command, args []string) error { return fuzzing.Diff(&f, args) },
	}
	register(c, &f)
	allows(c, &f)
	return c
}
