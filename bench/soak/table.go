package main

import (
	"fmt"
	"io"

	"parallax/bench/internal/samples"
)

// table prints each tenth of each campaign, and how the last tenth compares with the second: the first has what is done once.
func table(w io.Writer, file string) error {
	all, err := samples.Read[sample](file)
	if err != nil {
		return err
	}
	type campaign struct {
		subject string
		budget  uint64
	}
	second := map[campaign]float64{}
	fmt.Fprintln(w, "| campaign | tenth | inputs | inputs a CPU second | bytes an input | blocks an input | parallax, MiB | largest worker, MiB | all, PSS, MiB | folder, MiB | tuples.log, MiB | corpus | restarts |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, s := range all {
		fmt.Fprintf(w, "| %s | %d | %d | %.0f | %.0f | %.0f | %d | %d | %d | %.1f | %.1f | %d | %d |\n", s.Subject, s.Tenth, s.Inputs, s.Rate, s.MeanBytes, s.MeanBlocks,
			s.Peak.Parallax>>10, s.Peak.Worker>>10, s.Peak.PSS>>10, float64(s.Folder.Bytes)/(1<<20), float64(s.Folder.Tuples)/(1<<20), s.Corpus, s.Restarts)
		c := campaign{s.Subject, s.Budget}
		switch s.Tenth {
		case 2:
			second[c] = s.Rate
		case 10:
			fmt.Fprintf(w, "\n%s: the last tenth has %.2f times the rate of the second.\n\n", s.Subject, s.Rate/second[c])
		}
	}
	return nil
}
