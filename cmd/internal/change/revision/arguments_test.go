package revision

import (
	"context"
	"strings"
	"testing"
)

// TestExplainArguments checks that revisions and folders of another module are distinguished.
func TestExplainArguments(t *testing.T) {
	r := newRepo(t)
	r.commit("go.mod", "module m\n")
	r.git("tag", "v1")
	r.commit("a", "1")
	r.git("tag", "v2")
	r.write("sub/go.mod", "module m/sub\n")
	r.write("sub/p/p.go", "package p\n")
	r.write("q/q.go", "package q\n")
	for args, want := range map[string]string{
		"v1 v2":       "write --base v1 --head v2",
		"v1..v2":      "write --base v1 --head v2",
		"v1":          "write --base v1",
		"v1 v3":       "",
		"v1 v2 v1":    "",
		"":            "",
		"./...":       "",
		"./q":         "",
		"./none":      "",
		"..":          "",
		"./q ./sub":   "./sub is in another module, whose go.mod is in sub: run parallax regress in that folder",
		"./sub/...":   "whose go.mod is in sub",
		"./sub/p":     "whose go.mod is in sub",
		"example.com": "",
	} {
		err := ExplainArguments(context.Background(), r.dir, strings.Fields(args))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}
