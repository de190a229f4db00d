package gocommand

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// TestTemporary checks that the next go command removes the folder of a killed one, and keeps the
// folder of one in use.
func TestTemporary(t *testing.T) {
	base := t.TempDir()
	t.Setenv("GOTMPDIR", base)
	left := filepath.Join(base, tempPrefix+"left")
	other := filepath.Join(base, "go-build-of-somebody-else")
	for _, dir := range []string{filepath.Join(left, "go-build1", "b001"), other} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	first, second := newTemporary(), newTemporary()
	if first == nil || second == nil || first.dir == second.dir {
		t.Fatalf("%+v, %+v", first, second)
	}
	for dir, there := range map[string]bool{left: false, other: true, first.dir: true, second.dir: true} {
		if _, err := os.Stat(dir); (err == nil) != there {
			t.Errorf("%s: %v", dir, err)
		}
	}
	first.remove()
	second.remove()
	if dirs, _ := filepath.Glob(filepath.Join(base, tempPrefix+"*")); len(dirs) > 0 {
		t.Errorf("left: %q", dirs)
	}
	var none *temporary
	if none.remove(); none.env() != nil {
		t.Error("an environment without a folder")
	}

	// Under a guard the go command uses it, and nothing is left.
	out, err := exec.Command(moduletest.Self(t), "guard", "--", "go", "env", "GOTMPDIR").CombinedOutput()
	if err != nil || filepath.Dir(string(out)) != base {
		t.Errorf("%q, %v", out, err)
	}
	if dirs, _ := filepath.Glob(filepath.Join(base, tempPrefix+"*")); len(dirs) > 0 {
		t.Errorf("left: %q", dirs)
	}
}

// TestTempBase checks that the folder is that of `go env -w`.
func TestTempBase(t *testing.T) {
	t.Setenv("GOTMPDIR", "")
	file := filepath.Join(t.TempDir(), "env")
	t.Setenv("GOENV", file)
	if got := tempBase(); got != os.TempDir() {
		t.Errorf("without a file: %s", got)
	}
	if err := os.WriteFile(file, []byte("GOPROXY=direct\nGOTMPDIR=/elsewhere\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := tempBase(); got != "/elsewhere" {
		t.Errorf("%s", got)
	}
}
