package git

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
)

// repository makes a repository with a line of commits, a merge in it, and files with names and
// modes of all kinds.
func repository(t *testing.T) (dir string, git func(args ...string) string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("git is missing: install it, for example with: sudo apt-get install git")
	}
	dir = t.TempDir()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+who+"_NAME", "A")
		t.Setenv("GIT_"+who+"_EMAIL", "a@example.com")
	}
	git = func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q", "-b", "main")
	for i := range 3 {
		commit(t, dir, git, i)
	}
	git("checkout", "-q", "-b", "topic")
	commit(t, dir, git, 10)
	commit(t, dir, git, 11)
	git("checkout", "-q", "main")
	commit(t, dir, git, 3)
	git("merge", "-q", "--no-ff", "-m", "merge \x1b[31mtopic", "topic")
	commit(t, dir, git, 4)
	return dir, git
}

func commit(t *testing.T, dir string, git func(args ...string) string, n int) {
	t.Helper()
	sub := filepath.Join(dir, "a b")
	if err := os.MkdirAll(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(sub, fmt.Sprintf("f%d", n)), fmt.Appendf(nil, "%d\n", n), 0o644); err != nil {
		t.Fatal(err)
	}
	git("add", "-A")
	git("commit", "-q", "-m", fmt.Sprintf("commit %d", n))
}

func TestCommits(t *testing.T) {
	dir, git := repository(t)
	ctx := context.Background()
	r, err := Open(ctx, filepath.Join(dir, "a b"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Top != Real(dir) || r.Shallow {
		t.Errorf("repository %+v", r)
	}
	list, err := r.Commits(ctx, "", "HEAD")
	if err != nil || len(list) != 6 {
		t.Fatalf("the line of first parents: %q, %v", list, err)
	}
	if list[0] != git("rev-parse", "HEAD~5") || list[5] != git("rev-parse", "HEAD") {
		t.Errorf("from %s to %s", list[0], list[5])
	}
	if list, err = r.Commits(ctx, "main~2", "main"); err != nil || len(list) != 3 {
		t.Errorf("between revisions: %q, %v", list, err)
	}
	if list, err = r.Commits(ctx, "topic~1", "main"); err != nil || len(list) != 4 {
		t.Errorf("from a side branch that was merged: %q, %v", list, err)
	}
	merge, err := r.Describe(ctx, git("rev-parse", "HEAD~1"))
	if err != nil || merge.Subject != "merge \x1b[31mtopic" || len(merge.Parents) != 2 {
		t.Errorf("merge %+v, %v", merge, err)
	}
	if base, n, err := r.MergeBase(ctx, merge); err != nil || n != 2 || base != git("rev-parse", "main~3") {
		t.Errorf("merged %d commits from %s, %v", n, base, err)
	}
}

func TestCommitErrors(t *testing.T) {
	dir, git := repository(t)
	ctx := context.Background()
	r, err := Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	git("branch", "old", "main~3")
	git("checkout", "-q", "--orphan", "other")
	git("commit", "-q", "-m", "of its own")
	for _, tt := range []struct{ from, to, part string }{
		{"none", "main", "--since none: the repository"},
		{"", "none", "--until none: the repository"},
		{"", "-x", `--until "-x" is not a revision`},
		{"", "  ", `is not a revision`},
		{"main", "main~0", "the same commit"},
		{"main", "old", "--since main is later than --until old: swap them"},
		{"other", "main", "`git merge-base other main`"},
		{"", "main:a b", "has no such commit"},
	} {
		_, err := r.Commits(ctx, tt.from, tt.to)
		if err == nil || !strings.Contains(err.Error(), tt.part) || exit.Code(err) != exit.UsageCode {
			t.Errorf("%q to %q: %v, want one with %q", tt.from, tt.to, err, tt.part)
		}
	}
	empty := t.TempDir()
	if _, err := Open(ctx, empty); err == nil || !strings.Contains(err.Error(), "is not in a git repository") {
		t.Errorf("no repository: %v", err)
	}
	if _, err := Open(ctx, filepath.Join(empty, "none")); err == nil || !strings.Contains(err.Error(), "there is no such folder") {
		t.Errorf("no folder: %v", err)
	}
	if out, err := exec.Command("git", "init", "-q", empty).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if r, err = Open(ctx, empty); err == nil {
		_, err = r.Commits(ctx, "", "HEAD")
	}
	if err == nil || !strings.Contains(err.Error(), "has no commit yet") {
		t.Errorf("an empty repository: %v", err)
	}
	t.Setenv("PATH", "")
	if _, err := Open(ctx, dir); err == nil || !strings.Contains(err.Error(), "no git command on PATH") || exit.Code(err) != exit.UsageCode {
		t.Errorf("without git: %v", err)
	}
}

// TestCheckout checks that exactly a commit's files are written, and that the repository does not
// change, even if it is bare, sparse or dirty.
func TestCheckout(t *testing.T) {
	dir, git := repository(t)
	ctx := context.Background()
	git("sparse-checkout", "set", "--no-cone", "/nothing")
	if err := os.WriteFile(filepath.Join(dir, "untracked"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_DIR", "/nowhere") // as hooks have it
	state := func() string {
		var b strings.Builder
		filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if info, err := d.Info(); err == nil {
				fmt.Fprintln(&b, path, info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
		return b.String()
	}
	before := state()
	r, err := Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	tree := filepath.Join(t.TempDir(), "tree")
	list, err := r.Commits(ctx, "", "main")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{5, 0, 3, 1} {
		if err := os.MkdirAll(tree, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(tree, "left behind"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := r.Checkout(ctx, list[want], tree); err != nil {
			t.Fatal(err)
		}
		var names []string
		filepath.WalkDir(tree, func(path string, d os.DirEntry, err error) error {
			if !d.IsDir() {
				rel, _ := filepath.Rel(tree, path)
				names = append(names, rel)
			}
			return nil
		})
		if got := strings.Join(names, ", "); got != []string{0: "a b/f0", 1: "a b/f0, a b/f1", 3: "a b/f0, a b/f1, a b/f2, a b/f3", 5: "a b/f0, a b/f1, a b/f10, a b/f11, a b/f2, a b/f3, a b/f4"}[want] {
			t.Errorf("commit %d holds %s", want, got)
		}
	}
	if _, err := r.Dirty(ctx); err != nil {
		t.Error(err)
	}
	if after := state(); after != before {
		t.Errorf("the repository was changed:\n%s\nwas\n%s", after, before)
	}
	bare := filepath.Join(t.TempDir(), "bare")
	if err := exec.Command("git", "clone", "-q", "--bare", dir, bare).Run(); err != nil {
		os.Unsetenv("GIT_DIR")
		if out, err := exec.Command("git", "clone", "-q", "--bare", dir, bare).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	if r, err = Open(ctx, bare); err != nil || r.Top != "" {
		t.Fatalf("%+v, %v", r, err)
	}
	if err := r.Checkout(ctx, list[0], tree); err != nil {
		t.Error(err)
	}
}
