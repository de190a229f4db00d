package main

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"

	"parallax/bench/internal/samples"
)

// campaign is one of those in a file of samples: the tenths that it has so far.
type campaign struct {
	subject string
	budget  uint64
	tenths  []sample
}

// table prints each tenth of the campaigns of the subjects that match, and compares the last tenth
// with the second. The first tenth includes work that is done once. For a subject it takes the
// longest campaign, or that of the given number of inputs.
func table(w io.Writer, file, only string, inputs uint64) error {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	all, err := samples.Read[sample](file)
	if err != nil {
		return err
	}
	chosen := map[string]*campaign{}
	var order []*campaign
	for _, s := range all {
		if !pattern.MatchString(s.Subject) || inputs > 0 && s.Budget != inputs {
			continue
		}
		c := chosen[s.Subject]
		if c == nil {
			c = &campaign{subject: s.Subject}
			chosen[s.Subject], order = c, append(order, c)
		}
		if s.Budget > c.budget {
			c.budget, c.tenths = s.Budget, nil
		}
		if s.Budget == c.budget {
			c.tenths = append(c.tenths, s)
		}
	}
	if len(order) == 0 {
		return fmt.Errorf("%s: no such samples", file)
	}
	for i, c := range order {
		if i > 0 {
			fmt.Fprintln(w)
		}
		c.print(w)
	}
	return nil
}

func (c *campaign) print(w io.Writer) {
	fmt.Fprintln(w, "| campaign | tenth | inputs | inputs per CPU second | bytes per input | blocks per input | million blocks per CPU second |",
		"parallax, MiB | largest worker, MiB | all, PSS, MiB | folder, MiB | corpus | load at the end |")
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
	var second, last *sample
	for i := range c.tenths {
		s := &c.tenths[i]
		load, _, _ := strings.Cut(s.Load, " ")
		fmt.Fprintf(w, "| %s | %d | %d | %.0f | %s | %s | %s | %.0f | %.0f | %.0f | %.1f | %d | %s |\n", s.Subject, s.Tenth, s.Inputs, s.Rate,
			known(s.MeanBytes), known(s.MeanBlocks), known(s.blocks()/1e6),
			mebi(s.Peak.Parallax), mebi(s.Peak.Worker), mebi(s.Peak.PSS), float64(s.Folder.Bytes)/(1<<20), s.Corpus, load)
		switch s.Tenth {
		case 2:
			second = s
		case 10:
			last = s
		}
	}
	if second == nil || last == nil {
		return
	}
	fmt.Fprintf(w, "\n%s: the last tenth has %.2f times the inputs per CPU second of the second tenth", c.subject, last.Rate/second.Rate)
	if second.blocks() > 0 && last.blocks() > 0 {
		fmt.Fprintf(w, ", and %.2f times the blocks", last.blocks()/second.blocks())
	}
	fmt.Fprintln(w, ".")
}

// blocks that the programs enter per CPU second.
func (s *sample) blocks() float64 { return s.MeanBlocks * s.Rate }

// known is a number that older samples lack.
func known(x float64) string {
	if x == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f", math.Round(x))
}

func mebi(kib int) float64 { return float64(kib) / (1 << 10) }
