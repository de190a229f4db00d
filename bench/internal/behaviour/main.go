// Behavior reads the samples of bench/behaviour and prints the results for the claims of BeDivFuzz
// (sections 4.2 to 4.4), next to the published figures. It also prints the results for the goals of
// parallax's default. parallax bench has the tables of all figures.
//
//	go run ./internal/behaviour behaviour/behaviour.samples.jsonl behaviour/default.samples.jsonl
//
// If several files have a configuration on a subject, the last file counts.
package main

import (
	"fmt"
	"io"
	"os"
	"slices"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "behaviour: which samples? go run ./internal/behaviour FILE.samples.jsonl...")
		os.Exit(2)
	}
	all, err := readAll(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "behaviour:", err)
		os.Exit(1)
	}
	print(os.Stdout, all)
}

func print(w io.Writer, all []*sample) {
	t := group(all)
	var configurations []string
	least := 0
	for _, s := range t.subjects() {
		for c, list := range t[s] {
			if !slices.Contains(configurations, c) {
				configurations = append(configurations, c)
			}
			if least == 0 || len(list) < least {
				least = len(list)
			}
		}
	}
	slices.Sort(configurations)
	fmt.Fprintf(w, "%d trials on %d subjects, at least %d of each configuration that has any.\n", len(all), len(t), least)
	t.medians(w, configurations)
	t.told(w, false)
	t.told(w, true)
	t.gains(w)
	t.targets(w, configurations)
	t.faults(w, configurations)
}
