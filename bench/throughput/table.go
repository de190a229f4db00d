package main

import (
	"fmt"
	"io"
	"slices"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
	"parallax/internal/stats"
)

// table sums up samples: medians of the runs of each side and their ratio, and the ratios within
// the pairs.
func table(w io.Writer, file string) error {
	all, err := samples.Read[sample](file)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("%s: no samples", file)
	}
	fmt.Fprintln(w, "| subject | pairs | go test: executions per CPU second | parallax | ratio of medians | ratios in pairs |",
		"go test: packages, counters | parallax |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|")
	var origins []origin.Origin
	var names []string
	runs := map[string]map[string][]sample{} // by subject and side, in the order of pairs
	for _, s := range all {
		if runs[s.Subject] == nil {
			runs[s.Subject] = map[string][]sample{}
			names = append(names, s.Subject)
		}
		runs[s.Subject][s.Side] = append(runs[s.Subject][s.Side], s)
		origins = append(origins, s.Origin)
	}
	for _, name := range names {
		a, b := runs[name][native], runs[name][ours]
		if len(a) != len(b) {
			return fmt.Errorf("%s: %s has %d runs of one side and %d of the other", file, name, len(a), len(b))
		}
		var ratios []float64
		for i := range a {
			ratios = append(ratios, b[i].rate()/a[i].rate())
		}
		x, y := stats.Median(rates(a)), stats.Median(rates(b))
		fmt.Fprintf(w, "| %s | %d | %.0f | %.0f | %.1f | %.1f to %.1f | %d, %d | %d, %d |\n", name, len(a), x, y, y/x,
			slices.Min(ratios), slices.Max(ratios), a[0].Packages, a[0].Counters, b[0].Packages, b[0].Counters)
	}
	fmt.Fprintf(w, "\nRuns of %v s. %s.\n", all[0].Seconds, origin.Describe(origins))
	return nil
}

func rates(all []sample) (r []float64) {
	for _, s := range all {
		r = append(r, s.rate())
	}
	return r
}
