package fuzz

import (
	"testing"

	version "github.com/hashicorp/go-version"
)

// FuzzOrder says that LessThan is an order, which sorting and searching rely on.
func FuzzOrder(f *testing.F) {
	f.Add("1.0.0-alpha", "1.0.0-beta.1", "1.0.0")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		x, errX := version.NewSemver(a)
		y, errY := version.NewSemver(b)
		z, errZ := version.NewSemver(c)
		if errX != nil || errY != nil || errZ != nil {
			t.Skip("not versions")
		}
		if x.LessThan(y) && y.LessThan(x) {
			t.Fatalf("%q and %q are each less than the other", x, y)
		}
		if x.LessThan(y) && y.LessThan(z) && !x.LessThan(z) {
			t.Fatalf("%q is less than %q, that is less than %q, and the first is not less than the last", x, y, z)
		}
	})
}
