//parallax:generator

package esbuild

import (
	"errors"
	"strings"
	"testing"

	"behaviour/js"
	"parallax/gen"

	"github.com/evanw/esbuild/pkg/api"
)

// accept transforms and minifies a program. esbuild makes an error of its own panics.
func accept(source string) error {
	result := api.Transform(source, api.TransformOptions{Loader: api.LoaderJS, MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, Target: api.ES2015})
	for _, message := range result.Errors {
		if strings.HasPrefix(message.Text, "panic: ") {
			panic(message.Text)
		}
	}
	if len(result.Errors) > 0 {
		return errors.New(result.Errors[0].Text)
	}
	return nil
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
