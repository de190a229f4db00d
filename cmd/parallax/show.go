package main

import (
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/report"
)

func showCommand() *cobra.Command {
	var out string
	var json bool
	c := &cobra.Command{
		Use:   "show [BUCKET]",
		Short: "List a campaign's findings, or show one in full",
		Long: `show lists the findings of a campaign; with the beginning of a bucket's id it prints the report of that finding, fit to paste
into an issue. Without --out it looks at the campaigns in .parallax.`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				past, id, err := campaign.Find(out, args[0])
				if err != nil {
					return err
				}
				return past.Show(os.Stdout, id)
			}
			pasts, err := campaign.Open(out)
			if err != nil {
				return err
			}
			for i, p := range pasts {
				s, err := p.Summary()
				if err != nil {
					return err
				}
				if json {
					data, err := s.Encode()
					if err != nil {
						return err
					}
					os.Stdout.Write(data)
					continue
				}
				if i > 0 {
					os.Stdout.WriteString("\n")
				}
				o := report.EndOptions{Width: stdoutWidth(), Color: stdoutColor(), Limit: 1 << 30, Folder: p.Shown()}
				if out != "" {
					o.Flags = "--out " + campaign.QuoteArg(out) + " "
				}
				if err := report.End(os.Stdout, s, o); err != nil {
					return exit.Infra("writing: %w", err)
				}
			}
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "the campaign's folder (default: those in .parallax)")
	c.Flags().BoolVar(&json, "json", false, "print the summary as JSON")
	return c
}

func stdoutWidth() int {
	if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && w > 0 {
		return w
	}
	return 100
}

func stdoutColor() bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(os.Stdout.Fd()))
}
