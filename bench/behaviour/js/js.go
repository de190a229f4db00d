//parallax:generator

// Package js generates JavaScript: programs of statements and expressions, with names that are
// often declared. Its choices are those of the generator by which Zest, RLCheck and BeDivFuzz were
// measured on Rhino and Closure (Padhye et al., ISSTA 2019, section 4). At each node, a coin
// decides whether it is a leaf, and depth makes leaves certain. Lists have geometric lengths, and
// identifiers are remembered.
package js

import (
	"strconv"
	"strings"

	"parallax/gen"
)

const (
	deepestExpression = 5
	deepestStatement  = 4
	mostNames         = 12
)

type program struct {
	strings.Builder
	t           *gen.T
	names       []string
	expressions int // that are begun, one within the other
	statements  int

	// Rules make parts of their kind exchangeable between inputs.
	statementRule, expressionRule gen.Gen[struct{}]
}

// Program is a script.
var Program = gen.Rule("program", func(t *gen.T) string {
	p := &program{t: t}
	p.statementRule = gen.Rule("statement", func(*gen.T) struct{} { p.drawStatement(); return struct{}{} })
	p.expressionRule = gen.Rule("expression", func(*gen.T) struct{} { p.drawExpression(); return struct{}{} })
	p.list(4, "", p.statement)
	return p.String()
})

// list draws elements, mean of them in the mean. Each further one is a structural choice.
func (p *program) list(mean float64, between string, element func()) {
	n := p.t.Count("length", mean)
	for i := 0; i < n; i++ {
		if i > 0 {
			p.WriteString(between)
		}
		element()
	}
}

func (p *program) statement() { p.statementRule.Draw(p.t, "statement") }

func (p *program) expression() { p.expressionRule.Draw(p.t, "expression") }

func (p *program) drawStatement() {
	p.statements++
	leaf := p.statements >= deepestStatement || p.t.Flip("simple")
	if leaf {
		leafStatements[p.t.Choose("leaf statement", len(leafStatements))](p)
	} else {
		innerStatements[p.t.Choose("statement", len(innerStatements))](p)
	}
	p.statements--
	p.WriteString(";\n")
}

var leafStatements, innerStatements, leaves, inner []func(*program)

// They refer to themselves.
func init() {
	leafStatements = []func(*program){
		(*program).expression,
		func(p *program) { p.WriteString("break") },
		func(p *program) { p.WriteString("continue") },
		func(p *program) {
			p.WriteString("return")
			if p.t.Flip("returns something") {
				p.WriteByte(' ')
				p.expression()
			}
		},
		func(p *program) { p.WriteString("throw "); p.expression() },
		func(p *program) {
			p.WriteString(pick(p, "declares", []string{"var ", "let ", "const "}))
			p.name()
			p.WriteString(" = ")
			p.expression()
		},
		func(p *program) {},
	}
	innerStatements = []func(*program){
		func(p *program) {
			p.WriteString("if (")
			p.expression()
			p.WriteString(") ")
			p.block()
			if p.t.Flip("else") {
				p.WriteString(" else ")
				p.block()
			}
		},
		func(p *program) {
			p.WriteString("for (")
			if p.t.Flip("of a list") {
				p.WriteString("var ")
				p.name()
				p.WriteString(pick(p, "in or of", []string{" in ", " of "}))
				p.expression()
			} else {
				for part := 0; part < 3; part++ {
					if part > 0 {
						p.WriteString("; ")
					}
					if p.t.Flip("has this part") {
						p.expression()
					}
				}
			}
			p.WriteString(") ")
			p.block()
		},
		func(p *program) { p.WriteString("while ("); p.expression(); p.WriteString(") "); p.block() },
		func(p *program) {
			p.WriteString("do ")
			p.block()
			p.WriteString(" while (")
			p.expression()
			p.WriteByte(')')
		},
		func(p *program) { p.WriteString("function "); p.name(); p.function() },
		func(p *program) {
			p.WriteString("switch (")
			p.expression()
			p.WriteString(") {")
			p.list(1, " ", func() {
				p.WriteString("case ")
				p.expression()
				p.WriteString(": ")
				p.statement()
			})
			p.WriteByte('}')
		},
		func(p *program) {
			p.WriteString("try ")
			p.block()
			p.WriteString(" catch (")
			p.name()
			p.WriteString(") ")
			p.block()
		},
		func(p *program) {
			p.WriteString("class ")
			p.name()
			if p.t.Flip("extends") {
				p.WriteString(" extends ")
				p.name()
			}
			p.WriteString(" {")
			p.list(1, " ", func() { p.name(); p.function() })
			p.WriteByte('}')
		},
		(*program).block,
	}
	leaves = []func(*program){
		(*program).name,
		(*program).literal,
	}
	inner = []func(*program){
		func(p *program) {
			p.WriteString(pick(p, "unary", []string{"!", "++", "--", "~", "+", "-", "delete ", "new ", "typeof ", "void "}))
			p.expression()
		},
		func(p *program) {
			p.expression()
			p.WriteByte(' ')
			p.WriteString(pick(p, "binary", binary))
			p.WriteByte(' ')
			p.expression()
		},
		func(p *program) {
			p.expression()
			p.WriteString(" ? ")
			p.expression()
			p.WriteString(" : ")
			p.expression()
		},
		func(p *program) { p.expression(); p.arguments() },
		func(p *program) { p.expression(); p.WriteByte('.'); p.name() },
		func(p *program) { p.expression(); p.WriteByte('['); p.expression(); p.WriteByte(']') },
		func(p *program) { p.WriteString("function "); p.function() },
		func(p *program) {
			p.WriteByte('(')
			p.list(1, ", ", p.name)
			p.WriteString(") => ")
			if p.t.Flip("with a body") {
				p.block()
			} else {
				p.expression()
			}
		},
		func(p *program) { p.WriteByte('['); p.list(2, ", ", p.expression); p.WriteByte(']') },
		func(p *program) {
			p.WriteByte('{')
			p.list(2, ", ", func() { p.name(); p.WriteString(": "); p.expression() })
			p.WriteByte('}')
		},
		func(p *program) { p.WriteByte('('); p.expression(); p.WriteByte(')') },
	}
}

var binary = []string{
	"!=", "!==", "%", "%=", "&", "&&", "&=", "*", "*=", "+", "+=", ",", "-", "-=", "/", "/=", "<", "<<", "<<=", "<=", "=", "==", "===", ">", ">=", ">>",
	">>=", ">>>", ">>>=", "^", "^=", "in", "instanceof", "|", "|=", "||",
}

// pick draws one of some texts. No branch of the generator depends on which.
func pick(p *program, label string, texts []string) string {
	return texts[p.t.IntRange(label, 0, len(texts)-1)]
}

func (p *program) drawExpression() {
	p.expressions++
	if p.expressions >= deepestExpression || p.t.Flip("leaf") {
		leaves[p.t.Choose("leaf expression", len(leaves))](p)
	} else {
		inner[p.t.Choose("expression", len(inner))](p)
	}
	p.expressions--
}

func (p *program) block() {
	p.WriteString("{ ")
	p.list(1.5, "", p.statement)
	p.WriteByte('}')
}

func (p *program) function() {
	p.WriteByte('(')
	p.list(1, ", ", p.name)
	p.WriteString(") ")
	p.block()
}

func (p *program) arguments() {
	p.WriteByte('(')
	p.list(1, ", ", p.expression)
	p.WriteByte(')')
}

// name draws a name that is known, or a new one.
func (p *program) name() {
	if len(p.names) == 0 || len(p.names) < mostNames && p.t.Flip("new name") {
		p.names = append(p.names, string(rune('a'+p.t.IntRange("letter", 0, 25)))+"_"+strconv.Itoa(len(p.names)))
		p.WriteString(p.names[len(p.names)-1])
		return
	}
	p.WriteString(pick(p, "name", p.names))
}

func (p *program) literal() {
	switch p.t.Choose("literal", 7) {
	case 0:
		p.WriteString(strconv.Itoa(p.t.IntRange("integer", -10, 1000)))
	case 1:
		p.WriteString(pick(p, "bool", []string{"true", "false"}))
	case 2:
		p.WriteByte('"')
		p.list(3, "", func() { p.WriteByte(letters[p.t.IntRange("character", 0, len(letters)-1)]) })
		p.WriteByte('"')
	case 3:
		p.WriteString(pick(p, "constant", []string{"undefined", "null", "this", "NaN", "Infinity"}))
	case 4:
		p.WriteString(strconv.FormatFloat(float64(p.t.IntRange("tenths", -100, 10000))/10, 'g', -1, 64))
	case 5:
		p.WriteByte('/')
		p.WriteByte(letters[p.t.IntRange("character", 0, 25)])
		p.WriteString(pick(p, "expression", []string{"*", "+", "?", "{2}", "|b", "[0-9]"}))
		p.WriteByte('/')
	case 6:
		p.WriteString("`${")
		p.expression()
		p.WriteString("}`")
	}
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-$.,:;()[]{}!?'#%&*+/<=>@^|~"
