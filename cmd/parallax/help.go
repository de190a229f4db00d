package main

import (
	"github.com/spf13/cobra"
	"parallax/cmd/internal/command/help"
)

// helpCommand prints the help of a command, or a topic of the reference.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | TOPIC | json SCHEMA]",
		Short: "Print the help of a command, or a topic of the reference",
		Long: "help prints the help of a command. With a topic, it prints that page of the reference:\n\n" + help.TopicList() +
			"\n\nand all other pages: parallax help pages lists them. Where a command has the name of a page, parallax help diff.md prints the page.\n\n" +
			"parallax help json SCHEMA prints a JSON Schema: " + help.Schemas() + ".\n\nAll of them are part of the binary.",
		RunE: func(c *cobra.Command, args []string) error { return help.Print(c.Root(), args) },
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return help.Words(c.Root(), args), cobra.ShellCompDirectiveNoFileComp
		},
	}
}
