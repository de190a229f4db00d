package js

import (
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// FuzzJS transforms a script.
func FuzzJS(f *testing.F) {
	f.Add("let x = {a: 1, 'b': [2, 3]}; x.a += x['b'][0];", true)
	f.Add("class A { #p = 1; static s() { return new A().#p } }\nexport default A", false)
	f.Add("// a comment\nfor (const k of f()) { if (k) continue; g(`${k}`) }", false)
	f.Add("(function () { return (async () => await 1)() })()", true)
	f.Fuzz(func(t *testing.T, source string, minify bool) {
		r := api.Transform(source, api.TransformOptions{Loader: api.LoaderJS, MinifySyntax: minify, MinifyWhitespace: minify})
		if len(r.Errors) > 0 {
			t.Skip()
		}
		again := api.Transform(string(r.Code), api.TransformOptions{Loader: api.LoaderJS})
		if len(again.Errors) > 0 {
			t.Errorf("%q is %q, which is wrong: %s", source, r.Code, again.Errors[0].Text)
		}
	})
}
