package main

import (
	"fmt"
	"slices"
	"strings"

	"parallax/internal/stats"
)

// comparison compares the new version next to the old one with the new version alone.
func (m *measured) comparison() []string {
	if !slices.Contains(m.configurations, alone) || !slices.Contains(m.configurations, ours) {
		return nil
	}
	lines := head("old beside new, against new alone", []string{
		"witness's finding", "alone", "new, changed, old, fixed buckets", "alone: failures", "inputs", "alone", "told",
	})
	only, both, times := 0, 0, []float64{}
	for _, s := range m.subjects {
		beside, single := m.runs[s.Subject][ours], m.runs[s.Subject][alone]
		if len(beside) == 0 || len(single) == 0 {
			continue
		}
		seen := func(list []sample) (n int) {
			for _, t := range list {
				if t.Witness != nil {
					n++
				}
			}
			return n
		}
		status := func(name string) string {
			return median(beside, func(s sample) float64 { return float64(s.Statuses[name]) })
		}
		inputs := func(s sample) float64 { return float64(s.Inputs) }
		told := ""
		switch a, b := seen(beside), seen(single); {
		case s.Kind == control && b > 0:
			told = "that it is old"
		case s.Kind == control:
		case a > 0 && b == 0:
			told = "only by the comparison"
		case a == 0 && b > 0:
			told = "only alone"
		case a > 0:
			told = "by both"
		}
		if s.Kind != control && !s.Development {
			switch told {
			case "only by the comparison":
				only++
			case "by both":
				both++
			}
		}
		times = append(times, stats.Median(values(single, inputs))/stats.Median(values(beside, inputs)))
		lines = append(lines, row(named(s), []string{
			fmt.Sprintf("%d of %d", seen(beside), len(beside)), fmt.Sprintf("%d of %d", seen(single), len(single)),
			strings.Join([]string{status("new"), status("changed"), status("old"), status("fixed")}, ", "),
			median(single, func(s sample) float64 { return float64(s.Statuses["new"]) }),
			median(beside, inputs), median(single, inputs), told,
		}))
	}
	return append(lines, "", fmt.Sprintf("Of the held-out regressions, %d were found only by the comparison and %d by both. Alone, %.2f times as many inputs were run in the same budget (median).",
		only, both, stats.Median(times)))
}

// controls says what was reported where nothing is new.
func (m *measured) controls() []string {
	lines := head("controls: trials with a new finding; with any, old ones left out", m.configurations)
	for _, s := range m.subjects {
		if s.Kind != control {
			continue
		}
		cells := m.cells(s, m.configurations, func(_ string, list []sample) string {
			wrong, some := 0, 0
			for _, t := range list {
				if t.Statuses["new"] > 0 {
					wrong++
				}
				if t.Statuses["new"]+t.Statuses["changed"]+t.Statuses["fixed"] > 0 {
					some++
				}
			}
			return fmt.Sprintf("%d; %d of %d", wrong, some, len(list))
		})
		lines = append(lines, row(fmt.Sprintf("%s (%s)", named(s), s.Control), cells))
	}
	if len(lines) == 2 {
		return nil
	}
	return lines
}
