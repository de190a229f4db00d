package css

import (
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

func right(t *testing.T, source string, minify bool) {
	r := api.Transform(source, api.TransformOptions{Loader: api.LoaderCSS, MinifySyntax: minify, MinifyWhitespace: minify})
	if len(r.Errors) > 0 {
		t.Error(r.Errors[0].Text)
	}
}
