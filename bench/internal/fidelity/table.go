package main

import (
	"fmt"
	"io"
	"math"
	"slices"
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

// asPublished names our configurations that follow the public code where it differs from the
// paper. For Zest, it does not.
var asPublished = map[string]string{"zest": "zest", "simple": "simple-published", "structure": "structure-published"}

// following returns the configurations among our trials that follow the public code.
func following(ours []*trial) (list []string) {
	for _, c := range configurations {
		if name := asPublished[c]; name != c && slices.ContainsFunc(ours, func(t *trial) bool { return t.Configuration == name }) {
			list = append(list, name)
		}
	}
	return list
}

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
	fmt.Fprintf(w, "Medians of the trials that reached so many inputs. %s of the published tools, %s of ours.\n", trialsOf(published), trialsOf(ours))
	followed := following(ours)
	sides := []side{{published, configurations}, {ours, append(slices.Clone(configurations), followed...)}}
	for _, m := range measures {
		fmt.Fprintf(w, "\n| %s after | %s | %s |\n|---|%s\n", m.name, heads("published ", sides[0].of), heads("ours ", sides[1].of), strings.Repeat("---|", len(sides[0].of)+len(sides[1].of)))
		for _, at := range points {
			row := fmt.Sprintf("| %.0f |", at)
			said := false
			for _, one := range sides {
				for _, c := range one.of {
					list := values(one.all, c, m.key, at)
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
		paper := signs(ours, published, at, func(c string) string { return c })
		fmt.Fprint(w, paper.table(at, "ours"))
		if len(followed) > 0 {
			code := signs(ours, published, at, func(c string) string { return asPublished[c] })
			fmt.Fprint(w, code.table(at, "ours, as published"))
		}
	}
}

// side is the trials of one side, with the configurations that have columns.
type side struct {
	all []*trial
	of  []string
}

// agreement counts the signs of differences on both sides.
type agreement struct {
	rows                 string
	same, other, unclear int
}

// signs compares the differences of the published configurations with ours of other names.
func signs(ours, published []*trial, at float64, name func(string) string) (a agreement) {
	for _, m := range measures {
		for _, p := range pairs {
			theirs, sign, ok := difference(published, p, m.key, at)
			own, mine, also := difference(ours, [2]string{name(p[0]), name(p[1])}, m.key, at)
			if !ok || !also {
				continue
			}
			verdict := "the same"
			switch {
			case sign == 0 || mine == 0:
				verdict, a.unclear = "unclear", a.unclear+1
			case sign != mine:
				verdict, a.other = "**the other**", a.other+1
			default:
				a.same++
			}
			a.rows += fmt.Sprintf("| %s | %s over %s | %s | %s | %s |\n", m.name, p[0], p[1], theirs, own, verdict)
		}
	}
	return a
}

// table returns the signs as a table with their counts. It is empty without rows.
func (a agreement) table(at float64, ours string) string {
	if a.rows == "" {
		return ""
	}
	return fmt.Sprintf("\n| after %.0f inputs | | published | %s | sign |\n|---|---|---|---|---|\n%s\nThe same sign: %d; the other one: %d; unclear on one side at least: %d.\n",
		at, ours, a.rows, a.same, a.other, a.unclear)
}

// trialsOf returns how many trials each configuration has.
func trialsOf(all []*trial) string {
	n := map[string]int{}
	least, highest := len(all), 0
	for _, t := range all {
		n[t.Configuration]++
	}
	for _, c := range n {
		least, highest = min(least, c), max(highest, c)
	}
	if least == highest {
		return fmt.Sprint(highest, " trials of each configuration")
	}
	return fmt.Sprint(least, " to ", highest, " trials of each configuration")
}

func heads(before string, of []string) string {
	var list []string
	for _, c := range of {
		list = append(list, before+c)
	}
	return strings.Join(list, " | ")
}

func median(list []float64) string {
	if len(list) == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", stats.Median(list))
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
