package formats

import (
	"parallax/cmd/internal/finding"
	"slices"
	"testing"
)

func TestOpen(t *testing.T) {
	for _, tt := range []struct {
		dir, workspace, has, root string
	}{
		{"/w/repo/sub/p", "", "/w/repo/.git", "/w/repo"},
		{"/w/repo/sub/p", "/w", "/w/repo/.git", "/w/repo"},
		{"/w/repo/sub/p", "/w/repo", "", "/w/repo"},
		{"/w/repo/sub/p", "/elsewhere", "", "/w/repo/sub/p"},
		{"/w/repo", "relative", "", "/w/repo"},
		{"/w/repository", "/w/repo", "", "/w/repository"},
	} {
		got := Open(tt.dir, tt.workspace, func(path string) bool { return path == tt.has })
		if got.Root != tt.root || got.Dir != tt.dir {
			t.Errorf("%+v: %+v", tt, got)
		}
	}
}

func TestPlace(t *testing.T) {
	r := Repository{Root: "/w/repo", Dir: "/w/repo/sub"}
	for _, tt := range []struct {
		position, file string
		line           int
	}{
		{"p.go:3", "sub/p.go", 3}, {"../p/p.go:12:7", "p/p.go", 12}, {"/w/repo/a b.go:1", "a b.go", 1}, {"p.go", "sub/p.go", 0},
		{"../../out.go:3", "", 0}, {"/w/repository/p.go:3", "", 0}, {"/usr/lib/go/src/fmt/print.go:9", "", 0}, {"", "", 0},
		{"/w/repo/.cache/go/pkg/mod/example.com/m@v1.0.0/m.go:4", "", 0}, {"/w/repo/vendor/example.com/m/m.go:4", "vendor/example.com/m/m.go", 4},
		{"..", "", 0},
	} {
		got, ok := r.Place(tt.position)
		if !ok {
			got = Anchor{}
		}
		if got.File != tt.file || got.Line != tt.line || ok != (tt.file != "") {
			t.Errorf("%s: %+v %v", tt.position, got, ok)
		}
	}
}

func TestAnchor(t *testing.T) {
	r := Repository{Root: "/w/repo", Dir: "/w/repo"}
	instead := Anchor{File: "go.mod", Line: 4, Stand: "go.mod"}
	for _, tt := range []struct{ location, caller, shown, words, text string }{
		{"p.go:3", "q.go:1", "p.go", "", "p.go:3"},
		{"/go/pkg/mod/example.com/m@v1.0.0/m.go:4", "q.go:1", "q.go", "It was decided in example.com/m@v1.0.0/m.go:4, outside of the repository; this is the call.", "example.com/m@v1.0.0/m.go:4"},
		{"/go/pkg/mod/example.com/m@v1.0.0/m.go:4", "", "go.mod", "It was decided in example.com/m@v1.0.0/m.go:4, outside of the repository; this is go.mod.", "example.com/m@v1.0.0/m.go:4"},
		{"", "", "go.mod", "No line is known that decides; this is go.mod.", ""},
	} {
		got := r.Where(&finding.Row{Location: tt.location, Failed: finding.Failed{Caller: tt.caller}}, instead)
		if got.File != tt.shown || got.words() != tt.words || got.String() != tt.text {
			t.Errorf("%q: %+v, %q, %q", tt.location, got, got.words(), got.String())
		}
	}
	b := &finding.Row{Location: "p.go:3", Deciding: map[string]string{"a": "p.go:3", "b": "q.go:1", "c": "/usr/x.go:1"}}
	if got := r.Related(b, []string{"a", "b", "c", "d"}, r.Where(b, instead)); !slices.Equal(got, []Related{{"b", Anchor{File: "q.go", Line: 1}}}) {
		t.Errorf("beside: %+v", got)
	}
}
