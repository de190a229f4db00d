package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/bisect"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/ui"
)

func bisectCommand() *cobra.Command {
	var b bisect.Query
	var asJSON bool
	c := &cobra.Command{
		Use:   "bisect {BUCKET | FILE} {--module MODULE | --git}",
		Short: "Find the version or commit at which a finding's outcome changed",
		Long: `bisect builds the programs of a finding with other versions of a module, or from other commits, executes the minimised input
there, and finds where the outcome changed. It halves the stretch between two ends; what does not build there, or does now
this and now that, is gone around; with too many of these in a row (--tries), the stretch that is left is told.

  --module MODULE   a module that the target is made of, in its versions from --from (default the first) to --to (default
                    the one that the target is built with now). Where later versions mended it: --from NOW --to latest
  --git             the commits of the repository that the target's own code is in, or of the one in the folder --repo,
                    which holds a module that the target is made of. --from is the oldest commit by default, --to is HEAD

Without --from, it goes back from --to in steps that double, and so finds the latest change. What is compared are the
outcomes, and where the finding is one of values or classes of errors, which programs agree in these.

Your folders are not touched: versions go into a copy of your go.mod, and commits into a folder in the cache.

Exit code 0: the change was found, perhaps with a stretch around it that does not build; 2: the ends agree; 3: nothing
builds; 4: something else went wrong.`,
		Example:           "  parallax bisect 3ba0 --module github.com/BurntSushi/toml\n  parallax bisect 3ba0 --module github.com/BurntSushi/toml --from v1.5.0 --to latest\n  parallax bisect 3ba0 --git --from v1.0.0",
		Args:              one("the id of a finding, which `parallax show` lists, or the file of an input"),
		ValidArgsFunction: completeFindings(&b.Out, 1),
		RunE: func(c *cobra.Command, args []string) error {
			b.Finding = args[0]
			return runBisect(&b, asJSON)
		},
	}
	outFlag(c, &b.Out, "the campaign's folder (default the one in .parallax)")
	c.Flags().StringVar(&b.Module, "module", "", "the module whose versions are tried; with --git, the module that --repo holds")
	c.Flags().BoolVar(&b.Git, "git", false, "try commits")
	c.Flags().StringVar(&b.Repo, "repo", "", "the folder of the repository (default the target's)")
	c.Flags().StringVar(&b.From, "from", "", "the older end: a version, or a revision of git (default the oldest there is)")
	c.Flags().StringVar(&b.To, "to", "", "the newer end (default what is in use now, HEAD of a repository)")
	c.Flags().BoolVar(&b.Pre, "pre", false, "try prereleases too")
	c.Flags().BoolVar(&b.Retracted, "retracted", false, "try retracted versions too")
	c.Flags().StringSliceVar(&b.Compare, "compare", nil, "what is compared: verdict, value, class (default as the finding is)")
	c.Flags().IntVar(&b.Tries, "tries", 0, "how many in a row may show nothing (default 20, and 4 for each doubling of what there is)")
	c.Flags().BoolVar(&asJSON, "json", false, "write the result to standard output as JSON")
	choices(c, "compare", true, "verdict", "value", "class")
	mustComplete(c, "repo", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
	for _, name := range []string{"module", "from", "to", "tries"} {
		mustComplete(c, name, cobra.NoFileCompletions)
	}
	return c
}

// one checks that there is one argument, and says what it is.
func one(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 1 {
			return exit.Usage("%s takes one argument, %s\nSee %s --help", c.Name(), what, c.CommandPath())
		}
		return atLeast(1, what)(c, args)
	}
}

func runBisect(b *bisect.Query, asJSON bool) error {
	var err error
	if b.Tool, err = os.Executable(); err != nil {
		return exit.Infra("finding the parallax executable: %w", err)
	}
	ctx, interrupt := interruptible()
	view := ui.New(os.Stderr, ui.Line, interrupt)
	b.Step, b.Tell = view.Step, view.Message
	r, err := b.Run(ctx)
	view.Close()
	interrupted := ctx.Err() != nil && (r == nil || r.Status == bisect.StatusStopped)
	if r != nil && len(r.Tried) > 0 {
		if told := tellBisect(r, asJSON); told != nil {
			return told
		}
	}
	if interrupted {
		fmt.Fprintln(os.Stderr, "parallax: interrupted")
		return nil
	}
	return err
}

func tellBisect(r *bisect.Report, asJSON bool) error {
	if !asJSON {
		return r.Text(os.Stdout)
	}
	data, err := r.JSON()
	if err != nil {
		return exit.Infra("%w", err)
	}
	if _, err := os.Stdout.Write(data); err != nil {
		return exit.Infra("writing: %w", err)
	}
	return nil
}
