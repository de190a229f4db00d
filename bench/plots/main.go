// Plots draws the plots of bench/README.md into bench/plots, from the samples that are committed.
// It runs in the folder bench:
//
//	plots
//
// Equal samples give equal bytes, so a test checks that the plots are those of the samples. Each
// plot names its data, trials and budget.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// plot is the name of an SVG file, the function that draws it, and the files of samples that the
// function is given.
type plot struct {
	name    string
	draw    func(files []string) ([]byte, error)
	samples []string
}

// plots lists the plots. Those without samples are not drawn.
var plots = []plot{
	{"coverage.svg", coverage, []string{"reach/head.samples.jsonl"}},
	{"discrepancies.svg", discrepancies, []string{"delta/delta.samples.jsonl"}},
	{"known.svg", known, []string{"blind/before.samples.jsonl", "blind/after.samples.jsonl", "blind/covered.samples.jsonl"}},
	{"ranks.svg", ranks, []string{"delta/delta.samples.jsonl"}},
}

func main() {
	for _, p := range plots {
		if !p.possible(".") {
			continue
		}
		data, err := p.make(".")
		if err == nil {
			err = os.WriteFile(filepath.Join("plots", p.name), data, 0o666)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "plots:", err)
			os.Exit(1)
		}
	}
}

// possible reports whether the samples of a plot are there.
func (p plot) possible(bench string) bool {
	for _, name := range p.samples {
		if _, err := os.Stat(filepath.Join(bench, name)); err != nil {
			return false
		}
	}
	return true
}

// make draws a plot from the samples below the folder bench.
func (p plot) make(bench string) ([]byte, error) {
	var files []string
	for _, name := range p.samples {
		files = append(files, filepath.Join(bench, name))
	}
	data, err := p.draw(files)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	return data, nil
}
