package confine

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/process/quota"
	"parallax/cmd/internal/process/quota/doorstest"
)

// outside starts processes and sockets that programs must not reach, until the test ends.
func outside(t *testing.T) doorstest.Outside {
	t.Helper()
	dir, err := os.MkdirTemp("", "doors-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	o := doorstest.Outside{Socket: filepath.Join(dir, "socket"), Name: fmt.Sprintf("parallax-doors-%d", os.Getpid()), Secret: "SECRET=of-a-sibling"}
	o.Put(t, dir)
	sibling := exec.Command("sleep", "1000")
	sibling.Env = []string{o.Secret}
	if err := sibling.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sibling.Process.Kill(); sibling.Wait() })
	o.Pids = []int{sibling.Process.Pid, os.Getpid()}
	return o
}

// TestDoors checks that a hostile program finds every door closed on each isolation level, except
// those that a note names.
func TestDoors(t *testing.T) {
	rungs := append(levels(false, os.Geteuid()), isolationLevel{user: true, private: true})
	for _, network := range []bool{false, true} {
		for _, o := range []Options{{}, {ReadOnly: true}, {Hold: quota.SpareUser}} {
			for _, r := range rungs {
				if o.Hold == quota.SpareUser && (os.Geteuid() != 0 || r.user) || network && (o.ReadOnly || o.Hold != "") {
					continue
				}
				t.Run(fmt.Sprintf("%+v read-only=%v %s network=%v", r, o.ReadOnly, o.Hold, network), func(t *testing.T) {
					beyond := outside(t)
					o.Tool, o.Limits = tool(), limits.Limits{Network: network, Processes: 64}
					if o.Dir = t.TempDir(); r == (isolationLevel{}) {
						t.Setenv(quota.Waiver, "1")
					}
					b, err := open(t.Context(), o, r)
					if err != nil {
						t.Skip("this machine does not permit it: ", err)
					}
					defer b.Close()
					beyond.Pids = append(beyond.Pids, b.sandbox.Pid)
					if r.pid {
						beyond.Keeper = 1
					}
					c := own("doors", beyond.Argument())
					c.Env = b.Environ(c.Env)
					got := ran(t, b, c)
					if got.Exit != 0 {
						t.Fatalf("%+v", got)
					}
					for _, door := range strings.Split(strings.TrimSpace(got.out), ", ") {
						if door != "" && !slices.Contains(leftOpen(r, o), door) {
							t.Errorf("open: %s (notes %q)", door, b.Notes())
						}
					}
				})
			}
		}
	}
}

// leftOpen lists the doors that docs/dev/sandboxes.md lists as open.
func leftOpen(r isolationLevel, o Options) (all []string) {
	if o.Limits.Network {
		all = append(all, "Unix socket", "Unix datagrams", "abstract socket", "localhost", "AF_VSOCK", "AF_ALG", "io_uring", "32-bit socket")
	}
	if !r.private {
		all = append(all, "device", "devices") // for reading
	}
	return all
}
