package main

import (
	"fmt"
	"slices"

	"parallax/bench/internal/process"
)

// run has the parts of a sample of reach and of c that the plot of coverage shows. Samples of the
// seeds alone, and those of earlier revisions, have no series.
type run struct {
	Subject, Side string
	Budget        float64 `json:"budget_cpu_seconds"`
	Series        *process.Series
}

// at is the number of blocks after some CPU seconds.
func (r *run) at(seconds float64) float64 {
	blocks := 0
	for i, s := range r.Series.Seconds {
		if float64(s) <= seconds {
			blocks = r.Series.Blocks[i]
		}
	}
	return float64(blocks)
}

// coverage draws the blocks covered over CPU time, subject by subject and side by side.
func coverage(files []string) ([]byte, error) {
	f := figure{title: "Blocks covered over CPU time", columns: 3}
	var sides []string
	least, most := 0, 0
	for _, file := range files {
		all, err := read[run](file)
		if err != nil {
			return nil, err
		}
		runs := map[string]map[string][]*run{}
		var subjects []string
		for _, r := range all {
			if r.Series == nil {
				continue
			}
			if runs[r.Subject] == nil {
				runs[r.Subject] = map[string][]*run{}
				subjects = append(subjects, r.Subject)
			}
			if !slices.Contains(sides, r.Side) {
				sides = append(sides, r.Side)
			}
			runs[r.Subject][r.Side] = append(runs[r.Subject][r.Side], r)
		}
		for _, subject := range subjects {
			p := panel{title: subject, x: axis{name: "CPU seconds"}}
			for color, side := range sides {
				trials := runs[subject][side]
				if len(trials) == 0 {
					continue
				}
				l := line{name: side, color: color, steps: true}
				for second := 0.0; second <= trials[0].Budget; second++ {
					l.x = append(l.x, second)
				}
				l.y, l.low, l.high = band(l.x, trials, (*run).at)
				p.x.hi, p.y.hi = max(p.x.hi, trials[0].Budget), max(p.y.hi, slices.Max(l.high))
				if low := slices.Min(l.low); len(p.lines) == 0 || low < p.y.lo {
					p.y.lo = low
				}
				p.lines = append(p.lines, l)
				if least == 0 || len(trials) < least {
					least = len(trials)
				}
				most = max(most, len(trials))
			}
			p.y.hi = max(p.y.hi, p.y.lo+1)
			f.panels = append(f.panels, p)
		}
	}
	if f.panels == nil {
		return nil, fmt.Errorf("%s: no samples with a series", sources(files))
	}
	f.notes = []string{
		fmt.Sprintf("Medians of %s trials each; bands: intervals of the median with at least 95 %%.", span(least, most)),
		"Axes begin at the least number of blocks. An input counts in the second in which its file was written.",
		"Data: " + sources(files),
	}
	return f.draw(), nil
}
