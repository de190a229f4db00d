package buildcache

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/base/filelock"
)

func TestFoldersByIdentity(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	a, err := Open(t.Context(), "", "", "p.A", "p.B")
	if err != nil {
		t.Fatal(err)
	}
	b, err := Open(t.Context(), "", "elsewhere", "p.A", "p.B")
	if err != nil {
		t.Fatal(err)
	}
	if a.Dir == b.Dir {
		t.Error("two campaigns build in one folder")
	}
	again, err := Open(t.Context(), "", "", "p.A", "p.B")
	if err != nil || again.Dir != a.Dir {
		t.Fatalf("the same campaign builds in %v, %v, want %s", again, err, a.Dir)
	}
	release, err := a.Lock(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	entered := make(chan struct{})
	go func() {
		free, err := again.Lock(t.Context(), nil)
		if err == nil {
			free()
		}
		close(entered)
	}()
	select {
	case <-entered:
		t.Error("two build at once")
	case <-time.After(50 * time.Millisecond):
	}
	release()
	<-entered

	binary := filepath.Join(a.Dir, "worker")
	if err := os.WriteFile(binary, []byte("first"), 0o755); err != nil {
		t.Fatal(err)
	}
	mine, err := a.Own(binary)
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(binary)
	if err := os.WriteFile(binary, []byte("second"), 0o755); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(mine); string(text) != "first" {
		t.Errorf("another build changes the worker in use: %q, %v", text, err)
	}
	a.Close()
	if _, err := os.Stat(mine); err == nil {
		t.Error("the worker is still there after the end")
	}
}

// TestLibrariesHeld checks that a process that waits for the libraries reports their holder, and
// stops waiting when its context ends. Meanwhile, the folder can be used.
func TestLibrariesHeld(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	f, err := Open(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	dir := f.Libraries(t.Context(), nil)
	f.libs.Release()
	f.libs = nil
	held, err := filelock.Try(filepath.Join(dir, useLock), filelock.Exclusive)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	said := ""
	f.Libraries(ctx, func(text string) {
		said = text
		f.Token()
		cancel()
	})
	if !strings.Contains(said, "waiting for process ") || f.libs != nil {
		t.Errorf("%q", said)
	}
	held.Release()
	f.Libraries(t.Context(), nil)
	libs := f.libs
	if f.Libraries(t.Context(), nil); libs == nil || f.libs != libs {
		t.Errorf("%p and %p", libs, f.libs)
	}
}

// TestPermissions checks that only the user may read a new cache, whichever part is created first.
// An existing cache keeps its permissions, and so do folders outside.
func TestPermissions(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", home)
	dir := filepath.Join(home, "parallax")
	mode := func(dir string) os.FileMode {
		info, err := os.Stat(dir)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	for what, use := range map[string]func(){
		"a build": func() {
			f, err := Open(t.Context(), "one")
			if err != nil {
				t.Fatal(err)
			}
			f.Close()
		},
		"what was computed": func() { OpenResults("changes").Write("key", nil) },
	} {
		os.RemoveAll(dir)
		if use(); mode(dir) != 0o700 {
			t.Errorf("%s: %v", what, mode(dir))
		}
		os.Chmod(dir, 0o755)
		if use(); mode(dir) != 0o755 {
			t.Errorf("%s, again: %v", what, mode(dir))
		}
	}
	if other := filepath.Join(home, "other", "folder"); MkdirAll(other) != nil || mode(filepath.Dir(other)) != 0o755 {
		t.Error(mode(filepath.Dir(other)))
	}
}
