package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parallax/cmd/internal/archive"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/lazyregexp"
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

// unknown is the error for a word that is no command below c.
func unknown(c *cobra.Command, word string) error {
	near := c.SuggestionsFor(word)
	hint := ""
	if len(near) > 0 {
		hint = ": did you mean " + strings.Join(near, " or ") + "?"
	}
	return exit.Usage("unknown command %q%s\nSee %s --help", word, hint, c.CommandPath())
}

// helpCommand is cobra's, which is content with topics that do not exist.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		RunE: func(c *cobra.Command, args []string) error {
			at := c.Root()
			for _, word := range args {
				next, rest, err := at.Find([]string{word})
				if err != nil || next == at || len(rest) > 0 {
					return unknown(at, word)
				}
				at = next
			}
			at.InitDefaultHelpFlag()
			return at.Help()
		},
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			if len(args) == 0 {
				for _, sub := range c.Root().Commands() {
					if sub.IsAvailableCommand() {
						names = append(names, sub.Name()+"\t"+sub.Short)
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// wrapUsage has the lines of flags broken in the help of all commands: where the terminal ends, and before they are hard to read.
func wrapUsage(root *cobra.Command) {
	wrapped := fmt.Sprintf(".FlagUsagesWrapped %d |", min(max(width(), 80), 120))
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages |", wrapped))
}

// strict makes cobra's own commands answer mistakes as ours do.
func strict(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Args = cobra.ArbitraryArgs
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

// outFlag is the flag by which commands find a campaign.
func outFlag(c *cobra.Command, out *string, usage string) {
	c.Flags().StringVar(out, "out", "", usage)
	mustComplete(c, "out", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
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
		for _, id := range archive.IDs(*out) {
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

// usage gives errors of flags the code of usage. Those of our own keep what they say.
func usage(c *cobra.Command, err error) error {
	var ours *exit.Error
	if errors.As(err, &ours) {
		return err
	}
	return exit.Usage("%w%s\nSee %s --help", err, meant(c, err.Error()), c.CommandPath())
}

// written finds the flag in pflag's message about one that it does not know.
var written = lazyregexp.New(`^unknown (?:shorthand )?flag: .*?(-+[A-Za-z][-_A-Za-z]*)(?:=\S*)?$`)

// libFuzzerFlags are those of libFuzzer that have another name here.
var libFuzzerFlags = map[string]string{
	"fork":           "--parallel N",
	"help":           "--help",
	"jobs":           "--parallel N",
	"max_len":        "--max-bytes N",
	"max_total_time": "--fuzztime 60s",
	"rss_limit_mb":   "--memory 2GiB",
	"runs":           "--fuzztime 10000x",
	"workers":        "--parallel N",
}

// meant names the flag that was probably meant: go test's have one dash, ours two, as is usual.
func meant(c *cobra.Command, message string) string {
	m := written().FindStringSubmatch(message)
	if m == nil {
		return ""
	}
	name := strings.TrimLeft(m[1], "-")
	if name == "elp" { // the h was taken for -h
		name = "help"
	}
	if ours := libFuzzerFlags[name]; ours != "" && c.Flags().Lookup("max-bytes") != nil {
		return ": for -" + name + " of libFuzzer write " + ours
	}
	best, least := "", 3
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if d := distance(name, f.Name); d < least {
			best, least = f.Name, d
		}
	})
	if best == "" {
		return ""
	}
	return ": did you mean --" + best + "?"
}

// distance is the number of letters to insert, remove or change (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			above := row[j+1]
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			row[j+1] = min(cost, above+1, row[j]+1)
			diagonal = above
		}
	}
	return row[len(b)]
}
