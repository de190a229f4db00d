package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/campaign"
	"parallax/internal/corpus"
)

func exportCommand() *cobra.Command {
	var x campaign.Export
	var format string
	c := &cobra.Command{
		Use:   "export [BUCKET]...",
		Short: "Write findings as regression tests, or for other fuzzers",
		Long: `export writes the minimised input of findings where other programs read it. Without arguments it takes all findings that are
open, of all campaigns in .parallax or of the one that --out names.

  go         testdata/fuzz/FuzzXxx of the package, as go test -fuzz does: go test runs it from then on, and fails
             until the cause is mended. With --to DIR, the same files elsewhere.
  libfuzzer  files of plain bytes in the folder --to, named by their SHA-1; findings as crash-, timeout- and oom-.
  afl        files of plain bytes in queue/ of the folder --to, which afl-fuzz -i takes.

--corpus adds the inputs that the campaign has kept. What is there already stays as it is.`,
		Example:           "  parallax export\n  parallax export 3ba0\n  parallax export --format libfuzzer --to corpus --corpus",
		ValidArgsFunction: completeFindings(&x.Out, 0),
		RunE: func(c *cobra.Command, args []string) error {
			x.Buckets, x.Format = args, corpus.Format(format)
			if x.To != "" {
				abs, err := filepath.Abs(x.To)
				if err != nil {
					return err
				}
				x.To = abs
			}
			notes, err := x.Write(os.Stdout)
			for _, n := range notes {
				fmt.Fprintln(os.Stderr, "parallax:", n)
			}
			return err
		},
	}
	outFlag(c, &x.Out, "the campaign's folder (default those in .parallax)")
	c.Flags().StringVar(&format, "format", string(corpus.Go), "what is written: go, libfuzzer, afl")
	c.Flags().StringVar(&x.To, "to", "", "the folder that is written to (default testdata/fuzz of the package)")
	c.Flags().BoolVar(&x.Corpus, "corpus", false, "export the corpus too")
	c.Flags().BoolVar(&x.All, "all", false, "export accepted findings and those that are gone, too")
	choices(c, "format", false, "go", "libfuzzer", "afl")
	mustComplete(c, "to", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
	return c
}
