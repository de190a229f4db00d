package gobuild

import (
	"path/filepath"
	"slices"
	"testing"

	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/gobuild/gocommand"
)

// TestFindGenerators checks that generators are the packages that the added file can import. The
// library's own module has its package gen, too. Tests of the dependencies of gen import it from
// outside only.
func TestFindGenerators(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	graph := gocommand.NewGraph([]*gocommand.Package{
		{ImportPath: "parallax", Dir: root},
		{ImportPath: "parallax/gen", Dir: filepath.Join(root, "gen"), Imports: []string{"parallax/internal/tape"}},
		{ImportPath: "parallax/internal/tape", Dir: filepath.Join(root, "internal", "tape")},
		{ImportPath: "parallax/puzzles/p", Dir: filepath.Join(root, "puzzles", "p"), Imports: []string{"parallax/gen"}},
		{ImportPath: "example.com/parallax/gen", Dir: filepath.Join(root, "internal", "tape")}, // of that name alone
		{ImportPath: "example.com/m/internal/parallax/gen", Dir: filepath.Join(root, "gen")},
	})
	for _, c := range []struct {
		path, module string
		inside       bool
		want         []string
	}{
		{"parallax/puzzles/p", "parallax", true, []string{"parallax/gen"}},
		{"parallax/internal/worth", "parallax", true, []string{"parallax/gen"}},
		{"parallax/internal/tape", "parallax", true, nil},
		{"parallax/internal/tape", "parallax", false, []string{"parallax/gen"}},
		{"parallax/gen", "parallax", true, nil},
		{"parallax/gen", "parallax", false, []string{"parallax/gen"}},
		{"example.com/m/p", "example.com/m", true, []string{"example.com/m/internal/parallax/gen", "parallax/gen"}},
	} {
		p := &Plan{graph: graph, Own: []string{c.module}, fuzz: &fuzztest.Package{ImportPath: c.path, Module: c.module, Funcs: []fuzztest.Func{{Name: "FuzzX", External: !c.inside}}}}
		if err := p.findGenerators(); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(p.fuzz.Generators, c.want) {
			t.Errorf("%s, inside %v: %q, want %q", c.path, c.inside, p.fuzz.Generators, c.want)
		}
	}
}
