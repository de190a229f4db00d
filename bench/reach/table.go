package main

import (
	"fmt"
	"io"
	"slices"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
	"parallax/internal/stats"
)

// significant is the level below which a difference is called one.
const significant = 0.05

// table compares parallax with each other side, subject by subject.
func table(w io.Writer, file string) error {
	all, err := samples.Read[sample](file)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("%s: no samples", file)
	}
	var origins []origin.Origin
	var names []string
	runs := map[string]map[string][]sample{} // by subject and side
	budget := 0.0
	for _, s := range all {
		if runs[s.Subject] == nil {
			runs[s.Subject] = map[string][]sample{}
			names = append(names, s.Subject)
		}
		runs[s.Subject][s.Side] = append(runs[s.Subject][s.Side], s)
		origins = append(origins, s.Origin)
		budget = max(budget, s.Budget)
	}
	for _, side := range []string{native, minimizing} {
		if err := compare(w, side, names, runs); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(w, "%v CPU seconds a trial. %s.\n", budget, origin.Describe(origins))
	return err
}

// compare prints the table of parallax against one other side, if there are trials of both.
func compare(w io.Writer, side string, names []string, runs map[string]map[string][]sample) error {
	var better, worse, rows int
	for _, name := range names {
		a, b := runs[name][ours], runs[name][side]
		if len(a) == 0 || len(b) == 0 {
			continue
		}
		if rows == 0 {
			fmt.Fprintf(w, "| subject | trials | seeds | %s: blocks | parallax: blocks | U | p | A12 | | ", side)
			fmt.Fprintf(w, "any trial: both, %s only, parallax only | executions: %s, parallax | CPU s |\n", side, side)
			fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|---|---|---|")
		}
		rows++
		t := stats.MannWhitney(blocks(a), blocks(b))
		verdict := "="
		switch {
		case t.P < significant && t.A12 > 0.5:
			verdict = "better"
			better++
		case t.P < significant:
			verdict = "worse"
			worse++
		}
		both, theirs, own, err := union(b, a)
		if err != nil {
			return err
		}
		start := 0
		if s := runs[name][seeds]; len(s) > 0 {
			start = s[0].Blocks
		}
		fmt.Fprintf(w, "| %s | %d, %d | %d of %d | %s | %s | ", name, len(b), len(a), start, a[0].Of, spread(b), spread(a))
		fmt.Fprintf(w, "%.1f | %s | %.2f | %s | ", t.U, probability(t), t.A12, verdict)
		fmt.Fprintf(w, "%d, %d, %d | %.0f, %.0f | ", both, theirs, own, median(b, sample.executions), median(a, sample.executions))
		fmt.Fprintf(w, "%.1f, %.1f |\n", median(b, sample.cpu), median(a, sample.cpu))
	}
	if rows > 0 {
		fmt.Fprintf(w, "\nAgainst %s: better on %d of %d, worse on %d.\n\n", side, better, rows, worse)
	}
	return nil
}

func blocks(all []sample) (v []float64) {
	for _, s := range all {
		v = append(v, float64(s.Blocks))
	}
	return v
}

func (s sample) executions() float64 { return float64(s.Executions) }
func (s sample) cpu() float64        { return s.CPU }

func median(all []sample, of func(sample) float64) float64 {
	var v []float64
	for _, s := range all {
		v = append(v, of(s))
	}
	return stats.Median(v)
}

// spread is a median with the least and the most.
func spread(all []sample) string {
	v := blocks(all)
	return fmt.Sprintf("%g (%g to %g)", stats.Median(v), slices.Min(v), slices.Max(v))
}

func probability(t stats.Test) string {
	if t.P < 0.0001 {
		return "<0.0001"
	}
	return fmt.Sprintf("%.4f", t.P)
}

// union counts blocks that trials of both sides reach, of one only, and of the other only.
func union(theirs, own []sample) (both, onlyTheirs, onlyOwn int, err error) {
	x, err := reached(theirs)
	if err != nil {
		return 0, 0, 0, err
	}
	y, err := reached(own)
	if err != nil {
		return 0, 0, 0, err
	}
	if theirs[0].Names != own[0].Names {
		return 0, 0, 0, fmt.Errorf("%s: the sides have different blocks", own[0].Subject)
	}
	for i := range x {
		switch {
		case x[i] && y[i]:
			both++
		case x[i]:
			onlyTheirs++
		case y[i]:
			onlyOwn++
		}
	}
	return both, onlyTheirs, onlyOwn, nil
}

// reached returns the blocks that any of the trials reaches.
func reached(all []sample) ([]bool, error) {
	covered := make([]bool, all[0].Of)
	for _, s := range all {
		one, err := s.unpack()
		if err != nil {
			return nil, err
		}
		if s.Names != all[0].Names {
			return nil, fmt.Errorf("%s: trials of %s have different blocks", s.Subject, s.Side)
		}
		for i, c := range one {
			covered[i] = covered[i] || c
		}
	}
	return covered, nil
}
