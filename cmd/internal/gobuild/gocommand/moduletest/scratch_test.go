package moduletest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestScratchFolder checks that the folder is empty, belongs to one run at a time, and is the same
// in the next run.
func TestScratchFolder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	one, lock, err := scratchFolder("parallax")
	if err != nil || lock == nil {
		t.Fatalf("%v, %v", lock, err)
	}
	if err := os.WriteFile(filepath.Join(one, "left"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	two, none, err := scratchFolder("parallax")
	if err != nil || none != nil || two == one {
		t.Errorf("%s twice: %v, %v", two, none, err)
	}
	lock.Close()
	three, lock, err := scratchFolder("parallax")
	defer lock.Close()
	if left, _ := os.ReadDir(three); err != nil || three != one || len(left) > 0 {
		t.Errorf("%s after %s: %v, %v", three, one, left, err)
	}
}

// TestShareLibrary checks that libraries of several packages are in one folder, and that the last
// package removes it.
func TestShareLibrary(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var shared, leave = []string{}, []func(){}
	for range 2 {
		t.Setenv(ScratchVariable, t.TempDir())
		end, err := shareLibrary()
		if err != nil {
			t.Fatal(err)
		}
		dir, err := filepath.EvalSymlinks(Libraries())
		if err != nil {
			t.Fatal(err)
		}
		shared, leave = append(shared, dir), append(leave, end)
	}
	if shared[0] != shared[1] {
		t.Errorf("folders %q", shared)
	}
	leave[0]()
	if _, err := os.Stat(shared[0]); err != nil {
		t.Error(err)
	}
	leave[1]()
	if _, err := os.Stat(shared[0]); !os.IsNotExist(err) {
		t.Errorf("left: %v", err)
	}
}

// TestDir checks that folders of a test are its own, depend only on its name, and are removed when
// it ends.
func TestDir(t *testing.T) {
	scratch := t.TempDir()
	t.Setenv(ScratchVariable, scratch)
	var dirs []string
	t.Run("a test", func(t *testing.T) { dirs = append(dirs, Dir(t), Dir(t)) })
	parent := filepath.Join(scratch, "tests", "TestDir", "a_test")
	if want := []string{filepath.Join(parent, "001"), filepath.Join(parent, "002")}; !slices.Equal(dirs, want) {
		t.Errorf("folders %q, want %q", dirs, want)
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// TestKeepBuildCache checks that a test that sets XDG_CACHE_HOME keeps the build cache of the go
// command.
func TestKeepBuildCache(t *testing.T) {
	t.Setenv("GOCACHE", "")
	os.Unsetenv("GOCACHE")
	if err := keepBuildCache(); err != nil {
		t.Fatal(err)
	}
	kept := os.Getenv("GOCACHE")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if out, err := exec.Command("go", "env", "GOCACHE").Output(); err != nil || kept == "" || strings.TrimSpace(string(out)) != kept {
		t.Errorf("the build cache is %s, %v, want %s", out, err, kept)
	}
}
