package main

import (
	"fmt"
	"io"
	"slices"

	"parallax/bench/internal/samples"
	"parallax/internal/stats"
)

// print prints the medians of both trees, and the median of the ratios of the rounds.
func print(w io.Writer, file string) error {
	all, err := samples.Read[sample](file)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("%s has no samples", file)
	}
	fmt.Fprint(w, "| benchmark | base | present | present over base, by rounds | rounds |\n|---|---|---|---|---|\n")
	for _, b := range benchmarks {
		value := map[string]map[int]float64{"base": {}, "present": {}}
		var plain []float64
		for _, s := range all {
			if s.Benchmark == b.name {
				value[s.Build][s.Round] = s.Value
				plain = append(plain, s.Plain)
			}
		}
		var base, present, ratios []float64
		for round, v := range value["base"] {
			if now, ok := value["present"][round]; ok {
				base, present, ratios = append(base, v), append(present, now), append(ratios, now/v)
			}
		}
		if len(ratios) == 0 {
			continue
		}
		name := b.name + ": " + b.unit
		if b.drawn {
			name += fmt.Sprintf("; programs of %.0f µs", stats.Median(plain))
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %d |\n", name, spread(base, "%.1f"), spread(present, "%.1f"), spread(ratios, "%.2f"), len(ratios))
	}
	return nil
}

// spread returns the median of some numbers with their range.
func spread(list []float64, format string) string {
	return fmt.Sprintf(format+" ("+format+" to "+format+")", stats.Median(list), slices.Min(list), slices.Max(list))
}
