package main

import (
	"github.com/spf13/cobra"

	"parallax/cmd/internal/command/past"
)

func showCommand() *cobra.Command {
	var o past.Shown
	c := &cobra.Command{
		Use:   "show [BUCKET]",
		Short: "List a campaign's findings, or show one in full",
		Long: `show lists the findings of a campaign. With a bucket's id, or the beginning of one, it shows that finding. It has what
each program did, where they part, the smallest input and its difference from its origin. It also has variants, similar
findings, and how to run it again. With a variant's id, it shows that variant. The output is text on a terminal, and Markdown
that fits into an issue in a pipe or file, or in the file of --markdown. A finding of several campaigns is shown of each.

Without --campaign, show reads the campaigns in .parallax, newest first. It lists the first 25 findings of a campaign, or all with --all.
With --flaky, it lists findings and candidates that do not always show, each kind with its likely reason.

With --json, it prints the summary of diff --json with all findings, or {"version":1,"targets":[...]} for several campaigns. For
one finding, it prints what each program did; --campaign chooses, if several campaigns have it.`,
		Example:           "  parallax show\n  parallax show 3ba0\n  parallax show --flaky\n  parallax show 3ba0 >issue.md",
		Args:              atMost(1, "the id of one finding"),
		ValidArgsFunction: completeFindings(&o.Folder, 1),
		RunE:              func(_ *cobra.Command, args []string) error { return past.Show(o, args) },
	}
	campaignFlag(c, &o.Folder, "those")
	jsonFlag(c, &o.JSON)
	c.Flags().StringVar(&o.Markdown, "markdown", "", markdownUsage)
	c.Flags().BoolVar(&o.All, "all", false, "all findings: list similar ones too")
	c.Flags().BoolVar(&o.Flaky, "flaky", false, "list the findings and candidates that do not always show, with likely reasons")
	return c
}
