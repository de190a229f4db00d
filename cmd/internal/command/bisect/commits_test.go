package bisect

import (
	"os"
	"path/filepath"
	"testing"

	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/finding/state"
)

// TestTestsStayInTheTree checks that a link in a commit that leads out of its tree does not make
// bisect remove or write the user's files.
func TestTestsStayInTheTree(t *testing.T) {
	top := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("outside/mine_test.go", "package mine\n")
	write("outside/victim", "mine")
	write("home/p_test.go", "package p\n\nimport \"strings\"\n")
	write("tree/p/old_test.go", "package p\n")
	for link, to := range map[string]string{"tree/away": "../outside", "tree/p/p_test.go": "../../outside/victim"} {
		if err := os.Symlink(to, filepath.Join(top, link)); err != nil {
			t.Fatal(err)
		}
	}
	c := &commits{bisection: &bisection{past: &archive.Campaign{Config: state.Config{Options: map[string]string{"package_dir": filepath.Join(top, "home")}}}}}
	tree := filepath.Join(top, "tree")
	in, err := os.OpenRoot(tree)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := c.tests(in, filepath.Join(tree, "away")); err == nil {
		t.Error("a folder outside of the tree was written")
	}
	if imports, err := c.tests(in, filepath.Join(tree, "p")); err != nil || len(imports) != 1 {
		t.Errorf("%q, %v", imports, err)
	}
	for name, want := range map[string]string{"outside/mine_test.go": "package mine\n", "outside/victim": "mine", "tree/p/p_test.go": "package p\n\nimport \"strings\"\n"} {
		if data, err := os.ReadFile(filepath.Join(top, name)); string(data) != want {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	for _, gone := range []string{"outside/p_test.go", "tree/p/old_test.go"} {
		if _, err := os.Lstat(filepath.Join(top, gone)); err == nil {
			t.Errorf("%s is there", gone)
		}
	}
}
