package releases

import (
	"testing"

	"example.com/releases/internal/parallax"
)

func FuzzDiff(f *testing.F) {
	f.Add("a")
	parallax.Diff(f, parallax.Impl("strict", func(s string) (bool, error) { return true, Strict(s) }), parallax.Impl("lax", func(s string) (bool, error) { return true, Lax(s) }))
}
