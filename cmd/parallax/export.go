package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/archive"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/ui"
	"parallax/internal/atomicfile"
	"parallax/internal/corpus"
)

func exportCommand() *cobra.Command {
	var x archive.Export
	var vectors archive.VectorOptions
	var format string
	var asVectors bool
	c := &cobra.Command{
		Use:   "export [BUCKET]...",
		Short: "Write findings as regression tests, or for other fuzzers",
		Long: `export writes the minimised input of findings where other programs read it. Without arguments it takes all findings that are
open, of all campaigns in .parallax or of the one that --out names.

  go         testdata/fuzz/FuzzXxx of the package, as go test -fuzz does: go test runs it from then on, and fails
             until the cause is mended. With --to DIR, the same files elsewhere.
  libfuzzer  files of plain bytes in the folder --to, named by their SHA-1; findings as crash-, timeout- and oom-.
  afl        files of plain bytes in queue/ of the folder --to, which afl-fuzz -i takes.

--corpus adds the inputs that the campaign has kept. What is there already stays as it is.

With --vectors, it writes test vectors for other projects instead, as JSON to the file --to, or to standard output: for each
combination of outcomes and classes of errors the smallest input that shows it, agreeing ones too, and what each program
does with it. The target is built for it, and all findings and the corpus are executed. docs/vectors.md has the format.`,
		Example:           "  parallax export\n  parallax export 3ba0\n  parallax export --format libfuzzer --to corpus --corpus\n  parallax export --vectors --to vectors.json",
		ValidArgsFunction: completeFindings(&x.Out, 0),
		RunE: func(c *cobra.Command, args []string) error {
			if vectors.AllAgreeing && !asVectors {
				return exit.Usage("--all-agreeing goes with --vectors")
			}
			if asVectors {
				vectors.Buckets = args
				return exportVectors(c, x.Out, x.To, vectors)
			}
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
	c.Flags().StringVar(&x.To, "to", "", "the folder that is written to (default testdata/fuzz of the package); with --vectors, the file")
	c.Flags().BoolVar(&x.Corpus, "corpus", false, "export the corpus too")
	c.Flags().BoolVar(&x.All, "all", false, "export accepted findings and those that are gone, too")
	c.Flags().BoolVar(&asVectors, "vectors", false, "write test vectors for other projects, as JSON")
	c.Flags().BoolVar(&vectors.AllAgreeing, "all-agreeing", false, "with --vectors: each input on which the programs agree, and not the smallest of each kind only")
	choices(c, "format", false, "go", "libfuzzer", "afl")
	mustComplete(c, "to", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		if asVectors {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
	return c
}

func exportVectors(c *cobra.Command, out, to string, o archive.VectorOptions) error {
	for _, name := range []string{"format", "corpus", "all"} {
		if c.Flags().Changed(name) {
			return exit.Usage("--%s does not go with --vectors, which are JSON of all findings and the corpus; name findings to leave out the rest", name)
		}
	}
	if info, err := os.Stat(to); to != "" && err == nil && info.IsDir() {
		return exit.Usage("--to %s: a folder; with --vectors, name a file", to)
	}
	p, items, err := archive.SelectVectors(out, o)
	if err != nil {
		return err
	}
	return again(p, func(ctx context.Context) error {
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
			fmt.Fprintln(os.Stderr, "parallax:", n)
		}
		return nil
	})
}
