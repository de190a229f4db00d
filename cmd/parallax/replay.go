package main

import (
	"github.com/spf13/cobra"

	"parallax/cmd/internal/command/past"
)

// trusting is the flag by which the user agrees to execute what a campaign's folder names that
// somebody else made.
func trusting(c *cobra.Command, trust *bool) {
	c.Flags().BoolVar(trust, "trust", false, "build, execute and change what the campaign's folder names although somebody else, or another machine, made it")
}

func replayCommand() *cobra.Command {
	var o past.Choice
	c := &cobra.Command{
		Use:   "replay [BUCKET | FILE]...",
		Short: "Execute findings, or files, again",
		Long: `replay executes the minimized input of findings in a fresh process and prints what each program does now. A file is an input in
the format of the corpus. Without arguments, all findings are replayed. The id of a finding of several campaigns replays it in each.

Exit code 1: the programs still disagree, crash or fail on one of the inputs. Accepted findings count only if they are named.`,
		Example:           "  parallax replay\n  parallax replay 3ba0\n  parallax replay input.json",
		ValidArgsFunction: completeFindings(&o.Folder, -1),
		RunE:              func(_ *cobra.Command, args []string) error { return past.Replay(o, args) },
	}
	noLimits(c)
	trusting(c, &o.Trust)
	campaignFlag(c, &o.Folder, "the one")
	return c
}

func acceptCommand() *cobra.Command {
	var o past.Choice
	var reason string
	c := &cobra.Command{
		Use:   "accept BUCKET... --reason TEXT",
		Short: "Mark a finding as known and intended",
		Long: `accept writes findings to parallax-accepted.toml, in the folder where the campaign was started. Accepted findings are listed but
do not make a run fail. The next run reports entries that no longer apply.

An entry of regress, or of a FuzzXxx, holds for its target only. Other entries hold for all campaigns of the same programs
that start there.

An entry lists the variants that the finding has, 100 at most. Variants that come later are findings. accept of the same
finding adds them, and needs no reason.`,
		Example:           "  parallax accept 3ba0 --reason \"net.ParseIP reports no error\"\n  parallax accept 3ba0 5f1c --reason \"both are allowed by RFC 8259\"\n  parallax accept 3ba0 --campaign .parallax/semver --reason \"see issue 12\"",
		Args:              atLeast(1, "the id of a finding (`parallax show` lists them)"),
		ValidArgsFunction: completeFindings(&o.Folder, 0),
		RunE:              func(c *cobra.Command, args []string) error { return past.Accept(c.Context(), o, args, reason) },
	}
	campaignFlag(c, &o.Folder, "the one")
	trusting(c, &o.Trust)
	c.Flags().StringVar(&reason, "reason", "", "why the difference is intended; needed once")
	mustComplete(c, "reason", cobra.NoFileCompletions)
	return c
}
