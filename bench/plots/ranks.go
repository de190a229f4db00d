package main

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"parallax/internal/stats"
)

// ranking has the mean ranks of some methods on some subjects, the first rank for the largest
// value, and the tests of J. Demšar: Statistical Comparisons of Classifiers over Multiple Data
// Sets, JMLR 7, 2006, section 3.2.2.
type ranking struct {
	subjects int
	mean     []float64 // for each method
	chi2     float64   // of Friedman
	p        float64   // of Friedman, by the distribution of chi-squared
	distance float64   // Nemenyi's critical difference at 0.05
}

// nemenyi are the critical values of the test at 0.05 for two methods and more, table 5(a) of
// Demšar, which ends at ten.
var nemenyi = []float64{1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164}

// rank ranks methods by their values on each subject: values[subject][method].
func rank(values [][]float64) ranking {
	n, k := len(values), len(values[0])
	r := ranking{subjects: n, mean: make([]float64, k)}
	for _, row := range values {
		for i, place := range stats.Places(row) {
			r.mean[i] += place / float64(n)
		}
	}
	return r.test()
}

// test fills in the tests of mean ranks.
func (r ranking) test() ranking {
	n, k := float64(r.subjects), float64(len(r.mean))
	sum := 0.0
	for _, mean := range r.mean {
		sum += mean * mean
	}
	r.chi2 = 12 * n / (k * (k + 1)) * (sum - k*(k+1)*(k+1)/4)
	r.p = above(r.chi2, len(r.mean)-1)
	r.distance = nemenyi[len(r.mean)-2] * math.Sqrt(k*(k+1)/(6*n))
	return r
}

// above is the probability that a variable with the distribution of chi-squared is larger.
func above(x float64, degrees int) float64 {
	p, term, first := math.Erfc(math.Sqrt(x/2)), math.Sqrt(2*x/math.Pi)*math.Exp(-x/2), 1
	if degrees%2 == 0 {
		p, term, first = math.Exp(-x/2), x/2*math.Exp(-x/2), 2
	}
	for d := first; d < degrees; d += 2 {
		p += term
		term *= x / float64(d+2)
	}
	return p
}

// cliques are the longest runs of methods, in the order of their ranks, that differ by less than
// the critical difference.
func (r ranking) cliques() (runs [][2]float64) {
	sorted := slices.Sorted(slices.Values(r.mean))
	last := -1
	for i := range sorted {
		j := i
		for j+1 < len(sorted) && sorted[j+1]-sorted[i] < r.distance {
			j++
		}
		if j > i && j > last {
			runs, last = append(runs, [2]float64{sorted[i], sorted[j]}), j
		}
	}
	return runs
}

// ranks draws a critical-difference diagram of delta's configurations for each of two budgets.
func ranks(files []string) ([]byte, error) {
	all, err := read[trial](files[0])
	if err != nil {
		return nil, err
	}
	g := group(all)
	slices.Sort(g.configurations)
	budgets := []struct {
		title string
		end   func(*trial) float64
		of    func(*trial, float64) float64
	}{
		{"in equal CPU time, 2 s", cpu, func(t *trial, at float64) float64 { return value(at, t.Series.CPU, t.Series.Unique) }},
		{"in 20,000 inputs", func(*trial) float64 { return 20000 }, func(t *trial, at float64) float64 { return value(at, t.Series.Inputs, t.Series.Unique) }},
	}
	var b bytes.Buffer
	const title = "Mean ranks of guidances by unique discrepancies, the best on the left"
	height := 80 + 16*float64((len(g.configurations)+1)/2+2)
	open(&b, title, diagramWidth, header+height*float64(len(budgets))+4*lineHeight)
	for i, budget := range budgets {
		var values [][]float64
		for _, subject := range g.subjects {
			var row []float64
			for _, name := range g.configurations {
				end := min(g.least(subject, budget.end), 20000)
				median, _, _ := band([]float64{end}, g.of[subject][name], budget.of)
				row = append(row, median[0])
			}
			values = append(values, row)
		}
		r := rank(values)
		fmt.Fprintf(&b, "<g transform=\"translate(0 %s)\">\n", unit(header+height*float64(i)))
		text(&b, 12, 14, "name", "start", fmt.Sprintf("%s: Friedman's chi-squared %.1f, p %.3f", budget.title, r.chi2, r.p))
		r.draw(&b, g.configurations)
		b.WriteString("</g>\n")
	}
	return notes(&b, header+height*float64(len(budgets))+8, []string{
		fmt.Sprintf("Medians of 10 trials, ranked on each of %d groups of libraries (%d configurations).", len(g.subjects), len(g.configurations)),
		"A bar connects configurations that differ by less than the critical difference (Nemenyi, 0.05; Demšar 2006).",
		"On semver, toml and url the default was chosen. Data: " + sources(files),
	}), nil
}

const diagramWidth = 780

// draw draws the diagram: an axis of ranks, names on both sides, bars, and the critical difference.
func (r ranking) draw(b *bytes.Buffer, names []string) {
	const from, to, line = 190.0, diagramWidth - 190.0, 62.0
	k := float64(len(names))
	x := func(rank float64) float64 { return from + (rank-1)/(k-1)*(to-from) }
	path(b, "axis", fmt.Sprintf("M%s %sH%s", unit(from), unit(line), unit(to)))
	for i := 1.0; i <= k; i++ {
		path(b, "axis", fmt.Sprintf("M%s %sv-6", unit(x(i)), unit(line)))
		text(b, x(i), line-10, "", "middle", short(i))
	}
	path(b, "axis", fmt.Sprintf("M%s 34h%s", unit(from), unit(min(x(1+r.distance), to)-from)))
	text(b, from-6, 38, "", "end", fmt.Sprintf("CD %.2f", r.distance))
	bars := r.cliques()
	for i, bar := range bars {
		path(b, "mark k0", fmt.Sprintf("M%s %sH%s", unit(x(bar[0])-3), unit(line+10+8*float64(i)), unit(x(bar[1])+3)))
	}
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case r.mean[i] < r.mean[j]:
			return -1
		case r.mean[i] > r.mean[j]:
			return 1
		}
		return 0
	})
	half := (len(order) + 1) / 2
	for place, i := range order {
		row, side, anchor, end := place, from-10, "end", -4.0
		if place >= half {
			row, side, anchor, end = len(order)-1-place, to+10, "start", 4
		}
		y := line + 24 + 8*float64(len(bars)) + 16*float64(row)
		path(b, "axis", fmt.Sprintf("M%s %sV%sH%s", unit(x(r.mean[i])), unit(line), unit(y), unit(side)))
		text(b, side+end, y+4, "", anchor, fmt.Sprintf("%s %.2f", names[i], r.mean[i]))
	}
}
