//parallax:generator

package goja

import (
	"testing"

	"behaviour/js"
	"parallax/gen"

	"github.com/dop251/goja"
)

// accept compiles a program: what is not compiled is invalid.
func accept(source string) error {
	_, err := goja.Compile("", source, false)
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
