package plan

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"parallax/cmd/internal/change"
)

// TestRoots checks that packages are read if they can run a change point, with tests if these have
// a FuzzXxx that may run. All FuzzXxx are listed.
func TestRoots(t *testing.T) {
	dir := t.TempDir()
	test := func(name, pkg, fuzz string) []string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte("package "+pkg+"\nimport \"testing\"\nfunc "+fuzz+"(f *testing.F) {}\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		return []string{file}
	}
	tree := &change.Tree{Packages: []*change.Package{
		{Path: "fmt", Standard: true, Dir: filepath.Join(dir, "fmt")},
		{Path: "m/changed", Asked: true, Files: []string{"c.go"}},
		{Path: "m/user", Asked: true, Files: []string{"u.go"}, Imports: []string{"m/changed"}, Tests: test("u_test.go", "user_test", "FuzzUser")},
		{Path: "m/beyond", Asked: true, Files: []string{"b.go"}, Imports: []string{"written"}, ImportMap: map[string]string{"written": "m/user"}},
		{Path: "m/apart", Asked: true, Files: []string{"a.go"}, Imports: []string{"fmt"}, Tests: test("a_test.go", "apart", "FuzzApart")},
		{Path: "m/tests", Asked: true, Files: []string{"t.go"}, TestImports: []string{"m/user"}, Tests: test("t_test.go", "tests", "FuzzTests")},
		{Path: "m/unknown", Asked: true, Files: []string{"k.go"}, TestImports: []string{"not/listed"}, Tests: test("k_test.go", "unknown", "FuzzUnknown")},
		{Path: "m/unasked", Files: []string{"n.go"}, Imports: []string{"m/changed"}, Tests: test("n_test.go", "unasked", "FuzzUnasked")},
	}}
	p := &Plan{Points: []Point{{Point: change.Point{Package: "m/changed"}}}}
	for _, tt := range []struct{ match, only, want string }{
		{"", "", "[m/changed m/beyond] [m/user m/tests m/unknown] [m/apart.FuzzApart m/tests.FuzzTests m/unknown.FuzzUnknown m/user_test.FuzzUser]"},
		{"Tests", "", "[m/changed m/user m/beyond] [m/tests] [m/apart.FuzzApart m/tests.FuzzTests m/unknown.FuzzUnknown m/user_test.FuzzUser]"},
		{"", "m/user", "[m/user] [] []"},
	} {
		q := &Request{Only: tt.only}
		if tt.match != "" {
			q.Match = regexp.MustCompile(tt.match)
		}
		r := p.rootsOf(q, tree)
		if got := fmt.Sprint(r.plain, r.tested, r.fuzz); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt, got, tt.want)
		}
	}
}
