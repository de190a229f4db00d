package confine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// remaining leaves one object of each kind that outlives a process, and prints those from before.
const remaining = `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
before = [len(open("/proc/sysvipc/" + kind).readlines()) - 1 for kind in ("shm", "msg", "sem")]
before += [sum(not e.is_dir() for e in os.scandir(d)) for d in ("/dev/shm", "/dev/mqueue") if os.path.isdir(d)]
print(before)
for key in range(1, 40):
    libc.shmget(key, 4096, 0o1600)
    libc.msgget(key, 0o1600)
    libc.semget(key, 1, 0o1600)
try:
    open("/dev/shm/left", "w").write("left")
    open("/dev/mqueue/left", "w")
except OSError: pass
`

// TestSharedMemoryEnds checks that shared memory of programs ends with them.
func TestSharedMemoryEnds(t *testing.T) {
	b := openSandbox(t, Options{})
	if !b.level.private {
		t.Log("this machine has no IPC namespaces: docs/dev/sandboxes.md says so")
		return
	}
	for range 3 {
		r := ran(t, b, Command{Path: "/usr/bin/env", Args: []string{"env", "python3", "-c", remaining}, Env: []string{"PATH=/usr/local/bin:/usr/bin:/bin"}})
		if r.Exit != 0 || strings.Trim(r.out, "[0, ]\n") != "" {
			t.Errorf("there was %+v", r)
		}
	}
}

// TestFoldersOfSharedMemory checks that programs and their files may lie in a folder of /dev/shm.
// The machine's shared memory objects, files in /dev/shm itself, are hidden.
func TestFoldersOfSharedMemory(t *testing.T) {
	dir, err := os.MkdirTemp("/dev/shm", "parallax-folder-")
	if err != nil {
		t.Skipf("this machine has no /dev/shm to write: %v", err)
	}
	defer os.RemoveAll(dir)
	memory := dir + "-memory"
	if err := os.WriteFile(memory, []byte("secret"), 0o666); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(memory)
	program := filepath.Join(dir, "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\npwd; test ! -e \"$1\" || echo the memory is there\n(echo 1 > \"$2/new\") 2> /dev/null && echo written\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, readOnly := range []bool{false, true} {
		b := openSandbox(t, Options{ReadOnly: readOnly})
		if !b.level.private {
			t.Log("this machine has no IPC namespaces: docs/dev/sandboxes.md says so")
			return
		}
		for range 2 { // files that a program leaves there stay, as in any other folder
			if r := ran(t, b, shell("ls \"$1\"; : > /dev/shm/left", dir)); !strings.Contains(r.out, "program") {
				t.Errorf("read-only %v: %+v", readOnly, r)
			}
		}
		r := ran(t, b, Command{Path: program, Args: []string{"program", memory, dir}, Dir: dir, Env: []string{"PATH=/usr/bin:/bin"}})
		want := dir + "\nwritten\n"
		if readOnly {
			want = dir + "\n"
		}
		if r.out != want {
			t.Errorf("read-only %v: %q, want %q", readOnly, r.out, want)
		}
	}
}
