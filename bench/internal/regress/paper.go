package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parallax/internal/stats"
)

// The tables of the DeltaFuzz paper (Zhang et al., JCST 37(1), 2022, section 3) on these pairs. Its
// tools are configurations here.
const (
	deltaFuzz = "delta"
	aflGo     = "aflgo"
	aflFast   = "aflfast-fast"
	afl       = baseline
	forward   = "delta-forward"
	backward  = "delta-backward"
	upward    = "delta-backward-up"
)

// principal are the configurations of these tables. Those that differ by a constant or by half of
// the impact analysis have tables of their own.
var principal = []string{baseline, aflFast, aflGo, "churn", deltaFuzz, ours}

// changes is Table 1: how large the changes are.
func (m *measured) changes() []string {
	if !m.recorded() {
		return nil
	}
	lines := head("Table 1: the change", []string{"versions", "change points", "blocks with a change", "impacted blocks", "all blocks of the new version", "of the old one"})
	for _, s := range m.subjects {
		if len(m.runs[s.Subject]) == 0 {
			continue
		}
		t := m.pair(s)
		c := t.Change
		impacted := fmt.Sprint(c.Impacted)
		if c.All > 0 {
			impacted += fmt.Sprintf(" (%.0f %%)", 100*float64(c.Impacted)/float64(c.All))
		}
		lines = append(lines, row(named(s), []string{t.Versions, fmt.Sprint(c.Points), fmt.Sprint(c.Blocks), impacted, fmt.Sprint(c.All), fmt.Sprint(c.AllOld)}))
	}
	return lines
}

// measure is a number that a trial has.
type measure struct {
	name string
	of   func(sample) float64
}

var (
	inputsRun    = measure{"inputs executed", func(s sample) float64 { return float64(s.Inputs) }}
	crashesSeen  = measure{"crashes", func(s sample) float64 { return float64(s.Crashes) }}
	pathsKept    = measure{"paths", func(s sample) float64 { return float64(s.Corpus) }}
	changeBlocks = measure{"blocks with a change", func(s sample) float64 { return float64(s.Change.BlocksCovered) }}
)

// effort is Table 2, or with other configurations Table 3: means of the trials.
func (m *measured) effort(title string, names []string) []string {
	names = m.present(names)
	if len(names) < 2 || !m.recorded() {
		return nil
	}
	measures := []measure{inputsRun, crashesSeen, pathsKept}
	lines := head(title+": inputs executed; crashes; paths", names)
	sums := map[string][3]float64{}
	complete := m.complete(m.subjects, names)
	for _, s := range m.subjects {
		counts := slices.ContainsFunc(complete, func(c sample) bool { return c.Subject == s.Subject })
		lines = append(lines, row(named(s), m.cells(s, names, func(name string, list []sample) string {
			var parts []string
			sum := sums[name]
			for i, one := range measures {
				v := mean(values(list, one.of))
				if counts {
					sum[i] += v
				}
				parts = append(parts, number(v))
			}
			sums[name] = sum
			return strings.Join(parts, "; ")
		})))
	}
	var cells []string
	for _, name := range names {
		var parts []string
		for _, v := range sums[name] {
			parts = append(parts, number(v))
		}
		cells = append(cells, strings.Join(parts, "; "))
	}
	return append(append(lines, total(complete, cells)...), "",
		"Means of the trials. Crashes are buckets of failures of the new version; paths are inputs that were kept, as AFL counts them. The total is of the pairs that all of the table were measured on.")
}

// present are those of some configurations that there are trials of.
func (m *measured) present(names []string) (some []string) {
	for _, name := range names {
		if slices.Contains(m.configurations, name) {
			some = append(some, name)
		}
	}
	return some
}

// complete are the subjects that all of some configurations were measured on.
func (m *measured) complete(subjects []sample, names []string) (some []sample) {
	for _, s := range subjects {
		if !slices.ContainsFunc(names, func(name string) bool { return len(m.runs[s.Subject][name]) == 0 }) {
			some = append(some, s)
		}
	}
	return some
}

// total is the last row of a table, of the subjects that all of it were measured on; none where
// there is no such subject.
func total(complete []sample, cells []string) []string {
	if len(complete) == 0 {
		return nil
	}
	return []string{row(fmt.Sprintf("total of %d", len(complete)), cells)}
}

// number is a mean as a cell shows it.
func number(v float64) string {
	if v >= 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', 1, 64)
}

// coverage is Table 4: blocks with a change that were executed in the end.
func (m *measured) coverage() []string {
	if !m.recorded() {
		return nil
	}
	names := m.present(principal)
	lines := head("Table 4: blocks with a change that were executed", slices.Concat([]string{"all"}, names))
	tests := m.tests(names, m.subjects, changeBlocks.of)
	sum, all := map[string]float64{}, 0
	complete := m.complete(m.subjects, names)
	for _, s := range m.subjects {
		if len(m.runs[s.Subject]) == 0 {
			continue
		}
		blocks := m.pair(s).Change.Blocks
		counts := slices.ContainsFunc(complete, func(c sample) bool { return c.Subject == s.Subject })
		if counts {
			all += blocks
		}
		cells := m.cells(s, names, func(name string, list []sample) string {
			v := mean(values(list, changeBlocks.of))
			if counts {
				sum[name] += v
			}
			return part(v, blocks) + beside(tests, s, name)
		})
		lines = append(lines, row(named(s), slices.Concat([]string{fmt.Sprint(blocks)}, cells)))
	}
	cells := []string{fmt.Sprint(all)}
	for _, name := range names {
		cells = append(cells, part(sum[name], all))
	}
	lines = append(lines, total(complete, cells)...)
	for _, text := range m.overall(names, m.subjects, changeBlocks.of) {
		lines = append(lines, strings.Replace(text, " | ", " |  | ", 1))
	}
	return append(lines, "", "Means of the trials, and the part of all. Mann-Whitney U against "+baseline+", p corrected by Holm for all tests of the table, and A12: how likely a trial executes more.")
}

func part(v float64, all int) string {
	if all == 0 {
		return number(v)
	}
	return fmt.Sprintf("%s (%.1f %%)", number(v), 100*v/float64(all))
}

// quarters is Fig. 7: blocks with a change that were executed by quarters of the budget.
func (m *measured) quarters() []string {
	if !m.recorded() {
		return nil
	}
	names := m.present(principal)
	lines := head("Fig. 7: blocks with a change at 1/4, 1/2, 3/4 and all of the budget", names)
	sum := map[string][4]float64{}
	complete := m.complete(m.subjects, names)
	text := func(v [4]float64) string {
		var parts []string
		for _, x := range v {
			parts = append(parts, number(x))
		}
		return strings.Join(parts, ", ")
	}
	for _, s := range m.subjects {
		counts := slices.ContainsFunc(complete, func(c sample) bool { return c.Subject == s.Subject })
		lines = append(lines, row(named(s), m.cells(s, names, func(name string, list []sample) string {
			var at [4]float64
			for q := range at {
				at[q] = mean(values(list, func(t sample) float64 { return t.by(q+1, 4, m.budget) }))
			}
			if counts {
				so := sum[name]
				for q := range at {
					so[q] += at[q]
				}
				sum[name] = so
			}
			return text(at)
		})))
	}
	var cells []string
	for _, name := range names {
		cells = append(cells, text(sum[name]))
	}
	return append(lines, total(complete, cells)...)
}

// by returns how many blocks with a change a trial had executed within a part of its budget.
func (s sample) by(part, of int, text string) float64 {
	var b budget
	if b.UnmarshalText([]byte(text)) != nil {
		return 0
	}
	n := 0
	for _, r := range s.First {
		switch {
		case part == of,
			b.inputs > 0 && float64(r.Inputs) <= float64(b.inputs)*float64(part)/float64(of),
			b.inputs == 0 && r.CPU <= b.cpu.Seconds()*float64(part)/float64(of):
			n++
		}
	}
	return float64(n)
}

// found returns the distinct findings of a subject. Each is a set of buckets that are alike, with
// the configurations that found it in a trial. For each configuration the same number of trials
// counts, since more trials find more.
func (m *measured) found(subject string, names []string, counts func(bucket) bool) (sets [][]string) {
	var one []bucket // of each
	names = m.presentOn(subject, names)
	trials := 0
	for i, name := range names {
		if n := len(m.runs[subject][name]); i == 0 || n < trials {
			trials = n
		}
	}
	for _, name := range names {
		for _, s := range m.runs[subject][name][:trials] {
			for _, b := range s.Found {
				if !counts(b) {
					continue
				}
				at := slices.IndexFunc(one, b.like)
				if at < 0 {
					at = len(one)
					one, sets = append(one, b), append(sets, nil)
				}
				if !slices.Contains(sets[at], name) {
					sets[at] = append(sets[at], name)
				}
			}
		}
	}
	return sets
}

// vulnerabilities is Table 6: distinct findings, and those that one configuration alone has.
func (m *measured) vulnerabilities(title string, counts func(bucket) bool) []string {
	names := m.present(principal)
	lines := head(title+": found; by it alone", slices.Concat(names, []string{"by all", "by any"}))
	totals, onlyTotals := map[string]int{}, map[string]int{}
	allTotal, anyTotal := 0, 0
	complete := m.complete(m.subjects, names)
	for _, s := range m.subjects {
		sets := m.found(s.Subject, names, counts)
		measured := m.presentOn(s.Subject, names)
		found, only, all := map[string]int{}, map[string]int{}, 0
		for _, set := range sets {
			for _, name := range set {
				found[name]++
			}
			if len(set) == 1 {
				only[set[0]]++
			}
			if len(set) == len(measured) {
				all++
			}
		}
		if len(measured) == len(names) {
			allTotal, anyTotal = allTotal+all, anyTotal+len(sets)
			for _, name := range names {
				totals[name], onlyTotals[name] = totals[name]+found[name], onlyTotals[name]+only[name]
			}
		}
		var cells []string
		for _, name := range names {
			text := ""
			if slices.Contains(measured, name) {
				text = fmt.Sprintf("%d; %d", found[name], only[name])
			}
			cells = append(cells, text)
		}
		lines = append(lines, row(named(s), append(cells, fmt.Sprint(all), fmt.Sprint(len(sets)))))
	}
	var cells []string
	for _, name := range names {
		cells = append(cells, fmt.Sprintf("%d; %d", totals[name], onlyTotals[name]))
	}
	return append(append(lines, total(complete, append(cells, fmt.Sprint(allTotal), fmt.Sprint(anyTotal)))...), "",
		"Of as many trials of each configuration as all have on a pair. The total is of the pairs that all of the table were measured on.")
}

func (m *measured) presentOn(subject string, names []string) (some []string) {
	for _, name := range names {
		if len(m.runs[subject][name]) > 0 {
			some = append(some, name)
		}
	}
	return some
}

// venn is Fig. 8: by which of the paper's tools, and of these and the default, failures were found.
func (m *measured) venn(names []string) []string {
	if names = m.present(names); len(names) < 2 {
		return nil
	}
	count := map[string]int{}
	complete := m.complete(m.subjects, names)
	if len(complete) == 0 {
		return nil
	}
	for _, s := range complete {
		for _, set := range m.found(s.Subject, names, bucket.failure) {
			count[strings.Join(set, " and ")]++
		}
	}
	lines := head(fmt.Sprintf("Fig. 8: failures found on %s by", pairs(len(complete))), []string{"and by no other of " + strings.Join(names, ", ")})
	for size := len(names); size > 0; size-- {
		for mask := range 1 << len(names) {
			var set []string
			for i, name := range names {
				if mask&(1<<i) != 0 {
					set = append(set, name)
				}
			}
			if len(set) == size {
				lines = append(lines, row(strings.Join(set, ", "), []string{fmt.Sprint(count[strings.Join(set, " and ")])}))
			}
		}
	}
	return lines
}

// reported reports whether a bucket is a change of behavior.
func (b bucket) reported() bool { return b.Status == "changed" }

// sums adds up the means of a number over the subjects that two configurations were measured on.
func (m *measured) sums(subjects []sample, of measure, name, than string) (own, other float64) {
	for _, s := range m.complete(subjects, []string{name, than}) {
		own += mean(values(m.runs[s.Subject][name], of.of))
		other += mean(values(m.runs[s.Subject][than], of.of))
	}
	return own, other
}

// more compares a number of two configurations over subjects.
func (m *measured) more(subjects []sample, of measure, name, than string) stats.Stratified {
	var strata []stats.Stratum
	for _, s := range subjects {
		strata = append(strata, stats.Stratum{A: values(m.runs[s.Subject][name], of.of), B: values(m.runs[s.Subject][than], of.of)})
	}
	return stats.VanElteren(strata)
}
