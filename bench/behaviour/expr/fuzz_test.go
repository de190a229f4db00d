//parallax:generator

package expr

import (
	"strings"
	"testing"

	"behaviour/typed"
	"parallax/gen"

	"github.com/expr-lang/expr"
)

var environment = expr.Env(map[string]any{"a": true, "i": 1, "j": 2, "d": 1.5, "s": "s", "list": []int{1}, "m": map[string]int{"a": 1}})

// accept compiles an expression: it is parsed, its types are checked, and it is optimized. The
// compiler makes an error of its own panics, with the stack behind; some of them say what is wrong
// with the expression.
func accept(source string) error {
	_, err := expr.Compile(source, environment)
	if err != nil {
		for _, fault := range []string{"runtime error: ", "interface conversion: ", "reflect: ", "assignment to entry in nil map"} {
			if message, _, recovered := strings.Cut(err.Error(), "\ngoroutine "); recovered && strings.HasPrefix(message, fault) {
				panic(message)
			}
		}
	}
	return err
}

const (
	b = typed.Bool
	i = typed.Int
	d = typed.Float
	s = typed.String
	l = typed.List
	m = typed.Map
)

func form(text string, from ...typed.Type) typed.Form { return typed.Form{Text: text, From: from} }

var language = typed.Language{
	Forms: [...][]typed.Form{
		b: {form("$0 and $1", b, b), form("$0 || $1", b, b), form("not $0", b), form("($0)", b), form("$0 == $1", i, i), form("$0 < $1", d, d), form("$0 in $1", i, l),
			form("$0 in $1", s, m), form("$0 startsWith $1", s, s), form("$0 matches $1", s, s), form("any($0, # > $1)", l, i), form("all($0, {$1})", l, b),
			form("$0 ? $1 : $2", b, b, b), form("one($0, # == $1)", l, i), form("$0 not in $1", i, l), form("let x = $0; $1", i, b)},
		i: {form("$0 + $1", i, i), form("$0 * $1", i, i), form("-$0", i), form("$0 % $1", i, i), form("len($0)", l), form("len($0)", s), form("$0[$1]", l, i),
			form("$0?.[$1] ?? $2", m, s, i), form("int($0)", d), form("$0 ? $1 : $2", b, i, i), form("max($0, $1)", i, i), form("count($0, # < $1)", l, i),
			form("reduce($0, #acc + # * $1, 0)", l, i), form("sum($0)", l), form("first($0)", l)},
		d: {form("$0 / $1", d, d), form("$0 - $1", d, d), form("float($0)", i), form("$0 ** $1", i, i), form("round($0)", d)},
		s: {form("$0 + $1", s, s), form("string($0)", i), form("$0[$1:$2]", s, i, i), form("upper($0)", s), form("$0 | trim()", s), form("join(map($0, string(#)), $1)", l, s)},
		l: {form("map($0, # + $1)", l, i), form("filter($0, {$1})", l, b), form("[$0, $1]", i, i), form("$0..$1", i, i), form("$0[$1:]", l, i), form("sort($0)", l), form("values($0)", m)},
		m: {form("{\"k\": $0}", i), form("$0 ? $1 : $2", b, m, m)},
	},
	Leaves: [...][]string{b: {"a"}, i: {"i", "j", "#", "x"}, d: {"d", "1e3"}, s: {"s", "'q'", "`r`"}, l: {"list", "1..3"}, m: {"m", "nil"}},
}

var source = language.Expression(typed.Bool)

func FuzzGenerated(f *testing.F) {
	gen.Fuzz(f, func(t *gen.T) { t.Valid(accept(source.Draw(t, "source"))) })
}

func FuzzBytes(f *testing.F) {
	f.Add("a and any(list, # > i) || s startsWith \"b\" && m[s] < 3")
	f.Fuzz(func(t *testing.T, source string) {
		if accept(source) != nil {
			t.Skip()
		}
	})
}
