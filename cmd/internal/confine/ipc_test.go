package confine

import (
	"strings"
	"testing"
)

// remaining leaves one of each that outlives a process, and says what there was before.
const remaining = `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
before = [len(open("/proc/sysvipc/" + kind).readlines()) - 1 for kind in ("shm", "msg", "sem")]
before += [len(os.listdir(d)) for d in ("/dev/shm", "/dev/mqueue") if os.path.isdir(d)]
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

// What programs share in memory ends with them.
func TestSharedMemoryEnds(t *testing.T) {
	b := openSandbox(t, Options{})
	if !b.rung.private {
		t.Log("this machine has no IPC namespaces: docs/configuration.md says so")
		return
	}
	for range 3 {
		r := ran(t, b, Command{Path: "/usr/bin/env", Args: []string{"env", "python3", "-c", remaining}, Env: []string{"PATH=/usr/local/bin:/usr/bin:/bin"}})
		if r.Exit != 0 || strings.Trim(r.out, "[0, ]\n") != "" {
			t.Errorf("there was %+v", r)
		}
	}
}
