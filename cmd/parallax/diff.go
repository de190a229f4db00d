package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/subject"
	"parallax/cmd/internal/subject/config"
)

func diffCommand() *cobra.Command {
	f := campaignFlags{options: campaign.Options{Options: subject.Options{Mode: subject.Diff}}}
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
		Example: "  parallax diff encoding/json.Valid github.com/goccy/go-json.Valid@v0.10.5 -t 30s\n  parallax diff ./... --fuzz FuzzParse --fuzztime 1m\n  parallax diff parallax.toml --fuzztime 1m",
		Args:    atLeast(1, "two functions or more, packages, or a configuration"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		},
		RunE: func(c *cobra.Command, args []string) error { return diff(&f, args) },
	}
	f.register(c)
	f.allows(c)
	return c
}

// allows registers --allow.
func (f *campaignFlags) allows(c *cobra.Command) {
	c.Flags().StringSliceVar(&f.options.Allow, "allow", nil, "let functions reach the network, and write files everywhere: "+strings.Join(execute.Allowable, ", "))
	choices(c, "allow", true, execute.Allowable...)
}

// allowed checks --allow.
func (f *campaignFlags) allowed() error {
	for _, word := range f.options.Allow {
		if !slices.Contains(execute.Allowable, word) {
			return exit.Usage("--allow %q: choose among %s", word, strings.Join(execute.Allowable, ", "))
		}
	}
	return nil
}

func diff(f *campaignFlags, args []string) error {
	if err := f.allowed(); err != nil {
		return err
	}
	if len(f.options.Allow) > 0 && (slices.ContainsFunc(args, isConfiguration) || !slices.ContainsFunc(args, isFunction)) {
		return exit.Usage("--allow is for functions: a configuration has allow = [...] in the [[program]], and FuzzXxx have the network and the files of their user")
	}
	for _, arg := range args {
		if isConfiguration(arg) {
			return diffConfig(f, args)
		}
	}
	if slices.ContainsFunc(args, isProgram) {
		return diffHarnesses(f, args)
	}
	functions := 0
	var wrong error
	for _, arg := range args {
		_, err := funcname.Parse(arg)
		switch {
		case err == nil:
			functions++
		case wrong == nil || !funcname.IsPackage(arg):
			wrong = err
		}
	}
	switch {
	case wrong != nil && (functions > 0 || !slices.ContainsFunc(args, funcname.IsPackage)):
		return wrong
	case wrong != nil && f.options.Generator != "":
		return exit.Usage("--generator is for functions and configurations, and the arguments are packages: in their FuzzXxx, give parallax.Generate to parallax.Diff (parallax help generators)")
	case wrong != nil:
		f.options.Packages = args
		return runTests(f)
	case f.fuzz != "":
		return exit.Usage("--fuzz chooses among the FuzzXxx of packages, and the arguments are functions: leave it out")
	}
	f.options.Functions = args
	return diffFunctions(f)
}

func isConfiguration(arg string) bool { return strings.HasSuffix(arg, ".toml") }

func isFunction(arg string) bool {
	_, err := funcname.Parse(arg)
	return err == nil
}

// diffConfig compares the programs of a configuration.
func diffConfig(f *campaignFlags, args []string) error {
	switch {
	case len(args) > 1:
		return exit.Usage("a configuration names all programs: give %s as the only argument, not as one of %d", args[0], len(args))
	case f.fuzz != "":
		return exit.Usage("--fuzz chooses among the FuzzXxx of packages, and the argument is a configuration: leave it out")
	case f.options.Repair != "":
		return exit.Usage("--repair is for functions: set the key repair in the configuration instead")
	}
	for _, limit := range []string{"timeout", "memory"} {
		if f.flags.Changed(limit) {
			return exit.Usage("--%s is for functions: set it in the configuration instead, in [limits] or in the table of a program", limit)
		}
	}
	file, err := config.Load(args[0])
	if err != nil {
		return err
	}
	if err := file.Comparable(); err != nil {
		return err
	}
	if file.Repair != nil && f.options.Generator != "" {
		return file.Fail(file.Repair.At, "repair, and --generator: a generator makes the input itself. Repair it there, and leave repair out")
	}
	f.options.Config = file
	return diffFunctions(f)
}

func diffFunctions(f *campaignFlags) error {
	if err := f.complete(); err != nil {
		return err
	}
	tool, err := os.Executable()
	if err != nil {
		return exit.Infra("finding the parallax executable: %w", err)
	}
	ctx, kill, interrupt := terminal.Interrupts()
	view := f.view(interrupt)
	defer view.Close()
	f.options.Beside, f.options.Clocked = true, !f.options.Repeats()
	target, err := subject.Build(ctx, &f.options.Options, tool, view.Step)
	if err != nil {
		view.Close()
		if ctx.Err() == nil {
			err = f.delivered([]testRun{{name: nameOf(&f.options), options: f.options, err: err}}, err)
		}
		return unlessInterrupted(ctx, err)
	}
	defer target.Close()
	summary, err := campaign.Run(ctx, kill, target, f.options, view, time.Now)
	view.Close()
	run := testRun{name: target.About().Name, options: f.options, target: target, summary: summary, err: err}
	if summary == nil {
		if err != nil {
			err = f.delivered([]testRun{run}, err)
		}
		return err
	}
	if shown := f.tell([]*report.Summary{summary}, []string{archive.Shown(&f.options.Options, target)}, false); shown != nil && err == nil {
		err = shown
	}
	return verdict(f.delivered([]testRun{run}, err), summary.Open())
}

// unlessInterrupted drops the error of a build that the user ended.
func unlessInterrupted(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "parallax: interrupted while building: nothing was fuzzed")
	return nil
}

// verdict is what a run with so many open findings ends with.
func verdict(err error, open int) error {
	if code := exit.Code(err); open > 0 && (code == exit.OK || code == exit.InfraCode) {
		if err != nil {
			terminal.Say("%v", err)
		}
		return errFound
	}
	return err
}
