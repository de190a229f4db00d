// Package align finds what corresponds in packages that are versions of each other: which blocks are counterparts, and in which
// lines the versions differ. It reads block tables and the source files that these name, and runs nothing.
//
// The blocks of a target are aligned when a disagreement is located; two revisions of a package can be compared by the same
// functions, without a campaign.
//
// Invariants: packages that are no versions of each other have no counterparts; a block is the counterpart of one block of
// another package at most; comments and blanks are no change.
package align

import "parallax/cmd/internal/flow"

// Versions numbers blocks so that those which correspond in versions of one function have the same number: functions of one name
// in packages that are versions of each other, which consist of the same blocks, but for a few. A block
// without a counterpart has its own number. Of programs that have nothing in common nothing corresponds.
func Versions(s *flow.Space) flow.Alignment {
	v := flow.Alignment{Numbers: make([]int, s.Len()), Changed: map[int]int{}}
	for i := range v.Numbers {
		v.Numbers[i] = i
	}
	text, code := sourceLines{}, codeFiles{}
	var tables []*flow.Table
	var first []int
	s.All(func(t *flow.Table, id int, _ []int) { tables, first = append(tables, t), append(first, id) })
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
				a, b := changes(code, tables[u], tables[t], pairs)
				note(v.Changed, tables[u], first[u], a)
				note(v.Changed, tables[t], first[t], b)
			}
		}
	}
	return v
}

// note records which blocks of a package hold lines that were changed.
func note(all map[int]int, t *flow.Table, first int, lines map[string]map[int]bool) {
	for i, b := range t.Blocks {
		changed := lines[b.File]
		for line := b.Line; line <= b.EndLine; line++ {
			if at, ok := all[first+i]; changed[line] && (!ok || line < at) {
				all[first+i] = line
			}
		}
		if changed[b.Cond] { // what follows on a condition follows on its change
			all[first+i] = b.Cond
		}
	}
}
