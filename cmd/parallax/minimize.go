package main

import (
	"github.com/spf13/cobra"

	"parallax/cmd/internal/command/past"
)

func minimizeCommand() *cobra.Command {
	var o past.Choice
	var fuzztime string
	c := &cobra.Command{
		Use:   "minimize BUCKET...",
		Short: "Look for a smaller input that shows the same finding",
		Long: `minimize looks for a smaller input of a finding that stays in the finding's bucket: outcomes, error classes and
deciding blocks are the same. It removes and simplifies bytes, words, numbers, quoted strings, the content of brackets, and
arguments. It ends when nothing smaller is left to try, or when the inputs or the time of --fuzztime are used up. Then it
searches bytes that do not matter, and shows the general form of the input. It writes the result into the finding's folder, also
after ^C.

A finding of several campaigns is minimized in each. One that cannot be reproduced, or not every time, is left unchanged, and the exit code is 0.`,
		Example:           "  parallax minimize 3ba0\n  parallax minimize 3ba0 --fuzztime 100000x\n  parallax minimize 3ba0 5f1c --fuzztime 1m",
		Args:              atLeast(1, "the id of a finding (`parallax show` lists them)"),
		ValidArgsFunction: completeFindings(&o.Folder, 0),
		RunE:              func(_ *cobra.Command, args []string) error { return past.Minimize(o, args, fuzztime) },
	}
	campaignFlag(c, &o.Folder, "the one")
	noLimits(c)
	trusting(c, &o.Trust)
	budgetFlag(c, &fuzztime, "20000x", "; for each finding")
	return c
}
