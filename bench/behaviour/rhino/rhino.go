//parallax:generator

// Package rhino draws JavaScript by the choices of the generators that BeDivFuzz and Zest were
// published with, for Rhino. It has the same alternatives with the same probabilities in the same
// order, and the same limits. The same choices are structural (public source hub-se/BeDivFuzz,
// revision cf455a3). It is for the comparison of these tools with their reimplementation here.
// Package js has the generator of the experiment.
//
// Only the order of known names differs. There, a hash table determines which name a number means.
// Here, names are in the order of their first use.
package rhino

import (
	"strconv"
	"strings"

	"parallax/gen"
)

const (
	deepestExpression = 7
	deepestStatement  = 4
	mostNames         = 50
	longestList       = 5
)

// Program is a script as Zest was run on it: texts have geometric lengths, ten characters in the
// mean.
var Program = gen.Rule("program", func(t *gen.T) string {
	return draw(t, func() int { return 1 + t.Count("length of text", 9) })
})

// Split is a script as BeDivFuzz was run on it: texts have up to nine characters.
var Split = gen.Rule("program", func(t *gen.T) string {
	return draw(t, func() int { return t.Choose("length of text", 10) })
})

type program struct {
	t           *gen.T
	length      func() int // how many characters a text has
	names       []string
	expressions int // that are begun, one within the other
	statements  int

	// Rules make parts of their kind exchangeable between inputs.
	statementRule, expressionRule gen.Gen[string]
}

func draw(t *gen.T, length func() int) string {
	p := &program{t: t, length: length}
	p.statementRule = gen.Rule("statement", func(*gen.T) string { return p.drawStatement() })
	p.expressionRule = gen.Rule("expression", func(*gen.T) string { return p.drawExpression() })
	return p.statement()
}

func (p *program) statement() string { return p.statementRule.Draw(p.t, "statement") }

func (p *program) expression() string { return p.expressionRule.Draw(p.t, "expression") }

// list has up to five elements, any number as likely as another.
func (p *program) list(between string, element func() string) string {
	elements := make([]string, p.t.Choose("length", longestList+1))
	for i := range elements {
		elements[i] = element()
	}
	return strings.Join(elements, between)
}

func (p *program) block() string { return "{ " + p.list(";", p.statement) + " }" }

func (p *program) parameters() string { return "(" + p.list(", ", p.name) + ")" }

var leafStatements, innerStatements, inner []func(*program) string

// They refer to themselves.
func init() {
	leafStatements = []func(*program) string{
		(*program).expression,
		func(*program) string { return "break" },
		func(*program) string { return "continue" },
		func(p *program) string {
			if p.t.Flip("returns nothing") {
				return "return"
			}
			return "return " + p.expression()
		},
		func(p *program) string { return "throw " + p.expression() },
		func(p *program) string { return "var " + p.name() },
		func(*program) string { return "" },
	}
	innerStatements = []func(*program) string{
		func(p *program) string { // the second block is no alternative: there is no else
			s := "if (" + p.expression() + ") " + p.block()
			if p.t.Flip("second block") {
				s += p.block()
			}
			return s
		},
		func(p *program) string {
			var parts [3]string
			for i := range parts {
				if p.t.Flip("has this part") {
					parts[i] = p.expression()
				}
			}
			return "for(" + strings.Join(parts[:], ";") + ")" + p.block()
		},
		func(p *program) string { return "while (" + p.expression() + ")" + p.block() },
		func(p *program) string { return "function " + p.name() + p.parameters() + p.block() },
		func(p *program) string {
			return "switch(" + p.expression() + ") {" + p.list(" ", func() string { return "case " + p.expression() + ": " + p.block() }) + "}"
		},
		func(p *program) string { return "try " + p.block() + "catch (" + p.name() + ") " + p.block() },
		(*program).block,
	}
	inner = []func(*program) string{
		func(p *program) string {
			operator := value(p, "binary", binary)
			return p.expression() + " " + operator + " " + p.expression()
		},
		func(p *program) string { return value(p, "unary", unary) + " " + p.expression() },
		func(p *program) string { return p.expression() + " ? " + p.expression() + " : " + p.expression() },
		func(p *program) string {
			call := p.expression() + "(" + p.list(",", p.expression) + ")"
			return value(p, "made", made) + call
		},
		func(p *program) string { return "function" + p.parameters() + p.block() },
		func(p *program) string { return p.expression() + "." + p.name() },
		func(p *program) string { return p.expression() + "[" + p.expression() + "]" },
		func(p *program) string {
			s := p.parameters() + " => "
			if p.t.Flip("with a body") {
				return s + p.block()
			}
			return s + p.expression()
		},
	}
}

var made, truths = []string{"new ", ""}, []string{"false", "true"}

var unary = []string{"!", "++", "--", "~", "delete", "new", "typeof"}

// Two operators are there twice, and one is not.
var binary = []string{
	"!=", "!==", "%", "%=", "&", "&&", "&=", "*", "*=", "+", "+=", ",", "-", "-=", "/", "/=", "<", "<<", ">>=", "<=", "=", "==", "===", ">", ">=", ">>",
	">>=", ">>>", ">>>=", "^", "^=", "|", "|=", "||", "in", "instanceof",
}

// value draws one of some values, any as likely as another: IntRange would prefer some. No branch
// of the generator depends on which.
func value[V any](p *program, label string, values []V) V {
	return gen.SampledFrom(values).Draw(p.t, label)
}

// numbers returns the numbers from a first one to a last one.
func numbers(first, last int) []int {
	list := make([]int, 0, last-first+1)
	for n := first; n <= last; n++ {
		list = append(list, n)
	}
	return list
}

// The upper ends are left out there, too.
var (
	letters    = numbers('a', 'y')
	integers   = numbers(-10, 999)
	characters = numbers(0, 126)
)

func (p *program) drawStatement() string {
	p.statements++
	defer func() { p.statements-- }()
	if p.statements >= deepestStatement || p.t.Flip("simple") {
		return leafStatements[p.t.Choose("leaf statement", len(leafStatements))](p)
	}
	return innerStatements[p.t.Choose("statement", len(innerStatements))](p)
}

func (p *program) drawExpression() string {
	p.expressions++
	defer func() { p.expressions-- }()
	if p.expressions >= deepestExpression || p.t.Flip("leaf") {
		if p.t.Choose("leaf expression", 2) == 0 {
			return "(" + p.literal() + ")"
		}
		return "(" + p.name() + ")"
	}
	return "(" + inner[p.t.Choose("expression", len(inner))](p) + ")"
}

// name draws a new name, or one that is known.
func (p *program) name() string {
	if len(p.names) == 0 || len(p.names) < mostNames && p.t.Flip("new name") {
		p.names = append(p.names, string(rune(value(p, "letter", letters)))+"_"+strconv.Itoa(len(p.names)))
		return p.names[len(p.names)-1]
	}
	return value(p, "name", p.names)
}

func (p *program) literal() string {
	if p.expressions < deepestExpression && p.t.Flip("of parts") {
		if p.t.Flip("array") {
			return "[" + p.list(", ", p.expression) + "]"
		}
		return "{" + p.list(", ", func() string { return p.name() + ": " + p.expression() }) + "}"
	}
	switch p.t.Choose("literal", 6) {
	case 0:
		return strconv.Itoa(value(p, "integer", integers))
	case 1:
		return value(p, "bool", truths)
	case 2:
		text := make([]byte, p.length())
		for i := range text {
			text[i] = byte(value(p, "character", characters))
		}
		return `"` + string(text) + `"`
	case 3:
		return "undefined"
	case 4:
		return "null"
	}
	return "this"
}
