package main

import (
	"fmt"
	"io"
	"math"
	"slices"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
	"parallax/internal/stats"
)

// significant is the level below which a difference is called one.
const significant = 0.05

// fewest is the number of trials from which two sides can differ significantly at all. With three
// each, two of 20 orders are the most extreme. With fewer on any subject, the approximation over
// all of them is invalid, too.
const fewest = 4

// measured is the data, by subject and variant.
type measured struct {
	subjects []string
	variants []string
	runs     map[string]map[string][]sample
	origins  []origin.Origin
	budget   float64
}

// table compares all variants with the baseline, on each subject and over all of them.
func table(w io.Writer, file string) error {
	m, err := read(file)
	if err != nil {
		return err
	}
	for _, part := range []func(*measured) []string{(*measured).blocks, (*measured).overall, (*measured).costs} {
		for _, line := range part(m) {
			if _, err := fmt.Fprintln(w, line); err != nil {
				return err
			}
		}
		fmt.Fprintln(w)
	}
	_, err = fmt.Fprintf(w, "%v CPU seconds a trial. %s.\n", m.budget, origin.Describe(m.origins))
	return err
}

func read(file string) (*measured, error) {
	all, err := samples.Read[sample](file)
	if err != nil {
		return nil, err
	}
	m := &measured{runs: map[string]map[string][]sample{}}
	present := map[string]bool{}
	for _, s := range all {
		if m.runs[s.Subject] == nil {
			m.runs[s.Subject] = map[string][]sample{}
			m.subjects = append(m.subjects, s.Subject)
		}
		m.runs[s.Subject][s.Variant] = append(m.runs[s.Subject][s.Variant], s)
		m.origins = append(m.origins, s.Origin)
		m.budget = max(m.budget, s.Budget)
		present[s.Variant] = true
	}
	for _, v := range variants {
		if present[v.name] {
			m.variants = append(m.variants, v.name)
		}
	}
	if !present[baseline] {
		return nil, fmt.Errorf("%s: no samples of %s", file, baseline)
	}
	return m, nil
}

// values are one figure of all trials of a variant on a subject.
func (m *measured) values(subject, variant string, of func(sample) float64) (v []float64) {
	for _, s := range m.runs[subject][variant] {
		v = append(v, of(s))
	}
	return v
}

// blocks says what was covered, a line a subject.
func (m *measured) blocks() []string {
	head, rule := "| blocks | trials |", "|---|---|"
	for _, v := range m.variants {
		head, rule = head+" "+v+" |", rule+"---|"
	}
	lines := []string{head, rule}
	for _, s := range m.subjects {
		base := m.values(s, baseline, sample.covered)
		line := fmt.Sprintf("| %s | %s |", s, m.trials(s))
		for _, v := range m.variants {
			own := m.values(s, v, sample.covered)
			switch {
			case len(own) == 0:
				line += " |"
			case v == baseline:
				line += fmt.Sprintf(" %g (%g to %g) |", stats.Median(own), slices.Min(own), slices.Max(own))
			default:
				t := stats.MannWhitney(own, base)
				line += fmt.Sprintf(" %g; U %g, p %.3f, A12 %.2f%s |", stats.Median(own), t.U, t.P, t.A12, verdict(t.P, t.A12))
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// trials is the number of trials of each variant on a subject, or the least and the most.
func (m *measured) trials(subject string) string {
	var n []int
	for _, v := range m.variants {
		n = append(n, len(m.runs[subject][v]))
	}
	if slices.Min(n) == slices.Max(n) {
		return fmt.Sprint(n[0])
	}
	return fmt.Sprintf("%d to %d", slices.Min(n), slices.Max(n))
}

func verdict(p, a12 float64) string {
	switch {
	case p >= significant:
		return ""
	case a12 > 0.5:
		return ", **better**"
	}
	return ", **worse**"
}

// overall sums up the subjects, a line a variant.
func (m *measured) overall() []string {
	lines := []string{
		"| over all subjects | mean place of the median | mean A12 | van Elteren p | better, worse on |",
		"|---|---|---|---|---|",
	}
	places := m.places()
	for _, v := range m.variants {
		if v == baseline {
			lines = append(lines, fmt.Sprintf("| %s | %s | | | |", v, places[v]))
			continue
		}
		var strata []stats.Stratum
		better, worse, enough := 0, 0, true
		for _, s := range m.subjects {
			one := stats.Stratum{A: m.values(s, v, sample.covered), B: m.values(s, baseline, sample.covered)}
			strata = append(strata, one)
			enough = enough && min(len(one.A), len(one.B)) >= fewest
			switch t := stats.MannWhitney(one.A, one.B); {
			case t.P >= significant:
			case t.A12 > 0.5:
				better++
			default:
				worse++
			}
		}
		t := stats.VanElteren(strata)
		p := "too few trials"
		if enough {
			p = fmt.Sprintf("%.4f%s", t.P, verdict(t.P, 0.5+float64(t.Sign)))
		}
		lines = append(lines, fmt.Sprintf("| %s | %s | %.2f | %s | %d, %d of %d |", v, places[v], t.A12, p, better, worse, len(m.subjects)))
	}
	return lines
}

// places ranks the schedules by their medians on each subject, the most blocks first, and takes the
// mean over subjects. A variant that is no schedule has no place, and a subject that not all
// schedules were tried on does not count.
func (m *measured) places() map[string]string {
	var schedules []string
	for _, v := range m.variants {
		if v != untrimmed {
			schedules = append(schedules, v)
		}
	}
	sums, n := make([]float64, len(schedules)), 0
	for _, s := range m.subjects {
		medians := make([]float64, len(schedules))
		for i, v := range schedules {
			medians[i] = stats.Median(m.values(s, v, sample.covered))
		}
		if slices.ContainsFunc(medians, math.IsNaN) {
			continue
		}
		n++
		for i, place := range stats.Places(medians) {
			sums[i] += place
		}
	}
	texts := map[string]string{}
	for i, v := range schedules {
		if n > 0 {
			texts[v] = fmt.Sprintf("%.1f of %d", sums[i]/float64(n), len(schedules))
		}
	}
	return texts
}

// costs says how many inputs were executed and kept, a line a subject.
func (m *measured) costs() []string {
	head, rule := "| inputs executed; kept; CPU s |", "|---|"
	for _, v := range m.variants {
		head, rule = head+" "+v+" |", rule+"---|"
	}
	lines := []string{head, rule}
	for _, s := range m.subjects {
		line := fmt.Sprintf("| %s |", s)
		for _, v := range m.variants {
			if len(m.runs[s][v]) == 0 {
				line += " |"
				continue
			}
			line += fmt.Sprintf(" %.0f; %.0f; %.1f |", stats.Median(m.values(s, v, sample.inputs)),
				stats.Median(m.values(s, v, sample.corpus)), stats.Median(m.values(s, v, sample.cpu)))
		}
		lines = append(lines, line)
	}
	return lines
}
