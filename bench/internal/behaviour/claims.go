package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"parallax/internal/stats"
)

// A claim is that some configurations have more of a number than others have, on at least so many
// of ten subjects. Where the paper says "BeDivFuzz", it means both of its configurations.
type claim struct {
	text    string
	key     string
	of      []string
	than    []string
	fewer   bool    // the claim is that they have less of it
	part    float64 // of the CPU time, or of the inputs
	subject func(subjects int) int
}

func most(subjects int) int  { return subjects/2 + 1 }
func every(subjects int) int { return subjects }

// fourOfSix is as large a share of the subjects.
func fourOfSix(subjects int) int { return int(math.Ceil(float64(subjects) * 4 / 6)) }

var (
	bedivfuzz = []string{"simple", "structure"}
	others    = []string{"zest", "quickcheck", "rlcheck"}
)

// claims are those of BeDivFuzz, sections 4.2 and 4.3.
var claims = []claim{
	{"RQ1: share of diverse valid inputs above Zest's and QuickCheck's on all subjects", share, bedivfuzz, []string{"zest", "quickcheck"}, false, 1, every},
	{"RQ1: number of diverse valid inputs below QuickCheck's and RLCheck's on most subjects", "valid_traces", bedivfuzz, []string{"quickcheck", "rlcheck"}, true, 1, most},
	{"RQ1: number of diverse valid inputs above Zest's", "valid_traces", bedivfuzz, []string{"zest"}, false, 1, most},
	{"RQ2: B(1) above all others' on four subjects of six", "b1", bedivfuzz, others, false, 1, fourOfSix},
	{"RQ2: B(2) above all others' on four subjects of six", "b2", bedivfuzz, others, false, 1, fourOfSix},
	{"RQ2: B(1) of valid inputs above all others' on four subjects of six", "valid_b1", bedivfuzz, others, false, 1, fourOfSix},
	{"RQ2: B(2) of valid inputs above all others' on four subjects of six", "valid_b2", bedivfuzz, others, false, 1, fourOfSix},
	{"RQ2: RLCheck covers the fewest branches, B(0)", "b0", []string{"rlcheck"}, []string{"simple", "structure", "zest", "quickcheck"}, true, 1, most},
	{"RQ2: STRUCTURE ahead of SIMPLE in the first twelfth (5 minutes of an hour), B(2)", "b2", []string{"structure"}, []string{"simple"}, false, 1.0 / 12, most},
}

// outcome is the result of the trials of one subject for a claim.
type outcome int

const (
	open outcome = iota // some comparison shows no difference
	holds
	opposite // some comparison is significantly the other way
)

// check compares on one subject. All comparisons must be significant for the claim to hold.
func (t trials) check(subject string, c claim, inputs bool, alpha float64) outcome {
	p := t.point(subject, inputs, c.part)
	var tests []stats.Test
	for _, of := range c.of {
		for _, than := range c.than {
			a, b := t.values(subject, of, c.key, p), t.values(subject, than, c.key, p)
			if len(a) == 0 || len(b) == 0 {
				return open
			}
			test := stats.MannWhitney(a, b)
			if c.fewer {
				test.A12 = 1 - test.A12
			}
			tests = append(tests, test)
		}
	}
	var ps []float64
	for _, test := range tests {
		ps = append(ps, test.P)
	}
	ps = stats.Holm(ps)
	result := holds
	for i, test := range tests {
		switch {
		case ps[i] < alpha && test.A12 < 0.5:
			return opposite
		case ps[i] >= alpha || test.A12 == 0.5:
			result = open
		}
	}
	return result
}

// figure is a number with a comma behind the thousands; from a hundred thousand on it is rounded to
// thousands.
func figure(v float64) string {
	n := int(math.Round(v))
	switch {
	case n >= 100_000:
		return fmt.Sprintf("%dk", (n+500)/1000)
	case n >= 1000:
		return fmt.Sprintf("%d,%03d", n/1000, n%1000)
	}
	return fmt.Sprint(n)
}

// told prints each claim with the subjects on which it holds, is open, or is refuted.
func (t trials) told(w io.Writer, inputs bool) {
	subjects := t.subjects()
	by := "CPU time"
	if inputs {
		by = "inputs"
	}
	fmt.Fprintf(w, "\nClaims at equal %s. A claim holds on a subject if each comparison is significant (Mann-Whitney, Holm's correction over the comparisons of the subject), and is the other way if one is significantly so.\n\n", by)
	fmt.Fprintln(w, "| claim | needs | holds, p < 0.05 | p < 0.01 | the other way | on | verdict |\n|---|---|---|---|---|---|---|")
	for _, c := range claims {
		var on []string
		n, strict, against := 0, 0, 0
		for _, s := range subjects {
			switch t.check(s, c, inputs, 0.05) {
			case holds:
				n++
				on = append(on, s)
				if t.check(s, c, inputs, 0.01) == holds {
					strict++
				}
			case opposite:
				against++
			}
		}
		need := c.subject(len(subjects))
		fmt.Fprintf(w, "| %s | %d of %d | %d | %d | %d | %s | %s |\n", c.text, need, len(subjects), n, strict, against, strings.Join(on, ", "), verdict(n, against, need, len(subjects)))
	}
}

// verdict is confirmed if a claim holds on as many subjects as it requires. It is refuted if it can
// no longer hold, since it is significantly the other way on too many.
func verdict(holds, against, need, subjects int) string {
	switch {
	case holds >= need:
		return "**confirmed**"
	case against > subjects-need:
		return "**refuted**"
	}
	return "not shown"
}

// published is the mean B(2) after an hour: BeDivFuzz's published data, with its own
// instrumentation. The sixth subject, Nashorn, is left out.
var published = []struct {
	subject string
	b2      map[string]float64
}{
	{"Ant", map[string]float64{"simple": 2959, "structure": 2997, "quickcheck": 2362, "rlcheck": 1315, "zest": 2955}},
	{"Closure", map[string]float64{"simple": 9999, "structure": 10095, "quickcheck": 6967, "rlcheck": 6389, "zest": 7135}},
	{"Maven", map[string]float64{"simple": 1818, "structure": 1849, "quickcheck": 1645, "rlcheck": 538, "zest": 1750}},
	{"Rhino", map[string]float64{"simple": 3800, "structure": 3734, "quickcheck": 2426, "rlcheck": 2577, "zest": 2865}},
	{"Tomcat", map[string]float64{"simple": 3083, "structure": 3036, "quickcheck": 2963, "rlcheck": 874, "zest": 3089}},
}

// gains compares the ratios of B(2) with those published: geometric means over subjects, of means
// over trials.
func (t trials) gains(w io.Writer) {
	fmt.Fprint(w, "\nB(2) of one configuration over that of another: geometric means over the subjects, of means over trials at equal CPU time. Published are five subjects of the paper after an hour.\n\n| | published | here | here, of valid inputs |\n|---|---|---|---|\n")
	geometric := func(ratios []float64) string {
		sum := 0.0
		for _, r := range ratios {
			sum += math.Log(r)
		}
		if len(ratios) == 0 {
			return ""
		}
		return fmt.Sprintf("%.3f", math.Exp(sum/float64(len(ratios))))
	}
	for _, of := range []string{"simple", "structure", "default"} {
		for _, than := range []string{"zest", "quickcheck", "rlcheck"} {
			var theirs, ours, valid []float64
			for _, row := range published {
				if v, ok := row.b2[of]; ok {
					theirs = append(theirs, v/row.b2[than])
				}
			}
			for _, s := range t.subjects() {
				p := t.point(s, false, 1)
				a, b := mean(t.values(s, of, "b2", p)), mean(t.values(s, than, "b2", p))
				if a > 0 && b > 0 {
					ours = append(ours, a/b)
				}
				if a, b = mean(t.values(s, of, "valid_b2", p)), mean(t.values(s, than, "valid_b2", p)); a > 0 && b > 0 {
					valid = append(valid, a/b)
				}
			}
			fmt.Fprintf(w, "| %s over %s | %s | %s | %s |\n", of, than, geometric(theirs), geometric(ours), geometric(valid))
		}
	}
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}

// faults prints, for each kind of failure, the mean time of the trials that found it and their
// share (Table 1). It also prints the claims of RQ3.
func (t trials) faults(w io.Writer, configurations []string) {
	fmt.Fprint(w, "\nFailures (RQ3, Table 1): mean CPU seconds of the trials that found it, and their share.\n\n| subject, failure |")
	for _, c := range configurations {
		fmt.Fprintf(w, " %s |", c)
	}
	fmt.Fprint(w, "\n|---|"+strings.Repeat("---|", len(configurations))+"\n")
	kinds := map[string]int{}
	var structure, random []stats.Stratum
	for _, s := range t.subjects() {
		all := map[string]bool{}
		for _, list := range t[s] {
			for _, one := range list {
				for name := range one.failures() {
					all[name] = true
				}
			}
		}
		for _, name := range keys(all) {
			fmt.Fprintf(w, "| %s, %s |", s, cell(name))
			for _, c := range configurations {
				times := t.times(s, c, name)
				found := slices.DeleteFunc(slices.Clone(times), func(x float64) bool { return math.IsInf(x, 1) })
				if len(found) == 0 {
					fmt.Fprint(w, " - |")
					continue
				}
				kinds[c]++
				fmt.Fprintf(w, " %.1f (%.0f %%) |", mean(found), 100*float64(len(found))/float64(len(times)))
			}
			fmt.Fprintln(w)
			// Later is larger, so that the first of a stratum is the sooner one if its values are the
			// smaller ones.
			structure = append(structure, stats.Stratum{A: t.times(s, "simple", name), B: t.times(s, "structure", name)})
			for _, c := range configurations {
				if c != "quickcheck" {
					random = append(random, stats.Stratum{A: t.times(s, c, name), B: t.times(s, "quickcheck", name)})
				}
			}
		}
	}
	fmt.Fprint(w, "\nKinds of failures that any trial has found:")
	for _, c := range configurations {
		fmt.Fprintf(w, " %s %d.", c, kinds[c])
	}
	fmt.Fprintln(w)
	if len(structure) == 0 {
		fmt.Fprintln(w, "No trial has found a failure: RQ3 is open.")
		return
	}
	say := func(text string, strata []stats.Stratum) {
		r := stats.VanElteren(strata)
		fmt.Fprintf(w, "%s: A12 %.2f, p %.2g (van Elteren's test, by subject and failure; it takes failures of one trial for independent).\n", text, r.A12, r.P)
	}
	say("STRUCTURE sooner than SIMPLE", structure)
	say("QuickCheck sooner than the others", random)
}

// cell is a text for a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

// targets prints what our default is to reach.
func (t trials) targets(w io.Writer, configurations []string) {
	subjects := t.subjects()
	fmt.Fprint(w, "\nThe default, B(2) at equal CPU time: significantly worse than no other on at least seven of ten subjects, better than Zest on at least five.\n\n| subject | worse than | better than |\n|---|---|---|\n")
	kept, ahead := 0, 0
	for _, s := range subjects {
		p := t.point(s, false, 1)
		var than []string
		var tests []stats.Test
		var ps []float64
		for _, c := range configurations {
			if c == "default" || len(t[s][c]) == 0 {
				continue
			}
			test := stats.MannWhitney(t.values(s, "default", "b2", p), t.values(s, c, "b2", p))
			than, tests, ps = append(than, c), append(tests, test), append(ps, test.P)
		}
		ps = stats.Holm(ps)
		var worse, better []string
		for i, c := range than {
			switch {
			case ps[i] >= 0.05:
			case tests[i].A12 < 0.5:
				worse = append(worse, c)
			default:
				better = append(better, c)
			}
		}
		if len(worse) == 0 {
			kept++
		}
		if slices.Contains(better, "zest") {
			ahead++
		}
		fmt.Fprintf(w, "| %s | %s | %s |\n", s, strings.Join(worse, ", "), strings.Join(better, ", "))
	}
	fmt.Fprintf(w, "\nWorse than none on %d of %d subjects, better than Zest on %d.\n", kept, len(subjects), ahead)
}
