package main

import (
	"github.com/spf13/cobra"

	"parallax/cmd/internal/command/past"
)

func reportCommand() *cobra.Command {
	f := past.Reported{Version: version()}
	c := &cobra.Command{
		Use:   "report",
		Short: "Write a campaign as an HTML page",
		Long: `report writes a campaign into one HTML file that needs no network. It has totals, curves over time, findings, and the coverage of
each program by folder, file and line. For each finding it shows the outputs side by side, the lines that decided and a
reproducer. For each line, it shows how many inputs of the corpus execute it.

Without --campaign, report writes all campaigns in .parallax into one file. It builds the programs again and executes the corpus, for
the coverage. If that is not possible, the page says why and has everything else.

With --sarif, --junit or --markdown, report writes the findings in these formats, for continuous integration, and the page only with
--to.`,
		Example: "  parallax report\n  parallax report --campaign .parallax/semver --to semver.html\n  parallax report --no-coverage",
		Args:    atMost(0, ""),
		RunE:    func(c *cobra.Command, args []string) error { return past.Report(f) },
	}
	campaignFlag(c, &f.Folder, "those")
	c.Flags().StringVar(&f.To, "to", "", "where to write: the file (default report.html in the campaign's folder; for several campaigns, in .parallax)")
	c.Flags().BoolVar(&f.NoCoverage, "no-coverage", false, "leave out coverage by line, and do not build the programs")
	c.Flags().IntVar(&f.Inputs, "inputs", past.DefaultInputs, "largest number of inputs of a corpus to execute for the coverage")
	trusting(c, &f.Trust)
	registerFormats(c.Flags(), &f.Formats)
	return c
}
