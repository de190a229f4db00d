package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
	"parallax/internal/stats"
)

// significant is the level below which a corrected p value is called a difference.
const significant = 0.05

// measured is the data.
type measured struct {
	subjects       []sample // one of each subject, the development pairs first
	configurations []string
	runs           map[string]map[string][]sample // by subject and configuration
	witnesses      map[string]sample
	failed         []sample
	origins        []origin.Origin
	budget         string
	triage         float64
}

// table sums up a file of samples, as Markdown.
func table(w io.Writer, file string) error {
	m, err := read(file)
	if err != nil {
		return err
	}
	for _, part := range [][]string{
		m.events("new finding", func(s sample) *moment { return s.New }),
		m.events("finding of the witness's kind", func(s sample) *moment { return s.Witness }),
		m.events("changed behavior", func(s sample) *moment { return s.Changed }),
		m.bar(), m.numbers("impacted blocks covered", sample.impacted), m.points(), m.overTime(),
		m.changes(), m.effort("Table 2", principal), m.effort("Table 3", []string{deltaFuzz, forward, backward, upward}), m.coverage(), m.timeToTargets(),
		m.vulnerabilities("Table 6: failures", bucket.failure), m.vulnerabilities("Table 6: changes of behavior", bucket.reported),
		m.quarters(), m.venn([]string{deltaFuzz, aflGo, aflFast}), m.venn([]string{ours, deltaFuzz, aflGo, afl}), m.claimed(), m.constants(),
		m.shares(), m.comparison(), m.controls(), m.failures(),
	} {
		for _, line := range part {
			if _, err := fmt.Fprintln(w, line); err != nil {
				return err
			}
		}
		if len(part) > 0 {
			fmt.Fprintln(w)
		}
	}
	_, err = fmt.Fprintf(w, "A trial has a budget of %s. %s.\n", m.budgetText(), origin.Describe(m.origins))
	return err
}

func (m *measured) budgetText() string {
	if strings.HasSuffix(m.budget, "x") {
		return strings.TrimSuffix(m.budget, "x") + " inputs"
	}
	text := m.budget + " of the fuzzing worker's CPU time"
	if m.triage > 0 {
		text += fmt.Sprintf(", and %v s for judging what was found after it", m.triage)
	}
	return text
}

func read(file string) (*measured, error) {
	all, err := samples.Read[sample](file)
	if err != nil {
		return nil, err
	}
	m := &measured{runs: map[string]map[string][]sample{}, witnesses: map[string]sample{}}
	// A trial that was measured again counts as the later one.
	last := map[key]int{}
	for i, s := range all {
		last[s.key()] = i
	}
	present := map[string]bool{}
	for i, s := range all {
		if last[s.key()] != i {
			continue
		}
		m.budget = s.Budget
		m.triage = max(m.triage, s.Triage)
		m.origins = append(m.origins, s.Origin)
		if m.runs[s.Subject] == nil {
			m.runs[s.Subject] = map[string][]sample{}
			m.subjects = append(m.subjects, s)
		}
		switch {
		case s.Error != "":
			m.failed = append(m.failed, s)
		case s.Configuration == witnessed:
			m.witnesses[s.Subject] = s
		default:
			m.runs[s.Subject][s.Configuration] = append(m.runs[s.Subject][s.Configuration], s)
			present[s.Configuration] = true
		}
	}
	// A witness may have been filed later than its trials.
	for subject, runs := range m.runs {
		for _, list := range runs {
			for i := range list {
				list[i].Witness = list[i].first(func(b bucket) bool { return b.any(m.witnesses[subject].Found) })
			}
		}
	}
	slices.SortStableFunc(m.subjects, func(a, b sample) int {
		switch {
		case a.Development == b.Development:
			return 0
		case a.Development:
			return -1
		}
		return 1
	})
	for _, c := range configurations {
		if present[c.name] {
			m.configurations = append(m.configurations, c.name)
		}
	}
	if len(m.configurations) == 0 {
		return nil, errors.Join(fmt.Errorf("%s: there are no samples", file), m.error())
	}
	return m, nil
}

func (m *measured) error() error {
	if len(m.failed) == 0 {
		return nil
	}
	return errors.New(m.failed[0].String())
}

// schedules are the configurations that run both versions.
func (m *measured) schedules() (names []string) {
	for _, c := range m.configurations {
		if c != alone {
			names = append(names, c)
		}
	}
	return names
}

// named is a subject's name in a table.
func named(s sample) string {
	if s.Development {
		return s.Subject + " (development)"
	}
	return s.Subject
}

// head begins a table.
func head(first string, columns []string) []string {
	return []string{"| " + first + " | " + strings.Join(columns, " | ") + " |", "|---|" + strings.Repeat("---|", len(columns))}
}

// pairs says how many there are.
func pairs(n int) string {
	if n == 1 {
		return "1 pair"
	}
	return fmt.Sprintf("%d pairs", n)
}

func row(first string, cells []string) string {
	return "| " + first + " | " + strings.Join(cells, " | ") + " |"
}

// cells are the cells of a subject's row: of each configuration what its trials say, and nothing
// where there are none.
func (m *measured) cells(s sample, names []string, text func(name string, list []sample) string) (cells []string) {
	for _, name := range names {
		list, cell := m.runs[s.Subject][name], ""
		if len(list) > 0 {
			cell = text(name, list)
		}
		cells = append(cells, cell)
	}
	return cells
}

// beside returns the text of a cell about a test, if there is one.
func beside(tests map[[2]string]compared, s sample, name string) string {
	if t, is := tests[[2]string{s.Subject, name}]; is {
		return "; " + t.String()
	}
	return ""
}

// compared is a test of a configuration against the baseline on a subject, or over subjects.
type compared struct {
	test      stats.Test
	corrected float64
}

func (c compared) String() string {
	text := fmt.Sprintf("U %g, p %.3f, A12 %.2f", c.test.U, c.corrected, c.test.A12)
	return text + verdict(c.corrected, c.test.A12)
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

// tests compares configurations with the baseline on each of the subjects, and corrects for the
// number of tests. Values are such that larger is better.
func (m *measured) tests(names []string, subjects []sample, value func(sample) float64) map[[2]string]compared {
	var keys [][2]string
	var tests []stats.Test
	var p []float64
	for _, s := range subjects {
		base := values(m.runs[s.Subject][baseline], value)
		for _, c := range names {
			own := values(m.runs[s.Subject][c], value)
			if c == baseline || len(own) == 0 || len(base) == 0 {
				continue
			}
			t := stats.MannWhitney(own, base)
			keys, tests, p = append(keys, [2]string{s.Subject, c}), append(tests, t), append(p, t.P)
		}
	}
	all := map[[2]string]compared{}
	for i, corrected := range stats.Holm(p) {
		all[keys[i]] = compared{tests[i], corrected}
	}
	return all
}

func values(list []sample, value func(sample) float64) (v []float64) {
	for _, s := range list {
		v = append(v, value(s))
	}
	return v
}

// overall compares configurations with the baseline over all held-out subjects.
func (m *measured) overall(all []string, subjects []sample, value func(sample) float64) []string {
	var names []string
	var tests []stats.Stratified
	var p []float64
	var counts []int // of pairs that have trials of both
	subjects = slices.DeleteFunc(slices.Clone(subjects), func(s sample) bool { return s.Development })
	n := len(m.complete(subjects, []string{baseline}))
	if n == 0 {
		return nil
	}
	for _, c := range all {
		both := m.complete(subjects, []string{c, baseline})
		if c == baseline || len(both) == 0 {
			continue
		}
		var strata []stats.Stratum
		for _, s := range both {
			strata = append(strata, stats.Stratum{A: values(m.runs[s.Subject][c], value), B: values(m.runs[s.Subject][baseline], value)})
		}
		t := stats.VanElteren(strata)
		names, tests, p, counts = append(names, c), append(tests, t), append(p, t.P), append(counts, len(both))
	}
	corrected := stats.Holm(p)
	byName := map[string]string{baseline: ""}
	for i, c := range names {
		byName[c] = fmt.Sprintf("p %.4f, A12 %.2f%s", corrected[i], tests[i].A12, verdict(corrected[i], 0.5+float64(tests[i].Sign)))
		if counts[i] < n {
			byName[c] += ", on " + pairs(counts[i])
		}
	}
	var cells []string
	for _, c := range all {
		cells = append(cells, byName[c])
	}
	return []string{row(fmt.Sprintf("%d held out (van Elteren)", n), cells)}
}

// events compares how soon something is found. Trials that did not find it rank behind all others.
func (m *measured) events(what string, of func(sample) *moment) []string {
	inputs := func(s sample) float64 {
		if at := of(s); at != nil {
			return float64(at.Inputs)
		}
		return stats.Never
	}
	sooner := func(s sample) float64 { return -inputs(s) }
	var found []sample
	var never []string
	for _, s := range m.subjects {
		happened := 0
		for _, c := range m.schedules() {
			happened += stats.CountHappened(values(m.runs[s.Subject][c], inputs))
		}
		switch {
		case s.Kind == control:
		case happened > 0:
			found = append(found, s)
		default:
			never = append(never, named(s))
		}
	}
	lines := head("inputs to the first "+what, m.schedules())
	tests := m.tests(m.schedules(), found, sooner)
	for _, s := range found {
		lines = append(lines, row(named(s), m.cells(s, m.schedules(), func(name string, list []sample) string {
			own := values(list, inputs)
			text := "-"
			if median, ok := stats.MedianTime(own); ok {
				text = fmt.Sprintf("%.0f", median)
				if cpu, ok := stats.MedianTime(values(list, func(s sample) float64 {
					if at := of(s); at != nil {
						return at.CPU
					}
					return stats.Never
				})); ok {
					text += fmt.Sprintf(" (%.2g s)", cpu)
				}
			}
			return text + fmt.Sprintf(", %d of %d", stats.CountHappened(own), len(own)) + beside(tests, s, name)
		})))
	}
	lines = append(lines, m.overall(m.schedules(), found, sooner)...)
	note := "Medians of inputs (CPU seconds), and how many trials found it; - where fewer than half did. Mann-Whitney U against " + baseline +
		", p corrected by Holm for all tests of the table, and A12: how likely a trial is sooner."
	if len(never) > 0 {
		note += " No trial found one on " + strings.Join(never, ", ") + "."
	}
	return append(lines, "", note)
}

func (s sample) impacted() float64 { return float64(s.Change.ImpactedCovered) }
func (s sample) points() float64   { return float64(s.Change.Covered) }
func (s sample) paths() float64    { return float64(s.Change.Paths) }

// numbers compares how much was covered.
func (m *measured) numbers(what string, value func(sample) float64) []string {
	lines := head(what, m.schedules())
	tests := m.tests(m.schedules(), m.subjects, value)
	for _, s := range m.subjects {
		lines = append(lines, row(named(s), m.cells(s, m.schedules(), func(name string, list []sample) string {
			return median(list, value) + beside(tests, s, name)
		})))
	}
	return append(lines, m.overall(m.schedules(), m.subjects, value)...)
}

// median is a median as a cell shows it.
func median(list []sample, value func(sample) float64) string {
	return strconv.FormatFloat(stats.Median(values(list, value)), 'f', -1, 64)
}

// points says how many change points were executed, and on how many paths.
func (m *measured) points() []string {
	lines := head("change points executed of all; paths to them", m.configurations)
	for _, s := range m.subjects {
		lines = append(lines, row(named(s), m.cells(s, m.configurations, func(_ string, list []sample) string {
			return fmt.Sprintf("%s of %d; %s", median(list, sample.points), list[0].Change.Points, median(list, sample.paths))
		})))
	}
	return lines
}

// overTime says how many segments of the change were executed by a part of the budget.
func (m *measured) overTime() []string {
	lines := head("segments of the change at 1/16, 1/4, 1/2 and all of the budget", m.schedules())
	for _, s := range m.subjects {
		lines = append(lines, row(named(s), m.cells(s, m.schedules(), func(_ string, list []sample) string {
			var parts []string
			for _, part := range []int{1, steps / 4, steps / 2, steps} {
				parts = append(parts, median(list, func(s sample) float64 {
					if len(s.Series) < part {
						return 0
					}
					return s.Series[part-1][3]
				}))
			}
			return strings.Join(parts, ", ")
		})))
	}
	return lines
}

// shares says what part of the executions the old version had.
func (m *measured) shares() []string {
	lines := head("the old version's share of the executions, %", m.schedules())
	percent := func(s sample) float64 { return 100 * s.share() }
	for _, s := range m.subjects {
		lines = append(lines, row(named(s), m.cells(s, m.schedules(), func(_ string, list []sample) string {
			v := values(list, percent)
			return fmt.Sprintf("%.1f (%.1f to %.1f)", stats.Median(v), slices.Min(v), slices.Max(v))
		})))
	}
	var cells []string
	for _, c := range m.schedules() {
		var medians []float64
		for _, s := range m.subjects {
			if list := m.runs[s.Subject][c]; len(list) > 0 {
				medians = append(medians, stats.Median(values(list, percent)))
			}
		}
		cells = append(cells, fmt.Sprintf("%.1f", stats.Median(medians)))
	}
	return append(lines, row("median of the medians", cells))
}

// failures lists trials without a result.
func (m *measured) failures() (lines []string) {
	for _, s := range m.failed {
		lines = append(lines, fmt.Sprintf("- %s, %s, trial %d failed: `%s`", s.Subject, s.Configuration, s.Seed, strings.ReplaceAll(strings.Join(strings.Fields(s.Error), " "), "`", "'")))
	}
	return lines
}
