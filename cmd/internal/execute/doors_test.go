package execute

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"parallax/cmd/internal/execute/workertest"
	"parallax/cmd/internal/quota"
	"parallax/cmd/internal/quota/doorstest"
)

// victimVariable names the worker of a test that another user runs.
const victimVariable = "EXECUTE_TEST_VICTIM"

// unlocked are doors that are open to Go functions, as docs/configuration.md says: they have the
// network of their user, and what namespaces would hide. Signals are closed since Linux 6.12.
var unlocked = []string{"Unix socket", "Unix datagrams", "abstract socket", "localhost", "AF_VSOCK", "AF_ALG", "io_uring", "32-bit socket"}

// A hostile Go function finds the doors closed that the documents name, whoever runs it, and
// however the kernel holds it.
func TestDoors(t *testing.T) {
	victim := os.Getenv(victimVariable)
	if victim == "" {
		victim = workertest.Build(t, false)
	}
	ways := []quota.Way{"", quota.None}
	if os.Geteuid() == 0 {
		ways = append(ways, quota.SpareUser)
	}
	for _, way := range ways {
		t.Run("held by "+string(way), func(t *testing.T) {
			s := Spec{Binary: victim, Dir: t.TempDir(), MaxFlat: 4096, Timeout: 1 << 36, Memory: 2 << 30, Hold: way}
			t.Setenv("SECRET", "of-a-sibling")
			sibling := start(t, s)
			os.Unsetenv("SECRET")
			w := start(t, s)
			o := doorstest.Outside{Pids: []int{os.Getpid(), sibling.cmd.Process.Pid}, Secret: "SECRET=of-a-sibling", Name: fmt.Sprintf("parallax-execute-%d-%s", os.Getpid(), way)}
			o.Put(t, t.TempDir())
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			said := shell(t, w, fmt.Sprintf("%s doors '%s' 2>&1 || echo, failed", self, o.Argument()))
			for _, door := range strings.Split(strings.TrimSpace(said), ", ") {
				if door != "" && !slices.Contains(unlocked, door) {
					t.Errorf("open: %s", door)
				}
			}
		})
	}
}

// The same for a user who is not root.
func TestDoorsAsUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Log("it is an ordinary user who tests: there is nothing to add")
		return
	}
	const nobody = 65534
	dir, err := os.MkdirTemp("", "execute-user-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{self: "execute.test", workertest.Build(t, false): "victim"} {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, to), data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(dir, "execute.test"), "-test.run=^TestDoors$", "-test.v")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), victimVariable+"="+filepath.Join(dir, "victim"), "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if out, err := cmd.CombinedOutput(); err != nil || strings.Count(string(out), "--- PASS") < 3 {
		t.Errorf("%v\n%s", err, out)
	}
}

// A Go function moves files between folders.
func TestMovesFiles(t *testing.T) {
	w := start(t, spec(t, false))
	if said := shell(t, w, `mkdir a b && : > a/x && perl -e 'rename("a/x", "b/y") or print "$!"'; ls b`); said != "y\n" {
		t.Errorf("%s", said)
	}
}
