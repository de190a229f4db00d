package main

import (
	"strings"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/command/past"
)

// atLeast and atMost check the number of arguments and say what is wanted instead of a count.
func atLeast(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < n {
			return exit.Usage("%s needs %s\nSee %s --help", c.Name(), what, c.CommandPath())
		}
		return nil
	}
}

func atMost(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) <= n {
			return nil
		}
		if n == 0 {
			what = "no arguments"
		} else {
			what = "at most " + what
		}
		return exit.Usage("%s takes %s, and %q is one too many\nSee %s --help", c.Name(), what, args[n], c.CommandPath())
	}
}

// strict makes cobra's own commands answer mistakes as ours do.
func strict(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Args, c.Hidden = cobra.ArbitraryArgs, true // the short help names it at its end
		c.RunE = func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exit.Usage("%s needs a shell: bash, zsh, fish or powershell\nSee %s --help", c.Name(), c.CommandPath())
			}
			return exit.Usage("%q is not a shell that parallax knows: choose bash, zsh, fish or powershell", args[0])
		}
		for _, shell := range c.Commands() {
			shell.Args = atMost(0, "")
		}
	}
}

// jsonFlag declares the flag for results as JSON.
func jsonFlag(c *cobra.Command, on *bool) {
	c.Flags().BoolVar(on, "json", false, "write the result as JSON to standard output (parallax help json)")
}

// uiFlag declares the flag for progress.
func uiFlag(c *cobra.Command, how *string) {
	c.Flags().StringVar(how, "ui", "auto", "how the progress is shown: auto, line, full, none")
	choices(c, "ui", false, fuzzing.UIs...)
}

// budgetFlag declares the budget of a command that tries inputs; each says what it is for, if that
// is not all of the run.
func budgetFlag(c *cobra.Command, text *string, usual, each string) {
	c.Flags().StringVarP(text, "fuzztime", "t", usual, "time or number of inputs, such as 30s or 10000x; 0 is no limit"+each)
}

// campaignFlag declares the flag by which commands find a campaign. It is not --out, which names
// where a command writes.
func campaignFlag(c *cobra.Command, folder *string, usual string) {
	c.Flags().StringVarP(folder, "campaign", "C", "", "the campaign's folder (default "+usual+" in .parallax)")
	mustComplete(c, "campaign", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
}

// completeFindings offers the ids of findings, for the first max arguments; 0 is no limit.
func completeFindings(out *string, max int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if max > 0 && len(args) >= max {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var ids []string
		for _, id := range past.IDs(*out) {
			if strings.HasPrefix(id, word) {
				ids = append(ids, id)
			}
		}
		if max < 0 { // files are arguments as well
			return ids, cobra.ShellCompDirectiveDefault
		}
		return ids, cobra.ShellCompDirectiveNoFileComp
	}
}

// choices completes a flag with fixed words; a list's last word with list.
func choices(c *cobra.Command, flag string, list bool, words ...string) {
	mustComplete(c, flag, func(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		before := ""
		if i := strings.LastIndexByte(word, ','); list && i >= 0 {
			before = word[:i+1]
		}
		var out []string
		for _, w := range words {
			out = append(out, before+w)
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	})
}

func mustComplete(c *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // the flag does not exist: a mistake in this package
	}
}
