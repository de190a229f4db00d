// Package genjs draws JavaScript: expressions, statements, functions and classes, in which names
// are used only where they are declared. It is a generator to copy and to change.
package genjs

import (
	"strconv"
	"strings"

	"parallax/gen"
)

// Program draws scripts without early errors: break is in loops, return in functions, and no name
// is declared twice. They may fail when they run.
func Program() gen.Gen[string] {
	return gen.Custom(func(t *gen.T) string {
		s := &script{scope: &scope{names: globals}}
		if t.Choose("strict", 8) == 1 {
			return "'use strict';\n" + s.block(t, "statements", 1)
		}
		return s.block(t, "statements", 1)
	})
}

// globals are names that there always are.
var globals = []name{{text: "Math"}, {text: "Object"}, {text: "Array"}, {text: "JSON"}, {text: "String"}}

// script is the state of one program. It determines the choices at a place by those before.
type script struct {
	scope    *scope
	declared int // names so far, so that each is another one
}

// scope holds the names and the permitted statements of a block.
type scope struct {
	around    *scope
	names     []name
	loop      bool // break and continue are permitted
	breaks    bool // break is, in a switch
	function  bool // return is
	async     bool // await is
	generator bool // yield is
}

type name struct {
	text     string
	variable bool // it may be assigned to
}

// within calls a function in a scope of its own.
func (s *script) within(change func(*scope), draw func() string) string {
	inner := *s.scope
	inner.around, inner.names = s.scope, nil
	if change != nil {
		change(&inner)
	}
	s.scope = &inner
	text := draw()
	s.scope = inner.around
	return text
}

// fresh returns a new name. The caller declares it.
func (s *script) fresh(prefix string) string {
	s.declared++
	return prefix + strconv.Itoa(s.declared)
}

func (s *script) declare(text string, variable bool) {
	s.scope.names = append(s.scope.names, name{text, variable})
}

// known are the names that are declared, the nearest first; only those that may be assigned to, if
// that is asked for.
func (s *script) known(variables bool) (list []string) {
	for at := s.scope; at != nil; at = at.around {
		for i := len(at.names) - 1; i >= 0; i-- {
			if at.names[i].variable || !variables {
				list = append(list, at.names[i].text)
			}
		}
	}
	return list
}

// Levels of statements in statements, and of expressions in expressions.
const (
	deepStatement  = 4
	deepExpression = 6
)

// block draws some statements.
func (s *script) block(t *gen.T, label string, min int) string {
	var b strings.Builder
	for n := min + t.Choose(label, 5); n > 0; n-- {
		b.WriteString(s.statement(t, label, 0))
	}
	return b.String()
}

// braces draws a block with a scope of its own.
func (s *script) braces(t *gen.T, label string, depth int, change func(*scope)) string {
	return s.within(change, func() string {
		var b strings.Builder
		b.WriteString("{\n")
		for n := t.Choose(label+" length", 4); n > 0; n-- {
			b.WriteString(s.statement(t, label, depth+1))
		}
		return b.String() + "}"
	})
}

// statement draws a statement. It is a rule, so that a statement can take the place of any other.
func (s *script) statement(t *gen.T, label string, depth int) string {
	return gen.Rule("statement", func(t *gen.T) string { return s.anyStatement(t, depth) + "\n" }).Draw(t, label)
}

func (s *script) anyStatement(t *gen.T, depth int) string {
	kinds := 6 // that hold no statements
	if depth < deepStatement {
		kinds = 17
	}
	switch t.Choose("statement", kinds) {
	case 0:
		text := s.expression(t, "expression", 0)
		for _, start := range []string{"{", "function", "class", "async", "let"} { // would begin another kind of statement
			if strings.HasPrefix(text, start) {
				return "(" + text + ");"
			}
		}
		return text + ";"
	case 1, 2:
		kind := t.Choose("declaration", 3)
		value := s.expression(t, "value", 0)
		text := s.fresh("v")
		s.declare(text, kind != 2)
		return []string{"let ", "var ", "const "}[kind] + text + " = " + value + ";"
	case 3:
		return s.assignment(t, 1) + ";"
	case 4:
		return s.leave(t)
	case 5:
		a, b := s.fresh("v"), s.fresh("v")
		value := s.expression(t, "value", 0)
		s.declare(a, true)
		s.declare(b, true)
		return []string{"let [" + a + ", ..." + b + "] = ", "let {" + a + ", p: " + b + " = 1} = "}[t.Choose("pattern", 2)] + value + ";"
	case 6, 7:
		text := "if (" + s.expression(t, "condition", 0) + ") " + s.braces(t, "then", depth, nil)
		if t.Flip("else") {
			text += " else " + s.braces(t, "otherwise", depth, nil)
		}
		return text
	case 8:
		i := s.fresh("i")
		return s.within(nil, func() string {
			s.declare(i, true)
			head := "for (let " + i + " = 0; " + i + " < " + strconv.Itoa(t.IntRange("times", 0, 9)) + "; " + i + "++) "
			return head + s.braces(t, "body", depth, inLoop)
		})
	case 9:
		i := s.fresh("k")
		of := []string{" of [", " in ["}[t.Choose("for", 2)]
		list := s.list(t, "elements", 0)
		return s.within(nil, func() string {
			s.declare(i, false)
			return "for (const " + i + of + list + "]) " + s.braces(t, "body", depth, inLoop)
		})
	case 10: // ends after one round, unless it continues
		if t.Flip("do") {
			return "do " + s.braces(t, "body", depth, inLoop) + " while (false);"
		}
		return "while (" + s.expression(t, "condition", 0) + ") { " + s.braces(t, "body", depth, inLoop) + " break; }"
	case 11:
		text := "switch (" + s.expression(t, "condition", 0) + ") {\n"
		for n := t.Choose("cases", 4); n > 0; n-- {
			text += "case " + s.expression(t, "case", 3) + ": " + s.braces(t, "body", depth, inSwitch) + "\n"
		}
		return text + "default: " + s.braces(t, "default", depth, inSwitch) + "}"
	case 12:
		text := "try " + s.braces(t, "try", depth, nil)
		kind := t.Choose("handlers", 3)
		if kind < 2 {
			e := s.fresh("e")
			text += " catch (" + e + ") " + s.braces(t, "catch", depth, func(in *scope) { in.names = []name{{e, true}} })
		}
		if kind > 0 {
			text += " finally " + s.braces(t, "finally", depth, nil)
		}
		return text
	case 13, 14:
		f := s.fresh("f")
		text := s.function(t, f, depth)
		s.declare(f, false)
		return text
	case 15:
		return s.class(t, depth)
	}
	return s.braces(t, "block", depth, nil)
}

func inLoop(in *scope)   { in.loop, in.breaks = true, true }
func inSwitch(in *scope) { in.breaks = true }

// leave draws a permitted statement that ends a block.
func (s *script) leave(t *gen.T) string {
	kinds := []string{"throw "}
	if s.scope.function {
		kinds = append(kinds, "return ")
	}
	if s.scope.breaks {
		kinds = append(kinds, "break;")
	}
	if s.scope.loop {
		kinds = append(kinds, "continue;")
	}
	kind := kinds[t.Choose("leave", len(kinds))]
	if strings.HasSuffix(kind, ";") {
		return kind
	}
	return kind + s.expression(t, "value", 1) + ";"
}

// function draws one. Its name is declared behind it, so that it does not call itself.
func (s *script) function(t *gen.T, name string, depth int) string {
	kind := t.Choose("function", 4)
	head := []string{"function ", "function ", "async function ", "function* "}[kind] + name
	return head + s.parameters(t, depth, func(in *scope) { in.async, in.generator = kind == 2, kind == 3 })
}

// parameters draws the parameters and the body of a function.
func (s *script) parameters(t *gen.T, depth int, change func(*scope)) string {
	var params []string
	var names []name
	for n := t.Choose("parameters", 4); n > 0; n-- {
		p := s.fresh("p")
		names = append(names, name{p, true})
		params = append(params, p)
	}
	return "(" + strings.Join(params, ", ") + ") " + s.braces(t, "body", depth, func(in *scope) {
		in.names, in.function, in.loop, in.breaks, in.async, in.generator = names, true, false, false, false, false
		if change != nil {
			change(in)
		}
	})
}

func (s *script) class(t *gen.T, depth int) string {
	c := s.fresh("C")
	text := "class " + c
	if t.Flip("extends") {
		text += " extends Array"
	}
	text += " {\n"
	for n := t.Choose("methods", 4); n > 0; n-- {
		text += []string{"", "static ", "*", "async "}[t.Choose("method", 4)] + s.fresh("m") + s.parameters(t, depth+1, nil) + "\n"
	}
	s.declare(c, false)
	return text + "}"
}
