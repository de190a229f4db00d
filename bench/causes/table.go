package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
)

// table sums up a file of samples, for each half of what was measured.
func table(w io.Writer, file, only string, misses bool) error {
	all, err := samples.Read[sample](file)
	if err != nil {
		return err
	}
	var origins []origin.Origin
	for _, s := range all {
		origins = append(origins, s.Origin)
	}
	fmt.Fprintf(w, "%s\n\n", origin.Describe(origins))
	for _, h := range []string{dev, heldOut} {
		if only != "" && only != h {
			continue
		}
		var ofMutants, ofPuzzles []sample
		for _, s := range all {
			switch {
			case half(s.Name) != h:
			case s.Mutant != nil:
				ofMutants = append(ofMutants, s)
			default:
				ofPuzzles = append(ofPuzzles, s)
			}
		}
		if len(ofPuzzles) > 0 {
			puzzleTable(w, h, ofPuzzles)
		}
		if len(ofMutants) > 0 {
			mutantTable(w, h, ofMutants)
		}
	}
	if misses {
		puzzleList(w, all)
		list(w, all)
	}
	return nil
}

// tally counts campaigns on mutants.
type tally struct {
	mutants   map[string]bool
	campaigns int
	found     int    // campaigns with a discrepancy
	changed   [3]int // largest bucket: the line is among the first 1, 3, 5 of the mutated program
	either    [3]int // or of the original
	near      int    // one of the first three of either program is at most three lines away
	smallest  int    // buckets, of any size, in whose first three places of either program the line is
	buckets   int
	split     int // campaigns with more than one bucket
	crashes   int // campaigns in which the mutant also crashes
}

var depths = [3]int{1, 3, 5}

func (t *tally) add(s *sample) {
	if t.mutants == nil {
		t.mutants = map[string]bool{}
	}
	t.mutants[s.Name] = true
	t.campaigns++
	n := s.discrepancies()
	if len(s.Buckets) > n {
		t.crashes++
	}
	at := s.largest()
	if at < 0 {
		return
	}
	t.found++
	t.buckets += n
	if n > 1 {
		t.split++
	}
	if isNear(s.Buckets[at], s.Mutant) {
		t.near++
	}
	for i, d := range depths {
		if r := s.Ranks[at].Changed; r > 0 && r <= d {
			t.changed[i]++
		}
		if r := s.Ranks[at].either(); r > 0 && r <= d {
			t.either[i]++
		}
	}
	for i, b := range s.Buckets {
		if r := s.Ranks[i].either(); b.Kind == "discrepancy" && r > 0 && r <= 3 {
			t.smallest++
		}
	}
}

func (t *tally) row(w io.Writer, name string) {
	fmt.Fprintf(w, "| %s | %d | %d | %d |", name, len(t.mutants), t.campaigns, t.found)
	for _, counts := range [][3]int{t.either, t.changed} {
		for _, n := range counts {
			fmt.Fprintf(w, " %s |", percent(n, t.found))
		}
	}
	fmt.Fprintf(w, " %s | %s | %.2f | %s | %d |\n", percent(t.near, t.found), percent(t.smallest, t.buckets), float64(t.buckets)/float64(max(1, t.found)), percent(t.split, t.found), t.crashes)
}

// isNear reports whether one of the first three places of a program is at most three lines from the
// cause. A person who looks there sees it.
func isNear(b bucket, m *mutant) bool {
	for _, places := range b.Ranked {
		for _, p := range places[:min(3, len(places))] {
			if m != nil && p.File == m.File && p.Line >= m.Line-3 && p.Line <= m.Line+3 {
				return true
			}
		}
	}
	return false
}

func percent(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(of))
}

func mutantTable(w io.Writer, half string, all []sample) {
	fmt.Fprintf(w, "Mutants, %s: the mutated line among the first places of the largest bucket, in percent of the campaigns that found it\n\n", half)
	fmt.Fprintln(w, "| | mutants | campaigns | found | either: 1 | 3 | 5 | mutated program: 1 | 3 | 5 | near: 3 | all buckets, either: 3 | buckets | split | crash too |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	group := func(key func(*sample) string) {
		tallies := map[string]*tally{}
		var names []string
		for i := range all {
			k := key(&all[i])
			if tallies[k] == nil {
				tallies[k] = &tally{}
				names = append(names, k)
			}
			tallies[k].add(&all[i])
		}
		slices.Sort(names)
		for _, n := range names {
			tallies[n].row(w, n)
		}
	}
	group(func(s *sample) string { return s.Mutant.Library })
	group(func(s *sample) string { return "*" + s.Mutant.Operator + "*" })
	group(func(*sample) string { return "all" })
	fmt.Fprintln(w)
	stability(w, all)
}

// stability compares the buckets of one subject between seeds.
func stability(w io.Writer, all []sample) {
	byName := map[string][]*sample{}
	seeds := map[int]bool{}
	for i := range all {
		if s := &all[i]; s.largest() >= 0 {
			byName[s.Name] = append(byName[s.Name], s)
			seeds[s.Seed] = true
		}
	}
	if len(seeds) < 2 {
		return
	}
	same, several := 0, 0
	overlap, pairs := 0.0, 0
	for _, list := range byName {
		ids := map[string][]string{} // of the largest bucket, by cause; one for each seed
		for i, s := range list {
			for cause, id := range s.leading() {
				ids[cause] = append(ids[cause], id)
			}
			for _, other := range list[:i] {
				overlap += jaccard(s, other)
				pairs++
			}
		}
		for _, of := range ids {
			if len(of) < 2 {
				continue
			}
			several++
			slices.Sort(of)
			if len(slices.Compact(of)) == 1 {
				same++
			}
		}
	}
	fmt.Fprintf(w, "The largest bucket of a cause has one id over %d seeds for %d of the %d causes that two or more seeds found; two runs share %.0f %% of their bucket ids in the mean.\n\n",
		len(seeds), same, several, 100*overlap/float64(max(1, pairs)))
}

// leading is the id of each cause's largest bucket. All discrepancies of a mutant have one cause.
func (s *sample) leading() map[string]string {
	if s.Mutant != nil {
		return map[string]string{"": s.Buckets[s.largest()].ID}
	}
	ids, counts := map[string]string{}, map[string]uint64{}
	for i := range s.Buckets {
		b := &s.Buckets[i]
		common, _ := b.causes()
		if b.Kind != "discrepancy" || len(common) == 0 {
			continue
		}
		cause := fmt.Sprint(common[0])
		if b.Count > counts[cause] {
			ids[cause], counts[cause] = b.ID, b.Count
		}
	}
	return ids
}

// jaccard is the share of common ids among the ids of two campaigns' discrepancies.
func jaccard(a, b *sample) float64 {
	ids := map[string]int{}
	for k, s := range []*sample{a, b} {
		for _, b := range s.Buckets {
			if b.Kind == "discrepancy" {
				ids[b.ID] |= 1 << k
			}
		}
	}
	common := 0
	for _, in := range ids {
		if in == 3 {
			common++
		}
	}
	return float64(common) / float64(max(1, len(ids)))
}

// list prints the causes of dev that were not among the first three places. The other half must not
// influence the tool.
func list(w io.Writer, all []sample) {
	slices.SortStableFunc(all, func(a, b sample) int { return cmp.Or(cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.Name, b.Name)) })
	for i := range all {
		s := &all[i]
		if half(s.Name) != dev || s.Mutant == nil {
			continue
		}
		at := s.largest()
		if at < 0 {
			continue
		}
		if r := s.Ranks[at].either(); (r == 0 || r > 3) || s.discrepancies() > 1 {
			fmt.Fprintf(w, "%s seed %d, %s: %s -> %s, in %s; rank %d\n", s.Name, s.Seed, s.Mutant.Function, s.Mutant.Before, s.Mutant.After, s.Mutant.Function, r)
			for i, b := range s.Buckets {
				if b.Kind == "discrepancy" {
					fmt.Fprintf(w, "    %s %6d %-8s rank %d  %s\n", b.ID, b.Count, b.Layer, s.Ranks[i].either(), b.Minimized)
					for _, program := range programs(b) {
						fmt.Fprintf(w, "        %s %s\n", program, describe(b.Ranked[program]))
					}
				}
			}
		}
	}
}

func programs(b bucket) []string {
	var names []string
	for name := range b.Ranked {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func describe(places []place) string {
	var out []string
	for _, p := range places {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s:%d %s", p.File, p.Line, p.Branch)))
	}
	return strings.Join(out, ", ")
}
