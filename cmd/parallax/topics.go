package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/config/document"
	"parallax/cmd/internal/exit"
	"parallax/docs"
)

// topics are the pages of the reference that help prints.
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

// topic returns the page of a topic.
func topic(name string) (string, bool) {
	for _, t := range topics {
		if t.name == name {
			page, err := docs.Pages.ReadFile(name + ".md")
			if err != nil {
				panic(err) // it is part of the binary
			}
			return string(page), true
		}
	}
	return "", false
}

func topicNames() (names []string) {
	for _, t := range topics {
		names = append(names, t.name)
	}
	return names
}

func topicList() string {
	var b strings.Builder
	for _, t := range topics {
		fmt.Fprintf(&b, "  %-16s%s\n", t.name, t.about)
	}
	return strings.TrimRight(b.String(), "\n")
}

// unknownTopic is the error for a word that is neither a command below c nor a topic.
func unknownTopic(c *cobra.Command, word string) error {
	if near := document.Meant(word, topicNames()); near != "" {
		return exit.Usage("unknown topic %q%s\nSee %s help", word, near, c.Root().CommandPath())
	}
	return unknown(c, word)
}
