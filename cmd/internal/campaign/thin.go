package campaign

import (
	"cmp"
	"slices"

	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/flow"
	"parallax/internal/diversity"
)

// A branch is tested thinly if no more than one in thinPart unique traces executes it. A summary lists mostThin of them.
const (
	thinPart = 10
	mostThin = 24
)

// thinBranch is a branch that is tested thinly.
type thinBranch struct {
	report.Thin
	own bool // of what the user tests, and not of what it calls elsewhere
	id  int
}

// order is that of lists: what the user tests comes first, and of it what the fewest traces execute.
func (b thinBranch) order(other thinBranch) int {
	if b.own != other.own {
		return map[bool]int{true: -1, false: 1}[b.own]
	}
	return b.fewer(other)
}

func (b thinBranch) fewer(other thinBranch) int {
	return cmp.Or(cmp.Compare(b.Traces, other.Traces), cmp.Compare(b.id, other.id))
}

// thinnest is what a summary lists of the branches of all programs.
func thinnest(few []thinBranch) (list []report.Thin) {
	slices.SortStableFunc(few, thinBranch.order)
	for _, b := range few[:min(len(few), mostThin)] {
		list = append(list, b.Thin)
	}
	return list
}

// thin are the branches of a program that the fewest unique traces execute, and no more than so many, one for each line. The tree is the folder
// of the program's own sources, if it is a version.
func (a *account) thin(program int, r diversity.Record, limit uint64, tree string) (list []thinBranch) {
	counts := r.Counts(nil, false)
	var few []thinBranch
	a.facts.Space.All(func(t *flow.Table, first int, owners []int) {
		if !slices.Contains(owners, program) || t.Placeless() {
			return
		}
		for id := first; id < first+len(t.Blocks) && id < len(counts); id++ {
			if n := counts[id]; n > 0 && n <= limit {
				few = append(few, thinBranch{Thin: report.Thin{Program: a.facts.Names[program], Traces: n}, id: id})
			}
		}
	})
	slices.SortFunc(few, thinBranch.fewer)
	few = few[:min(len(few), 64*mostThin)]
	for i := range few {
		few[i].own = a.facts.Space.OwnBlock(few[i].id)
	}
	slices.SortFunc(few, thinBranch.order)
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
