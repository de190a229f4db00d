package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"parallax/internal/stats"
)

// points are after how many inputs trials are compared.
var points = []float64{500, 1000, 1500, 2000, 2500, 5000, 10000, 19000} // the last that all trials of 20,000 reached: the published tools compute diversity every five seconds

// few trials have no median worth a line.
const few = 3

// pairs are the configurations whose difference has a sign.
var pairs = [][2]string{{"simple", "zest"}, {"structure", "zest"}, {"structure", "simple"}}

var configurations = []string{"zest", "simple", "structure"}

// values are a measure of the trials of a configuration that reached a point.
func values(all []*trial, configuration, key string, at float64) []float64 {
	var list []float64
	for _, t := range all {
		if t.Configuration == configuration && t.reached() >= at {
			list = append(list, t.value(key, at))
		}
	}
	return list
}

// tables prints medians side by side, and the signs of differences.
func tables(w io.Writer, ours, published []*trial) {
	fmt.Fprintln(w, "Medians of the trials that reached so many inputs; in brackets, of how many trials, if it is not five.")
	for _, m := range measures {
		fmt.Fprintf(w, "\n| %s after | %s | %s |\n|---|%s\n", m.name, heads("published "), heads("ours "), strings.Repeat("---|", 2*len(configurations)))
		for _, at := range points {
			row := fmt.Sprintf("| %.0f |", at)
			said := false
			for _, side := range [][]*trial{published, ours} {
				for _, c := range configurations {
					list := values(side, c, m.key, at)
					said = said || len(list) > 0
					row += " " + median(list) + " |"
				}
			}
			if said {
				fmt.Fprintln(w, row)
			}
		}
	}
	fmt.Fprintf(w, "\nWho is ahead by the median, with A12 in brackets: the part of the pairs of trials in which the first one is ahead. A sign is clear where that\n"+
		"is at least %.2f or at most %.2f.\n", clear, 1-clear)
	for _, at := range points {
		rows := ""
		same, other, unclear := 0, 0, 0
		for _, m := range measures {
			for _, p := range pairs {
				theirs, sign, ok := difference(published, p, m.key, at)
				own, mine, also := difference(ours, p, m.key, at)
				if !ok || !also {
					continue
				}
				verdict := "the same"
				switch {
				case sign == 0 || mine == 0:
					verdict, unclear = "unclear", unclear+1
				case sign != mine:
					verdict, other = "**the other**", other+1
				default:
					same++
				}
				rows += fmt.Sprintf("| %s | %s over %s | %s | %s | %s |\n", m.name, p[0], p[1], theirs, own, verdict)
			}
		}
		if rows != "" {
			fmt.Fprintf(w, "\n| after %.0f inputs | | published | ours | sign |\n|---|---|---|---|---|\n%s\nThe same sign: %d; the other one: %d; unclear on one side at least: %d.\n",
				at, rows, same, other, unclear)
		}
	}
}

func heads(before string) string {
	var list []string
	for _, c := range configurations {
		list = append(list, before+c)
	}
	return strings.Join(list, " | ")
}

func median(list []float64) string {
	switch len(list) {
	case 0:
		return "-"
	case 5:
		return fmt.Sprintf("%.0f", stats.Median(list))
	}
	return fmt.Sprintf("%.0f (%d)", stats.Median(list), len(list))
}

// clear is the A12 of a large effect: docs/guides/bench.md.
const clear = 0.71

// difference returns by how much the first of two configurations is ahead. The sign is 1 if it is
// clearly ahead, and -1 if it is clearly behind. It is not ok if trials are few.
func difference(all []*trial, pair [2]string, key string, at float64) (text string, sign int, ok bool) {
	a, b := values(all, pair[0], key, at), values(all, pair[1], key, at)
	if len(a) < few || len(b) < few {
		return "", 0, false
	}
	test := stats.MannWhitney(a, b)
	switch {
	case test.A12 >= clear:
		sign = 1
	case test.A12 <= 1-clear:
		sign = -1
	}
	of := 100 * (stats.Median(a)/stats.Median(b) - 1)
	if math.IsNaN(of) || math.IsInf(of, 0) {
		return fmt.Sprintf("%+.0f (%.2f)", stats.Median(a)-stats.Median(b), test.A12), sign, true
	}
	return fmt.Sprintf("%+.1f %% (%.2f)", of, test.A12), sign, true
}
