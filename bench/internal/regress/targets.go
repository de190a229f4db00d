package main

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"parallax/internal/stats"
)

// Time to blocks with a change that are drawn at random: Table 5 of the paper.

const (
	// drawSeed is the seed of the draw, which bench/regress/README.md names.
	drawSeed = 20220131
	// drawn is how many blocks a pair has: as many as in the paper.
	drawn = 2
)

// target is a block with a change of a pair.
type target struct {
	subject sample
	block   int
	at      string // its place; "" where no trial executed it
}

// draw chooses among the blocks with a change of a pair, by its name and the written seed alone.
func draw(subject string, blocks int) []int {
	h := fnv.New64a()
	h.Write([]byte(subject))
	list := rand.New(rand.NewPCG(drawSeed, h.Sum64())).Perm(blocks)
	list = list[:min(drawn, len(list))]
	slices.Sort(list)
	return list
}

func (t target) String() string {
	text := fmt.Sprintf("%s, block %d of %d", named(t.subject), t.block+1, t.subject.Change.Blocks)
	if t.at != "" {
		text += " (" + t.at + ")"
	}
	return text
}

// targets are the blocks that were drawn for some subjects.
func (m *measured) targets(subjects []sample) (list []target) {
	for _, s := range subjects {
		at := m.locations(s.Subject)
		pair := m.pair(s)
		for _, block := range draw(s.Subject, pair.Change.Blocks) {
			list = append(list, target{pair, block, at[block]})
		}
	}
	return list
}

// locations are the places of the blocks with a change that some trial has written down.
func (m *measured) locations(subject string) map[int]string {
	at := map[int]string{}
	for _, c := range m.schedules() {
		for _, s := range m.runs[subject][c] {
			for _, r := range s.First {
				if r.Location != "" {
					at[r.Block] = r.Location
				}
			}
		}
	}
	return at
}

// arrival is when a trial executed a block first.
func (s sample) arrival(block int) (r reached, ok bool) {
	for _, r := range s.First {
		if r.Block == block {
			return r, true
		}
	}
	return r, false
}

// clock is a way to measure the time of a trial.
type clock struct {
	name string
	of   func(reached) float64
}

var clocks = []clock{
	{"CPU seconds", func(r reached) float64 { return r.CPU }},
	{"inputs", func(r reached) float64 { return float64(r.Inputs) }},
}

// times are when the trials of a configuration executed a block.
func (m *measured) times(subject, configuration string, block int, c clock) (list []float64) {
	for _, s := range m.runs[subject][configuration] {
		if r, ok := s.arrival(block); ok {
			list = append(list, c.of(r))
		} else {
			list = append(list, stats.Never)
		}
	}
	return list
}

// timeToTargets is Table 5, by the CPU time.
func (m *measured) timeToTargets() []string {
	names := m.present(principal)
	list := m.targets(m.subjects)
	if len(list) == 0 || !m.recorded() {
		return nil
	}
	type pair struct {
		target int
		name   string
	}
	tests := map[pair]compared{}
	var keys []pair
	var p []float64
	for i, t := range list {
		base := m.times(t.subject.Subject, baseline, t.block, clocks[0])
		for _, name := range names {
			own := m.times(t.subject.Subject, name, t.block, clocks[0])
			if name == baseline || len(own) == 0 || len(base) == 0 || stats.CountHappened(own)+stats.CountHappened(base) == 0 {
				continue
			}
			test := stats.CompareTimes(own, base)
			keys, p = append(keys, pair{i, name}), append(p, test.P)
			tests[pair{i, name}] = compared{test: test}
		}
	}
	for i, corrected := range stats.Holm(p) {
		t := tests[keys[i]]
		t.corrected = corrected
		tests[keys[i]] = t
	}
	lines := head("Table 5: CPU seconds to two blocks with a change", names)
	for i, t := range list {
		var cells []string
		for _, name := range names {
			cpu, inputs := m.times(t.subject.Subject, name, t.block, clocks[0]), m.times(t.subject.Subject, name, t.block, clocks[1])
			if len(cpu) == 0 {
				cells = append(cells, "")
				continue
			}
			text := "T/O"
			if median, ok := stats.MedianTime(cpu); ok {
				text = fmt.Sprintf("%.2f", median)
				if n, ok := stats.MedianTime(inputs); ok {
					text += fmt.Sprintf(" (%.0f)", n)
				}
			}
			text += fmt.Sprintf(", %d of %d", stats.CountHappened(cpu), len(cpu))
			if test, is := tests[pair{i, name}]; is {
				text += "; " + test.String()
			}
			cells = append(cells, text)
		}
		lines = append(lines, row(t.String(), cells))
	}
	return append(lines, "", fmt.Sprintf("Medians (and inputs before it), and how many trials executed it; T/O where fewer than half did. The blocks are drawn by the seed %d. "+
		"Mann-Whitney U against %s, T/O as the latest of all, p corrected by Holm for all tests of the table, and A12: how likely a trial is sooner.", drawSeed, baseline))
}

// recorded reports whether trials have written down when blocks were executed: those of an earlier
// runner have not.
func (m *measured) recorded() bool {
	for _, runs := range m.runs {
		for _, list := range runs {
			for _, s := range list {
				if len(s.First) > 0 || s.Change.Blocks > 0 {
					return true
				}
			}
		}
	}
	return false
}

// saved sums up the medians of two configurations over targets that both execute in half of their
// trials, as the paper does: "T/O excluded".
func (m *measured) saved(list []target, of, than string, c clock) (own, other float64, counted, left int) {
	for _, t := range list {
		a, aOK := stats.MedianTime(m.times(t.subject.Subject, of, t.block, c))
		b, bOK := stats.MedianTime(m.times(t.subject.Subject, than, t.block, c))
		if !aOK || !bOK {
			left++
			continue
		}
		own, other, counted = own+a, other+b, counted+1
	}
	return own, other, counted, left
}

// sooner compares two configurations over targets: each is a stratum, in which a trial that did not
// execute it is later than all others.
func (m *measured) sooner(list []target, of, than string, c clock) stats.Stratified {
	var strata []stats.Stratum
	later := func(times []float64) (v []float64) {
		for _, t := range times {
			v = append(v, -t)
		}
		return v
	}
	for _, t := range list {
		strata = append(strata, stats.Stratum{A: later(m.times(t.subject.Subject, of, t.block, c)), B: later(m.times(t.subject.Subject, than, t.block, c))})
	}
	return stats.VanElteren(strata)
}

// allTargets says what part of the blocks with a change that need fuzzing each configuration
// executes sooner than another, in the median trial.
func (m *measured) allTargets(subjects []sample, of, than string) string {
	sooner, later, ratios := 0, 0, []float64{}
	both := m.complete(subjects, []string{of, than})
	if len(both) == 0 {
		return "nothing to compare"
	}
	for _, s := range both {
		for block := range m.pair(s).Change.Blocks {
			a, aOK := stats.MedianTime(m.times(s.Subject, of, block, clocks[1]))
			b, bOK := stats.MedianTime(m.times(s.Subject, than, block, clocks[1]))
			switch {
			case !aOK && !bOK || aOK && bOK && a == b:
				continue
			case aOK && (!bOK || a < b):
				sooner++
			default:
				later++
			}
			if aOK && bOK && b > 0 {
				ratios = append(ratios, a/b)
			}
		}
	}
	text := fmt.Sprintf("%d sooner, %d later", sooner, later)
	if len(both) < len(subjects) {
		text += fmt.Sprintf(", on %d of %d pairs, which have trials of both", len(both), len(subjects))
	}
	if len(ratios) > 0 {
		text += fmt.Sprintf(", median ratio of inputs %.2f", stats.Median(ratios))
	}
	return text
}

// pair returns a trial of a subject that describes the change. It prefers trials with the whole
// impact analysis.
func (m *measured) pair(s sample) sample {
	for _, name := range m.schedules() {
		if !strings.HasPrefix(name, "delta-") || name == "delta-visits" {
			for _, t := range m.runs[s.Subject][name] {
				if t.Change.All > 0 {
					return t
				}
			}
		}
	}
	for _, name := range m.configurations {
		for _, t := range m.runs[s.Subject][name] {
			return t
		}
	}
	return s
}

// mean is the mean of some values; 0 of none.
func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / math.Max(1, float64(len(v)))
}
