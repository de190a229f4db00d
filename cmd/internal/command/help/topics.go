package help

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/docs"
)

// topics are the pages of the reference that help names first.
var topics = []struct{ name, about string }{
	{"configuration", "parallax.toml, and limits of programs"},
	{"exit-codes", "what each exit code means"},
	{"glossary", "words that parallax uses"},
	{"guidance", "which inputs are kept"},
	{schemaTopic, "the JSON that parallax writes, and its schemas"},
	{"oracles", "which observations are findings"},
	{"schedules", "which input is mutated next"},
	{"troubleshooting", "messages, and what to do"},
}

// schemaTopic is the topic that has schemas below it.
const schemaTopic = "json"

// pageSuffix follows the name of a page that a command has too: parallax help diff.md prints the
// page.
const pageSuffix = ".md"

// Topic returns the page with a name, with or without its suffix, whatever its folder.
func Topic(name string) (string, bool) {
	found, err := fs.Glob(docs.Pages, "*/"+strings.TrimSuffix(name, pageSuffix)+pageSuffix)
	if err != nil || len(found) != 1 {
		return "", false
	}
	page, err := docs.Pages.ReadFile(found[0])
	return string(page), err == nil
}

// TopicNames are the names of the pages that help names first.
func TopicNames() (names []string) {
	for _, t := range topics {
		names = append(names, t.name)
	}
	return names
}

// PageNames are the names of all pages, as help takes them.
func PageNames(root *cobra.Command) (names []string) {
	found, err := fs.Glob(docs.Pages, "*/*"+pageSuffix)
	if err != nil {
		panic(err) // the pattern is well formed
	}
	for _, page := range found {
		names = append(names, pageName(root, strings.TrimSuffix(path.Base(page), pageSuffix)))
	}
	slices.Sort(names)
	return names
}

// pageName is the name by which help prints a page.
func pageName(root *cobra.Command, name string) string {
	for _, c := range root.Commands() {
		if c.Name() == name {
			return name + pageSuffix
		}
	}
	return name
}

// TopicList lists these pages, each with what it is about.
func TopicList() string {
	var b strings.Builder
	for _, t := range topics {
		fmt.Fprintf(&b, "  %-16s%s\n", t.name, t.about)
	}
	return strings.TrimRight(b.String(), "\n")
}

// UnknownTopic is the error for a word that is neither a command below c nor a topic.
func UnknownTopic(c *cobra.Command, word string) error {
	if near := tomldoc.DidYouMean(word, PageNames(c.Root())); near != "" && tomldoc.DidYouMean(word, commandNames(c)) == "" {
		return exit.Usage("unknown topic %q%s\nSee %s help", word, near, c.Root().CommandPath())
	}
	return Unknown(c, word)
}
