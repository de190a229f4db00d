package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestVersion checks that `parallax version` names the revision, or the reason why it cannot, for
// every way of building.
func TestVersion(t *testing.T) {
	if testing.Short() {
		t.Skip("links parallax")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	run := func(dir, name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	built := func(command string) string {
		t.Helper()
		binary := filepath.Join(t.TempDir(), "parallax")
		run(root, "sh", "-ec", strings.ReplaceAll(command, "bin/parallax", binary))
		return run(root, binary, "version")
	}
	const unstamped = "go build -buildvcs=false -o bin/parallax ./cmd/parallax"
	const unknown = "revision unknown: built with -buildvcs=false (flag, GOFLAGS or go env), without git, in a git worktree, or from sources without .git; make build in a clone records it\n"
	head := exec.Command("git", "rev-parse", "HEAD")
	head.Dir = root
	revision, err := head.Output()
	if err != nil { // an archive, which names it
		if text := built(unstamped); !regexp.MustCompile(`^parallax devel-[0-9a-f]{12} go`).MatchString(text) && !strings.HasSuffix(text, unknown) {
			t.Error(text)
		}
		t.Skip("this is no clone")
	}
	if text := built(unstamped); !strings.HasPrefix(text, "parallax devel go") || !strings.HasSuffix(text, unknown) {
		t.Error(text)
	}
	made := run(root, "make", "--no-print-directory", "-n", "build", "GO=GOFLAGS=-buildvcs=false go")
	if text := built(made); !strings.Contains(text, string(revision[:12])) || strings.Contains(text, "unknown") {
		t.Errorf("%s, want %s\n%s", text, revision, made)
	}

	// git archive writes the revision into the embedded file.
	clone := t.TempDir()
	for _, name := range []string{".gitattributes", "cmd/parallax/revision.txt"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		os.MkdirAll(filepath.Dir(filepath.Join(clone, name)), 0o777)
		if err := os.WriteFile(filepath.Join(clone, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run(clone, "git", "init", "-q")
	run(clone, "git", "add", ".")
	run(clone, "git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", "commit", "-qm", "a")
	archive := run(clone, "git", "archive", "--format=tar", "HEAD", "cmd/parallax/revision.txt")
	if want := run(clone, "git", "rev-parse", "HEAD"); !strings.Contains(archive, want) {
		t.Errorf("no %s in the archive", want)
	}
}
