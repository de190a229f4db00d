package main

import (
	"github.com/spf13/cobra"
	"parallax/cmd/internal/command/help"
)

// manCommand writes the man pages of all commands.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Hidden:  true, // the short help names it at its end
		Use:     "man DIR",
		Short:   "Write the man pages of all commands into a folder",
		Long:    "man writes a page for each command into DIR, such as parallax-diff.1, which man finds if DIR is a folder man1 in its path.",
		Example: "  parallax man ~/.local/share/man/man1\n  sudo parallax man /usr/local/share/man/man1",
		Args:    cobra.MatchAll(atLeast(1, "a folder"), atMost(1, "one folder")),
		RunE:    func(c *cobra.Command, args []string) error { return help.WriteMan(c.Root(), args[0], version()) },
	}
}
