package main

import (
	"fmt"
	"io"
	"slices"

	"parallax/internal/stats"
)

// A claim says that one configuration finds more than another.
type claim struct{ more, less string }

// theirs are the claims of the NEZHA paper: output before paths, paths before coverage, coverage
// before no guidance. The paper has 521, 491, 400 and 0 unique discrepancies.
var theirs = []claim{
	{"output", "path-coarse"}, {"output", "path-fine"}, {"path-coarse", "blocks"}, {"path-fine", "blocks"}, {"output", "blocks"}, {"blocks", "random"}, {"output", "random"},
	{"path-coarse", "random"}, {"path-fine", "random"},
}

// ours are claims about the default and operators of DER.
var ours = []claim{
	{"default-der", "default"}, {"default-der-unbounded", "default-unbounded"}, {"default-unbounded", "default"}, {"default-der-unbounded", "default-der"},
	{"default", mucert}, {"default-der", mucert}, {"default-unbounded", mucert}, {"default-der-unbounded", mucert},
}

// enough is the least number of trials of each side from which a claim is decided.
const enough = 8

// alpha is the level of significance.
const alpha = 0.05

// claims prints for each claim that has trials whether they confirm or refute it. Each of the two
// lists is a family of tests by itself.
func claims(w io.Writer, by map[string][]campaign, way way) {
	for _, family := range [][]claim{theirs, ours} {
		family = slices.DeleteFunc(slices.Clone(family), func(c claim) bool { return len(by[c.more]) == 0 || len(by[c.less]) == 0 })
		if len(family) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n| more, by %s | less | medians | ratio | A12 | p, corrected | claim |\n|---|---|---|---|---|---|---|\n", way.name)
		var decided []claim
		var tests []stats.Test
		var p []float64
		for _, c := range family {
			if a, b := by[c.more], by[c.less]; len(a) >= enough && len(b) >= enough {
				t := stats.MannWhitney(values(a, way.count), values(b, way.count))
				decided, tests, p = append(decided, c), append(tests, t), append(p, t.P)
			} else {
				fmt.Fprintf(w, "| %s | %s | | | | | not tested: %d and %d trials |\n", c.more, c.less, len(a), len(b))
			}
		}
		for i, corrected := range stats.Holm(p) {
			c := decided[i]
			a, b := stats.Median(values(by[c.more], way.count)), stats.Median(values(by[c.less], way.count))
			fmt.Fprintf(w, "| %s | %s | %g, %g | %.2f | %.2f | %.3g | %s |\n", c.more, c.less, a, b, a/max(b, 1), tests[i].A12, corrected, verdict(tests[i].A12, corrected))
		}
	}
}

// factor is how many times the median of Mucerts the default is to find.
const factor = 1.5

// targets prints for each row of the default whether it reaches the target against Mucerts. The
// median has to be factor times theirs, and as many trials have to show more in all.
func targets(w io.Writer, by map[string][]campaign, way way) {
	less := by[mucert]
	first := true
	for _, name := range []string{"default", "default-der", "default-unbounded", "default-der-unbounded"} {
		more := by[name]
		n := min(len(more), len(less))
		if n < enough {
			continue
		}
		if first {
			fmt.Fprintf(w, "\n| target, by %s | median, Mucerts' | ratio | in all of as many trials, Mucerts' | target |\n|---|---|---|---|---|\n", way.name)
			first = false
		}
		a, b := stats.Median(values(more, way.count)), stats.Median(values(less, way.count))
		all, theirs := len(shown(more[:n], way.of)), len(shown(less[:n], way.of))
		met := "missed"
		if a >= factor*b && all > theirs {
			met = "met"
		}
		fmt.Fprintf(w, "| %s | %g, %g | %.2f | %d, %d | %s |\n", name, a, b, a/max(b, 1), all, theirs, met)
	}
}

// verdict says whether a claim holds.
func verdict(a12, p float64) string {
	switch {
	case p >= alpha:
		return "undecided"
	case a12 > 0.5:
		return "confirmed"
	}
	return "refuted"
}
