package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/command/archive"
)

func minimizeCommand() *cobra.Command {
	var out string
	var fuzztime string
	var trust bool
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
		ValidArgsFunction: completeFindings(&out, 0),
		RunE: func(c *cobra.Command, args []string) error {
			budget, err := campaign.ParseBudget(fuzztime)
			if err != nil {
				return err
			}
			effort := archive.Effort{Inputs: int(budget.Inputs), Time: budget.Time}
			return each(out, args, func(out string) error {
				p, items, err := archive.Select(out, args)
				if err != nil {
					return err
				}
				sayRenamed(p)
				if err := archive.OnlyFindings("minimize", items); err != nil {
					return err
				}
				if err := p.Minimizable(); err != nil {
					return err
				}
				return again(p, trust, func(ctx context.Context) error { return p.Minimize(ctx, os.Stdout, items, effort) })
			})
		},
	}
	campaignFlag(c, &out, "the one")
	noLimits(c)
	trusting(c, &trust)
	budgetFlag(c, &fuzztime, "20000x", "; for each finding")
	return c
}
