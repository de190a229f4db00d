package atomicfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"parallax/internal/atomicfile"
	"parallax/internal/atomicfile/faultfs"
)

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestWriteReplaces(t *testing.T) {
	for name, write := range map[string]func(atomicfile.FS, string, []byte) error{
		"plain": atomicfile.Write, "sync": atomicfile.WriteSync,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "a")
			for _, want := range []string{"one", "", "a longer third content"} {
				if err := write(atomicfile.OS, path, []byte(want)); err != nil {
					t.Fatal(err)
				}
				if got, err := os.ReadFile(path); err != nil || string(got) != want {
					t.Fatalf("got %q, %v; want %q", got, err, want)
				}
			}
			if got := names(t, dir); len(got) != 1 {
				t.Errorf("left behind: %q", got)
			}
		})
	}
}

func TestFullDiskLeavesTheOldContent(t *testing.T) {
	const size = 40
	for k := int64(0); k < size; k++ {
		dir := t.TempDir()
		path := filepath.Join(dir, "a")
		if err := atomicfile.Write(atomicfile.OS, path, []byte("old")); err != nil {
			t.Fatal(err)
		}
		err := atomicfile.Write(faultfs.New(atomicfile.OS).Full(k), path, bytes.Repeat([]byte("x"), size))
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("after %d bytes: %v", k, err)
		}
		want := "write " + path + ": disk full: free space and run the same command again; nothing announced is lost"
		if err.Error() != want {
			t.Errorf("message %q, want %q", err, want)
		}
		if got, _ := os.ReadFile(path); string(got) != "old" {
			t.Fatalf("after %d bytes the file holds %q", k, got)
		}
		if got := names(t, dir); len(got) != 1 {
			t.Fatalf("after %d bytes left behind: %q", k, got)
		}
	}
}

func TestCrashAtEveryStep(t *testing.T) {
	steps := func() int64 {
		f := faultfs.New(atomicfile.OS)
		if err := atomicfile.Write(f, filepath.Join(t.TempDir(), "a"), []byte("new")); err != nil {
			t.Fatal(err)
		}
		return f.Changes()
	}()
	if steps < 3 {
		t.Fatalf("only %d changes: the fault file system does not see them all", steps)
	}
	for k := int64(0); k <= steps; k++ {
		dir := t.TempDir()
		path := filepath.Join(dir, "a")
		if err := atomicfile.Write(atomicfile.OS, path, []byte("old")); err != nil {
			t.Fatal(err)
		}
		f := faultfs.New(atomicfile.OS).CrashAfter(k)
		err := atomicfile.Write(f, path, []byte("new"))
		want := "old"
		if err == nil {
			want = "new"
		} else if !errors.Is(err, faultfs.ErrCrashed) {
			t.Fatalf("step %d: %v", k, err)
		}
		if (k == steps) != (err == nil) {
			t.Fatalf("step %d of %d: %v", k, steps, err)
		}
		if got, _ := os.ReadFile(path); string(got) != want {
			t.Fatalf("step %d: %q, want %q", k, got, want)
		}
		if err := atomicfile.Clean(atomicfile.OS, dir); err != nil {
			t.Fatal(err)
		}
		if got := names(t, dir); len(got) != 1 || got[0] != "a" {
			t.Fatalf("step %d: after Clean: %q", k, got)
		}
	}
}

func TestAdvice(t *testing.T) {
	for _, c := range []struct {
		errno syscall.Errno
		want  string
	}{
		{syscall.ENOSPC, "disk full: free space"},
		{syscall.EDQUOT, "disk quota exceeded: free space"},
		{syscall.EFBIG, "ulimit -f"},
		{syscall.EROFS, "read-only file system: make it writable or choose another folder"},
		{syscall.EACCES, "permission denied: let this user write there"},
		{syscall.EPERM, "permission denied: let this user write there"},
		{syscall.EIO, "input/output error"},
	} {
		err := atomicfile.Explain("write", "/x/a", &os.PathError{Op: "write", Path: "/x/.tmp-parallax-1", Err: c.errno})
		if !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "write /x/a: ") {
			t.Errorf("%v: %q", c.errno, err)
		}
		if strings.Contains(err.Error(), ".tmp-") || !errors.Is(err, c.errno) {
			t.Errorf("%v: %q", c.errno, err)
		}
		if again := atomicfile.Explain("open", "/y", fmt.Errorf("wrapped: %w", err)); !strings.Contains(again.Error(), "/x/a") {
			t.Errorf("explained twice: %q", again)
		}
	}
	if atomicfile.Explain("write", "a", nil) != nil {
		t.Error("nil became an error")
	}
}

func TestReadOnly(t *testing.T) {
	err := atomicfile.Write(faultfs.New(atomicfile.OS).ReadOnly(true), filepath.Join(t.TempDir(), "a"), nil)
	if !errors.Is(err, syscall.EROFS) {
		t.Errorf("got %v", err)
	}
}

func TestMissingFolder(t *testing.T) {
	err := atomicfile.Write(atomicfile.OS, filepath.Join(t.TempDir(), "none", "a"), nil)
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// TestWriteWhileOthersClean writes while a second process opens the folder and removes the
// temporary files.
func TestWriteWhileOthersClean(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 50 {
				path := filepath.Join(dir, fmt.Sprint(w, "-", i))
				if err := atomicfile.Write(robbed{atomicfile.OS, new(bool)}, path, []byte("x")); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wg.Wait()
	if got := names(t, dir); len(got) != 200 {
		t.Errorf("%d files", len(got))
	}
}

// robbed removes the first temporary file before its rename.
type robbed struct {
	atomicfile.FS
	done *bool
}

func (r robbed) Rename(from, to string) error {
	if !*r.done {
		*r.done = true
		os.Remove(from)
	}
	return r.FS.Rename(from, to)
}

func TestCleanKeepsTheRest(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []string{"a", ".hidden", ".tmp-", ".tmp-1", ".tmp-parallax-notes", ".tmp-parallax-0123456789abcdeg"} {
		if err := os.WriteFile(filepath.Join(dir, n), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	temp := atomicfile.TempName(dir)
	if err := os.MkdirAll(filepath.Join(temp, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Clean(atomicfile.OS, dir); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(names(t, dir), " "); got != ".hidden .tmp- .tmp-1 .tmp-parallax-0123456789abcdeg .tmp-parallax-notes a" {
		t.Errorf("left: %s", got)
	}
	if err := atomicfile.Clean(atomicfile.OS, filepath.Join(dir, "none")); err != nil {
		t.Error(err)
	}
}

// TestWriteKeepsPermissions checks that a rewritten file keeps its permissions, and that a new one
// has those that the umask allows.
func TestWriteKeepsPermissions(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	dir := t.TempDir()
	for _, perm := range []os.FileMode{0o600, 0o640, 0o644, 0o666, 0o400} {
		path := filepath.Join(dir, perm.String())
		if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, perm); err != nil {
			t.Fatal(err)
		}
		if err := atomicfile.Write(atomicfile.OS, path, []byte("new")); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != perm {
			t.Errorf("%v: %v, %v", perm, info.Mode(), err)
		}
	}
	path := filepath.Join(dir, "fresh")
	if err := atomicfile.Write(atomicfile.OS, path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("fresh: %v, %v", info.Mode(), err)
	}
}
