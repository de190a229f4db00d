package main

import (
	"fmt"
	"math"
	"slices"

	"parallax/internal/stats"
)

// table prints, for each subject and interpreter, the ratios of processor time to that without
// coverage, by rounds.
func (b *bench) table() {
	type row struct{ subject, interpreter string }
	var rows []row
	for _, s := range b.done {
		if r := (row{s.Subject, s.Interpreter}); !slices.Contains(rows, r) {
			rows = append(rows, r)
		}
	}
	fmt.Println("| package | interpreter | us per input without | inserted: median (least, most) | of the least times | start, s | the other way |")
	fmt.Println("|---|---|---|---|---|---|---|")
	for _, r := range rows {
		times, starts := map[string]map[int]float64{}, map[string][]float64{}
		for _, s := range b.done {
			if (row{s.Subject, s.Interpreter}) != r {
				continue
			}
			if times[s.How] == nil {
				times[s.How] = map[int]float64{}
			}
			times[s.How][s.Round] = s.CPU / float64(s.Inputs) * 1e6
			starts[s.How] = append(starts[s.How], s.Start)
		}
		var off []float64
		for _, t := range times["off"] {
			off = append(off, t)
		}
		other := ""
		for _, how := range []string{"monitoring", "v8"} {
			if len(times[how]) > 0 {
				other = how + ": " + ratios(times[how], times["off"])
			}
		}
		fmt.Printf("| %s | %s | %.0f | %s | %.2f | %.2f, without %.2f | %s |\n", r.subject, r.interpreter, stats.Median(off),
			ratios(times["inserted"], times["off"]), least(times["inserted"])/least(times["off"]), stats.Median(starts["inserted"]), stats.Median(starts["off"]), other)
	}
}

// ratios are those of the rounds that both have.
func ratios(with, without map[int]float64) string {
	var all []float64
	for round, t := range with {
		if w, ok := without[round]; ok {
			all = append(all, t/w)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f (%.2f, %.2f)", stats.Median(all), slices.Min(all), slices.Max(all))
}

// least is the time of the round that was disturbed least.
func least(times map[int]float64) float64 {
	l := math.Inf(1)
	for _, t := range times {
		l = min(l, t)
	}
	return l
}
