package genjs

import (
	"encoding/json"
	"strconv"
	"strings"

	"parallax/gen"
)

// expression draws an expression. It is a rule, as statement is.
func (s *script) expression(t *gen.T, label string, depth int) string {
	return gen.Rule("expression", func(t *gen.T) string {
		if depth >= deepExpression || t.Choose("deeper", 3) == 0 {
			return s.leaf(t)
		}
		return s.compound(t, depth+1)
	}).Draw(t, label)
}

var (
	binary  = []string{"+", "-", "*", "/", "%", "**", "==", "!=", "===", "!==", "<", "<=", ">", ">=", "&&", "||", "??", "&", "|", "^", "<<", ">>", ">>>", "in", "instanceof", ","}
	unary   = []string{"-", "+", "!", "~", "typeof ", "void "}
	assigns = []string{"=", "+=", "-=", "*=", "&&=", "??=", ">>>="}
	members = gen.SampledFrom([]string{"length", "name", "prototype", "constructor", "toString", "map", "x", "y"})
	numbers = []string{"NaN", "Infinity", "0.1", "1e21", "0x1f", "0b101", "9007199254740993", "5e-324"}
	regexps = gen.SampledFrom([]string{"/a/", "/[a-z]+/gi", `/(\d+)-\1/u`, "/^(?:x|y)*?$/m", "/(?<n>.)/s"})
)

// leaf draws an expression that holds no others.
func (s *script) leaf(t *gen.T) string {
	switch t.Choose("leaf", 8) {
	case 0:
		return strconv.Itoa(t.IntRange("number", 0, 1000))
	case 1, 2, 3:
		names := s.known(false)
		return names[t.Choose("name", len(names))]
	case 4:
		return quote(gen.String().Draw(t, "string"))
	case 5:
		return gen.SampledFrom([]string{"null", "undefined", "true", "false", "this", "[]", "({})"}).Draw(t, "constant")
	case 6:
		return gen.SampledFrom(numbers).Draw(t, "special number")
	}
	return regexps.Draw(t, "regexp")
}

// quote is a string as JSON writes it, which JavaScript reads.
func quote(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}

// compound draws an expression of others. Parts are in parentheses wherever they could be taken
// apart otherwise.
func (s *script) compound(t *gen.T, depth int) string {
	kinds := 13
	if s.scope.async || s.scope.generator {
		kinds = 14
	}
	switch t.Choose("expression", kinds) {
	case 0, 1, 2:
		left, right := s.expression(t, "left", depth), s.expression(t, "right", depth)
		return "((" + left + ") " + binary[t.Choose("operator", len(binary))] + " (" + right + "))"
	case 3:
		return "(" + unary[t.Choose("operator", len(unary))] + "(" + s.expression(t, "operand", depth) + "))"
	case 4:
		return "((" + s.expression(t, "condition", depth) + ") ? (" + s.expression(t, "then", depth) + ") : (" + s.expression(t, "else", depth) + "))"
	case 5, 6:
		return "(" + s.expression(t, "function", depth) + ")(" + s.list(t, "arguments", depth) + ")"
	case 7:
		object := "(" + s.expression(t, "object", depth) + ")"
		switch t.Choose("member", 3) {
		case 0:
			return object + "." + members.Draw(t, "name")
		case 1:
			return object + "?." + members.Draw(t, "name")
		}
		return object + "[" + s.expression(t, "index", depth) + "]"
	case 8:
		return "[" + s.list(t, "elements", depth) + "]"
	case 9:
		var parts []string
		for n := t.Choose("properties", 4); n > 0; n-- {
			parts = append(parts, s.property(t, depth))
		}
		return "({" + strings.Join(parts, ", ") + "})"
	case 10:
		return "(" + s.arrow(t, depth) + ")"
	case 11:
		return "(" + s.assignment(t, depth) + ")"
	case 12:
		return "`" + gen.StringMatching("[a-z ]{0,6}").Draw(t, "text") + "${" + s.expression(t, "inner", depth) + "}`"
	}
	if s.scope.async {
		return "(await (" + s.expression(t, "promise", depth) + "))"
	}
	return "(yield (" + s.expression(t, "value", depth) + "))"
}

// list draws expressions with commas between them, and spreads some.
func (s *script) list(t *gen.T, label string, depth int) string {
	var parts []string
	for n := t.Choose(label+" length", 4); n > 0; n-- {
		text := "(" + s.expression(t, label, depth) + ")"
		if t.Choose("spread", 8) == 1 {
			text = "..." + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

func (s *script) property(t *gen.T, depth int) string {
	switch t.Choose("property", 4) {
	case 0:
		return members.Draw(t, "key") + ": " + "(" + s.expression(t, "value", depth) + ")"
	case 1:
		return "[" + s.expression(t, "computed", depth) + "]: (" + s.expression(t, "value", depth) + ")"
	case 2:
		return "..." + "(" + s.expression(t, "spread", depth) + ")"
	}
	return "get " + members.Draw(t, "getter") + "() { return " + s.plain(t, depth, nil) + "; }"
}

// arrow draws a function with an expression as its body.
func (s *script) arrow(t *gen.T, depth int) string {
	var params []string
	var names []name
	for n := t.Choose("parameters", 3); n > 0; n-- {
		p := s.fresh("p")
		names = append(names, name{p, true})
		params = append(params, p)
	}
	return "(" + strings.Join(params, ", ") + ") => (" + s.plain(t, depth, names) + ")"
}

// plain draws an expression in a function that is neither async nor a generator.
func (s *script) plain(t *gen.T, depth int, names []name) string {
	return s.within(func(in *scope) {
		in.names, in.function, in.loop, in.breaks, in.async, in.generator = names, true, false, false, false, false
	}, func() string { return s.expression(t, "result", depth) })
}

// assignment draws one to a variable, or to a member where there is none.
func (s *script) assignment(t *gen.T, depth int) string {
	to := "globalThis." + members.Draw(t, "member")
	if names := s.known(true); len(names) > 0 && t.Choose("to a variable", 4) > 0 {
		to = names[t.Choose("variable", len(names))]
		if t.Choose("step", 4) == 1 {
			return to + "++"
		}
	}
	return to + " " + assigns[t.Choose("assign", len(assigns))] + " (" + s.expression(t, "assigned", depth) + ")"
}
