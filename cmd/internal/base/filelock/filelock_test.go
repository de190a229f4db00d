package filelock

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// TestMain also serves as the process that holds a lock.
func TestMain(m *testing.M) {
	if path := os.Getenv("FILELOCK_HOLDS"); path != "" {
		l, err := Try(path, Exclusive)
		if err != nil {
			os.Exit(1)
		}
		os.Stdout.WriteString("held\n")
		io.Copy(io.Discard, os.Stdin) // the test keeps it open
		l.Release()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// holder starts a process that holds a lock.
func holder(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0], "--of-a-test")
	c.Env = append(os.Environ(), "FILELOCK_HOLDS="+path)
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("%q, %v", line, err)
	}
	return c
}

// TestHolder checks that a waiting process reports the holder, and stops when its context ends,
// even if the holder is stopped. A lock ends with its process.
func TestHolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	for _, state := range []string{"runs", "stopped"} {
		c := holder(t, path)
		if state == "stopped" {
			c.Process.Signal(syscall.SIGSTOP)
			for !stopped(c.Process.Pid) {
			}
		}
		if _, err := Try(path, Shared); !errors.Is(err, ErrHeld) {
			t.Errorf("%s: %v", state, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		said := ""
		_, err := Acquire(ctx, path, Exclusive, func(text string) { said = text; cancel() })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", state, err)
		}
		for _, part := range []string{"waiting for process ", "(" + filepath.Base(os.Args[0]) + " --of-a-test, since ", ", which holds " + path} {
			if !strings.Contains(said, part) {
				t.Errorf("%s: %q lacks %q", state, said, part)
			}
		}
		if strings.Contains(said, "it is stopped, and `kill -CONT ") != (state == "stopped") {
			t.Errorf("%s: %q", state, said)
		}
		c.Process.Kill()
		c.Wait()
		l, err := Acquire(t.Context(), path, Exclusive, nil)
		if err != nil {
			t.Fatalf("%s: the lock of a process that was killed: %v", state, err)
		}
		l.Release()
	}
	if who := HolderOf(path); who != "another process" {
		t.Errorf("%q", who)
	}
}

// TestRemoved checks that when processes remove the file of a lock that others wait for, no two
// processes hold the lock.
func TestRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	var inside sync.Mutex
	var all sync.WaitGroup
	for range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 10 {
				l, err := Acquire(t.Context(), path, Exclusive, nil)
				if err != nil {
					t.Error(err)
					return
				}
				if !inside.TryLock() {
					t.Error("two hold the lock")
					return
				}
				inside.Unlock()
				os.Remove(path) // from here on, another process may lock the new file
				l.Release()
			}
		}()
	}
	all.Wait()
}

// TestShared checks that several processes share a lock.
func TestShared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	a, err := Try(path, Exclusive)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Try(path, Shared); err != ErrHeld {
		t.Errorf("%v", err)
	}
	a.Release()
	if a, err = Try(path, Shared); err != nil {
		t.Fatal(err)
	}
	b, err := Try(path, Shared)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Try(path, Exclusive); err != ErrHeld {
		t.Errorf("%v", err)
	}
	a.Release()
	b.Release()
	if text, err := os.ReadFile(path); len(text) > 0 || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	var none *Lock
	none.Release()
}

// TestUnwritable checks that an existing file can be locked without permission to write it.
func TestUnwritable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root writes all files")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "lock")
	os.WriteFile(path, nil, 0o444)
	os.Chmod(dir, 0o555)
	defer os.Chmod(dir, 0o755)
	l, err := Try(path, Exclusive)
	if err != nil {
		t.Fatal(err)
	}
	l.Release()
	if _, err := Try(filepath.Join(dir, "other"), Exclusive); !errors.Is(err, os.ErrPermission) {
		t.Errorf("%v", err)
	}
}

// TestUse checks that files are made once, and that no user waits for the end of another one.
func TestUse(t *testing.T) {
	for range 20 {
		path := filepath.Join(t.TempDir(), "lock")
		var made, users atomic.Int32
		var all, inUse sync.WaitGroup
		inUse.Add(8)
		for range 8 {
			all.Go(func() {
				l, err := Use(t.Context(), path, func() bool { return made.Load() > 0 }, func() error { made.Add(1); return nil }, nil)
				if err != nil {
					t.Error(err)
				}
				users.Add(1)
				inUse.Done()
				inUse.Wait()
				l.Release()
			})
		}
		all.Wait()
		if made.Load() != 1 || users.Load() != 8 {
			t.Errorf("made %d times, %d users", made.Load(), users.Load())
		}
	}
	failed := errors.New("no space left")
	path := filepath.Join(t.TempDir(), "lock")
	if l, err := Use(t.Context(), path, func() bool { return false }, func() error { return failed }, nil); l != nil || err != failed {
		t.Errorf("%v, %v", l, err)
	}
	l, err := Try(path, Exclusive)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Use(ctx, path, func() bool { return false }, nil, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
