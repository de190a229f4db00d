package main

import (
	"github.com/spf13/cobra"

	"parallax/cmd/internal/command/past"
)

func exportCommand() *cobra.Command {
	var o past.Exported
	c := &cobra.Command{
		Use:   "export [BUCKET]...",
		Short: "Write findings as regression tests, or for other fuzzers",
		Long: `export writes the minimized input of findings in the format of other tools. Without arguments it exports all open findings, of
all campaigns in .parallax or of the campaign that --campaign names.

  go         files in testdata/fuzz/FuzzXxx of the package, as go test -fuzz writes them: go test runs them from then on,
             and fails until the cause is fixed. --to DIR writes the same files into another folder.
  libfuzzer  files of plain bytes in the folder --to, named by their SHA-1; findings begin with crash-, timeout- or oom-.
  afl        files of plain bytes in queue/ of the folder --to, which afl-fuzz -i reads.

--corpus adds the inputs of the campaign's corpus. Existing files are not changed.

With --vectors, export writes test vectors for other projects instead, as JSON to the file --to or to standard output. They have
the smallest input of each combination of outcomes and error classes, agreements included, and the result of each program. This
builds the target and executes all findings and the corpus. parallax help vectors describes the format.

With --coverprofile or --lcov, export executes the corpus and writes the lines that it covers. go tool cover opens the first file,
genhtml and many services the second. A count is the number of inputs that execute a line.`,
		Example:           "  parallax export\n  parallax export 3ba0\n  parallax export --format libfuzzer --to corpus --corpus\n  parallax export --vectors --to vectors.json\n  parallax export --coverprofile cover.out && go tool cover -html cover.out",
		ValidArgsFunction: completeFindings(&o.Out, 0),
		RunE: func(c *cobra.Command, args []string) error {
			o.Given = c.Flags().Changed
			return past.ExportFindings(o, args)
		},
	}
	campaignFlag(c, &o.Out, "those")
	c.Flags().StringVar(&o.FormatName, "format", past.DefaultFormat, "the format: go, libfuzzer, afl")
	c.Flags().StringVar(&o.To, "to", "", "where to write: the folder (default testdata/fuzz of the package), or the JSON file of vectors")
	c.Flags().BoolVar(&o.Corpus, "corpus", false, "also export the corpus")
	c.Flags().BoolVar(&o.All, "all", false, "all findings: export those that are accepted or gone, too")
	c.Flags().BoolVar(&o.Vectors, "vectors", false, "write test vectors for other projects, as JSON")
	c.Flags().BoolVar(&o.AllAgreeing, "all-agreeing", false, "with --vectors, every input on which the programs agree, not only the smallest of each kind")
	c.Flags().StringVar(&o.Profile, "coverprofile", "", "write the lines that the corpus covers to this file, for go tool cover")
	c.Flags().StringVar(&o.LCOV, "lcov", "", "write the lines that the corpus covers to this file, for lcov")
	trusting(c, &o.Trust)
	choices(c, "format", false, "go", "libfuzzer", "afl")
	mustComplete(c, "to", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		if o.Vectors {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
	return c
}
