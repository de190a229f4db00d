package main

import (
	"fmt"
	"io"
	"slices"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
	"parallax/internal/stats"
)

// significant is the level below which a difference is called one.
const significant = 0.05

// table prints what the files of samples hold; either may be missing.
func table(w io.Writer, throughput, puzzles string) error {
	runs, err := samples.Read[sample](throughput)
	if err != nil {
		return err
	}
	trials, err := samples.Read[trial](puzzles)
	if err != nil {
		return err
	}
	if len(runs) == 0 && len(trials) == 0 {
		return fmt.Errorf("no samples in %s and %s", throughput, puzzles)
	}
	if len(runs) > 0 {
		rates(w, runs)
	}
	if len(trials) > 0 {
		solved(w, trials)
	}
	return nil
}

// rates compares executions per CPU second of parallax with those of each other side, and what they
// cover.
func rates(w io.Writer, all []sample) {
	by := map[string]map[string][]sample{}
	var origins []origin.Origin
	budget := 0.0
	for _, s := range all {
		if by[s.Subject] == nil {
			by[s.Subject] = map[string][]sample{}
		}
		by[s.Subject][s.Side] = append(by[s.Subject][s.Side], s)
		origins = append(origins, s.Origin)
		budget = max(budget, s.Budget)
	}
	fmt.Fprintln(w, "| subject | side | runs | executions per CPU second: median | least to most | parallax against it (within rounds) | U | p | A12 |",
		"blocks: median | least to most | p | A12 | inputs kept |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, subject := range subjects {
		sides := by[subject]
		if s := sides[seedsAlone]; s != nil {
			fmt.Fprintf(w, "| %s | the seeds | | | | | | | | %d of %d | | | | %d |\n", subject, s[0].Blocks, s[0].Of, s[0].Inputs)
		}
		own := sides[ours]
		for _, side := range []string{ours, noCmpLog, fastOnly, libFuzzer, afl} {
			runs := sides[side]
			if runs == nil {
				continue
			}
			r, b := of(runs, sample.rate), of(runs, sample.blocks)
			fmt.Fprintf(w, "| %s | %s | %d | %.0f | %.0f to %.0f | ", subject, side, len(runs), stats.Median(r), slices.Min(r), slices.Max(r))
			same := inRoundsOf(runs, own)
			speed, reach := stats.MannWhitney(of(same, sample.rate), r), stats.MannWhitney(of(same, sample.blocks), b)
			compared := side != ours && len(same) == len(runs)
			switch {
			case compared && len(runs) > 1:
				fmt.Fprintf(w, "%s%s | %.1f | %s | %.2f | ", ratio(same, runs), verdict(speed), speed.U, probability(speed), speed.A12)
			case compared:
				fmt.Fprintf(w, "%s | | | | ", ratio(same, runs))
			default:
				fmt.Fprint(w, "| | | | ")
			}
			fmt.Fprintf(w, "%g | %g to %g | ", stats.Median(b), slices.Min(b), slices.Max(b))
			if compared && len(runs) > 1 {
				fmt.Fprintf(w, "%s | %.2f%s | ", probability(reach), reach.A12, verdict(reach))
			} else {
				fmt.Fprint(w, "| | ")
			}
			fmt.Fprintf(w, "%g |\n", stats.Median(of(runs, sample.inputs)))
		}
	}
	fmt.Fprintf(w, "\nRuns of %v CPU seconds. %s; %s.\n", budget, origin.Describe(origins), all[0].Clang)
}

// inRoundsOf takes the runs of the rounds that others have been run in, in their order.
func inRoundsOf(others, runs []sample) (same []sample) {
	for _, o := range others {
		for _, r := range runs {
			if r.Round == o.Round {
				same = append(same, r)
			}
		}
	}
	return same
}

// ratio is that of the medians of the rates, and the least and the most within a round.
func ratio(a, b []sample) string {
	var within []float64
	for i := range a {
		within = append(within, a[i].rate()/b[i].rate())
	}
	medians := fmt.Sprintf("%.2f", stats.Median(of(a, sample.rate))/stats.Median(of(b, sample.rate)))
	if len(within) > 1 {
		medians += fmt.Sprintf(" (%.2f to %.2f)", slices.Min(within), slices.Max(within))
	}
	return medians
}

func (s sample) blocks() float64 { return float64(s.Blocks) }
func (s sample) inputs() float64 { return float64(s.Inputs) }

func of(all []sample, value func(sample) float64) (v []float64) {
	for _, s := range all {
		v = append(v, value(s))
	}
	return v
}

// verdict marks what is better or worse for parallax, where that is significant.
func verdict(t stats.Test) string {
	switch {
	case t.P >= significant:
		return ""
	case t.A12 > 0.5:
		return " **+**"
	}
	return " **-**"
}

func probability(t stats.Test) string {
	if t.P < 0.0001 {
		return "<0.0001"
	}
	return fmt.Sprintf("%.4f", t.P)
}

// solved compares executions until the abort. An abort that was not reached counts as later than
// all others.
func solved(w io.Writer, all []trial) {
	by := map[string]map[string][]trial{}
	var names []string
	var origins []origin.Origin
	for _, t := range all {
		if by[t.Puzzle] == nil {
			by[t.Puzzle] = map[string][]trial{}
			names = append(names, t.Puzzle)
		}
		by[t.Puzzle][t.Side] = append(by[t.Puzzle][t.Side], t)
		origins = append(origins, t.Origin)
	}
	slices.Sort(names)
	fmt.Fprintln(w, "\n| puzzle | trials | reached: parallax, libFuzzer | parallax: median executions | least to most | libFuzzer | least to most | U | p | A12 | |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|---|")
	met, some, better, worse := 0, 0, 0, 0
	for _, name := range names {
		a, b := times(by[name][ours]), times(by[name][libFuzzer])
		if len(a) == 0 || len(b) == 0 {
			continue
		}
		t := stats.CompareTimes(a, b)
		word := "="
		switch {
		case t.P < significant && t.A12 > 0.5:
			word, better = "earlier", better+1
		case t.P < significant:
			word, worse = "**later**", worse+1
		}
		if stats.CountHappened(a)+stats.CountHappened(b) > 0 {
			some++
			if stats.Median(a) <= stats.Median(b) {
				met++
			}
		}
		fmt.Fprintf(w, "| %s | %d, %d | %d, %d | %s | %s | %s | %s | %.1f | %s | %.2f | %s |\n", name, len(a), len(b), stats.CountHappened(a), stats.CountHappened(b),
			median(a), spread(a), median(b), spread(b), t.U, probability(t), t.A12, word)
	}
	fmt.Fprintf(w, "\nThe median of parallax is no more than libFuzzer's on %d of the %d that either reached. Earlier on %d, later on %d. Given up after %d executions. %s; %s.\n",
		met, some, better, worse, all[0].Cap, origin.Describe(origins), all[0].Clang)
}

func times(all []trial) (v []float64) {
	for _, t := range all {
		if t.Reached {
			v = append(v, float64(t.Executions))
		} else {
			v = append(v, stats.Never)
		}
	}
	return v
}

func median(times []float64) string {
	m, ok := stats.MedianTime(times)
	if !ok {
		return "never"
	}
	return fmt.Sprintf("%.0f", m)
}

func spread(times []float64) string {
	least, most := slices.Min(times), slices.Max(times)
	switch {
	case least == stats.Never:
		return ""
	case most == stats.Never:
		return fmt.Sprintf("%.0f to never", least)
	}
	return fmt.Sprintf("%.0f to %.0f", least, most)
}
