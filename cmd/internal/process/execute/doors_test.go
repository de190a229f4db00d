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

	"parallax/cmd/internal/process/execute/workertest"
	"parallax/cmd/internal/process/quota"
	"parallax/cmd/internal/process/quota/doorstest"
)

// victimVariable names the worker of a test that runs as another user.
const victimVariable = "EXECUTE_TEST_VICTIM"

// unlocked lists doors that are open to Go functions, as docs/dev/sandboxes.md says. These
// functions have the network of their user, and files that namespaces would hide. Signals are
// refused since Linux 6.12.
var unlocked = []string{"Unix socket", "Unix datagrams", "abstract socket", "localhost", "AF_VSOCK", "AF_ALG", "io_uring", "32-bit socket"}

// TestDoors checks that a hostile Go function finds the documented doors closed, for every user and
// every way of limiting.
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
			o := doorstest.Outside{Socket: filepath.Join(t.TempDir(), "socket"), Pids: []int{os.Getpid(), sibling.cmd.Process.Pid}, Secret: "SECRET=of-a-sibling", Name: fmt.Sprintf("parallax-execute-%d-%s", os.Getpid(), way)}
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

// TestConfinedDoors checks that a confined function finds all doors closed, and can write only in
// its own folder.
func TestConfinedDoors(t *testing.T) {
	victim := workertest.Build(t, false)
	dir, outside := t.TempDir(), t.TempDir()
	c := Confinement{Network: true, Files: true}
	if notes := ConfinementNotes(c, dir); len(notes) > 0 {
		t.Skipf("the machine does not permit it: %q", notes)
	}
	ways := []quota.Way{"", quota.None}
	if os.Geteuid() == 0 {
		ways = append(ways, quota.SpareUser)
	}
	for _, folder := range []string{dir, outside} {
		if err := os.Chmod(folder, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, way := range ways {
		t.Run("held by "+string(way), func(t *testing.T) {
			w := start(t, Spec{Binary: victim, Dir: dir, MaxFlat: 4096, Timeout: 1 << 36, Memory: 2 << 30, Hold: way, Confined: c})
			o := doorstest.Outside{Socket: filepath.Join(t.TempDir(), "socket"), Pids: []int{os.Getpid()}, Name: fmt.Sprintf("parallax-confined-%d-%s", os.Getpid(), way)}
			o.Put(t, t.TempDir())
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			for _, door := range strings.Split(strings.TrimSpace(shell(t, w, fmt.Sprintf("%s doors '%s' 2>&1 || echo, failed", self, o.Argument()))), ", ") {
				if door != "" {
					t.Errorf("open: %s", door)
				}
			}
			said := shell(t, w, fmt.Sprintf("(: > %s/x) 2>/dev/null && echo outside; (: > own) && test \"$TMPDIR\" = %s && (: > /dev/null) && echo inside", outside, dir))
			if got := strings.TrimSpace(said); got != "inside" {
				t.Errorf("files are written: %q, want inside alone", got)
			}
			if _, err := os.Stat(filepath.Join(outside, "x")); err == nil {
				t.Error("a file was written outside")
			}
			shell(t, w, fmt.Sprintf("(chmod 700 %s; touch -d @0 %[1]s; true) 2>&1", outside))
			if info, err := os.Stat(outside); err != nil || info.Mode().Perm() != 0o777 || info.ModTime().Unix() == 0 {
				t.Errorf("rights and times of a folder: %v, %v", info.Mode(), info.ModTime())
			}
		})
	}
}

// TestDoorsAsUser checks the same for a user other than root.
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

// TestMovesFiles checks that a Go function can move files between folders.
func TestMovesFiles(t *testing.T) {
	w := start(t, spec(t, false))
	if said := shell(t, w, `mkdir a b && : > a/x && perl -e 'rename("a/x", "b/y") or print "$!"'; ls b`); said != "y\n" {
		t.Errorf("%s", said)
	}
}
