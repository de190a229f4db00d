package main

import (
	"fmt"
	"io"
	"slices"

	"parallax/puzzles/several"
)

// puzzleTally counts what campaigns on puzzles showed of their causes.
type puzzleTally struct {
	causes  int // planted, once for each campaign
	found   int // a bucket is theirs, or they are in one with others
	lost    int // others that inputs show as they were found, but no minimized one does
	split   int // found ones with more than one bucket of their own
	merged  int // found ones that share a bucket with another cause: not all of its inputs show them
	buckets int
	mixed   int // buckets whose inputs have no cause in common
	joint   int // buckets all of whose inputs take two causes together
	located [3]int
	changed [3]int
	certain int // first places of buckets of one cause that are ends of the failed check
	right   int // those on the line of the cause

	variants int // of the buckets
	hiding   int // those whose inputs have no cause in common: an accepted one hides another
}

func (t *puzzleTally) add(p *several.Puzzle, s *sample) {
	own := make([]int, len(p.Causes))
	shared := make([]bool, len(p.Causes))
	raw := make([]bool, len(p.Causes)) // shown by an input as it was found
	best := make([]int, len(p.Causes)) // 1 + index of the largest bucket of a cause
	for i := range s.Buckets {
		b := &s.Buckets[i]
		if b.Kind != "discrepancy" {
			continue
		}
		t.buckets++
		common, all := b.causes()
		for _, v := range b.variants() {
			t.variants++
			if of, any := v.causes(); len(of) == 0 && len(any) > 0 {
				t.hiding++
			}
		}
		for _, f := range b.Inputs {
			for _, c := range f.Shown {
				raw[c] = true
			}
		}
		switch {
		case len(all) == 0:
			t.joint++
		case len(common) == 0:
			t.mixed++
			for _, c := range all {
				shared[c] = true
			}
		default:
			c := common[0]
			own[c]++
			t.certain += s.Ranks[i].Certain
			t.right += s.Ranks[i].Right
			if best[c] == 0 || b.Count > s.Buckets[best[c]-1].Count {
				best[c] = i + 1
			}
		}
	}
	for c := range p.Causes {
		t.causes++
		if own[c] == 0 && !shared[c] {
			if raw[c] {
				t.lost++
			}
			continue
		}
		t.found++
		if own[c] > 1 {
			t.split++
		}
		if shared[c] {
			t.merged++
		}
		if best[c] == 0 {
			continue
		}
		r := s.Ranks[best[c]-1]
		for k, d := range depths {
			if n := r.either(); n > 0 && n <= d {
				t.located[k]++
			}
			if r.Changed > 0 && r.Changed <= d {
				t.changed[k]++
			}
		}
	}
}

func (t *puzzleTally) row(w io.Writer, name string) {
	fmt.Fprintf(w, "| %s | %d | %d | %d | %s | %s |", name, t.causes, t.found, t.lost, percent(t.split, t.found), percent(t.merged, t.found))
	fmt.Fprintf(w, " %d | %.2f | %d | %d |", t.buckets, float64(t.buckets)/float64(max(1, t.found)), t.mixed, t.joint)
	for _, counts := range [][3]int{t.located, t.changed} {
		for _, n := range counts {
			fmt.Fprintf(w, " %s |", percent(n, t.found))
		}
	}
	fmt.Fprintln(w)
}

func puzzleTable(w io.Writer, half string, all []sample) {
	fmt.Fprintf(w, "Puzzles, %s: causes of all campaigns, and the line of a cause among the first places of its largest bucket\n\n", half)
	fmt.Fprintln(w, "| | causes | found | lost | split | merged | buckets | a cause | mixed | joint | either: 1 | 3 | 5 | program B: 1 | 3 | 5 |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	var total puzzleTally
	for i := range several.Puzzles {
		p := &several.Puzzles[i]
		var t puzzleTally
		for k := range all {
			if all[k].Name == "puzzles/"+p.Name {
				t.add(p, &all[k])
				total.add(p, &all[k])
			}
		}
		if t.causes > 0 {
			t.row(w, p.Name)
		}
	}
	total.row(w, "all")
	if total.certain > 0 {
		fmt.Fprintf(w, "\nFirst places that end the failed check, of buckets of one cause: %d, of them on the line of the cause: %d\n", total.certain, total.right)
	}
	if total.variants > 0 {
		fmt.Fprintf(w, "\nVariants of these buckets: %d, of them with inputs of different causes: %d\n", total.variants, total.hiding)
	}
	fmt.Fprintln(w)
	stability(w, all)
}

// puzzleList prints the buckets of puzzles of dev with what the oracle says.
func puzzleList(w io.Writer, all []sample) {
	for i := range several.Puzzles {
		p := &several.Puzzles[i]
		for k := range all {
			s := &all[k]
			if s.Name != "puzzles/"+p.Name || half(s.Name) != dev {
				continue
			}
			fmt.Fprintf(w, "%s seed %d\n", s.Name, s.Seed)
			missing := map[int]bool{}
			for c := range p.Causes {
				missing[c] = true
			}
			for i := range s.Buckets {
				b := &s.Buckets[i]
				common, any := b.causes()
				fmt.Fprintf(w, "    %s %6d %-8s rank %d  %s  %s\n", b.ID, b.Count, b.Layer, s.Ranks[i].either(), b.Minimized, causeNames(p, common, any))
				for _, program := range programs(*b) {
					fmt.Fprintf(w, "        %s %s\n", program, describe(b.Ranked[program]))
				}
				for _, c := range any {
					delete(missing, c)
				}
			}
			for c := range p.Causes {
				if missing[c] {
					fmt.Fprintf(w, "    not found: %s\n", p.Causes[c].Name)
				}
			}
		}
	}
}

func causeNames(p *several.Puzzle, common, any []int) string {
	names := func(list []int) (out []string) {
		list = slices.Clone(list)
		slices.Sort(list)
		for _, c := range list {
			out = append(out, p.Causes[c].Name)
		}
		return out
	}
	if len(common) == 0 {
		return fmt.Sprint("mixed ", names(any))
	}
	return fmt.Sprint(names(common))
}
