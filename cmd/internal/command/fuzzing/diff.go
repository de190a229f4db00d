package fuzzing

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/show/text"
	"parallax/cmd/internal/subject"
	"parallax/cmd/internal/subject/config"
)

// Allowed checks --allow.
func (f *Options) Allowed() error {
	for _, word := range f.Campaign.Allow {
		if !slices.Contains(execute.Allowable, word) {
			return exit.Usage("--allow %q: choose among %s", word, strings.Join(execute.Allowable, ", "))
		}
	}
	return nil
}

// Diff compares functions, the programs of a configuration, harnesses, or what FuzzXxx compare.
func Diff(f *Options, args []string) error {
	if err := f.Allowed(); err != nil {
		return err
	}
	if len(f.Campaign.Allow) > 0 && (slices.ContainsFunc(args, isConfiguration) || !slices.ContainsFunc(args, isFunction)) {
		return exit.Usage("--allow is for functions: a configuration has allow = [...] in the [[program]], and FuzzXxx have the network and the files of their user")
	}
	if slices.ContainsFunc(args, isConfiguration) {
		return diffConfig(f, args)
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
	case wrong != nil && f.Campaign.Generator != "":
		return exit.Usage("--generator is for functions and configurations, and the arguments are packages: in their FuzzXxx, give parallax.Generate to parallax.Diff (parallax help generators)")
	case wrong != nil:
		f.Campaign.Packages = args
		return runTests(f)
	case f.Fuzz != "":
		return exit.Usage("--fuzz chooses among the FuzzXxx of packages, and the arguments are functions: leave it out")
	}
	f.Campaign.Functions = args
	return diffFunctions(f)
}

func isConfiguration(arg string) bool { return strings.HasSuffix(arg, ".toml") }

func isFunction(arg string) bool {
	_, err := funcname.Parse(arg)
	return err == nil
}

// diffConfig compares the programs of a configuration.
func diffConfig(f *Options, args []string) error {
	switch {
	case len(args) > 1:
		return exit.Usage("a configuration names all programs: give %s as the only argument, not as one of %d", args[0], len(args))
	case f.Fuzz != "":
		return exit.Usage("--fuzz chooses among the FuzzXxx of packages, and the argument is a configuration: leave it out")
	case f.Campaign.Repair != "":
		return exit.Usage("--repair is for functions: set the key repair in the configuration instead")
	}
	for _, limit := range []string{"timeout", "memory"} {
		if f.Given(limit) {
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
	if file.Repair != nil && f.Campaign.Generator != "" {
		return file.Fail(file.Repair.At, "repair, and --generator: a generator makes the input itself. Repair it there, and leave repair out")
	}
	f.Campaign.Config = file
	return diffFunctions(f)
}

func diffFunctions(f *Options) error {
	ctx, kill, view, tool, err := f.Start()
	if err != nil {
		return err
	}
	defer view.Close()
	f.Campaign.Beside, f.Campaign.Clocked = true, !f.Campaign.Repeats()
	target, err := subject.Build(ctx, &f.Campaign.Options, tool, view.Step)
	if err != nil {
		view.Close()
		if ctx.Err() == nil {
			err = f.Delivered([]Run{{Name: nameOf(&f.Campaign), Options: f.Campaign, Err: err}}, err)
		}
		return UnlessInterrupted(ctx, err)
	}
	defer target.Close()
	f.Campaign.Describe, f.Campaign.Sources, f.Campaign.Revision = text.Markdown, text.RecordSources, revisionOf(ctx, f.Campaign.Dir)
	summary, err := campaign.Run(ctx, kill, target, f.Campaign, view, time.Now)
	view.Close()
	run := Run{Name: target.About().Name, Options: f.Campaign, Target: target, Summary: summary, Err: err}
	if summary == nil {
		if err != nil {
			err = f.Delivered([]Run{run}, err)
		}
		return err
	}
	if shown := f.summarize([]*finding.Summary{summary}, []string{archive.Shown(&f.Campaign.Options, target)}, false); shown != nil && err == nil {
		err = shown
	}
	return Verdict(f.Delivered([]Run{run}, err), summary.Open())
}

// UnlessInterrupted drops the error of a build that the user ended.
func UnlessInterrupted(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "parallax: interrupted while building: nothing was fuzzed")
	return nil
}

// Verdict returns the error with which a run of so many open findings ends.
func Verdict(err error, open int) error {
	if code := exit.Code(err); open > 0 && (code == exit.OK || code == exit.InfraCode) {
		if err != nil {
			terminal.Say("%v", err)
		}
		return exit.ErrFound
	}
	return err
}
