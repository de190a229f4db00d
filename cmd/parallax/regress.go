package main

import (
	"time"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/command/regress"
)

func regressCommand() *cobra.Command {
	f := regress.Options{Options: fuzzing.New(fuzzing.ModeRegress)}
	c := &cobra.Command{
		Use:   "regress {[PACKAGE...] [--base REV] | MOD@A MOD@B | CONFIG.toml [--base REV]}",
		Short: "Fuzz the code that a change reaches, in the old and the new version",
		Long: `regress compares two versions of a program, finds the changed code and the FuzzXxx that reach it, and spends the budget
on these. It runs both versions on the same inputs, and reports

  new       failures that the old version does not have
  changed   inputs on which both go on and do different things
  old       failures that both have
  fixed     failures that only the old version has

  parallax regress ./... --fuzztime 5m
  parallax regress ./parse --base v1.2.0 --fuzztime 100000x --seed 1

The old version is --base, any revision of git. Without it, it is the merge base with the main branch, and on that branch the
last commit before the change. The new version is the work tree, or --head. Neither the work tree nor .git is touched.

Two published versions of a module:

  parallax regress github.com/tidwall/gjson@v1.2.1 github.com/tidwall/gjson@v1.3.0

A C or C++ project, whose parallax.toml says how a version is built, in [regress]:

  parallax regress parallax.toml --base v1.2.0

Exported functions that both versions have are fuzzed for changed code that no seed of a FuzzXxx executes. They have no network,
and write only in a folder of their own. --no-synthesis leaves them out. The last line of a run counts new failures, changes of
behavior, targets that could not be judged, and the change points that were executed.

Exit code 1 means that there are new failures; --fail-on change counts changed behavior too. parallax help regress.md has more.`,
		Example: "  parallax regress ./... --base v1.2.0 --fuzztime 5m\n  parallax regress ./parse --base main --fail-on change --fuzztime 1m\n  parallax regress github.com/tidwall/gjson@v1.2.1 github.com/tidwall/gjson@v1.3.0 --fuzztime 1m",
		RunE:    func(c *cobra.Command, args []string) error { return regress.Run(f, args) },
	}
	register(c, &f.Options)
	fs := c.Flags()
	fs.StringVar(&f.Base, "base", "", "the old version: a revision of git (default the merge base with the main branch)")
	fs.StringVar(&f.Head, "head", "", "the new version, a revision of git (default the work tree)")
	fs.BoolVar(&f.NoBase, "no-base", false, "do not run the old version: the new one is fuzzed alone, and every failure is new")
	fs.StringVar(&f.FailOn, "fail-on", "new", "what makes the command fail: new findings, or change for changed behavior too")
	fs.StringVar(&f.Function, "func", "", "fuzz this function, a path from the module's root such as LoadBytes or jws.Parse, and no FuzzXxx")
	fs.StringVar(&f.Harness, "harness", "", "with two versions of a module, the folder of FuzzXxx in a module that requires it")
	fs.BoolVar(&f.NoSynthesis, "no-synthesis", false, "fuzz FuzzXxx alone, and no exported functions for what no FuzzXxx executes or can judge")
	mustComplete(c, "func", cobra.NoFileCompletions)
	allows(c, &f.Options)
	fs.StringVar(&f.Impact, "impact", regress.DefaultImpact, "which blocks count as impacted: both, those that reach the change (forward) or are reached from it (backward, backward-up); for experiments (parallax help schedules)")
	fs.DurationVar(&f.PlanTime, "plan-time", 20*time.Second, "how long to read which functions call which; then names of functions decide what reaches the change (0: as long as it takes)")
	fs.BoolVar(&f.PlanOnly, "plan", false, "say what was changed and what would be fuzzed, and fuzz nothing")
	choices(c, "fail-on", false, "new", "change")
	choices(c, "impact", false, regress.Impacts...)
	mustComplete(c, "base", cobra.NoFileCompletions)
	mustComplete(c, "head", cobra.NoFileCompletions)
	return c
}
