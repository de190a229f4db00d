package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// pair are two programs, by their places.
type pair struct{ a, b int }

// pairs of programs and the distinct discrepancies between them: what one accepts and the other
// rejects, by the class of the rejection. The first number counts those that a accepts.
type pairs map[pair]*[2]map[string]bool

func (p pairs) add(v vector) {
	for a := range v {
		for b := a + 1; b < len(v); b++ {
			side, class := 0, v[b]
			if v[b] == accepted {
				side, class = 1, v[a]
			}
			if (v[a] == accepted) == (v[b] == accepted) {
				continue
			}
			sets := p[pair{a, b}]
			if sets == nil {
				sets = &[2]map[string]bool{{}, {}}
				p[pair{a, b}] = sets
			}
			sets[side][class] = true
		}
	}
}

// count is how many there are, of those that a accepts and of those that b accepts.
func (p pairs) count(a, b int) (byA, byB int) {
	if sets := p[pair{a, b}]; sets != nil {
		return len(sets[0]), len(sets[1])
	}
	return 0, 0
}

// pairwise prints for each two programs in how many ways they disagree, over all trials of a
// configuration, and of all.
func (t *target) pairwise(w io.Writer, names []string, by map[string][]campaign, vectors map[uint64]vector) {
	each, together := map[string]pairs{}, pairs{}
	unknown := map[string]bool{}
	for _, name := range names {
		each[name] = pairs{}
		for _, c := range by[name] {
			for _, text := range c.Tuples {
				h, _ := strconv.ParseUint(text, 16, 64) // decode has checked it
				if v := vectors[h]; v != nil {
					each[name].add(v)
					together.add(v)
				} else {
					unknown[text] = true
				}
			}
		}
	}
	fmt.Fprintf(w, "| programs | %s | all | of these the first accepts | the second accepts |\n|---|%s\n", strings.Join(names, " | "), strings.Repeat("---|", len(names)+3))
	for a := range t.programs {
		for b := a + 1; b < len(t.programs); b++ {
			fmt.Fprintf(w, "| %s, %s |", t.programs[a], t.programs[b])
			for _, name := range names {
				byA, byB := each[name].count(a, b)
				fmt.Fprintf(w, " %d |", byA+byB)
			}
			byA, byB := together.count(a, b)
			fmt.Fprintf(w, " %d | %d | %d |\n", byA+byB, byA, byB)
		}
	}
	if len(unknown) > 0 {
		fmt.Fprintf(w, "\n%d unique discrepancies are not in it, in which a program crashes or does not end.\n", len(unknown))
	}
}
