package campaign

import (
	"cmp"
	"slices"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/flow"
	"parallax/internal/diversity"
)

// A thin branch has at most one in thinPart unique traces. A summary lists mostThin of them.
const (
	thinPart = 10
	mostThin = 24
)

// thinBranch is a branch that is tested thinly.
type thinBranch struct {
	finding.Thin
	own bool // in the code under test, not in a dependency
	id  int
}

// compare orders branches for a list: code under test first, then by number of traces.
func (b thinBranch) compare(other thinBranch) int {
	if b.own != other.own {
		return map[bool]int{true: -1, false: 1}[b.own]
	}
	return b.compareTraces(other)
}

func (b thinBranch) compareTraces(other thinBranch) int {
	return cmp.Or(cmp.Compare(b.Traces, other.Traces), cmp.Compare(b.id, other.id))
}

// thinnest returns the branches of all programs for a summary.
func thinnest(few []thinBranch) (list []finding.Thin) {
	slices.SortStableFunc(few, thinBranch.compare)
	for _, b := range few[:min(len(few), mostThin)] {
		list = append(list, b.Thin)
	}
	return list
}

// thinBranches returns the branches of a program with the fewest unique traces, at most limit, and
// one for each line. tree is the folder of the program's sources, if it is a version.
func (a *account) thinBranches(program int, r diversity.Record, limit uint64, tree string) (list []thinBranch) {
	counts := r.Counts(nil, false)
	var few []thinBranch
	a.facts.Space.All(func(t *flow.Table, first int, owners []int) {
		if !slices.Contains(owners, program) || t.Placeless() {
			return
		}
		for id := first; id < first+len(t.Blocks) && id < len(counts); id++ {
			if n := counts[id]; n > 0 && n <= limit {
				few = append(few, thinBranch{Thin: finding.Thin{Program: a.facts.Names[program], Traces: n}, id: id})
			}
		}
	})
	slices.SortFunc(few, thinBranch.compareTraces)
	few = few[:min(len(few), 64*mostThin)]
	for i := range few {
		few[i].own = a.facts.Space.OwnBlock(few[i].id)
	}
	slices.SortFunc(few, thinBranch.compare)
	seen := map[string]bool{}
	for _, b := range few {
		if len(list) == mostThin {
			break
		}
		if b.Location = a.place(b.id, tree); !seen[b.Location] {
			seen[b.Location] = true
			list = append(list, b)
		}
	}
	return list
}
