package smt

import (
	"cmp"
	"fmt"
	"slices"
)

// regex is a regular language. Within one table there is one for each expression, up to the order
// and repetition in unions and intersections. The derivatives of an expression are therefore
// finitely many (Brzozowski 1964).
type regex struct {
	kind     regexKind
	low      int32 // of a range, or the smallest count of a loop
	high     int32 // of a range, or the largest count of a loop
	a, b     *regex
	nullable bool // holds the empty string
	id       int32
}

type regexKind uint8

const (
	reNone  regexKind = iota
	reEmpty           // the empty string
	reRange           // one character
	reConcat
	reUnion
	reInter
	reComp
	reStar
	reLoop // a from low to high times
)

// maxRegexes bounds the expressions of a table. Complements and intersections can have derivatives
// beyond all bounds.
const maxRegexes = 200_000

// regexTable makes expressions.
type regexTable struct {
	known   map[regex]*regex // by value, with id 0
	derived map[derivation]*regex
	err     error

	none, empty, any, all *regex
}

type derivation struct {
	id   int32
	char rune
}

func newRegexTable() *regexTable {
	t := &regexTable{known: map[regex]*regex{}, derived: map[derivation]*regex{}}
	t.none = t.make(regex{kind: reNone})
	t.empty = t.make(regex{kind: reEmpty, nullable: true})
	t.any = t.make(regex{kind: reRange, high: MaxChar})
	t.all = t.make(regex{kind: reComp, a: t.none, nullable: true})
	return t
}

func (t *regexTable) make(r regex) *regex {
	if known := t.known[r]; known != nil {
		return known
	}
	if len(t.known) >= maxRegexes {
		t.err = fmt.Errorf("a regular expression with more than %d derivatives: %w", maxRegexes, ErrTooLarge)
		return t.none
	}
	made := r
	made.id = int32(len(t.known) + 1)
	t.known[r] = &made
	return &made
}

func (t *regexTable) char(low, high rune) *regex {
	if low > high {
		return t.none
	}
	return t.make(regex{kind: reRange, low: low, high: high})
}

func (t *regexTable) text(s []rune) *regex {
	r := t.empty
	for _, c := range slices.Backward(s) {
		r = t.concat(t.char(c, c), r)
	}
	return r
}

func (t *regexTable) concat(a, b *regex) *regex {
	switch {
	case a == t.none || b == t.none:
		return t.none
	case a == t.empty:
		return b
	case b == t.empty:
		return a
	case a.kind == reConcat:
		return t.concat(a.a, t.concat(a.b, b))
	}
	return t.make(regex{kind: reConcat, a: a, b: b, nullable: a.nullable && b.nullable})
}

func (t *regexTable) union(a, b *regex) *regex { return t.merge(reUnion, t.none, t.all, a, b) }
func (t *regexTable) inter(a, b *regex) *regex { return t.merge(reInter, t.all, t.none, a, b) }

// merge makes a union or an intersection, flat, sorted and without repetition.
func (t *regexTable) merge(kind regexKind, neutral, decides, a, b *regex) *regex {
	switch {
	case a == b || b == neutral:
		return a
	case a == neutral:
		return b
	case a == decides || b == decides:
		return decides
	}
	var parts []*regex
	for _, r := range []*regex{a, b} {
		for ; r.kind == kind; r = r.b {
			parts = append(parts, r.a)
		}
		parts = append(parts, r)
	}
	slices.SortFunc(parts, func(x, y *regex) int { return cmp.Compare(x.id, y.id) })
	parts = slices.Compact(parts)
	r := parts[len(parts)-1]
	for _, part := range slices.Backward(parts[:len(parts)-1]) {
		nullable := part.nullable || r.nullable
		if kind == reInter {
			nullable = part.nullable && r.nullable
		}
		r = t.make(regex{kind: kind, a: part, b: r, nullable: nullable})
	}
	return r
}

func (t *regexTable) comp(a *regex) *regex {
	if a.kind == reComp {
		return a.a
	}
	return t.make(regex{kind: reComp, a: a, nullable: !a.nullable})
}

func (t *regexTable) star(a *regex) *regex {
	switch {
	case a == t.none || a == t.empty:
		return t.empty
	case a.kind == reStar || a == t.all:
		return a
	case a == t.any:
		return t.all
	}
	return t.make(regex{kind: reStar, a: a, nullable: true})
}

func (t *regexTable) loop(a *regex, low, high int32) *regex {
	switch {
	case low > high:
		return t.none
	case high == 0:
		return t.empty
	case low == 1 && high == 1:
		return a
	case a == t.empty:
		return a
	}
	return t.make(regex{kind: reLoop, a: a, low: low, high: high, nullable: low == 0 || a.nullable})
}

// derive returns the derivative of a language by a character.
func (t *regexTable) derive(r *regex, c rune) *regex {
	switch r.kind {
	case reNone, reEmpty:
		return t.none
	case reRange:
		if c >= r.low && c <= r.high {
			return t.empty
		}
		return t.none
	}
	key := derivation{r.id, c}
	if known := t.derived[key]; known != nil {
		return known
	}
	if t.err != nil {
		return t.none
	}
	var d *regex
	switch r.kind {
	case reConcat:
		d = t.concat(t.derive(r.a, c), r.b)
		if r.a.nullable {
			d = t.union(d, t.derive(r.b, c))
		}
	case reUnion:
		d = t.union(t.derive(r.a, c), t.derive(r.b, c))
	case reInter:
		d = t.inter(t.derive(r.a, c), t.derive(r.b, c))
	case reComp:
		d = t.comp(t.derive(r.a, c))
	case reStar:
		d = t.concat(t.derive(r.a, c), r)
	case reLoop:
		d = t.concat(t.derive(r.a, c), t.loop(r.a, max(r.low-1, 0), r.high-1))
	}
	t.derived[key] = d
	return d
}

func (t *regexTable) matches(r *regex, s []rune) bool {
	for _, c := range s {
		if r = t.derive(r, c); r == t.none || r == t.all {
			break
		}
	}
	return r.nullable
}

// shortest returns the end of the shortest match at the beginning, or -1.
func (t *regexTable) shortest(r *regex, s []rune, empty bool) int {
	if empty && r.nullable {
		return 0
	}
	for i, c := range s {
		if r = t.derive(r, c); r == t.none {
			return -1
		}
		if r.nullable {
			return i + 1
		}
	}
	return -1
}

// regular executes operations on regular languages.
func (m *Machine) regular(in *inst) {
	t := m.re
	arg := func(slot int32) *regex { return m.regexes[slot] }
	switch op := Op(in.code); op {
	case OpReNone:
		m.regexes[in.dst] = t.none
	case OpReAll:
		m.regexes[in.dst] = t.all
	case OpReAnyOne:
		m.regexes[in.dst] = t.any
	case OpReFromStr:
		m.regexes[in.dst] = t.text(m.texts[in.a])
	case OpReConcat:
		m.regexes[in.dst] = t.concat(arg(in.a), arg(in.b))
	case OpReUnion:
		m.regexes[in.dst] = t.union(arg(in.a), arg(in.b))
	case OpReInter:
		m.regexes[in.dst] = t.inter(arg(in.a), arg(in.b))
	case OpReDiff:
		m.regexes[in.dst] = t.inter(arg(in.a), t.comp(arg(in.b)))
	case OpReStar:
		m.regexes[in.dst] = t.star(arg(in.a))
	case OpReComp:
		m.regexes[in.dst] = t.comp(arg(in.a))
	case OpRePlus:
		m.regexes[in.dst] = t.concat(arg(in.a), t.star(arg(in.a)))
	case OpReOpt:
		m.regexes[in.dst] = t.union(t.empty, arg(in.a))
	case OpReRange:
		low, high := m.texts[in.a], m.texts[in.b]
		m.regexes[in.dst] = t.none
		if len(low) == 1 && len(high) == 1 {
			m.regexes[in.dst] = t.char(low[0], high[0])
		}
	case OpRePower:
		m.regexes[in.dst] = t.loop(arg(in.a), in.x, in.x)
	case OpReLoop:
		m.regexes[in.dst] = t.loop(arg(in.a), in.x, in.y)
	case OpStrInRe:
		m.words[in.dst] = truth(t.matches(arg(in.b), m.texts[in.a]))
	case OpStrReplaceRe, OpStrReplaceReAll:
		m.replaceRe(in.dst, m.texts[in.a], arg(in.b), m.texts[in.c], op == OpStrReplaceReAll)
	default:
		m.err = fmt.Errorf("%v is not computed", op)
	}
	if t.err != nil {
		m.err = t.err
	}
}

// replaceRe replaces the leftmost shortest match or, from left to right, all nonempty ones.
func (m *Machine) replaceRe(dst int32, in []rune, r *regex, put []rune, all bool) {
	var out []rune
	for i := 0; i <= len(in); {
		n := m.re.shortest(r, in[i:], !all)
		switch {
		case n < 0 && i < len(in):
			out = append(out, in[i])
			i++
			continue
		case n < 0:
			i++
			continue
		}
		if !m.room(dst, len(out)+len(put)+len(in)-i) {
			return
		}
		out = append(out, put...)
		i += n
		if !all {
			out = append(out, in[i:]...)
			break
		}
	}
	m.texts[dst] = out
}
