// Package align finds what corresponds in packages that are versions of each other: which blocks are counterparts, and in which
// lines the versions differ. It reads block tables and the source files that these name, and runs nothing.
//
// The blocks of a target are aligned when a disagreement is located; two revisions of a package can be compared by the same
// functions, without a campaign.
//
// Invariants: packages that are no versions of each other have no counterparts; a block is the counterpart of one block of
// another package at most; comments and blanks are no change.
package align

import (
	"parallax/cmd/internal/flow"
)

// Versions numbers blocks so that those which correspond in versions of one function have the same number: functions of one name
// in packages that are versions of each other, which consist of the same blocks, but for a few. A block
// without a counterpart has its own number. Of programs that have nothing in common nothing corresponds.
func Versions(s *flow.Space) flow.Alignment {
	v := flow.Alignment{Numbers: make([]int, s.Len()), Changed: map[int]flow.Difference{}, Loose: map[int]int{}}
	for i := range v.Numbers {
		v.Numbers[i] = i
	}
	text, code, same := sourceLines{}, codeFiles{}, functions{of: map[int]int{}, loose: map[int]bool{}}
	known := map[flow.Hunk]int{} // of several versions, one may differ from all others in the same way
	var tables []*flow.Table
	var first []int
	var owners [][]int
	s.All(func(t *flow.Table, id int, of []int) {
		tables, first, owners = append(tables, t), append(first, id), append(owners, of)
	})
	for t := range tables {
		for u := range t {
			pairs := pairFunctions(text, tables[u], tables[t])
			for _, p := range pairs {
				for _, k := range p.blocks {
					if to := first[t] + k[1]; v.Numbers[to] == to { // not yet that of an earlier package
						v.Numbers[to] = v.Numbers[first[u]+k[0]]
					}
				}
			}
			if len(pairs) > 0 {
				v.Related = append(v.Related, [2][]int{owners[u], owners[t]})
				from, to := u, t
				if len(owners[t]) > 0 && len(owners[u]) > 0 && owners[t][0] < owners[u][0] { // as the programs stand
					from, to = t, u
					for i, p := range pairs {
						pairs[i].a, pairs[i].b = p.b, p.a
					}
				}
				more := further(code, tables[from], tables[to], pairs)
				for i, p := range append(pairs, more...) {
					same.join(first[from]+p.a.First, first[to]+p.b.First, i >= len(pairs))
				}
				hunks, a, b := changes(code, tables[from], tables[to], append(pairs, more...))
				numbers := make([]int, len(hunks))
				for i, h := range hunks {
					n, ok := known[h]
					if !ok {
						n = len(v.Hunks)
						known[h], v.Hunks = n, append(v.Hunks, h)
					}
					numbers[i] = n
				}
				note(&v, numbers, tables[from], first[from], a)
				note(&v, numbers, tables[to], first[to], b)
			}
		}
	}
	for t, table := range tables {
		for _, f := range table.Funcs {
			version := same.version(first[t] + f.First)
			for i := range f.Count {
				if same.loose[version] {
					v.Loose[first[t]+f.First+i] = -1 - version
				}
			}
		}
	}
	return v
}

// functions says which functions are versions of each other, by their first blocks.
type functions struct {
	of    map[int]int  // another version of a function; none of the one that stands for all
	loose map[int]bool // of those that stand for all: the blocks of some version have no counterparts in another
}

// version is the function that stands for all versions of one.
func (f *functions) version(of int) int {
	for {
		other, ok := f.of[of]
		if !ok {
			return of
		}
		of = other
	}
}

// join makes two functions versions of each other.
func (f *functions) join(a, b int, loose bool) {
	if a, b = f.version(a), f.version(b); loose || f.loose[b] {
		f.loose[a] = true
	}
	if a != b {
		f.of[b] = a
	}
}

// note records which blocks of a package hold lines that were changed, and in which hunk, by the numbers of those.
func note(v *flow.Alignment, numbers []int, t *flow.Table, first int, lines map[string]lineSet) {
	for i, b := range t.Blocks {
		changed := lines[b.File]
		mark := func(line int) { v.Changed[first+i] = flow.Difference{Line: line, Hunk: numbers[changed[line]]} }
		for line := b.Line; line <= b.EndLine; line++ {
			if _, is := changed[line]; !is {
				continue
			}
			if at, ok := v.Changed[first+i]; !ok || line < at.Line {
				mark(line)
			}
		}
		// What follows on a condition follows on its change. It does not follow on a condition that only one version has: where that does not
		// hold, both go on alike.
		if hunk, is := changed[b.Cond]; is && v.Hunks[numbers[hunk]].Replaces() {
			mark(b.Cond)
		}
	}
}
