//parallax:generator

// Package modules generates modules of Starlark: statements and expressions, with names that are
// often bound. It is no file of package starlark, since the packages of the standard library that
// tests import are instrumented.
package modules

import (
	"strconv"
	"strings"

	"parallax/gen"
)

const deepest = 5

// module draws statements and expressions, and remembers the names that were bound, function by
// function.
type module struct {
	strings.Builder
	t      *gen.T
	names  []string
	nested int // statements
	inside int // expressions

	statementRule, expressionRule gen.Gen[struct{}]
}

// Module is a file.
var Module = gen.Rule("module", func(t *gen.T) string {
	m := &module{t: t}
	m.statementRule = gen.Rule("statement", func(*gen.T) struct{} { m.drawStatement(); return struct{}{} })
	m.expressionRule = gen.Rule("expression", func(*gen.T) struct{} { m.drawExpression(); return struct{}{} })
	m.list(4, "", m.statement)
	return m.String()
})

func (m *module) statement()  { m.statementRule.Draw(m.t, "statement") }
func (m *module) expression() { m.expressionRule.Draw(m.t, "expression") }

func (m *module) list(mean float64, between string, element func()) {
	n := m.t.Count("length", mean)
	for i := 0; i < n; i++ {
		if i > 0 {
			m.WriteString(between)
		}
		element()
	}
}

func (m *module) indent() {
	for range m.nested {
		m.WriteString("  ")
	}
}

func (m *module) block() {
	m.WriteString(":\n")
	m.nested++
	m.list(2, "", m.statement)
	m.indent()
	m.WriteString("pass\n")
	m.nested--
}

func (m *module) bind() {
	name := string(rune('a'+m.t.IntRange("letter", 0, 25))) + strconv.Itoa(len(m.names)%10)
	m.names = append(m.names, name)
	m.WriteString(name)
}

func (m *module) name() {
	builtins := []string{"len", "range", "str", "native", "True", "None", "dict", "zip", "print"}
	if len(m.names) == 0 || m.t.Choose("own name", 4) == 0 {
		m.WriteString(builtins[m.t.IntRange("builtin", 0, len(builtins)-1)])
		return
	}
	m.WriteString(m.names[m.t.IntRange("name", 0, len(m.names)-1)])
}

func (m *module) drawStatement() {
	m.indent()
	kinds := 12
	if m.nested >= deepest {
		kinds = 8
	}
	switch m.t.Choose("statement", kinds) {
	case 0:
		m.bind()
		m.WriteString(" = ")
		m.expression()
	case 1:
		m.expression()
	case 2:
		m.bind()
		m.WriteString(", ")
		m.bind()
		m.WriteString(" = ")
		m.expression()
	case 3:
		m.name()
		m.WriteString([]string{" += ", " -= ", " *= ", " //= ", " |= ", " %= "}[m.t.IntRange("assigns", 0, 5)])
		m.expression()
	case 4:
		m.WriteString("return ")
		m.expression()
	case 5:
		m.WriteString([]string{"pass", "break", "continue"}[m.t.IntRange("word", 0, 2)])
	case 6:
		m.WriteString("load(\"m.star\", \"x\")")
	case 7:
		m.name()
		m.WriteByte('[')
		m.expression()
		m.WriteString("] = ")
		m.expression()
	case 8:
		at := len(m.names)
		m.WriteString("def ")
		m.bind()
		m.WriteByte('(')
		m.list(1.5, ", ", func() {
			stars := []string{"", "", "", "*", "**"}[m.t.Choose("parameter", 5)]
			m.WriteString(stars)
			m.bind()
			if stars == "" && m.t.Flip("has a default") {
				m.WriteByte('=')
				m.expression()
			}
		})
		m.WriteByte(')')
		m.block()
		m.names = m.names[:at+1]
		return
	case 9:
		m.WriteString("if ")
		m.expression()
		m.block()
		if m.t.Flip("else") {
			m.indent()
			m.WriteString("else")
			m.block()
		}
		return
	case 10:
		m.WriteString("for ")
		m.bind()
		m.WriteString(" in ")
		m.expression()
		m.block()
		return
	case 11:
		m.WriteString("while ")
		m.expression()
		m.block()
		return
	}
	m.WriteByte('\n')
}

func (m *module) drawExpression() {
	m.inside++
	defer func() { m.inside-- }()
	if m.inside >= deepest || m.t.Flip("leaf") {
		switch m.t.Choose("leaf expression", 4) {
		case 0:
			m.WriteString(strconv.Itoa(m.t.IntRange("number", -10, 1000)))
		case 1:
			m.WriteString(strconv.Quote(strings.Repeat("s", m.t.IntRange("length", 0, 5))))
		case 2:
			m.WriteString([]string{"1.5", "0x1f", "b\"b\"", "r'\\d'", "1e3"}[m.t.IntRange("literal", 0, 4)])
		case 3:
			m.name()
		}
		return
	}
	switch m.t.Choose("expression", 11) {
	case 0:
		m.expression()
		m.WriteString([]string{" + ", " - ", " * ", " // ", " % ", " == ", " < ", " and ", " or ", " in ", " not in ", " | ", " & ", " << "}[m.t.IntRange("operator", 0, 13)])
		m.expression()
	case 1:
		m.WriteString([]string{"-", "not ", "+", "~"}[m.t.IntRange("unary", 0, 3)])
		m.expression()
	case 2:
		m.name()
		m.WriteByte('(')
		m.list(1.5, ", ", func() {
			switch m.t.Choose("argument", 6) {
			case 0:
				m.WriteString("k=")
			case 1:
				m.WriteString([]string{"*", "**"}[m.t.IntRange("stars", 0, 1)])
			}
			m.expression()
		})
		m.WriteByte(')')
	case 3:
		m.expression()
		m.WriteString([]string{".append", ".keys", ".x", ".join"}[m.t.IntRange("attribute", 0, 3)])
	case 4:
		m.expression()
		m.WriteByte('[')
		m.expression()
		if m.t.Flip("slice") {
			m.WriteByte(':')
			m.expression()
		}
		m.WriteByte(']')
	case 5:
		m.WriteByte('[')
		m.list(2, ", ", m.expression)
		m.WriteByte(']')
	case 6:
		m.WriteByte('{')
		m.list(2, ", ", func() { m.expression(); m.WriteString(": "); m.expression() })
		m.WriteByte('}')
	case 7:
		m.WriteByte('(')
		m.list(2, ", ", m.expression)
		m.WriteByte(')')
	case 8:
		open, shut := "[", "]"
		dict := m.t.Flip("of a dict")
		if dict {
			open, shut = "{", "}"
		}
		m.WriteString(open)
		m.expression()
		if dict {
			m.WriteString(": ")
			m.expression()
		}
		m.WriteString(" for ")
		m.bind()
		m.WriteString(" in ")
		m.expression()
		if m.t.Flip("if") {
			m.WriteString(" if ")
			m.expression()
		}
		m.WriteString(shut)
	case 9:
		m.WriteString("lambda ")
		m.bind()
		m.WriteString(": ")
		m.expression()
	case 10:
		m.WriteByte('(')
		m.expression()
		m.WriteString(" if ")
		m.expression()
		m.WriteString(" else ")
		m.expression()
		m.WriteByte(')')
	}
}
