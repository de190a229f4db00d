//parallax:generator

// Package typed generates expressions of small typed languages, as in policies and filters. A table
// has the operators and functions of a language. An expression mostly has the type that its place
// requires, so that many, and not all, pass a type checker.
package typed

import (
	"strconv"
	"strings"

	"parallax/gen"
)

// Type is the type of an expression.
type Type int

const (
	Bool Type = iota
	Int
	Float
	String
	List // of ints
	Map  // of strings to ints
	types
)

// Form is a way to make an expression of a type from others. It is a template in which $0, $1, ...
// represent parts of the types From.
type Form struct {
	Text string
	From []Type
}

// Language is a table of forms, and of leaves: texts without parts.
type Language struct {
	Forms  [types][]Form
	Leaves [types][]string
}

const deepest = 6

type expression struct {
	strings.Builder
	t     *gen.T
	l     *Language
	depth int
	rules [types]gen.Gen[struct{}]
}

// Expression makes a generator of expressions of a type.
func (l *Language) Expression(of Type) gen.Gen[string] {
	return gen.Rule("source", func(t *gen.T) string {
		e := &expression{t: t, l: l}
		for i := range e.rules {
			e.rules[i] = gen.Rule("expression "+strconv.Itoa(i), func(*gen.T) struct{} { e.draw(Type(i)); return struct{}{} })
		}
		e.part(of)
		return e.String()
	})
}

// part draws a part of a type; one time in sixteen of another one.
func (e *expression) part(of Type) {
	if e.t.Choose("of another type", 16) == 0 {
		of = Type(e.t.Choose("type", int(types)))
	}
	e.rules[of].Draw(e.t, "part")
}

func (e *expression) draw(of Type) {
	e.depth++
	defer func() { e.depth-- }()
	forms := e.l.Forms[of]
	if len(forms) == 0 || e.depth >= deepest || e.t.Flip("leaf") {
		e.leaf(of)
		return
	}
	f := forms[e.t.Choose("form", len(forms))]
	text := f.Text
	for {
		before, after, more := strings.Cut(text, "$")
		e.WriteString(before)
		if !more {
			return
		}
		e.part(f.From[after[0]-'0'])
		text = after[1:]
	}
}

func (e *expression) leaf(of Type) {
	if e.t.Choose("literal", 3) > 0 {
		e.WriteString(e.l.Leaves[of][e.t.IntRange("name", 0, len(e.l.Leaves[of])-1)])
		return
	}
	switch of {
	case Bool:
		e.WriteString([]string{"true", "false"}[e.t.IntRange("bool", 0, 1)])
	case Int:
		e.WriteString(strconv.Itoa(e.t.IntRange("int", -10, 1000)))
	case Float:
		e.WriteString(strconv.FormatFloat(float64(e.t.IntRange("tenths", -100, 10000))/10, 'f', 1, 64))
	case String:
		e.WriteByte('"')
		for n := e.t.Count("length", 2); n > 0; n-- {
			e.WriteByte(letters[e.t.IntRange("letter", 0, len(letters)-1)])
		}
		e.WriteByte('"')
	case List:
		e.WriteByte('[')
		for i, n := 0, e.t.Count("length", 2); i < n; i++ {
			if i > 0 {
				e.WriteString(", ")
			}
			e.part(Int)
		}
		e.WriteByte(']')
	case Map:
		e.WriteByte('{')
		for i, n := 0, e.t.Count("length", 1.5); i < n; i++ {
			if i > 0 {
				e.WriteString(", ")
			}
			e.WriteByte('"')
			e.WriteByte(letters[e.t.IntRange("key", 0, 25)])
			e.WriteString(`": `)
			e.part(Int)
		}
		e.WriteByte('}')
	}
}

const letters = "abcdefghijklmnopqrstuvwxyzABC0123456789 .*+?[](){}|^$"
