package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"parallax/internal/stats"
)

// measure is a number with a table of its own, and the same number of the traces of valid inputs.
type measure struct {
	name  string // of the table, for -table
	text  string
	key   string
	valid string // key of the number of valid inputs; empty means none
}

var measures = []measure{
	{"b2", "B(2)", "b2", "valid_b2"},
	{"b1", "B(1)", "b1", "valid_b1"},
	{"b0", "B(0), covered branches", "b0", "valid_b0"},
	{"valid-traces", "Valid inputs with a new trace", "valid_traces", ""},
	{"inputs", "Inputs", inputs, ""},
}

// order is that of the columns. Other configurations follow.
var order = []string{"simple", "structure", "default", "zest", "rlcheck", "quickcheck", "bytes"}

// configurations returns the configurations in the order of the columns.
func (t trials) configurations() []string {
	var list []string
	for _, s := range t.subjects() {
		for c := range t[s] {
			if !slices.Contains(list, c) {
				list = append(list, c)
			}
		}
	}
	place := func(c string) int {
		if i := slices.Index(order, c); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortFunc(list, func(a, b string) int {
		if d := place(a) - place(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return list
}

// medians prints medians over trials at equal CPU time. A cell has the number over all traces and
// the number over those of valid inputs. The highest of each subject is bold.
func (t trials) medians(w io.Writer, m measure) {
	configurations := t.configurations()
	fmt.Fprintf(w, "| subject | %s |\n|---|%s\n", strings.Join(configurations, " | "), strings.Repeat("---|", len(configurations)))
	for _, s := range t.subjects() {
		p := t.point(s, false, 1)
		row := t.cells(s, m.key, p)
		if m.valid != "" {
			for i, cell := range t.cells(s, m.valid, p) {
				row[i] += "; " + cell
			}
		}
		fmt.Fprintf(w, "| %s | %s |\n", s, strings.Join(row, " | "))
	}
}

// cells returns the median of each configuration; the highest is bold.
func (t trials) cells(subject, key string, p at) []string {
	var row []float64
	highest := math.Inf(-1)
	for _, c := range t.configurations() {
		v := math.NaN()
		if values := t.values(subject, c, key, p); len(values) > 0 {
			v = stats.Median(values)
			highest = max(highest, v)
		}
		row = append(row, v)
	}
	cells := make([]string, len(row))
	for i, v := range row {
		switch {
		case math.IsNaN(v):
			cells[i] = "-"
		case v == highest:
			cells[i] = "**" + figure(v) + "**"
		default:
			cells[i] = figure(v)
		}
	}
	return cells
}

// lead prints how far a configuration is ahead of another in B(2), over all traces and over those
// of valid inputs.
func (t trials) lead(w io.Writer, of, than string) {
	fmt.Fprintf(w, "| subject | all traces: %s over %s | traces of valid inputs |\n|---|---|---|\n", of, than)
	ahead := map[string][2]int{}
	for _, s := range t.subjects() {
		p := t.point(s, false, 1)
		fmt.Fprintf(w, "| %s |", s)
		var tests []stats.Test
		var ps []float64
		for _, key := range []string{"b2", "valid_b2"} {
			test := stats.MannWhitney(t.values(s, of, key, p), t.values(s, than, key, p))
			tests, ps = append(tests, test), append(ps, test.P)
		}
		ps = stats.Holm(ps)
		for i, key := range []string{"b2", "valid_b2"} {
			a, b := stats.Median(t.values(s, of, key, p)), stats.Median(t.values(s, than, key, p))
			said, n := "", ahead[key]
			switch {
			case ps[i] >= 0.05:
			case tests[i].A12 > 0.5:
				said, n[0] = ", **ahead**", n[0]+1
			default:
				said, n[1] = ", **behind**", n[1]+1
			}
			ahead[key] = n
			fmt.Fprintf(w, " %+.1f %%; A12 %.2f, p %.2g%s |", 100*(a/b-1), tests[i].A12, ps[i], said)
		}
		fmt.Fprintln(w)
	}
	all, valid := ahead["b2"], ahead["valid_b2"]
	fmt.Fprintf(w, "| significantly ahead, and behind | %d and %d | %d and %d |\n", all[0], all[1], valid[0], valid[1])
}
