package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// withScratch runs the tests, with a folder for what they share: the built tool and what it builds (newTool).
func withScratch(m *testing.M) int {
	dir, lock, err := scratchFolder()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer lock.Close()
	defer os.RemoveAll(dir)
	os.Setenv("PARALLAX_TEST_SCRATCH", dir)
	return m.Run()
}

// scratchFolder makes the folder, which has the same path in each run unless another run has it at the time. The library lies in it, and the go
// command goes by the path: so it finds again what it compiled of an equal library, once for each set of packages that were instrumented below it.
// The folder is taken until the lock, which may be nil, is closed.
func scratchFolder() (dir string, lock *os.File, err error) {
	dir = filepath.Join(os.TempDir(), fmt.Sprint("parallax-test-", os.Getuid()))
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", nil, err
	}
	if lock = take(dir); lock == nil {
		dir, err = os.MkdirTemp("", "parallax-test")
		return dir, nil, err
	}
	left, err := os.ReadDir(dir) // by a run that was killed
	for _, e := range left {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return dir, lock, err
}

// take locks a folder. It returns nil where another process has it.
func take(dir string) *os.File {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
		mine, err := f.Stat()
		there, missing := os.Lstat(dir) // who had it may have removed it meanwhile
		if err == nil && missing == nil && os.SameFile(mine, there) {
			return f
		}
	}
	f.Close()
	return nil
}

// The folder is empty and one run's at a time, and the next run has the same.
func TestScratchFolder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	one, lock, err := scratchFolder()
	if err != nil || lock == nil {
		t.Fatalf("%v, %v", lock, err)
	}
	if err := os.WriteFile(filepath.Join(one, "left"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	two, none, err := scratchFolder()
	if err != nil || none != nil || two == one {
		t.Errorf("%s twice: %v, %v", two, none, err)
	}
	lock.Close()
	three, lock, err := scratchFolder()
	defer lock.Close()
	if left, _ := os.ReadDir(three); err != nil || three != one || len(left) > 0 {
		t.Errorf("%s after %s: %v, %v", three, one, left, err)
	}
}
