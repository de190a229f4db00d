package past

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/show/coverage"
	"parallax/cmd/internal/show/page"
	"parallax/cmd/internal/show/ui"
	"parallax/internal/atomicfile"
)

// Exported says which findings are exported, how and where to.
type Exported struct {
	archive.Export
	FormatName  string
	Profile     string                 // file for go tool cover; empty means none
	LCOV        string                 // file for lcov; empty means none
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
	if o.Profile != "" || o.LCOV != "" {
		return exportCoverage(o, names)
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

// exportCoverage writes the lines that the corpora execute, for other tools.
func exportCoverage(o Exported, names []string) error {
	if len(names) > 0 {
		return exit.Usage("--coverprofile and --lcov are for whole corpora, and %s is a finding: leave it out", names[0])
	}
	for _, name := range []string{"format", "corpus", "all", "to", "vectors"} {
		if o.Given(name) {
			return exit.Usage("--%s does not go with --coverprofile and --lcov, which name their files", name)
		}
	}
	for _, file := range []string{o.Profile, o.LCOV} {
		if info, err := os.Stat(filepath.Dir(file)); file != "" && (err != nil || !info.IsDir()) {
			return exit.Usage("%s: there is no folder %s", file, filepath.Dir(file))
		}
	}
	pasts, problems, err := archive.Open(o.Out)
	if err != nil {
		return err
	}
	for _, text := range problems {
		terminal.Say("left out: %v", text)
	}
	var list []*page.Coverage
	for _, p := range pasts {
		counted := len(list)
		err := onTarget(p, o.Trust, func(ctx context.Context) error {
			view := ui.New(os.Stderr, ui.Line, func() {})
			defer view.Close()
			c, err := p.Lines(ctx, math.MaxInt, view.Step)
			if err != nil {
				return err
			}
			if c.Stopped != "" {
				terminal.Say("%s: %d of %d inputs of the corpus are counted. %s", p.Shown(), c.Inputs, c.Of, c.Stopped)
			}
			list = append(list, c)
			return nil
		})
		if err != nil && len(pasts) == 1 {
			return err
		}
		if err != nil {
			terminal.Say("left out: %s: %v", p.Shown(), err)
		} else if len(list) == counted { // interrupted
			return nil
		}
	}
	if len(list) == 0 {
		return exit.Usage("no campaign's programs can be built again: no coverage is written")
	}
	for _, out := range []struct {
		file string
		data func([]*page.Coverage) []byte
	}{{o.Profile, coverage.Profile}, {o.LCOV, coverage.LCOV}} {
		if out.file == "" {
			continue
		}
		if err := atomicfile.Write(atomicfile.OS, out.file, out.data(list)); err != nil {
			return exit.Infra("%w", err)
		}
		fmt.Println(out.file)
	}
	return nil
}
