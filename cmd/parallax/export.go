package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/show/ui"
	"parallax/internal/atomicfile"
)

func exportCommand() *cobra.Command {
	var x archive.Export
	var vectors archive.VectorOptions
	var format string
	var asVectors, trust bool
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
builds the target and executes all findings and the corpus. parallax help vectors describes the format.`,
		Example:           "  parallax export\n  parallax export 3ba0\n  parallax export --format libfuzzer --to corpus --corpus\n  parallax export --vectors --to vectors.json",
		ValidArgsFunction: completeFindings(&x.Out, 0),
		RunE: func(c *cobra.Command, args []string) error {
			if vectors.AllAgreeing && !asVectors {
				return exit.Usage("--all-agreeing goes with --vectors")
			}
			if asVectors {
				vectors.Buckets = args
				return exportVectors(c, x.Out, x.To, trust, vectors)
			}
			x.Trust = trust
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
				terminal.Say("%v", n)
			}
			return err
		},
	}
	campaignFlag(c, &x.Out, "those")
	c.Flags().StringVar(&format, "format", string(corpus.Go), "the format: go, libfuzzer, afl")
	c.Flags().StringVar(&x.To, "to", "", "where to write: the folder (default testdata/fuzz of the package), or the JSON file of vectors")
	c.Flags().BoolVar(&x.Corpus, "corpus", false, "also export the corpus")
	c.Flags().BoolVar(&x.All, "all", false, "all findings: export those that are accepted or gone, too")
	c.Flags().BoolVar(&asVectors, "vectors", false, "write test vectors for other projects, as JSON")
	c.Flags().BoolVar(&vectors.AllAgreeing, "all-agreeing", false, "with --vectors, every input on which the programs agree, not only the smallest of each kind")
	trusting(c, &trust)
	choices(c, "format", false, "go", "libfuzzer", "afl")
	mustComplete(c, "to", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		if asVectors {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
	return c
}

func exportVectors(c *cobra.Command, out, to string, trust bool, o archive.VectorOptions) error {
	for _, name := range []string{"format", "corpus", "all"} {
		if c.Flags().Changed(name) {
			return exit.Usage("--%s does not go with --vectors, which writes JSON of all findings and the corpus; name findings to leave out the rest", name)
		}
	}
	if info, err := os.Stat(to); to != "" && err == nil && info.IsDir() {
		return exit.Usage("--to %s is a folder: with --vectors, name a file", to)
	}
	p, items, err := archive.SelectVectors(out, o)
	if err != nil {
		return err
	}
	return again(p, trust, func(ctx context.Context) error {
		view := ui.New(os.Stderr, ui.Line, func() {})
		var doc bytes.Buffer
		notes, err := p.Vectors(ctx, &doc, items, o, view.Step)
		view.Close()
		if err != nil {
			return err
		}
		if to == "" {
			_, err = os.Stdout.Write(doc.Bytes())
		} else {
			err = atomicfile.Write(atomicfile.OS, to, doc.Bytes())
		}
		if err != nil {
			return exit.Infra("writing the vectors: %w", err)
		}
		for _, n := range notes {
			terminal.Say("%v", n)
		}
		return nil
	})
}
