package fuzztest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// overlaid renders what is laid over a tree: "place < new/place", "place < nothing".
func overlaid(o *Over, newer, older string) []string {
	var list []string
	for at, from := range o.Overlay {
		at, from = strings.Replace(at, older, "old", 1), strings.Replace(from, newer, "new", 1)
		if from == "" {
			from = "nothing"
		}
		list = append(list, at+" < "+from)
	}
	slices.Sort(list)
	return list
}

func TestLayOver(t *testing.T) {
	tests := []struct {
		name         string
		newer, older string
		helpers      []string
		overlay      []string
		data         []string // paths of the joined testdata; nil means all of the old tree
	}{
		{
			name:  "a new harness",
			newer: "-- p/p.go --\n-- p/p_test.go --\nnew\n-- p/x_windows_test.go --\n", older: "-- p/p.go --\n-- p/p_test.go --\nold\n-- p/gone_test.go --\n",
			overlay: []string{"old/p/gone_test.go < nothing", "old/p/p_test.go < new/p/p_test.go", "old/p/x_windows_test.go < new/p/x_windows_test.go"},
		},
		{
			name:  "nothing but what is not the harness",
			newer: "-- p/p.go --\nnew\n-- p/p_test.go --\nsame\n-- p/sub/s_test.go --\n", older: "-- p/p.go --\nold\n-- p/p_test.go --\nsame\n-- p/other/o_test.go --\n",
		},
		{
			name:  "testdata by union, the new tree's first",
			newer: "-- p/testdata/both --\n1\n-- p/testdata/same --\n1\n-- p/testdata/new/deep --\n", older: "-- p/p.go --\n-- p/testdata/both --\n2\n-- p/testdata/same --\n1\n-- p/testdata/old --\n",
			overlay: []string{"old/p/testdata/both < new/p/testdata/both", "old/p/testdata/new/deep < new/p/testdata/new/deep"},
			data:    []string{"testdata/both", "testdata/new/deep", "testdata/old", "testdata/same"},
		},
		{
			name:  "helpers that are not there",
			newer: "-- p/p.go --\n-- internal/a/a.go --\n-- internal/a/a_test.go --\n-- internal/b/b.go --\n-- internal/c/c.go --\n", older: "-- p/p.go --\n-- internal/b/b.go --\nolder\n",
			helpers: []string{"internal/a", "internal/b"},
			overlay: []string{"old/internal/a/a.go < new/internal/a/a.go"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			newer, older := moduletest.Tree(t, test.newer), moduletest.Tree(t, test.older)
			moduletest.Untouched(t, older)
			for _, dir := range []string{newer, older} {
				if err := os.MkdirAll(filepath.Join(dir, "p"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			onto := Tree{older, "p"}
			o, err := LayOver(Tree{newer, "p"}, onto, test.helpers, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := overlaid(o, newer, older); !slices.Equal(got, test.overlay) {
				t.Errorf("laid over: %q\nwant:      %q", got, test.overlay)
			}
			var data []string
			for rel := range o.Data {
				data = append(data, rel)
			}
			if slices.Sort(data); !slices.Equal(data, test.data) {
				t.Errorf("data %q, want %q", data, test.data)
			}
			if o.Data == nil {
				return
			}
			dir, err := o.Mirror(onto, filepath.Join(t.TempDir(), "tree"))
			if err != nil {
				t.Fatal(err)
			}
			for rel, want := range map[string]string{"testdata/both": "1\n", "testdata/old": "", "p.go": "", "../p/p.go": ""} {
				if got, err := os.ReadFile(filepath.Join(dir, rel)); err != nil || string(got) != want {
					t.Errorf("%s in the mirror: %q, %v", rel, got, err)
				}
			}
		})
	}
}

func TestHelpers(t *testing.T) {
	pkg := func(path string, imports ...string) *gocommand.Package {
		return &gocommand.Package{ImportPath: "m/" + path, Name: "x", GoFiles: []string{"x.go"}, Imports: imports}
	}
	all := []*gocommand.Package{
		pkg("p", "m/used"), pkg("used"), pkg("internal/a", "m/internal/b"), pkg("internal/b"), pkg("shared"), pkg("q", "m/shared"),
	}
	deps := append(slices.Clone(all[:5]), &gocommand.Package{ImportPath: "other", GoFiles: []string{"x.go"}}, pkg("p_test"))
	if got, want := Helpers("m", "m/p", deps, all), []string{"internal/a", "internal/b"}; !slices.Equal(got, want) {
		t.Errorf("helpers %q, want %q", got, want)
	}
}
