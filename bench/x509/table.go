package main

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"parallax/bench/internal/origin"
	"parallax/internal/stats"
)

// order is that of the columns and rows; what is not there comes behind, by name.
var order = []string{seedsOnly, "random", "frankencert", mucert, libFuzzer, libFuzzer + repairedToo, libFuzzerTimed, libFuzzerTimed + repairedToo, afl, afl + repairedToo, "coverage", "path-coarse", "path-fine", "output", "default"}

// tables prints the tables of the plan, and for x509 those of the other plans too.
func (o *options) tables(w io.Writer) error {
	if o.planName != "x509" {
		return o.byCode(w)
	}
	if err := o.table(w); err != nil {
		return err
	}
	for _, name := range []string{"million", "paper"} {
		other := options{folder: o.folder, examples: o.examples, planName: name}
		if err := other.choose(nil); err != nil {
			return err
		}
		if err := other.byCode(w); err != nil {
			return err
		}
	}
	return nil
}

// table prints what the samples hold. Comparisons with a baseline, and their statistics, are
// parallax bench's.
func (o *options) table(w io.Writer) error {
	if absolute, err := filepath.Abs(o.examples); err != nil {
		return err
	} else {
		o.examples = absolute
	}
	all, trials, err := o.read()
	if err != nil {
		return err
	}
	t, err := o.target()
	if err != nil {
		return err
	}
	j, err := o.readTriaged()
	if err != nil {
		return err
	}
	vectors, err := t.decode(all, j)
	if err != nil {
		return err
	}
	by := map[string][]campaign{}
	var names []string
	for _, c := range all {
		if by[c.Configuration] == nil {
			names = append(names, c.Configuration)
		}
		by[c.Configuration] = append(by[c.Configuration], c)
	}
	place := func(name string) int {
		if i := slices.Index(order, name); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b)) })

	found(w, names, by, j)
	tellTrials(w, trials)
	fmt.Fprint(w, "\nDistinct discrepancies between each two programs, over all trials:\n\n")
	t.pairwise(w, names, by, vectors)
	if j != nil {
		t.frequent(w, j, all)
	}
	return nil
}

// found prints what configurations have found: medians over trials, and how much there is in all
// trials together.
func found(w io.Writer, names []string, by map[string][]campaign, j *triaged) {
	known := map[string]bool{} // to the seeds
	for _, c := range by[seedsOnly] {
		for _, t := range c.Tuples {
			known[t] = true
		}
	}
	fmt.Fprintln(w, "| configuration | trials | inputs | unique discrepancies: median | least to most | that the seeds do not show | in all trials | judged of these: median | buckets: median | in all trials |",
		"output diversity | coarse | fine | blocks covered | inputs a CPU second | CPU seconds | wall seconds |")
	fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", 17))
	sampled := map[string]bool{}
	if j != nil {
		for _, t := range j.Triaged {
			sampled[t] = true
		}
	}
	for _, name := range names {
		trials := by[name]
		tuples := map[string]bool{}
		var filed []float64
		together := map[string]bool{}
		for _, c := range trials {
			for _, t := range c.Tuples {
				tuples[t] = true
			}
			n := 0.0
			for i := range j.buckets() {
				if b := &j.Buckets[i]; c.shows(b) {
					n++
					together[b.ID] = true
				}
			}
			filed = append(filed, n)
		}
		among := func(set map[string]bool, in bool) func(campaign) float64 {
			return func(c campaign) float64 {
				n := 0.0
				for _, t := range c.Tuples {
					if set[t] == in {
						n++
					}
				}
				return n
			}
		}
		median := func(value func(campaign) float64) float64 { return stats.Median(values(trials, value)) }
		unique := values(trials, campaign.unique)
		fmt.Fprintf(w, "| %s | %d | %g | %g | %g to %g | %g | %d | %g | %g | %d | %g | %g | %g | %g of %d | %.0f | %.0f | %.0f |\n",
			name, len(trials), median(func(c campaign) float64 { return float64(c.Inputs) }),
			stats.Median(unique), slices.Min(unique), slices.Max(unique), median(among(known, false)), len(tuples), median(among(sampled, true)), stats.Median(filed), len(together),
			median(func(c campaign) float64 { return float64(c.Output) }), median(func(c campaign) float64 { return float64(c.Coarse) }),
			median(func(c campaign) float64 { return float64(c.Fine) }), median(func(c campaign) float64 { return float64(c.Covered) }), trials[0].Blocks,
			median(func(c campaign) float64 { return float64(c.Inputs) / max(c.CPU, 0.001) }),
			median(func(c campaign) float64 { return c.CPU }), median(func(c campaign) float64 { return c.Wall }))
	}
}

func (c campaign) unique() float64 { return float64(c.Unique) }

func (j *triaged) buckets() []bucket {
	if j == nil {
		return nil
	}
	return j.Buckets
}

func values(all []campaign, value func(campaign) float64) (v []float64) {
	for _, c := range all {
		v = append(v, value(c))
	}
	return v
}

// tellTrials says what fuzzers of one library did, of whose trials the table has the replays.
func tellTrials(w io.Writer, trials []trial) {
	for _, name := range []string{libFuzzer, libFuzzerTimed, afl, mucert} {
		var executed, kept, cpu []float64
		var origins []origin.Origin
		crashes, clang := 0, ""
		for _, t := range trials {
			if cmp.Or(t.Fuzzer, libFuzzer) != name || t.Trial == ofSeeds {
				continue
			}
			origins, clang = append(origins, t.Origin), t.Clang
			executed, kept, cpu = append(executed, float64(t.Executed)), append(kept, float64(t.Corpus)), append(cpu, t.CPU)
			crashes += t.Crashes
		}
		if len(executed) > 0 {
			fmt.Fprintf(w, "\n%s: %d trials of %g executions in %.1f CPU seconds, %g inputs kept (medians), %d crashes. %s; %s.\n",
				name, len(executed), stats.Median(executed), stats.Median(cpu), stats.Median(kept), crashes, clang, origin.Describe(origins))
		}
	}
}

// frequent prints the first of the buckets, as write takes them.
func (t *target) frequent(w io.Writer, j *triaged, all []campaign) {
	trials := 0
	for _, c := range all {
		if c.Configuration != seedsOnly {
			trials++
		}
	}
	fmt.Fprintf(w, "\nAn input of each of %d unique discrepancies was judged, taken at random from %d: %d buckets, %d inputs did not repeat. Those first that the seeds do not show, by the number of trials that have:\n\n",
		j.Inputs, j.Of, len(j.Buckets), j.Flaky)
	fmt.Fprintf(w, "| bucket | kind | trials of %d | the seeds | bytes | accepted by | rejected |\n|---|---|---|---|---|---|---|\n", trials)
	buckets := j.ranked(all)
	for _, s := range buckets[:min(len(buckets), 30)] {
		var accept, reject []string
		for _, p := range t.programs {
			switch class := s.Classes[p]; {
			case s.Outcomes[p] == accepted:
				accept = append(accept, p)
			case class != "":
				reject = append(reject, p+" "+class)
			default:
				reject = append(reject, p+" "+s.Outcomes[p])
			}
		}
		fmt.Fprintf(w, "| %s | %s | %d | %s | %d | %s | %s |\n", s.ID, s.Kind, s.trials, map[bool]string{true: "too"}[s.known], len(s.Input), strings.Join(accept, ", "), strings.Join(reject, ", "))
	}
}
