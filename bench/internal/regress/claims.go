package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"parallax/internal/stats"
)

// The claims of the paper are compared with the results of the trials.

// claim is one of the paper: the ratio of a number of one tool to that of another. time marks the
// time to targets, for which less is better.
type claim struct {
	text     string
	of, than string
	measure  measure
	time     bool
	ratio    float64
}

// claims are those of the paper's abstract, of sections 3.2 and 3.3, and of its conclusion. Where
// the text and its tables contradict each other, the tables count. Times to targets are ratios of
// what is left: 20.59 % less is 0.794.
var claims = []claim{
	{"time to targets: 20.6 % less than AFLGo's", deltaFuzz, aflGo, measure{}, true, 0.794},
	{"time to targets: 30.1 % less than AFLFast's", deltaFuzz, aflFast, measure{}, true, 0.700},
	{"time to targets: 32.6 % less than AFL's", deltaFuzz, afl, measure{}, true, 0.674},
	{"blocks with a change: 1.03 of AFLGo's", deltaFuzz, aflGo, changeBlocks, false, 1.03},
	{"blocks with a change: 1.09 of AFLFast's", deltaFuzz, aflFast, changeBlocks, false, 1.09},
	{"crashes: 1.08 of AFLGo's", deltaFuzz, aflGo, crashesSeen, false, 1.08},
	{"crashes: 1.21 of AFLFast's", deltaFuzz, aflFast, crashesSeen, false, 1.21},
	{"paths: 1.04 of AFLGo's", deltaFuzz, aflGo, pathsKept, false, 1.04},
	{"paths: 0.98 of AFLFast's", deltaFuzz, aflFast, pathsKept, false, 0.98},
	{"executions: 0.89 of AFLGo's", deltaFuzz, aflGo, inputsRun, false, 0.89},
	{"executions: 1.32 of AFLFast's", deltaFuzz, aflFast, inputsRun, false, 1.32},
	{"crashes by the forward half: 0.92 of both", forward, deltaFuzz, crashesSeen, false, 0.92},
	{"crashes by the backward half: 0.92 of both", backward, deltaFuzz, crashesSeen, false, 0.92},
	{"paths by the forward half: 0.98 of both", forward, deltaFuzz, pathsKept, false, 0.98},
	{"paths by the backward half: 0.99 of both", backward, deltaFuzz, pathsKept, false, 0.99},
}

// result is the result of the trials for a claim.
type result struct {
	claim
	ours      float64 // NaN: nothing can be compared
	note      string
	test      stats.Stratified // of more, or sooner
	corrected float64
}

// checked looks a claim up in the trials on some subjects.
func (m *measured) checked(c claim, subjects []sample) (r result) {
	r = result{claim: c, ours: math.NaN()}
	subjects = m.complete(subjects, []string{c.of, c.than})
	if len(subjects) == 0 {
		return r
	}
	if c.time {
		list := m.targets(subjects)
		own, other, counted, left := m.saved(list, c.of, c.than, clocks[0])
		if counted > 0 && other > 0 {
			r.ours = own / other
		}
		ownInputs, otherInputs, _, _ := m.saved(list, c.of, c.than, clocks[1])
		r.test = m.sooner(list, c.of, c.than, clocks[0])
		r.note = fmt.Sprintf("%.1f and %.1f CPU s, %.0f and %.0f inputs, over %d targets; %d left out (T/O)", own, other, ownInputs, otherInputs, counted, left)
		return r
	}
	own, other := m.sums(subjects, c.measure, c.of, c.than)
	if other > 0 {
		r.ours = own / other
	}
	r.test = m.more(subjects, c.measure, c.of, c.than)
	r.note = fmt.Sprintf("%s and %s, over %s", number(own), number(other), pairs(len(subjects)))
	return r
}

// compared reports whether there is anything to compare. A question without trials, or without a
// number on either side, is not one of the table's tests.
func (r result) compared() bool { return !math.IsNaN(r.ours) }

// verdict says whether the trials confirm a claim: the ratio lies on its side of 1, and the
// difference is significant after Holm's correction. They refute it where there is a significant
// difference the other way.
func (r result) verdict() string {
	larger := r.ratio > 1 // of the number
	if r.time {
		larger = true // sooner: Sign is 1 if the first tends to be sooner
	}
	switch {
	case !r.compared():
		return "nothing to compare"
	case r.corrected >= significant:
		return "no difference shown"
	case (r.test.Sign > 0) == larger:
		return "**confirmed**"
	}
	return "**refuted**"
}

// groups are the subjects that claims are checked on: nothing was chosen on those that are held
// out.
func (m *measured) groups() (names []string, groups [][]sample) {
	var all, onlyC, onlyGo []sample
	for _, s := range m.subjects {
		if s.Development || len(m.runs[s.Subject]) == 0 {
			continue
		}
		all = append(all, s)
		if s.C {
			onlyC = append(onlyC, s)
		} else {
			onlyGo = append(onlyGo, s)
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	names, groups = []string{"held-out pairs"}, [][]sample{all}
	if len(onlyC) > 0 && len(onlyGo) > 0 {
		names, groups = append(names, "pairs of C", "held-out pairs of Go"), append(groups, onlyC, onlyGo)
	}
	return names, groups
}

// claimed prints the paper's claims next to the results of the trials.
func (m *measured) claimed() (lines []string) {
	if !m.recorded() {
		return nil
	}
	names, groups := m.groups()
	for g, subjects := range groups {
		lines = append(lines, m.checkedAll("the paper's claims, on the "+names[g], claims, subjects)...)
		lines = append(lines, "")
	}
	for g, subjects := range groups {
		lines = append(lines, m.checkedAll("the same of our default, on the "+names[g], defaults(), subjects)...)
		lines = append(lines, "")
	}
	if len(groups) > 0 {
		lines = lines[:len(lines)-1]
		for _, than := range m.present([]string{afl, aflFast, aflGo, deltaFuzz}) {
			lines = append(lines, "", fmt.Sprintf("All blocks with a change, by inputs in the median trial: %s against %s: %s.", ours, than, m.allTargets(groups[0], ours, than)))
		}
		for _, than := range m.present([]string{afl, aflFast, aflGo}) {
			lines = append(lines, "", fmt.Sprintf("The same of %s against %s: %s.", deltaFuzz, than, m.allTargets(groups[0], deltaFuzz, than)))
		}
		lines = append(lines, "", "Sums of means (of the times: of medians that both have), their ratio, and a van Elteren test over the pairs (of the times: over the targets, T/O as the latest of all), p corrected by Holm "+
			"for all tests of the table. A12: how likely a trial of the first is sooner, or has more. Confirmed: significant, on the paper's side.")
	}
	return lines
}

// defaults are the claims about DeltaFuzz as questions about our default, without a ratio of the
// paper.
func defaults() (list []claim) {
	for _, than := range []string{afl, aflFast, aflGo, deltaFuzz} {
		list = append(list,
			claim{"time to targets: " + ours + " of " + than, ours, than, measure{}, true, 0},
			claim{changeBlocks.name + ": " + ours + " of " + than, ours, than, changeBlocks, false, 0},
			claim{crashesSeen.name + ": " + ours + " of " + than, ours, than, crashesSeen, false, 0},
		)
	}
	return list
}

func (m *measured) checkedAll(title string, claims []claim, subjects []sample) []string {
	var results []result
	var p []float64
	for _, c := range claims {
		if len(m.present([]string{c.of, c.than})) < 2 {
			continue
		}
		r := m.checked(c, subjects)
		if results = append(results, r); r.compared() {
			p = append(p, r.test.P)
		}
	}
	if len(results) == 0 {
		return nil
	}
	lines := head(title, []string{"paper", "here", "p, A12", "verdict", "sums"})
	corrected := stats.Holm(p)
	for _, r := range results {
		test := ""
		if r.compared() {
			r.corrected, corrected = corrected[0], corrected[1:]
			test = fmt.Sprintf("p %.4f, A12 %.2f", r.corrected, r.test.A12)
		}
		here, paper, verdict := "-", "", r.verdict()
		if r.compared() {
			here = fmt.Sprintf("%.2f", r.ours)
		}
		if r.ratio > 0 {
			paper = fmt.Sprintf("%.2f", r.ratio)
		} else {
			verdict = betterOrWorse(r)
		}
		lines = append(lines, row(r.text, []string{paper, here, test, verdict, r.note}))
	}
	return lines
}

func betterOrWorse(r result) string {
	switch {
	case !r.compared():
		return "nothing to compare"
	case r.corrected >= significant:
		return ""
	case r.test.Sign > 0:
		return "**better**"
	}
	return "**worse**"
}

// bar checks the goal of our default. At the median subject, it needs at most half of the inputs of
// afl to the first new finding. It is significantly worse on no subject.
func (m *measured) bar() []string {
	if len(m.present([]string{ours, baseline})) < 2 {
		return nil
	}
	inputs := func(s sample) float64 {
		if s.New == nil {
			return stats.Never
		}
		return float64(s.New.Inputs)
	}
	var ratios []float64
	var told, worse []string
	var subjects []sample
	for _, s := range m.complete(m.subjects, []string{ours, baseline}) {
		own, base := values(m.runs[s.Subject][ours], inputs), values(m.runs[s.Subject][baseline], inputs)
		if s.Kind == control || s.Development || stats.CountHappened(own)+stats.CountHappened(base) == 0 {
			continue
		}
		subjects = append(subjects, s)
		a, aOK := stats.MedianTime(own)
		b, bOK := stats.MedianTime(base)
		switch {
		case aOK && bOK:
			ratios = append(ratios, a/math.Max(1, b))
			told = append(told, fmt.Sprintf("%s %.2f", s.Subject, a/math.Max(1, b)))
		case aOK:
			// Of the baseline it is known that it needs more than it has run.
			least := mean(values(m.runs[s.Subject][baseline], inputsRun.of))
			ratios = append(ratios, a/least)
			told = append(told, fmt.Sprintf("%s below %.2f", s.Subject, a/least))
		case bOK:
			ratios = append(ratios, stats.Never)
			told = append(told, s.Subject+" never")
		}
	}
	if len(subjects) == 0 {
		return nil
	}
	tests := m.tests(m.schedules(), subjects, func(s sample) float64 { return -inputs(s) })
	for _, s := range subjects {
		if t, is := tests[[2]string{s.Subject, ours}]; is && t.corrected < significant && t.test.A12 < 0.5 {
			worse = append(worse, s.Subject)
		}
	}
	text := fmt.Sprintf("Inputs to the first new finding, %s of %s, by medians: %s.", ours, baseline, strings.Join(told, ", "))
	if len(ratios) > 0 {
		slices.Sort(ratios)
		text += fmt.Sprintf(" At the median of %d held-out pairs: %.2f (at most 0.50 is wanted: %s).", len(ratios), stats.Median(ratios), yes(stats.Median(ratios) <= 0.5))
	}
	if len(worse) == 0 {
		return []string{text + " Significantly worse on none."}
	}
	return []string{text + " Significantly worse on " + strings.Join(worse, ", ") + "."}
}

// constants is the ablation of c. It compares delta with other constants, and delta with each visit
// of a segment counted, with delta.
func (m *measured) constants() []string {
	names := m.present([]string{"delta-0.05", "delta-0.5", "delta-1", "delta-visits"})
	if len(names) == 0 || len(m.present([]string{deltaFuzz})) == 0 || !m.recorded() {
		return nil
	}
	_, groups := m.groups()
	if len(groups) == 0 {
		return nil
	}
	list := func(name string) []claim {
		return []claim{
			{"time to targets: " + name + " of delta (c = 0.1)", name, deltaFuzz, measure{}, true, 0},
			{changeBlocks.name + ": " + name, name, deltaFuzz, changeBlocks, false, 0},
			{crashesSeen.name + ": " + name, name, deltaFuzz, crashesSeen, false, 0},
		}
	}
	var all []claim
	for _, name := range names {
		all = append(all, list(name)...)
	}
	return m.checkedAll("the constant c", all, groups[0])
}
