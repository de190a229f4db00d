package buildroot

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// TestLaidFiles checks that laid files join the user's own overlay, and files of an earlier call
// are removed.
func TestLaidFiles(t *testing.T) {
	user := moduletest.Tree(t, "-- overlay.json --\n{\"Replace\": {\"a.go\": \"other.go\", \"gone.go\": \"\"}}\n-- a.go --\n-- plxharness/x --\n")
	moduletest.Untouched(t, user)
	out := t.TempDir()
	r := &Root{Options: Options{Dir: user, Out: out}, Kind: User, Env: gocommand.Env{GOFLAGS: "-tags=x -overlay=overlay.json"}}
	for _, files := range [][]File{
		{{Path: "old.go", Text: []byte("old")}, {Path: "main.go", Text: []byte("package main")}},
		{{Path: "main.go", Text: []byte("package main // again")}, {Path: "added_test.go", At: filepath.Join(user, "p", "added_test.go"), Text: []byte("package p")}},
	} {
		if err := r.Lay(filepath.Join(user, "plxharness2"), files); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(out, "src", "old.go")); err == nil {
		t.Error("a file of an earlier time is left")
	}
	text, err := os.ReadFile(filepath.Join(out, "overlay.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		filepath.Join(user, "a.go"):                   filepath.Join(user, "other.go"),
		filepath.Join(user, "gone.go"):                "",
		filepath.Join(user, "plxharness2", "main.go"): filepath.Join(out, "src", "main.go"),
		filepath.Join(user, "p", "added_test.go"):     filepath.Join(out, "src", "added_test.go"),
	}
	if len(got.Replace) != len(want) {
		t.Errorf("overlay %v, want %v", got.Replace, want)
	}
	for from, to := range want {
		if path, ok := got.Replace[from]; !ok || path != to {
			t.Errorf("%s is taken from %q, want %q", from, path, to)
		}
	}
	overlay, err := r.Overlay()
	if err != nil || overlay.Path(user, "a.go") != filepath.Join(user, "other.go") || overlay.Path(user, "b.go") != filepath.Join(user, "b.go") {
		t.Errorf("the user's overlay: %v, %v", overlay, err)
	}
	if name := FreeName(user, "plxharness", ""); name != "plxharness2" {
		t.Errorf("the free name is %s", name)
	}
}
