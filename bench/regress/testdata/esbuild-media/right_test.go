package css

import (
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

func right(t *testing.T, source string, minify bool) {
	r := api.Transform(source, api.TransformOptions{Loader: api.LoaderCSS, MinifySyntax: minify, MinifyWhitespace: minify})
	if !strings.HasPrefix(string(r.Code), "@media screen and ((width) or (height)) {") {
		t.Errorf("%s", r.Code)
	}
}
