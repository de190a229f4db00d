// Package help prints the help of commands, the pages of the reference and man pages, and answers
// mistakes in command lines. cmd/parallax calls it with its tree of commands.
package help

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/command/terminal"
	"parallax/schema"
)

// Help has two levels: -h prints the usage, examples and the everyday flags; --help prints the
// description and all flags in groups.

// everyday are the flags that -h prints, of each command those that it has, at most maxEveryday.
var everyday = []string{"base", "engine", "func", "functions", "fuzz", "fuzztime", "parallel", "seeds", "dict", "compare", "module", "git", "campaign", "to", "flaky", "all", "reason", "owner", "link", "state", "listen", "token-file", "hub", "dir",
	"format", "driver", "ci", "older", "size", "out", "fail-on", "json", "verbose"}

const maxEveryday = 10

// A namedGroup is a group of flags by their names.
type namedGroup struct {
	title string
	flags []string
}

// flagGroups are the groups of flags in the order in which --help prints them. A flag that is in
// none comes first.
var flagGroups = []namedGroup{
	{"Budget", []string{"fuzztime", "cputime", "until-quiet", "triage-time", "parallel", "no-fuzz", "no-triage", "tries", "inputs", "samples", "extract-timeout", "plan-time"}},
	{"Inputs", []string{"seeds", "dict", "go-cache", "max-bytes", "grammar", "grammar-operands", "generator", "repair", "corpus", "corpus-size", "corpus-inputs"}},
	{"Comparison", []string{"compare", "compare-results", "reference", "skip-accepted", "fail-on", "no-base"}},
	{"Limits", []string{"timeout", "memory", "no-limits", "trust", "allow"}},
	{"Fleet", []string{"join", "hub", "dir", "token-file", "nkeys", "tls-cert", "tls-key"}},
	{"Output and CI", []string{"out", "json", "ui", "color", "verbose", "sarif", "junit", "markdown", "events"}},
	{"Search", []string{"guidance", "schedule", "mutators", "no-cmplog", "instrument", "tags", "seed", "no-trim"}},
	{"Experiments", []string{"pool-size", "ordered-traces", "without", "published", "no-instrument", "impact", "proofs"}},
}

// Brief reports whether the arguments ask for the short help: -h before a double dash.
func Brief(args []string) bool {
	for _, arg := range args {
		switch arg {
		case "--":
			return false
		case "-h":
			return true
		}
	}
	return false
}

// Set has the commands print their help by level.
func Set(root *cobra.Command, short bool) {
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		if short {
			Short(c.OutOrStdout(), c, helpWidth())
		} else {
			Long(c.OutOrStdout(), c, helpWidth())
		}
	})
	root.SetUsageFunc(func(c *cobra.Command) error {
		Short(c.OutOrStderr(), c, helpWidth())
		return nil
	})
}

// helpWidth returns the width of the terminal, within what is easy to read.
func helpWidth() int { return min(max(terminal.Width(), 60), 100) }

// Short prints the short help of a command.
func Short(w io.Writer, c *cobra.Command, width int) {
	fmt.Fprintf(w, "%s\n\n", strings.Join(columns.Wrap(c.Short, width), "\n"))
	usageLine(w, c, width)
	examples(w, c, 3)
	subcommands(w, c, width)
	var usual []*pflag.Flag
	for _, name := range everyday {
		if f := c.Flags().Lookup(name); f != nil && !f.Hidden && len(usual) < maxEveryday {
			usual = append(usual, f)
		}
	}
	all := 0
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" && !c.DisableFlagParsing {
			all++
		}
	})
	if len(usual) > 0 {
		fmt.Fprint(w, "Everyday flags:\n")
		for _, f := range usual {
			printFlag(w, f, firstClause(f.Usage), width)
		}
		fmt.Fprintln(w)
	}
	switch {
	case c.Parent() == nil:
		helpOfHelp(w, width)
	case all > max(1, len(usual)):
		fmt.Fprintf(w, "%s --help describes the command and all %d flags.\n", c.CommandPath(), all)
	case c.Long != "":
		fmt.Fprintf(w, "%s --help describes the command.\n", c.CommandPath())
	}
}

// firstClause cuts a flag's text for the short help.
func firstClause(text string) string {
	if i := strings.IndexAny(text, ";("); i > 0 {
		text = text[:i]
	}
	if i := strings.Index(text, ", such as "); i > 40 {
		text = text[:i]
	}
	return strings.TrimSpace(text)
}

// Long prints the whole help of a command.
func Long(w io.Writer, c *cobra.Command, width int) {
	text := c.Long
	if text == "" {
		text = c.Short
	}
	fmt.Fprintf(w, "%s\n\n", reflow(text, width))
	usageLine(w, c, width)
	examples(w, c, -1)
	subcommands(w, c, width)
	for _, g := range flagsOf(c) {
		fmt.Fprintf(w, "%s:\n", g.title)
		for _, f := range g.flags {
			printFlag(w, f, f.Usage, width)
		}
		fmt.Fprintln(w)
	}
	if c.Parent() == nil {
		helpOfHelp(w, width)
	}
}

// A flagGroup is flags that help prints together.
type flagGroup struct {
	title string
	flags []*pflag.Flag
}

// flagsOf groups the flags of a command; few of them are one group.
func flagsOf(c *cobra.Command) (groups []flagGroup) {
	if c.DisableFlagParsing {
		return nil
	}
	var own []*pflag.Flag // that are in no group
	count := 0
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		count++
		if !slices.ContainsFunc(flagGroups, func(g namedGroup) bool { return slices.Contains(g.flags, f.Name) }) {
			own = append(own, f)
		}
	})
	for _, g := range flagGroups {
		var list []*pflag.Flag
		for _, name := range g.flags {
			if f := c.Flags().Lookup(name); f != nil && !f.Hidden {
				list = append(list, f)
			}
		}
		if len(list) > 0 {
			groups = append(groups, flagGroup{g.title, list})
		}
	}
	if count <= maxEveryday { // too few for groups
		for _, g := range groups {
			own = append(own, g.flags...)
		}
		slices.SortFunc(own, func(a, b *pflag.Flag) int { return strings.Compare(a.Name, b.Name) })
		groups = nil
	}
	if len(own) > 0 {
		groups = slices.Insert(groups, 0, flagGroup{"Flags", own})
	}
	return groups
}

func helpOfHelp(w io.Writer, width int) {
	fmt.Fprint(w, reflow("parallax COMMAND -h prints examples and everyday flags, --help all. "+
		"parallax help TOPIC prints the reference: "+strings.Join(TopicNames(), ", ")+". "+
		"Shells are set up by parallax completion SHELL and parallax man DIR.", width)+"\n")
}

func usageLine(w io.Writer, c *cobra.Command, width int) {
	line := c.UseLine()
	if c.HasAvailableSubCommands() && !strings.Contains(line, "COMMAND") {
		line = c.CommandPath() + " COMMAND"
	}
	fmt.Fprint(w, "Usage:\n")
	for i, l := range columns.Wrap(line, width-2) {
		fmt.Fprintf(w, "%s%s\n", map[bool]string{true: "  ", false: "      "}[i == 0], l)
	}
	fmt.Fprintln(w)
}

// examples prints the first examples of a command; all if most is negative.
func examples(w io.Writer, c *cobra.Command, most int) {
	lines := strings.Split(strings.Trim(c.Example, "\n"), "\n")
	if c.Example == "" {
		return
	}
	if most >= 0 && len(lines) > most {
		lines = lines[:most]
	}
	fmt.Fprintf(w, "Examples:\n%s\n\n", strings.Join(lines, "\n"))
}

// subcommands prints the commands below c by their groups.
func subcommands(w io.Writer, c *cobra.Command, width int) {
	if !c.HasAvailableSubCommands() {
		return
	}
	longest := 0
	for _, sub := range c.Commands() {
		longest = max(longest, len(sub.Name()))
	}
	list := func(title, group string) {
		first := true
		for _, sub := range c.Commands() {
			if !sub.IsAvailableCommand() || sub.GroupID != group {
				continue
			}
			if first {
				fmt.Fprintf(w, "%s:\n", title)
				first = false
			}
			column(w, "  "+sub.Name(), sub.Short, longest+4, width)
		}
		if !first {
			fmt.Fprintln(w)
		}
	}
	for _, g := range c.Groups() {
		list(g.Title, g.ID)
	}
	title := "Further commands"
	if len(c.Groups()) == 0 {
		title = "Commands"
	}
	list(title, "")
}

// flagColumn is the column at which the texts of flags begin.
const flagColumn = 26

func printFlag(w io.Writer, f *pflag.Flag, text string, width int) {
	name := "      --" + f.Name
	if f.Shorthand != "" {
		name = "  -" + f.Shorthand + ", --" + f.Name
	}
	value, usage := valueAndText(f, text)
	if value != "" {
		name += " " + value
	}
	column(w, name, usage, flagColumn, width)
}

// valueAndText returns what a flag's value is called, "" for a switch, and the flag's text with its
// default.
func valueAndText(f *pflag.Flag, text string) (value, usage string) {
	value, usage = pflag.UnquoteUsage(&pflag.Flag{Name: f.Name, Usage: text, Value: f.Value})
	switch f.DefValue {
	case "", "false", "0", "[]", "0s":
	default:
		if !strings.Contains(usage, "(default") && f.Name != "help" {
			usage += " (default " + strings.Trim(f.DefValue, "[]") + ")"
		}
	}
	return value, usage
}

// column prints a name and, from a column on, a text broken into lines.
func column(w io.Writer, name, text string, at, width int) {
	lines := columns.Wrap(text, width-at)
	if len(name)+2 > at {
		fmt.Fprintln(w, name)
	} else {
		fmt.Fprintf(w, "%-*s%s\n", at, name, lines[0])
		lines = lines[1:]
	}
	for _, l := range lines {
		fmt.Fprintf(w, "%*s%s\n", at, "", l)
	}
}

// twoColumns matches an indented line of a name and, from a column on, a text.
var twoColumns = lazyregexp.New(`^(  \S+(?: \S+)*)  +(\S.*)$`)

// reflow breaks the paragraphs of a text, and those in a second column, into lines of a width.
// Other indented lines stay as they are: they are commands.
func reflow(text string, width int) string {
	var out, paragraph []string
	name, at := "", 0 // of a text in a second column
	flush := func() {
		switch {
		case len(paragraph) == 0:
		case at > 0:
			var b strings.Builder
			column(&b, name, strings.Join(paragraph, " "), at, width)
			out = append(out, strings.TrimRight(b.String(), "\n"))
		default:
			out = append(out, columns.Wrap(strings.Join(paragraph, " "), width)...)
		}
		paragraph, at = nil, 0
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if m := twoColumns().FindStringSubmatch(line); m != nil {
			flush()
			name, at, paragraph = m[1], len(line)-len(m[2]), []string{m[2]}
		} else if at > 0 && strings.HasPrefix(line, strings.Repeat(" ", at)) {
			paragraph = append(paragraph, line)
		} else if line == "" || line[0] == ' ' {
			flush()
			out = append(out, line)
		} else {
			if at > 0 {
				flush()
			}
			paragraph = append(paragraph, line)
		}
	}
	flush()
	return strings.Join(out, "\n")
}

// commandGroups are the groups of commands in the order in which help prints them.
var commandGroups = []struct {
	id, title string
	commands  []string
}{
	{"find", "Find", []string{"diff", "fuzz", "regress", "model"}},
	{"read", "Read", []string{"show", "report", "replay"}},
	{"decide", "Decide", []string{"accept", "note", "minimize", "bisect", "export"}},
	{"setup", "Set up", []string{"init", "gen", "corpus", "cc", "c++", "serve", "doctor", "clean", "completion", "man", "version"}},
	{"measure", "Measure", []string{"bench"}},
}

// Group puts the commands into their groups.
func Group(root *cobra.Command) {
	for _, g := range commandGroups {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, c := range root.Commands() {
			if slices.Contains(g.commands, c.Name()) {
				c.GroupID = g.id
			}
		}
	}
}

// Print prints the help of a command, a page or a schema.
func Print(root *cobra.Command, args []string) error {
	if len(args) == 1 && args[0] == "pages" {
		return listPages(os.Stdout, root)
	}
	if len(args) == 1 && pageName(root, args[0]) == args[0] {
		if text, ok := Topic(args[0]); ok {
			_, err := io.WriteString(os.Stdout, PageText(text, helpWidth(), root))
			return err
		}
	}
	if len(args) == 2 && args[0] == schemaTopic {
		text, ok := schema.Find(args[1])
		if !ok {
			return exit.Usage("unknown schema %q: choose among %s", args[1], strings.Join(schema.Names(), ", "))
		}
		_, err := os.Stdout.Write(text)
		return err
	}
	at := root
	for _, word := range args {
		next, rest, err := at.Find([]string{word})
		if err != nil || next == at || len(rest) > 0 {
			return UnknownTopic(at, word)
		}
		at = next
	}
	at.InitDefaultHelpFlag()
	if err := at.Help(); err != nil || len(args) != 1 {
		return err
	}
	if _, ok := Topic(args[0]); ok {
		_, err := fmt.Fprintf(os.Stdout, "\nparallax help %s prints the page of the reference.\n", pageName(root, args[0]))
		return err
	}
	return nil
}

// Words completes the arguments of help.
func Words(root *cobra.Command, args []string) (names []string) {
	if len(args) == 0 {
		for _, sub := range root.Commands() {
			if sub.IsAvailableCommand() {
				names = append(names, sub.Name()+"\t"+sub.Short)
			}
		}
		names = append(names, PageNames(root)...)
	} else if len(args) == 1 && args[0] == schemaTopic {
		names = schema.Names()
	}
	return names
}

// Schemas lists the names of the JSON Schemas, for the user.
func Schemas() string { return strings.Join(schema.Names(), ", ") }
