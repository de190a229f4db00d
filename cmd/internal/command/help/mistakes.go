package help

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/base/myers"
	"parallax/cmd/internal/base/tomldoc"
)

// Unknown is the error for a word that is no command below c.
func Unknown(c *cobra.Command, word string) error {
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

// nearCommand suggests the command that was probably meant: one that the word begins or continues,
// or with a name that is near.
func nearCommand(word string, names []string) string {
	for _, name := range names {
		if min(len(word), len(name)) >= 3 && (strings.HasPrefix(name, word) || strings.HasPrefix(word, name)) {
			return fmt.Sprintf(" (did you mean %q?)", name)
		}
	}
	return tomldoc.DidYouMean(word, names)
}

// Explain gives errors of flags the code of usage. Those of our own keep what they say.
func Explain(c *cobra.Command, err error) error {
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
	return exit.Usage("%w%s\nSee %s --help", err, nearFlag(c, name), c.CommandPath())
}

// written finds the flag in pflag's message about one that it does not know.
var written = lazyregexp.New(`^unknown (?:shorthand )?flag: .*?(-+[A-Za-z][-_A-Za-z]*)(?:[=\d]\S*)?$`)

// answerTo says what to write in place of a flag of another tool, or of another command; "" if
// nothing is known of it.
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

// nearFlag suggests the flag with a name that is near.
func nearFlag(c *cobra.Command, name string) string {
	best, least := "", min(3, 1+len(name)/3) // of a short name nothing is near
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if d := myers.Distance([]byte(name), []byte(f.Name)); d < least {
			best, least = f.Name, d
		}
	})
	if best == "" {
		return ""
	}
	return ": did you mean --" + best + "?"
}
