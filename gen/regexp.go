package gen

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"unicode"

	"parallax/internal/tape"
)

// StringMatching draws strings that a regular expression of package regexp matches as a whole.
// Alternatives and repetitions are structural choices; the runes of a class are values. It panics
// if the expression is malformed. If the expression has anchors or word boundaries, it draws
// strings until one matches, like Filter.
func StringMatching(expr string) Gen[string] {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		panic(fmt.Sprintf("gen: %v", err))
	}
	whole := regexp.MustCompile(`^(?:` + expr + `)$`)
	re = re.Simplify()
	root := prepare(re)
	g := Gen[string]{draw: func(t *T) string {
		var room [64]byte
		m := matching{t: t, b: room[:0]}
		m.draw(root)
		return string(m.b)
	}}
	if !asserts(re) {
		return g
	}
	return g.Filter(whole.MatchString)
}

// asserts reports whether an expression has anchors or word boundaries.
func asserts(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return true
	}
	for _, sub := range re.Sub {
		if asserts(sub) {
			return true
		}
	}
	return false
}

// matching builds a string.
type matching struct {
	t *T
	b []byte
}

// pattern is a part of an expression with precomputed classes and texts.
type pattern struct {
	*syntax.Regexp
	sub     []pattern
	class   class
	literal bool // it is a constant text, which draws nothing
	text    string
}

// class is a class of runes.
type class struct {
	pairs  []rune // first and last rune of each range
	n      uint64
	simple []rune // printable runes, simplest first
}

// prepare makes a pattern from an expression. Searching a class for printable runes on each draw
// took most of a generator's time.
func prepare(re *syntax.Regexp) *pattern {
	n := &pattern{Regexp: re}
	for _, sub := range re.Sub {
		n.sub = append(n.sub, *prepare(sub))
	}
	switch re.Op {
	case syntax.OpLiteral:
		if n.literal = re.Flags&syntax.FoldCase == 0; n.literal {
			n.text = string(re.Rune)
		}
	case syntax.OpCharClass:
		c := &n.class
		c.pairs = re.Rune
		for i := 0; i+1 < len(c.pairs); i += 2 {
			c.n += uint64(c.pairs[i+1]-c.pairs[i]) + 1
		}
		for _, r := range tape.PlainRunes {
			if within(c.pairs, r) {
				c.simple = append(c.simple, r)
			}
		}
	}
	return n
}

// repeated limits the repetitions of an unbounded operator.
const repeated = 64

func (m *matching) draw(re *pattern) {
	t := m.t
	around := t.src.Around()
	switch re.Op {
	case syntax.OpNoMatch:
		t.Skipf("gen: no string matches %s", re.Regexp)
	case syntax.OpLiteral:
		if re.literal {
			m.b = append(m.b, re.text...)
			break
		}
		for _, r := range re.Rune {
			m.b = appendRune(m.b, m.fold(r))
		}
	case syntax.OpCharClass:
		m.b = appendRune(m.b, m.class(&re.class))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		t.at = t.src.In(around, "rune")
		r := drawRune(t)
		if r == '\n' && re.Op == syntax.OpAnyCharNotNL {
			r = 'a'
		}
		m.b = appendRune(m.b, r)
	case syntax.OpCapture, syntax.OpConcat:
		site := t.src.In(around, "part")
		for i := range re.sub {
			m.part(&re.sub[i], site)
		}
	case syntax.OpAlternate:
		i := t.src.Draw(t.src.In(around, "which"), t.channel.or(tape.Structural), uint64(len(re.sub)-1))
		m.part(&re.sub[i], t.src.In(around, "alternative")+uint32(i))
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		min, max := 0, repeated
		switch re.Op {
		case syntax.OpPlus:
			min = 1
		case syntax.OpQuest:
			max = 1
		case syntax.OpRepeat:
			if min, max = re.Min, re.Max; max < 0 {
				max = min + repeated
			}
		}
		site := t.src.In(around, "element")
		for n := t.count(around, min, max); n > 0; n-- {
			m.part(&re.sub[0], site)
		}
	}
}

func (m *matching) part(re *pattern, site uint32) {
	if re.literal {
		m.b = append(m.b, re.text...)
		return
	}
	m.t.src.Begin(site)
	m.draw(re)
	m.t.src.End()
}

// fold draws one of the cases of a rune.
func (m *matching) fold(r rune) rune {
	class := []rune{r}
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		class = append(class, f)
	}
	t := m.t
	return class[t.src.Draw(t.src.Site("case"), t.channel.or(tape.Value), uint64(len(class)-1))]
}

// class draws a rune of a class. Printable runes are simpler than others.
func (m *matching) class(c *class) rune {
	t, n, k := m.t, c.n, len(c.simple)
	if n == 0 {
		t.Skipf("gen: a class has no runes")
	}
	site, channel := t.src.Site("rune"), t.channel.or(tape.Value)
	v, ok := t.src.Followed(site, channel, uint64(k)+n-1)
	if !ok {
		if v, ok = t.src.Recall(site, channel, uint64(k)+n-1); !ok {
			if v = t.src.Uint64(); k > 0 && v&15 < 13 {
				v = v >> 4 % uint64(k)
			} else {
				v = uint64(k) + t.src.UpTo(n-1)
			}
		}
		t.src.Record(site, channel, uint64(k)+n-1, v)
	}
	if v < uint64(k) {
		return c.simple[v]
	}
	v -= uint64(k)
	for i := 0; i+1 < len(c.pairs); i += 2 {
		size := uint64(c.pairs[i+1]-c.pairs[i]) + 1
		if v < size {
			return c.pairs[i] + rune(v)
		}
		v -= size
	}
	panic("unreachable")
}

func within(pairs []rune, r rune) bool {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i] <= r && r <= pairs[i+1] {
			return true
		}
	}
	return false
}
