package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
)

// TestEntries checks the files of a commit, with names and modes of all kinds, byte for byte.
func TestEntries(t *testing.T) {
	dir, git := repository(t)
	ctx := context.Background()
	large := strings.Repeat("line\r\n", 50000)
	for name, text := range map[string]string{"large": large, "empty": "", "tab\there": "1", "ö \"quoted\"": "2\n", "run": "#!/bin/sh\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	os.Chmod(filepath.Join(dir, "run"), 0o755)
	if err := os.Symlink("a b", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	git("add", "-A")
	git("update-index", "--add", "--cacheinfo", "160000,"+git("rev-parse", "HEAD")+",sub")
	git("commit", "-q", "-m", "files")
	r, err := Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := r.Entries(ctx, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	modes := map[string]Mode{}
	for _, e := range entries {
		modes[e.Path] = e.Mode
	}
	for name, want := range map[string]Mode{"a b/f0": Plain, "run": Executable, "link": Symlink, "sub": Submodule, "tab\there": Plain, "ö \"quoted\"": Plain} {
		if modes[name] != want {
			t.Errorf("%q has mode %d, want %d", name, modes[name], want)
		}
	}
	texts := map[string]string{}
	err = r.Blobs(ctx, entries, func(e Entry, text io.Reader) error {
		if e.Path == "run" {
			return nil // unread bytes are skipped
		}
		data, err := io.ReadAll(text)
		texts[e.Path] = string(data)
		return err
	})
	if err != nil || texts["large"] != large || texts["empty"] != "" || texts["link"] != "a b" || texts["tab\there"] != "1" || texts["a b/f4"] != "4\n" || len(texts) != len(entries)-2 {
		t.Errorf("read %d files of %d, %v", len(texts), len(entries), err)
	}
	stop := errors.New("stop")
	if err := r.Blobs(ctx, entries, func(Entry, io.Reader) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("an error of the caller's is %v", err)
	}
	entries[0].Hash = strings.Repeat("1", 40)
	err = r.Blobs(ctx, entries, func(Entry, io.Reader) error { return nil })
	if exit.Code(err) != exit.UsageCode || !strings.Contains(fmt.Sprint(err), "is not in this clone") {
		t.Errorf("a file that is missing: %v", err)
	}
	if _, err := r.Entries(ctx, strings.Repeat("1", 40)); err == nil {
		t.Error("a commit that is missing has entries")
	}
}

// TestRepositoryState checks references and the state of the work tree.
func TestRepositoryState(t *testing.T) {
	dir, git := repository(t)
	ctx := context.Background()
	r, err := Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	if hash, ok, err := r.Find(ctx, "main~1"); !ok || err != nil || hash != git("rev-parse", "main~1") {
		t.Errorf("found %q, %t, %v", hash, ok, err)
	}
	if _, ok, err := r.Find(ctx, "none"); ok || err != nil {
		t.Errorf("found what there is not: %v", err)
	}
	if name, err := r.Symbolic(ctx, "HEAD"); name != "refs/heads/main" || err != nil {
		t.Errorf("HEAD is %q, %v", name, err)
	}
	if base, err := r.Common(ctx, "main", "topic"); base != git("rev-parse", "topic") || err != nil {
		t.Errorf("in common is %q, %v", base, err)
	}
	git("tag", "alone", git("commit-tree", "-m", "alone", "main^{tree}"))
	if base, err := r.Common(ctx, "main", "alone"); base != "" || err != nil {
		t.Errorf("in common with what has nothing in common is %q, %v", base, err)
	}
	os.WriteFile(filepath.Join(dir, "a b", "f0"), []byte("other\n"), 0o644)
	os.WriteFile(filepath.Join(dir, "ü"), nil, 0o644)
	os.WriteFile(filepath.Join(dir, "ignored"), nil, 0o644)
	os.WriteFile(filepath.Join(dir, ".git", "info", "exclude"), []byte("ignored\n"), 0o644)
	os.Remove(filepath.Join(dir, "a b", "f1"))
	if changed, untracked, err := r.Uncommitted(ctx); err != nil || !slices.Equal(changed, []string{"a b/f0", "a b/f1"}) || !slices.Equal(untracked, []string{"ü"}) {
		t.Errorf("not committed are %q and %q, %v", changed, untracked, err)
	}
	list, err := r.Files(ctx, "*f1*", "ü", "ignored")
	slices.Sort(list)
	if err != nil || !slices.Equal(list, []string{"a b/f1", "a b/f10", "a b/f11", "ü"}) {
		t.Errorf("files are %q, %v", list, err)
	}
	git("checkout", "-q", "--", ".")
	git("sparse-checkout", "set", "--no-cone", "/a b/f0")
	if list, err := r.Skipped(ctx); err != nil || !slices.Contains(list, "a b/f1") || slices.Contains(list, "a b/f0") {
		t.Errorf("left out are %q, %v", list, err)
	}
	git("checkout", "-q", "--detach")
	if name, err := r.Symbolic(ctx, "HEAD"); name != "" || err != nil {
		t.Errorf("a detached HEAD is %q, %v", name, err)
	}
}
