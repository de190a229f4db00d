package smt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// String returns the term as SMT-LIB 2.6 on one line. Repeated terms are bound by let, so that the
// text is proportional to the number of nodes.
func (t *Term) String() string {
	var b strings.Builder
	writeTerm(&b, t)
	return b.String()
}

// writer writes terms with names for those that are shared.
type writer struct {
	b     *strings.Builder
	names map[*Term]string
}

func writeTerm(b *strings.Builder, root *Term) {
	if len(root.args) == 0 {
		writeLeaf(b, root)
		return
	}
	all := Visit(root)
	w := writer{b: b, names: map[*Term]string{}}
	levels := levelsOf(all)
	prefix := prefixFor(all)
	n := 0
	for _, level := range levels {
		b.WriteString("(let (")
		for i, t := range level {
			if i > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(b, "(%s%d ", prefix, n+i)
			w.write(t)
			b.WriteByte(')')
		}
		b.WriteString(") ")
		// The bindings of one let do not see each other, nor do the terms of one level occur in
		// each other.
		for i, t := range level {
			w.names[t] = fmt.Sprint(prefix, n+i)
		}
		n += len(level)
	}
	w.write(root)
	b.WriteString(strings.Repeat(")", len(levels)))
}

// levelsOf returns the shared terms with arguments, by nesting level.
func levelsOf(all []*Term) [][]*Term {
	uses := map[*Term]int{}
	for _, t := range all {
		for _, a := range t.args {
			uses[a]++
		}
	}
	depth := map[*Term]int{}
	var levels [][]*Term
	for _, t := range all {
		d := 0
		for _, a := range t.args {
			d = max(d, depth[a])
		}
		if uses[t] > 1 && len(t.args) > 0 {
			d++
			if d > len(levels) {
				levels = append(levels, nil)
			}
			levels[d-1] = append(levels[d-1], t)
		}
		depth[t] = d
	}
	for _, l := range levels {
		slices.SortFunc(l, func(a, b *Term) int { return cmp.Compare(a.id, b.id) })
	}
	return levels
}

// prefixFor returns a prefix that no name within the terms has.
func prefixFor(all []*Term) string {
	prefix := "?"
	for _, t := range all {
		for strings.HasPrefix(t.name, prefix) {
			prefix += "?"
		}
	}
	return prefix
}

// write writes a term with a stack of its own.
func (w *writer) write(root *Term) {
	type visit struct {
		t    *Term
		next int // the argument to write
	}
	stack := []visit{{t: root}}
	for len(stack) > 0 {
		v := &stack[len(stack)-1]
		t := v.t
		if v.next == 0 {
			if name := w.names[t]; name != "" {
				w.b.WriteString(name)
				stack = stack[:len(stack)-1]
				continue
			}
			if len(t.args) == 0 {
				writeLeaf(w.b, t)
				stack = stack[:len(stack)-1]
				continue
			}
			w.b.WriteByte('(')
			writeHead(w.b, t)
		}
		if v.next == len(t.args) {
			w.b.WriteByte(')')
			stack = stack[:len(stack)-1]
			continue
		}
		w.b.WriteByte(' ')
		a := t.args[v.next]
		v.next++
		stack = append(stack, visit{t: a})
	}
}

func writeHead(b *strings.Builder, t *Term) {
	switch {
	case t.op == OpApply:
		writeSymbol(b, t.name)
	case t.op == OpConstArray:
		fmt.Fprintf(b, "(as const %v)", t.sort)
	case rows[t.op].indices == 1:
		fmt.Fprintf(b, "(_ %v %d)", t.op, t.index[0])
	case rows[t.op].indices == 2:
		fmt.Fprintf(b, "(_ %v %d %d)", t.op, t.index[0], t.index[1])
	default:
		b.WriteString(t.op.String())
	}
}

func writeLeaf(b *strings.Builder, t *Term) {
	if v, ok := t.Value(); ok {
		v.write(b)
		return
	}
	if t.op == OpConst {
		writeSymbol(b, t.name)
		return
	}
	b.WriteString(t.op.String())
}
