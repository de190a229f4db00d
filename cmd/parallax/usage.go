package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/show/ui"
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
	if answer := otherCommands[word]; answer != "" && !c.HasParent() {
		return exit.Usage("%s: %s\nSee %s --help", word, answer, c.CommandPath())
	}
	return exit.Usage("unknown command %q%s\nSee %s --help", word, nearCommand(word, commandNames(c)), c.CommandPath())
}

func commandNames(c *cobra.Command) (names []string) {
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return names
}

// nearCommand suggests the command that was probably meant: one that the word begins or continues, or with a name that is near.
func nearCommand(word string, names []string) string {
	for _, name := range names {
		if min(len(word), len(name)) >= 3 && (strings.HasPrefix(name, word) || strings.HasPrefix(word, name)) {
			return fmt.Sprintf(" (did you mean %q?)", name)
		}
	}
	return tomldoc.DidYouMean(word, names)
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

// jsonFlag declares the flag for results as JSON.
func jsonFlag(c *cobra.Command, on *bool) {
	c.Flags().BoolVar(on, "json", false, "write the result as JSON to standard output (parallax help json)")
}

// uiFlag declares the flag for progress.
func uiFlag(c *cobra.Command, how *string) {
	c.Flags().StringVar(how, "ui", "auto", "how the progress is shown: auto, line, full, none")
	choices(c, "ui", false, ui.Auto, ui.Line, ui.Full, ui.None)
}

// budgetFlag declares the budget of a command that tries inputs; each says what it is for, if that is not all of the run.
func budgetFlag(c *cobra.Command, text *string, usual, each string) {
	c.Flags().StringVarP(text, "fuzztime", "t", usual, "time or number of inputs, such as 30s or 10000x; 0 is no limit"+each)
}

// campaignFlag declares the flag by which commands find a campaign. It is not --out, which names where a command writes.
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
	said := written().FindStringSubmatch(err.Error())
	if said == nil {
		return exit.Usage("%w\nSee %s --help", err, c.CommandPath())
	}
	name := strings.TrimLeft(said[1], "-")
	if answer := answerTo(c, name); answer != "" {
		return exit.Usage("%s\nSee %s --help", answer, c.CommandPath())
	}
	return exit.Usage("%w%s\nSee %s --help", err, meant(c, name), c.CommandPath())
}

// written finds the flag in pflag's message about one that it does not know.
var written = lazyregexp.New(`^unknown (?:shorthand )?flag: .*?(-+[A-Za-z][-_A-Za-z]*)(?:[=\d]\S*)?$`)

// answerTo says what to write in place of a flag of another tool, or of another command; "" if nothing is known of it.
func answerTo(c *cobra.Command, name string) string {
	has := func(name string) bool { return c.Flags().Lookup(name) != nil }
	switch {
	case name == "help" || name == "elp": // the h was taken for -h
		return "write --help, or -h for the short help"
	case has("campaign") && slices.Contains([]string{"out", "o", "output"}, name):
		answer := "--campaign names the folder that is read"
		if has("to") {
			answer += "; --to names what is written"
		}
		return answer
	case has("guidance"): // it fuzzes
		return otherFlags[name]
	}
	return ""
}

// meant suggests the flag with a name that is near.
func meant(c *cobra.Command, name string) string {
	best, least := "", min(3, 1+len(name)/3) // of a short name nothing is near
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
