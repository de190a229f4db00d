//parallax:generator

package jsdiff

import (
	"testing"

	"behaviour/js"
	"parallax"
)

const script = "var a = 1; function f(x) { return x ? [a, {b: 2}] : \"c\"; }"

// compare are the parts of both harnesses.
func compare(more ...parallax.Part) []parallax.Part {
	return append(more, parallax.Impl("goja", Goja), parallax.Impl("tdewolff", Tdewolff), parallax.Accepts(script), parallax.Rejects("var 1"))
}

func FuzzDrawn(f *testing.F) { parallax.Diff(f, compare(parallax.Generate(js.Program))...) }

func FuzzBytes(f *testing.F) {
	f.Add(script)
	parallax.Diff(f, compare()...)
}
