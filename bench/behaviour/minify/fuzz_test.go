//parallax:generator

package minify

import (
	"io"
	"strings"
	"testing"

	"behaviour/js"
	"parallax/gen"

	"github.com/tdewolff/minify/v2"
	jsminify "github.com/tdewolff/minify/v2/js"
)

var minifier = minify.New()

// accept minifies a program.
func accept(source string) error {
	return jsminify.Minify(minifier, io.Discard, strings.NewReader(source), nil)
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
