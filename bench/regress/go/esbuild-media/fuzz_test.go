package css

import (
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// FuzzCSS transforms a style sheet.
func FuzzCSS(f *testing.F) {
	f.Add("a { color: red }\n.b > #c:hover { margin: 0 1px }", true)
	f.Add("@import \"base.css\";\n/* a comment */\n@font-face { font-family: x; src: url(x.woff) }", false)
	f.Add("@media screen and (min-width: 100px) { a::before { content: \"\\201C\" } }", false)
	f.Add("@media (width > 1px) { b { color: rgba(0, 0, 0, .5) !important } }", false)
	f.Fuzz(func(t *testing.T, source string, minify bool) {
		r := api.Transform(source, api.TransformOptions{Loader: api.LoaderCSS, MinifySyntax: minify, MinifyWhitespace: minify})
		if len(r.Errors) == 0 && len(r.Code) > 4*len(source)+100 {
			t.Errorf("%d bytes became %d", len(source), len(r.Code))
		}
	})
}
