package past

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/show/ui"
	"parallax/internal/atomicfile"
)

// Exported says which findings are exported, how and where to.
type Exported struct {
	archive.Export
	FormatName  string
	Vectors     bool                   // test vectors are written
	AllAgreeing bool                   // each input on which the programs agree becomes one
	Given       func(flag string) bool // whether the user has given a flag
}

// DefaultFormat is the format of export.
const DefaultFormat = string(corpus.Go)

// ExportFindings writes findings for other tools, or as test vectors: all if there are no names.
func ExportFindings(o Exported, names []string) error {
	if o.AllAgreeing && !o.Vectors {
		return exit.Usage("--all-agreeing goes with --vectors")
	}
	if o.Vectors {
		return exportVectors(o, archive.VectorOptions{Buckets: names, AllAgreeing: o.AllAgreeing})
	}
	o.Buckets, o.Format = names, corpus.Format(o.FormatName)
	if o.To != "" {
		abs, err := filepath.Abs(o.To)
		if err != nil {
			return err
		}
		o.To = abs
	}
	notes, err := o.Write(os.Stdout)
	for _, n := range notes {
		terminal.Say("%v", n)
	}
	return err
}

// exportVectors writes test vectors.
func exportVectors(o Exported, vectors archive.VectorOptions) error {
	for _, name := range []string{"format", "corpus", "all"} {
		if o.Given(name) {
			return exit.Usage("--%s does not go with --vectors, which writes JSON of all findings and the corpus; name findings to leave out the rest", name)
		}
	}
	if info, err := os.Stat(o.To); o.To != "" && err == nil && info.IsDir() {
		return exit.Usage("--to %s is a folder: with --vectors, name a file", o.To)
	}
	p, items, err := archive.SelectVectors(o.Out, vectors)
	if err != nil {
		return err
	}
	return onTarget(p, o.Trust, func(ctx context.Context) error {
		view := ui.New(os.Stderr, ui.Line, func() {})
		var doc bytes.Buffer
		notes, err := p.Vectors(ctx, &doc, items, vectors, view.Step)
		view.Close()
		if err != nil {
			return err
		}
		if o.To == "" {
			_, err = os.Stdout.Write(doc.Bytes())
		} else {
			err = atomicfile.Write(atomicfile.OS, o.To, doc.Bytes())
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
