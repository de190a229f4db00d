//parallax:generator

package starlark

import (
	"errors"
	"strings"
	"testing"

	"behaviour/modules"
	"parallax/gen"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// accept parses, resolves and compiles a module, and does not run it. The parser makes an error of
// its own panics.
func accept(source string) error {
	_, _, err := starlark.SourceProgramOptions(&syntax.FileOptions{While: true, TopLevelControl: true, Recursion: true}, "module.star", source, starlark.StringDict{"native": nil}.Has)
	var parsing syntax.Error
	if errors.As(err, &parsing) && strings.HasPrefix(parsing.Msg, "internal error: ") {
		panic(parsing.Msg)
	}
	return err
}

func FuzzGenerated(f *testing.F) {
	gen.Fuzz(f, func(t *gen.T) { t.Valid(accept(modules.Module.Draw(t, "module"))) })
}

func FuzzBytes(f *testing.F) {
	f.Add("def f(a, *b):\n  return [x for x in b if x]\nc = f(1, 2) + [3]\n")
	f.Fuzz(func(t *testing.T, source string) {
		if accept(source) != nil {
			t.Skip()
		}
	})
}
