// Package align finds the counterparts of blocks in packages that are versions of each other, and
// the changed lines between them. It reads block tables and their source files, and runs nothing.
//
// The blocks of a target are aligned when a disagreement is located. The same functions compare two
// revisions of a package, without a campaign.
//
// Packages that are not versions of each other have no counterparts. A block has at most one
// counterpart in another package. Comments and blanks are not changes.
package align

import (
	"cmp"
	"slices"
	"strings"

	"parallax/cmd/internal/flow"
)

// Versions numbers blocks so that counterparts have the same number. Counterparts are blocks of
// functions with one name and nearly the same blocks, in packages that are versions of each other.
// A block without a counterpart has a number of its own. Unrelated programs have no counterparts.
func Versions(s *flow.Space) flow.Alignment {
	v := flow.Alignment{Numbers: make([]int, s.Len()), Changed: map[int]flow.Difference{}, Loose: map[int]int{}}
	for i := range v.Numbers {
		v.Numbers[i] = i
	}
	text, code, same := sourceLines{}, codeFiles{}, functions{other: map[int]int{}, loose: map[int]bool{}}
	// of several versions, one may differ from all others in the same way
	known := map[flow.Hunk]int{}
	var tables []*flow.Table
	var first []int
	var owners [][]int
	s.All(func(t *flow.Table, id int, of []int) {
		tables, first, owners = append(tables, t), append(first, id), append(owners, of)
	})
	family := newFamilies(tables)
	family.find(text, owners)
	for t := range tables {
		for u := range t {
			pairs, ok := family.pairs[[2]int{u, t}]
			for _, p := range pairs {
				for _, k := range p.blocks {
					// not yet assigned by an earlier package
					if to := first[t] + k[1]; v.Numbers[to] == to {
						v.Numbers[to] = v.Numbers[first[u]+k[0]]
					}
				}
			}
			if !ok {
				continue
			}
			v.Related = append(v.Related, [2][]int{owners[u], owners[t]})
			from, to := u, t
			// in the order of the programs
			if len(owners[t]) > 0 && len(owners[u]) > 0 && owners[t][0] < owners[u][0] {
				from, to = t, u
				for i, p := range pairs {
					pairs[i].a, pairs[i].b = p.b, p.a
				}
			}
			more := further(code, tables[from], tables[to], pairs)
			for i, p := range append(pairs, more...) {
				same.join(first[from]+p.a.First, first[to]+p.b.First, i >= len(pairs))
			}
			hunks, a, b := changes(code, family.path(t), tables[from], tables[to], append(pairs, more...))
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

// onePackage reports whether two tables are of one Go package, of programs that each have their
// own.
func onePackage(a, b *flow.Table, ofA, ofB []int) bool {
	return a.Package == b.Package && isGo(a) && isGo(b) && len(ofA) > 0 && len(ofB) > 0 && !slices.ContainsFunc(ofA, func(p int) bool { return slices.Contains(ofB, p) })
}

func isGo(t *flow.Table) bool {
	return slices.ContainsFunc(t.Funcs, func(f flow.Func) bool { return strings.HasSuffix(f.File, ".go") })
}

// families groups packages that are versions of each other.
type families struct {
	tables []*flow.Table
	root   []int             // representative of each table
	pairs  map[[2]int][]pair // of their functions
}

func newFamilies(tables []*flow.Table) *families {
	f := &families{tables, make([]int, len(tables)), map[[2]int][]pair{}}
	for i := range f.root {
		f.root[i] = i
	}
	return f
}

// find joins packages with one import path in different programs. It also joins unknown packages
// that have much in common.
func (f *families) find(text sourceLines, owners [][]int) {
	sure := make([]bool, len(f.tables))
	for _, known := range []bool{true, false} {
		for t := range f.tables {
			for u := range t {
				if !known && (sure[t] || sure[u]) || known && !onePackage(f.tables[u], f.tables[t], owners[u], owners[t]) {
					continue
				}
				pairs := pairFunctions(text, f.tables[u], f.tables[t], known)
				if len(pairs) == 0 && !known {
					continue
				}
				f.join(u, t)
				f.pairs[[2]int{u, t}] = pairs
				if known {
					sure[t], sure[u] = true, true
				}
			}
		}
	}
}

// join makes two packages versions of each other. The choice of the representative does not depend
// on the order of the programs.
func (f *families) join(a, b int) {
	if a, b = f.root[a], f.root[b]; f.tables[b].Package < f.tables[a].Package {
		a, b = b, a
	}
	for i, of := range f.root {
		if of == b {
			f.root[i] = a
		}
	}
}

// path returns the import path that all versions of a Go package share in names. A table of C
// covers a whole program, and its path is its file.
func (f *families) path(table int) string {
	if t := f.tables[f.root[table]]; isGo(t) {
		return t.Package
	}
	return ""
}

// functions maps functions to their versions, by their first blocks.
type functions struct {
	other map[int]int // another version of a function; none for representatives
	// representatives of functions with a version whose blocks have no counterparts
	loose map[int]bool
}

// version returns the representative of a function.
func (f *functions) version(function int) int {
	for {
		other, ok := f.other[function]
		if !ok {
			return function
		}
		function = other
	}
}

// join makes two functions versions of each other.
func (f *functions) join(a, b int, loose bool) {
	if a, b = f.version(a), f.version(b); loose || f.loose[b] {
		f.loose[a] = true
	}
	if a != b {
		f.other[b] = a
	}
}

// note records which blocks of a package hold lines that were changed, and in which hunks, by the
// numbers of those.
func note(v *flow.Alignment, numbers []int, t *flow.Table, first int, lines map[string]lineSet) {
	for i, b := range t.Blocks {
		changed := lines[b.File]
		var list []flow.Beside
		if of, ok := v.Changed[first+i]; ok { // between other versions
			list = append([]flow.Beside{{Line: of.Line, Hunk: of.Hunk}}, of.More...)
		}
		for line := b.Line; line <= b.EndLine; line++ {
			if hunk, is := changed[line]; is {
				list = append(list, flow.Beside{Line: line, Hunk: numbers[hunk]})
			}
		}
		slices.SortStableFunc(list, func(x, y flow.Beside) int { return cmp.Compare(x.Line, y.Line) })
		// Code that depends on a condition depends on its change. If only one version has the condition,
		// code after it does not: where the condition fails, both versions continue alike.
		if hunk, is := changed[b.Cond]; is && v.Hunks[numbers[hunk]].Replaces() {
			list = append([]flow.Beside{{Line: b.Cond, Hunk: numbers[hunk]}}, list...)
		}
		if len(list) > 0 {
			v.Changed[first+i] = differenceOf(list)
		}
	}
}

// differenceOf returns the difference of a block from its hunks. Each hunk counts once.
func differenceOf(list []flow.Beside) flow.Difference {
	d := flow.Difference{Line: list[0].Line, Hunk: list[0].Hunk}
	for _, b := range list[1:] {
		if b.Hunk != d.Hunk && !slices.ContainsFunc(d.More, func(m flow.Beside) bool { return m.Hunk == b.Hunk }) {
			d.More = append(d.More, b)
		}
	}
	return d
}
