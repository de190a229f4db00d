package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/finding/report"
	"parallax/internal/atomicfile"
)

func showCommand() *cobra.Command {
	var out string
	var o listing
	var markdown string
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
		ValidArgsFunction: completeFindings(&out, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				if o.flaky {
					return exit.Usage("--flaky lists findings that do not always show: leave the id out")
				}
				if o.json {
					past, id, err := archive.Find(out, args[0])
					if err != nil {
						return err
					}
					sayRenamed(past)
					return past.ShowJSON(os.Stdout, id, args[0])
				}
				files := fuzzing.Formats{Markdown: markdown}
				if err := files.Check(""); err != nil {
					return err
				}
				var page bytes.Buffer
				err := each(out, args, func(out string) error {
					past, id, err := archive.Find(out, args[0])
					if err != nil {
						return err
					}
					sayRenamed(past)
					options := archive.ShowOptions{
						Variant: args[0], Terminal: term.IsTerminal(os.Stdout.Fd()), Now: time.Now(),
						TextOptions: report.TextOptions{Width: terminal.OutWidth(), Color: terminal.OutColor()},
					}
					if markdown == "" {
						return past.Show(os.Stdout, id, options)
					}
					options.Terminal = false
					return past.Show(&page, id, options)
				})
				if err != nil || markdown == "" {
					return err
				}
				if err := atomicfile.Write(atomicfile.OS, files.Markdown, page.Bytes()); err != nil {
					return exit.Infra("%w", err)
				}
				return nil
			}
			if markdown != "" {
				return exit.Usage("show --markdown writes one finding: name it, or write all with report --markdown")
			}
			return list(out, o)
		},
	}
	campaignFlag(c, &out, "those")
	jsonFlag(c, &o.json)
	c.Flags().StringVar(&markdown, "markdown", "", markdownUsage)
	c.Flags().BoolVar(&o.all, "all", false, "all findings: list similar ones too")
	c.Flags().BoolVar(&o.flaky, "flaky", false, "list the findings and candidates that do not always show, with likely reasons")
	return c
}

// A listing says what is listed of a campaign.
type listing struct{ json, all, flaky bool }

// list shows the findings of all campaigns, of each the first ones unless all are wanted.
func list(out string, show listing) error {
	pasts, problems, err := archive.Open(out)
	if err != nil {
		return err
	}
	for _, text := range problems {
		terminal.Say("left out: %v", text)
	}
	var summaries []*report.Summary
	if !show.json && len(pasts) > 1 {
		slices.SortStableFunc(pasts, func(a, b *archive.Campaign) int { return b.Written().Compare(a.Written()) })
		fmt.Printf("%d campaigns, newest first: %s was written %s. --campaign FOLDER shows one\n\n", len(pasts), escape.Text(pasts[0].Shown()), report.Ago(time.Since(pasts[0].Written())))
	}
	for i, p := range pasts {
		s, err := p.Summary()
		if err != nil {
			return err
		}
		if show.json {
			summaries = append(summaries, s)
			continue
		}
		if i > 0 {
			os.Stdout.WriteString("\n")
		}
		if show.flaky {
			if err := report.ListFlaky(os.Stdout, s, report.TextOptions{Width: terminal.OutWidth(), Color: terminal.OutColor()}); err != nil {
				return exit.Infra("writing: %w", err)
			}
			continue
		}
		o := report.EndOptions{Width: terminal.OutWidth(), Color: terminal.OutColor(), Limit: report.ShowLimit, Folder: p.Shown(), Full: true, Now: time.Now()}
		if show.all {
			o.Limit = -1
		}
		if out != "" {
			o.Flags = "--campaign " + shell.Word(out) + " "
		}
		if err := report.End(os.Stdout, s, o); err != nil {
			return exit.Infra("writing: %w", err)
		}
	}
	if !show.json {
		return nil
	}
	var data []byte
	if len(summaries) == 1 {
		data, err = summaries[0].Encode()
	} else {
		data, err = report.EncodeAll(summaries, nil)
	}
	if err == nil {
		_, err = os.Stdout.Write(data)
	}
	if err != nil {
		return exit.Infra("writing: %w", err)
	}
	return nil
}
