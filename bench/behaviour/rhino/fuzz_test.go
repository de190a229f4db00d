//parallax:generator

package rhino

import (
	"testing"

	"parallax/gen"

	"github.com/dop251/goja"
)

// accept compiles a program: what is not compiled is invalid.
func accept(source string) error {
	_, err := goja.Compile("", source, false)
	return err
}

func FuzzGenerated(f *testing.F) {
	gen.Fuzz(f, func(t *gen.T) { t.Valid(accept(Split.Draw(t, "program"))) })
}

// FuzzPlain has the generator that Zest was published with.
func FuzzPlain(f *testing.F) {
	gen.Fuzz(f, func(t *gen.T) { t.Valid(accept(Program.Draw(t, "program"))) })
}
