//parallax:generator

package cel

import (
	"testing"

	"behaviour/typed"
	"parallax/gen"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/ext"
)

var environment, failed = cel.NewEnv(
	cel.Variable("a", cel.BoolType), cel.Variable("i", cel.IntType), cel.Variable("j", cel.IntType), cel.Variable("d", cel.DoubleType),
	cel.Variable("s", cel.StringType), cel.Variable("list", cel.ListType(cel.IntType)), cel.Variable("map", cel.MapType(cel.StringType, cel.IntType)),
	cel.Variable("any", cel.DynType), ext.Strings(), ext.Math(),
)

// accept parses an expression and checks its types.
func accept(source string) error {
	if failed != nil {
		panic(failed)
	}
	_, issues := environment.Compile(source)
	return issues.Err()
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
		b: {form("$0 && $1", b, b), form("$0 || $1", b, b), form("!$0", b), form("($0)", b), form("$0 == $1", i, i), form("$0 < $1", d, d), form("$0 in $1", i, l),
			form("$0 in $1", s, m), form("$0.startsWith($1)", s, s), form("$0.matches($1)", s, s), form("$0.exists(x, x > $1)", l, i),
			form("$0.all(x, $1)", l, b), form("has(any.$0)", s), form("$0 ? $1 : $2", b, b, b), form("$0.exists_one(k, k == $1)", m, s)},
		i: {form("$0 + $1", i, i), form("$0 * $1", i, i), form("-$0", i), form("$0 % $1", i, i), form("size($0)", l), form("$0.size()", s), form("$0[$1]", l, i),
			form("$0[$1]", m, s), form("int($0)", d), form("$0 ? $1 : $2", b, i, i), form("math.greatest($0, $1)", i, i), form("$0.indexOf($1)", s, s)},
		d: {form("$0 / $1", d, d), form("$0 - $1", d, d), form("double($0)", i), form("math.least($0, $1)", d, d)},
		s: {form("$0 + $1", s, s), form("string($0)", i), form("$0.replace($1, $2)", s, s, s), form("$0.substring($1)", s, i), form("$0.charAt($1)", s, i), form("type($0)", i)},
		l: {form("$0 + $1", l, l), form("$0.map(x, x + $1)", l, i), form("$0.filter(x, $1)", l, b), form("[$0, $1]", i, i), form("$0.map(x, $1, x * $2)", l, b, i)},
		m: {form("{$0: $1}", s, i), form("$0 ? $1 : $2", b, m, m)},
	},
	Leaves: [...][]string{b: {"a", "any"}, i: {"i", "j", "x", "1u"}, d: {"d", "1e3"}, s: {"s", "'q'", "b'b'"}, l: {"list", "any"}, m: {"map", "any"}},
}

var source = language.Expression(typed.Bool)

func FuzzGenerated(f *testing.F) {
	gen.Fuzz(f, func(t *gen.T) { t.Valid(accept(source.Draw(t, "source"))) })
}

func FuzzBytes(f *testing.F) {
	f.Add("a && list.exists(x, x > i) || s.startsWith(\"b\") && map[s] < 3")
	f.Fuzz(func(t *testing.T, source string) {
		if accept(source) != nil {
			t.Skip()
		}
	})
}
