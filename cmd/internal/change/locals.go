package change

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// same reports whether two versions of code are equal except for the names of locals.
func same(a, b *code) bool {
	if len(a.atoms) != len(b.atoms) || len(a.locals) != len(b.locals) {
		return false
	}
	of := map[int]int{} // locals of b by those of a
	to := map[int]int{}
	for i := range a.atoms {
		x, y := a.atoms[i].words, b.atoms[i].words
		if len(x) != len(y) {
			return false
		}
		for k := range x {
			switch {
			case (x[k].local > 0) != (y[k].local > 0):
				return false
			case x[k].local == 0:
				if x[k].text != y[k].text {
					return false
				}
			default:
				p, known := of[x[k].local]
				q, back := to[y[k].local]
				if known != back || known && (p != y[k].local || q != x[k].local) {
					return false
				}
				of[x[k].local], to[y[k].local] = y[k].local, x[k].local
			}
		}
	}
	return true
}

// spelled renders words.
func spelled(words []word, local func(word) string) string {
	var s strings.Builder
	for _, w := range words {
		if w.local > 0 {
			s.WriteString(local(w))
		} else {
			s.WriteString(w.text)
		}
		s.WriteByte(' ')
	}
	return s.String()
}

// named renders atoms with numbers for locals. names maps locals of the old version to those of the
// new one.
func named(c *code, names map[int]int) (list []string) {
	for _, at := range c.atoms {
		list = append(list, spelled(at.words, func(w word) string { return number(w.local, names) }))
	}
	return list
}

func number(local int, names map[int]int) string {
	if names == nil {
		return fmt.Sprint("§", local)
	}
	if to, ok := names[local]; ok {
		return fmt.Sprint("§", to)
	}
	return fmt.Sprint("§-", local)
}

// matchLocals matches locals of both versions. It pairs locals that most often take the same place
// in otherwise equal atoms. An equal name counts a little more.
func matchLocals(a, b *code, pairs [][2]int) map[int]int {
	votes := map[[2]int]int{}
	for _, p := range pairs {
		x, y := a.atoms[p[0]].words, b.atoms[p[1]].words
		for k := range x {
			if x[k].local > 0 && y[k].local > 0 {
				votes[[2]int{x[k].local, y[k].local}] += 2
			}
		}
	}
	called := map[string][]int{} // locals of b by name
	for k, name := range b.locals {
		called[name] = append(called[name], k+1)
	}
	for i, name := range a.locals {
		for _, k := range called[name] {
			if p := [2]int{i + 1, k}; votes[p] > 0 {
				votes[p]++
			}
		}
	}
	type vote struct{ a, b, n int }
	var list []vote
	for p, n := range votes {
		list = append(list, vote{p[0], p[1], n})
	}
	slices.SortFunc(list, func(x, y vote) int {
		return cmp.Or(cmp.Compare(y.n, x.n), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	names, taken := map[int]int{}, map[int]bool{}
	for _, v := range list {
		if _, ok := names[v.a]; !ok && !taken[v.b] {
			names[v.a], taken[v.b] = v.b, true
		}
	}
	// Remaining locals match by name, in order.
	left := map[string][]int{}
	for k, name := range b.locals {
		if !taken[k+1] {
			left[name] = append(left[name], k+1)
		}
	}
	for i, name := range a.locals {
		if _, ok := names[i+1]; !ok && len(left[name]) > 0 {
			names[i+1], left[name] = left[name][0], left[name][1:]
		}
	}
	return names
}
