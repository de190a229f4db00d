package library

import "testing"

func TestRoot(t *testing.T) {
	for path, want := range map[string]string{
		"parallax":                                                  "parallax",
		"parallax/repair":                                           "parallax",
		"parallax/internal/oracle":                                  "parallax",
		"example.com/m/v2/internal/parallax":                        "example.com/m/v2/internal/parallax",
		"example.com/m/internal/parallax/repair":                    "example.com/m/internal/parallax",
		"example.com/m/internal/parallax/internal/input":            "example.com/m/internal/parallax",
		"parallax/internal/parallax/internal/input":                 "parallax/internal/parallax",
		"example.com/m/internal/parallax/repair/deeper":             "",
		"example.com/m/internal/parallax/mine":                      "",
		"example.com/parallaxes":                                    "",
		"parallax/puzzles/several":                                  "",
		"example.com/parallax/cmd/internal/campaign/findings/input": "",
	} {
		got, ok := Root(path)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q, %v, want %q", path, got, ok, want)
		}
	}
	for path, want := range map[string]bool{"parallax": true, "a.b/parallax": true, "parallax/repair": false, "a.b/myparallax": false, "": false} {
		if Named(path) != want {
			t.Errorf("Named(%q) = %v", path, !want)
		}
	}
}

func TestFunctionsOfLibrary(t *testing.T) {
	for name, want := range map[string]bool{
		"a.b/parallax":                     true,
		"a.b/parallax.Diff":                true,
		"a.b/parallax.(*harness).ignored":  true,
		"a.b/parallax/repair":              true,
		"a.b/parallax/repair.All.func1":    true,
		"a.b/parallax/internal/input":      true,
		"a.b/parallax/internal/input.Pack": true,
		"a.b/parallax/repairs.F":           false,
		"a.b/parallax/internals.F":         false,
		"a.b/parallax/puzzles.F":           false,
		"a.b/parallaxes.F":                 false,
		"a.b/parallax_test.F":              false,
		"a.b/other.F":                      false,
	} {
		if Has("a.b/parallax", name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}
