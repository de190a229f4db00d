//parallax:generator

package otto

import (
	"testing"

	"behaviour/js"
	"parallax/gen"

	"github.com/robertkrimen/otto/parser"
)

// accept parses a program.
func accept(source string) error {
	_, err := parser.ParseFile(nil, "", source, 0)
	return err
}

func FuzzGenerated(f *testing.F) {
	gen.Fuzz(f, func(t *gen.T) { t.Valid(accept(js.Program.Draw(t, "program"))) })
}

func FuzzBytes(f *testing.F) {
	f.Add("var a = 1; function f(x) { return x ? [a, {b: 2}] : \"c\"; }")
	f.Fuzz(func(t *testing.T, source string) {
		if accept(source) != nil {
			t.Skip()
		}
	})
}
