package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/archive"
	"parallax/cmd/internal/exit"
)

func minimizeCommand() *cobra.Command {
	var out string
	var budget int
	var trust bool
	c := &cobra.Command{
		Use:   "minimize BUCKET...",
		Short: "Look for a smaller input that shows the same finding",
		Long: `minimize looks for a smaller input of a finding that stays in the finding's bucket: outcomes, error classes and deciding blocks
are the same. It removes and simplifies bytes, words, numbers, quoted strings, the content of brackets, and arguments, until
nothing smaller is left to try or the budget of inputs is used. Then it looks for bytes that do not matter, and shows the general
form of the input. It writes the result into the finding's folder, also after ^C.

A finding that cannot be reproduced, or not every time, is left unchanged, and the exit code is 0.`,
		Example:           "  parallax minimize 3ba0 --budget 100000",
		Args:              atLeast(1, "the id of a finding (`parallax show` lists them)"),
		ValidArgsFunction: completeFindings(&out, 0),
		RunE: func(c *cobra.Command, args []string) error {
			if budget < 1 {
				return exit.Usage("--budget %d: give a number of inputs, 1 or more", budget)
			}
			p, items, err := archive.Select(out, args)
			if err != nil {
				return err
			}
			if err := archive.OnlyFindings("minimize", items); err != nil {
				return err
			}
			if err := p.Minimizable(); err != nil {
				return err
			}
			return again(p, trust, func(ctx context.Context) error { return p.Minimize(ctx, os.Stdout, items, budget) })
		},
	}
	campaignFlag(c, &out, "the campaign's folder (default the one in .parallax)")
	noLimits(c)
	trusting(c, &trust)
	c.Flags().IntVar(&budget, "budget", 20000, "number of inputs to try for each finding")
	return c
}
