package main

import (
	"os"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/ui"
)

// prepare builds the target of a past campaign again.
func prepare(p *campaign.Past) error {
	tool, err := os.Executable()
	if err != nil {
		return exit.Infra("finding the parallax executable: %w", err)
	}
	ctx, _, interrupt := interrupts()
	view := ui.New(os.Stderr, ui.Line, interrupt)
	defer view.Close()
	return p.Build(ctx, tool, view.Step)
}

func replayCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "replay [BUCKET | FILE]...",
		Short: "Run findings, or files, again on every program",
		Long: `replay executes the minimised input of findings in a fresh process and says what each program does now. Files are inputs of
the same kind as the corpus holds. Without arguments all findings are replayed. Exit code 1: the programs still disagree or
crash on one of them.`,
		RunE: func(c *cobra.Command, args []string) error {
			p, items, err := campaign.Select(out, args)
			if err != nil {
				return err
			}
			if err := prepare(p); err != nil {
				return err
			}
			shows, err := p.Replay(os.Stdout, items)
			if err != nil {
				return err
			}
			if shows {
				return found
			}
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "the campaign's folder (default: the one in .parallax)")
	return c
}

func minimizeCommand() *cobra.Command {
	var out string
	var budget int
	c := &cobra.Command{
		Use:   "minimize BUCKET...",
		Short: "Look for a smaller input that shows the same finding",
		Long: `minimize makes a finding's input smaller while outcomes, error classes and deciding blocks stay the same, within a budget of
inputs. What it finds is written into the finding's folder.`,
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if budget < 1 {
				return exit.Usage("--budget %d: give a number of inputs", budget)
			}
			p, items, err := campaign.Select(out, args)
			if err != nil {
				return err
			}
			if err := prepare(p); err != nil {
				return err
			}
			return p.Minimize(os.Stdout, items, budget)
		},
	}
	c.Flags().StringVar(&out, "out", "", "the campaign's folder (default: the one in .parallax)")
	c.Flags().IntVar(&budget, "budget", 20000, "inputs to try for each finding")
	return c
}

func acceptCommand() *cobra.Command {
	var out, reason string
	c := &cobra.Command{
		Use:   "accept BUCKET... --reason TEXT",
		Short: "Mark a difference as known and intended",
		Long: `accept writes findings to parallax-accepted.toml, in the folder where the campaign was started. Accepted findings are listed but
do not make a run fail. Entries that no longer show are reported by the next run.`,
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if reason == "" {
				return exit.Usage("accept needs a reason, for whoever reads the file later: --reason \"...\"")
			}
			p, items, err := campaign.Select(out, args)
			if err != nil {
				return err
			}
			return p.Accept(os.Stdout, items, reason)
		},
	}
	c.Flags().StringVar(&out, "out", "", "the campaign's folder (default: the one in .parallax)")
	c.Flags().StringVar(&reason, "reason", "", "why the difference is intended")
	return c
}
