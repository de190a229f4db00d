package revision

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// repo is a repository that a test makes.
type repo struct {
	t   *testing.T
	dir string
}

// newRepo makes a repository on branch main, in a folder with room for others.
func newRepo(t *testing.T) *repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("git is missing: install it, for example with: sudo apt-get install git")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+who+"_NAME", "A")
		t.Setenv("GIT_"+who+"_EMAIL", "a@example.com")
	}
	r := &repo{t, filepath.Join(t.TempDir(), "repo")}
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.git("init", "-q", "-b", "main")
	return r
}

func (r *repo) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = r.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// write writes files: alternating paths and texts.
func (r *repo) write(files ...string) {
	r.t.Helper()
	for i := 0; i < len(files); i += 2 {
		name := filepath.Join(r.dir, files[i])
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			r.t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(files[i+1]), 0o644); err != nil {
			r.t.Fatal(err)
		}
	}
}

// commit writes files and commits everything.
func (r *repo) commit(files ...string) string {
	r.t.Helper()
	r.write(files...)
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", "commit of "+strings.Join(files[:min(1, len(files))], ""))
	return r.git("rev-parse", "HEAD")
}

// stateOf describes the full contents of a folder.
func stateOf(dir string) string {
	var b strings.Builder
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if info, err := d.Info(); err == nil {
			fmt.Fprintln(&b, path, info.Mode(), info.Size(), info.ModTime().UnixNano())
		}
		return nil
	})
	return b.String()
}
