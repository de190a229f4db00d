package main

import (
	"fmt"
	"math"
	"slices"
)

// shown are the guidances of delta that are drawn, with their colors: those of the first row of its
// tables. The two as published, with coverage added, are in ranks.svg.
var shown = []string{"default", "coverage", "path-coarse", "path-fine", "output", "random"}

// discrepancies draws the unique discrepancies over inputs, group by group.
func discrepancies(files []string) ([]byte, error) {
	all, err := read[trial](files[0])
	if err != nil {
		return nil, err
	}
	g := group(all)
	f := figure{title: "Unique discrepancies over inputs, by guidance", columns: 3}
	least, most := math.MaxInt, 0
	for _, subject := range g.subjects {
		end := g.least(subject, inputs)
		p := panel{title: subject, x: axis{"inputs", 100, end, true}}
		points := spaced(p.x.lo, p.x.hi, 60)
		for color, name := range shown {
			trials := g.of[subject][name]
			if len(trials) == 0 {
				return nil, fmt.Errorf("%s has no trials of %s", subject, name)
			}
			l := line{name: name, color: color, x: points}
			var low, high []float64
			l.y, low, high = band(points, trials, func(t *trial, at float64) float64 { return value(at, t.Series.Inputs, t.Series.Unique) })
			if name == "default" || name == "coverage" { // bands of all would hide each other
				l.low, l.high = low, high
			}
			p.y.hi = max(p.y.hi, slices.Max(high))
			p.lines = append(p.lines, l)
			least, most = min(least, len(trials)), max(most, len(trials))
		}
		f.panels = append(f.panels, p)
	}
	f.notes = []string{
		fmt.Sprintf("Medians of %s trials each; bands: intervals of the median with at least 95 %%, of default and coverage.", span(least, most)),
		"Budget: 2 CPU seconds; drawn up to the inputs that all trials of a group reached.",
		"On semver, toml and url the default was chosen. Data: " + sources(files),
	}
	return f.draw(), nil
}

// known draws the share of trials that have found a known difference of versions, over inputs.
func known(files []string) ([]byte, error) {
	p := panel{title: "share of trials that found the known difference", x: axis{"inputs", 10, 0, true}, y: axis{hi: 1}}
	f := figure{title: "Known differences of versions, found over inputs", columns: 2}
	names := []string{"before: without coverage", "after: the same, with cells and words", "covered: coverage by lines, the default"}
	for i, file := range files {
		all, err := read[trial](file)
		if err != nil {
			return nil, err
		}
		var at []float64
		subjects := map[string]bool{}
		for _, t := range all {
			subjects[t.Subject] = true
			p.x.hi = max(p.x.hi, t.Inputs)
			if first, ok := t.first(); ok {
				at = append(at, max(first, p.x.lo))
			}
		}
		f.notes = append(f.notes, fmt.Sprintf("%s: %d of %d trials on %d pairs", names[i], len(at), len(all), len(subjects)))
		p.lines = append(p.lines, shares(names[i], len(files)-1-i, at, len(all), p.x))
	}
	f.panels = []panel{p}
	f.notes = append(f.notes, fmt.Sprintf("Budget: %s inputs. Pairs have different numbers of trials.", short(p.x.hi)), "Data: "+sources(files))
	return f.draw(), nil
}

// first returns the inputs until the first finding of a known cause.
func (t *trial) first() (at float64, ok bool) {
	for _, b := range t.Buckets {
		if b.Cause != "" && (!ok || b.FoundAt < at) {
			at, ok = b.FoundAt, true
		}
	}
	return at, ok
}

// shares is the curve of what was found at some times, of so many trials.
func shares(name string, color int, at []float64, of int, x axis) line {
	slices.Sort(at)
	l := line{name: name, color: color, steps: true, x: []float64{x.lo}, y: []float64{0}}
	for i, one := range at {
		l.x, l.y = append(l.x, one), append(l.y, float64(i+1)/float64(of))
	}
	last := l.y[len(l.y)-1]
	l.x, l.y = append(l.x, x.hi), append(l.y, last)
	return l
}

func span(least, most int) string {
	if least == most {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d to %d", least, most)
}
