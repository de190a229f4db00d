package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/show/ui"
)

// trusting is the flag by which the user agrees to execute what a campaign's folder names that somebody else made.
func trusting(c *cobra.Command, trust *bool) {
	c.Flags().BoolVar(trust, "trust", false, "build, execute and change what the campaign's folder names although somebody else, or another machine, made it")
}

// again builds the target of a past campaign and runs work on it. ^C ends both, which is no error.
func again(p *archive.Campaign, trust bool, work func(ctx context.Context) error) error {
	tool, err := os.Executable()
	if err != nil {
		return exit.Infra("finding the parallax executable: %w", err)
	}
	if trust {
		p.Trust()
	}
	ctx, interrupt := terminal.Interruptible()
	view := ui.New(os.Stderr, ui.Line, interrupt)
	notes, err := p.Build(ctx, tool, view.Step)
	view.Close()
	if err == nil {
		for _, n := range notes {
			terminal.Say("note: %v", n)
		}
		err = work(ctx)
	}
	if ctx.Err() != nil && exit.Code(err) != exit.Found {
		fmt.Fprintln(os.Stderr, "parallax: interrupted")
		return nil
	}
	return err
}

func replayCommand() *cobra.Command {
	var out string
	var trust bool
	c := &cobra.Command{
		Use:   "replay [BUCKET | FILE]...",
		Short: "Execute findings, or files, again",
		Long: `replay executes the minimized input of findings in a fresh process and prints what each program does now. A file is an input in
the format of the corpus. Without arguments, all findings are replayed. The id of a finding of several campaigns replays it in each.

Exit code 1: the programs still disagree, crash or fail on one of the inputs. Accepted findings count only if they are named.`,
		Example:           "  parallax replay\n  parallax replay 3ba0\n  parallax replay input.json",
		ValidArgsFunction: completeFindings(&out, -1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return replayAll(out, trust)
			}
			return each(out, args, func(out string) error {
				p, items, err := archive.Select(out, args)
				if err != nil {
					return err
				}
				sayRenamed(p)
				return replayOne(p, trust, items)
			})
		},
	}
	noLimits(c)
	trusting(c, &trust)
	campaignFlag(c, &out, "the one")
	return c
}

// each does work for each campaign that has the finding which args name, and returns the worst error.
func each(out string, args []string, work func(out string) error) error {
	holders := archive.Holders(out, args)
	var worst error
	for i, dir := range holders {
		if len(holders) > 1 {
			fmt.Printf("%s%s:\n\n", map[bool]string{true: "\n"}[i > 0], dir)
		}
		worst = worse(worst, work(dir))
	}
	return worst
}

// sayRenamed says which findings the user has named by former ids.
func sayRenamed(p *archive.Campaign) {
	for _, text := range p.Renamed {
		terminal.Say("%s", text)
	}
}

// worse is the error of two that counts: that there are findings counts least.
func worse(a, b error) error {
	if b != nil && (a == nil || errors.Is(a, exit.ErrFound)) {
		return b
	}
	return a
}

func replayOne(p *archive.Campaign, trust bool, items []archive.Item) error {
	return again(p, trust, func(ctx context.Context) error {
		shows, err := p.Replay(ctx, os.Stdout, items)
		if err == nil && shows {
			err = exit.ErrFound
		}
		return err
	})
}

// replayAll replays all findings of all campaigns, or of the one that out names.
func replayAll(out string, trust bool) error {
	pasts, problems, err := archive.Open(out)
	if err != nil {
		return err
	}
	for _, p := range problems {
		terminal.Say("note: %v", p)
	}
	var worst error
	replayed := 0
	for _, p := range pasts {
		items := p.All()
		if len(items) == 0 {
			continue
		}
		if replayed++; replayed > 1 {
			fmt.Println()
		}
		if len(pasts) > 1 {
			fmt.Printf("%s:\n\n", p.Shown())
		}
		worst = worse(worst, replayOne(p, trust, items))
	}
	if replayed == 0 {
		fmt.Println("no findings to replay")
	}
	return worst
}

func acceptCommand() *cobra.Command {
	var out, reason string
	var trust bool
	c := &cobra.Command{
		Use:   "accept BUCKET... --reason TEXT",
		Short: "Mark a finding as known and intended",
		Long: `accept writes findings to parallax-accepted.toml, in the folder where the campaign was started. Accepted findings are listed but
do not make a run fail. A finding of several campaigns is accepted for all that were started there. The next run reports entries that no longer apply.

An entry lists the variants that the finding has, 100 at most. Variants that come later are findings. accept of the same
finding adds them, and needs no reason.`,
		Example:           "  parallax accept 3ba0 --reason \"net.ParseIP reports no error\"\n  parallax accept 3ba0 5f1c --reason \"both are allowed by RFC 8259\"\n  parallax accept 3ba0 --campaign .parallax/semver --reason \"see issue 12\"",
		Args:              atLeast(1, "the id of a finding (`parallax show` lists them)"),
		ValidArgsFunction: completeFindings(&out, 0),
		RunE: func(c *cobra.Command, args []string) error {
			say := func(text string) { fmt.Fprintln(os.Stderr, escape.Text(text)) }
			return archive.Accept(c.Context(), os.Stdout, say, out, args, strings.TrimSpace(reason), trust)
		},
	}
	campaignFlag(c, &out, "the one")
	trusting(c, &trust)
	c.Flags().StringVar(&reason, "reason", "", "why the difference is intended; needed once")
	mustComplete(c, "reason", cobra.NoFileCompletions)
	return c
}
