// Behavior reads the samples of bench/behaviour and prints the results for the claims of BeDivFuzz
// (sections 4.2 to 4.4), next to the published figures. It also prints the results for the goals of
// parallax's default. parallax bench has the tables of all figures.
//
//	go run ./internal/behaviour behaviour/behaviour.samples.jsonl behaviour/default.samples.jsonl
//
// If several files have a configuration on a subject, the last file counts.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() {
	table := flag.String("table", "", "print only the table with that `name`: "+strings.Join(names(), ", "))
	flag.Parse()
	if flag.NArg() == 0 || *table != "" && !slices.Contains(names(), *table) {
		fmt.Fprintln(os.Stderr, "behaviour: which samples, and which table? go run ./internal/behaviour [-table "+strings.Join(names(), "|")+"] FILE.samples.jsonl...")
		os.Exit(2)
	}
	all, err := readAll(flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "behaviour:", err)
		os.Exit(1)
	}
	if *table != "" {
		group(all).table(os.Stdout, *table)
		return
	}
	print(os.Stdout, all)
}

// lead is the name of the table of SIMPLE's lead over Zest.
const lead = "lead"

// names returns the names of the tables that can be printed alone.
func names() []string {
	list := []string{lead}
	for _, m := range measures {
		list = append(list, m.name)
	}
	return list
}

// table prints one table without a heading, for the page.
func (t trials) table(w io.Writer, name string) {
	if name == lead {
		t.lead(w, "simple", "zest")
		return
	}
	for _, m := range measures {
		if m.name == name {
			t.medians(w, m)
		}
	}
}

func print(w io.Writer, all []*sample) {
	t := group(all)
	configurations := t.configurations()
	least := 0
	for _, s := range t.subjects() {
		for _, list := range t[s] {
			if least == 0 || len(list) < least {
				least = len(list)
			}
		}
	}
	fmt.Fprintf(w, "%d trials on %d subjects, at least %d of each configuration that has any.\n", len(all), len(t), least)
	for _, m := range measures {
		also := ""
		if m.valid != "" {
			also = "; over all traces, and over those of valid inputs"
		}
		fmt.Fprintf(w, "\n%s, medians at equal CPU time%s:\n\n", m.text, also)
		t.medians(w, m)
	}
	fmt.Fprint(w, "\nB(2) of SIMPLE and Zest at equal CPU time: medians, A12, and p of Mann-Whitney's test with Holm's correction over both columns.\n\n")
	t.lead(w, "simple", "zest")
	t.told(w, false)
	t.told(w, true)
	t.gains(w)
	t.targets(w, configurations)
	t.faults(w, configurations)
}
