package main

import (
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"parallax/cmd/internal/exit"
)

// manCommand writes the man pages of all commands.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "Write the man pages of all commands into a folder",
		Long:    "man writes a page for each command into DIR, such as parallax-diff.1, which man finds if DIR is a folder man1 in its path.",
		Example: "  parallax man ~/.local/share/man/man1\n  sudo parallax man /usr/local/share/man/man1",
		Args:    cobra.MatchAll(atLeast(1, "a folder"), atMost(1, "one folder")),
		RunE: func(c *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return exit.Infra("making the folder: %w", err)
			}
			date := time.Unix(0, 0).UTC() // pages of one release are equal
			header := &doc.GenManHeader{Title: "PARALLAX", Section: "1", Source: "parallax", Date: &date}
			root := c.Root()
			root.DisableAutoGenTag = true
			asMarkdown(root)
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return exit.Infra("writing the pages: %w", err)
			}
			return nil
		},
	}
}

// asMarkdown indents the examples in descriptions as Markdown has it, from which the pages are made.
func asMarkdown(c *cobra.Command) {
	c.Long = strings.ReplaceAll(c.Long, "\n  ", "\n    ")
	for _, sub := range c.Commands() {
		asMarkdown(sub)
	}
}
