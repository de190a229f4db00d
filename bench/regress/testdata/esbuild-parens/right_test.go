package js

import (
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

func right(t *testing.T, source string, minify bool) {
	r := api.Transform(source, api.TransformOptions{Loader: api.LoaderJS, MinifySyntax: minify, MinifyWhitespace: minify})
	again := api.Transform(string(r.Code), api.TransformOptions{Loader: api.LoaderJS})
	if len(r.Errors) > 0 || len(again.Errors) > 0 {
		t.Errorf("%s%v%v", r.Code, r.Errors, again.Errors)
	}
}
