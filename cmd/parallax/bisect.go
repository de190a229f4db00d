package main

import (
	"github.com/spf13/cobra"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/command/bisect"
)

func bisectCommand() *cobra.Command {
	var b bisect.Query
	var asJSON bool
	c := &cobra.Command{
		Use:   "bisect {BUCKET | FILE} {--module MODULE | --git}",
		Short: "Find the version or commit at which a finding's outcome changed",
		Long: `bisect finds the version of a module, or the commit, at which the outcome of a finding changed. It builds the programs at
other versions or commits and executes the minimized input there. It halves the range between two ends, and skips points that do
not build or whose outcome is not stable. If too many points in a row are skipped (--tries), it reports the remaining range.

  --module MODULE   looks through the versions of a module that the target is built from: from --since (default the first)
                    to --until (default the version in use). If a later version fixed it: --since NOW --until latest
  --git             looks through the commits of the target's repository, or of the repository in the folder --repo, which
                    holds a module that the target is built from: from --since (default the oldest) to --until (default HEAD)

Without --since, bisect goes back from --until in steps that double, and so finds the latest change. It compares the outcomes of
the programs. For a finding of values or error classes, it also compares which programs agree.

Your folders are not touched: versions go into a copy of your go.mod, and commits into a folder in the cache.

Exit code 0 means that the change was found, perhaps with points around it that do not build. 2 means that both ends have the
same outcome, 3 that nothing builds, and 4 another problem.`,
		Example:           "  parallax bisect 3ba0 --module github.com/BurntSushi/toml\n  parallax bisect 3ba0 --module github.com/BurntSushi/toml --since v1.5.0 --until latest\n  parallax bisect 3ba0 --git --since v1.0.0",
		Args:              oneArgument("the id of a finding (`parallax show` lists them) or the file of an input"),
		ValidArgsFunction: completeFindings(&b.Out, 1),
		RunE: func(c *cobra.Command, args []string) error {
			b.Finding = args[0]
			return bisect.Bisect(&b, asJSON)
		},
	}
	campaignFlag(c, &b.Out, "the one")
	noLimits(c)
	trusting(c, &b.Trust)
	c.Flags().StringVar(&b.Module, "module", "", "the module whose versions are tried; with --git, the module in --repo")
	c.Flags().BoolVar(&b.Git, "git", false, "try commits")
	c.Flags().StringVar(&b.Repo, "repo", "", "the folder of the repository (default the target's)")
	c.Flags().StringVar(&b.From, "since", "", "the older end: a version or a git revision (default the oldest)")
	c.Flags().StringVar(&b.To, "until", "", "the newer end (default the version in use, or HEAD)")
	c.Flags().BoolVar(&b.Pre, "pre", false, "try prereleases too")
	c.Flags().BoolVar(&b.Retracted, "retracted", false, "try retracted versions too")
	c.Flags().StringSliceVar(&b.Compare, "compare", nil, "layers compared: verdict, value, class (default the finding's layer)")
	c.Flags().IntVar(&b.Tries, "tries", 0, "how many points in a row may be skipped (default 20, and 4 for each doubling of the range)")
	jsonFlag(c, &asJSON)
	choices(c, "compare", true, "verdict", "value", "class")
	mustComplete(c, "repo", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
	for _, name := range []string{"module", "since", "until", "tries"} {
		mustComplete(c, name, cobra.NoFileCompletions)
	}
	return c
}

// oneArgument checks that there is one argument, and says what it is.
func oneArgument(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 1 {
			return exit.Usage("%s takes one argument, %s\nSee %s --help", c.Name(), what, c.CommandPath())
		}
		return atLeast(1, what)(c, args)
	}
}
