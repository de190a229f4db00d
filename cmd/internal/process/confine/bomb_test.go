package confine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/process/quota"
	"parallax/cmd/internal/process/quota/quotatest"
)

// bombProcesses is what a sandbox permits. What the kernel permits then, with the threads of bomber's own and of those who make load, is far
// below the outer limit.
const bombProcesses = 64

// bombs are programs that make processes and threads as quickly as they can, and go on when they are refused one.
var bombs = map[string]string{
	"processes": `
import os
while True:
    try: os.fork()
    except OSError: pass`,
	"sessions": `
import os
while True:
    try:
        if os.fork() == 0: os.setsid()
    except OSError: pass`,
	"threads": `
import _thread
def f():
    while True:
        try: _thread.start_new_thread(f, ())
        except RuntimeError: pass
f()`,
	"both": `
import os, _thread
def f():
    while True:
        try:
            _thread.start_new_thread(f, ())
            os.fork()
        except (OSError, RuntimeError): pass
f()`,
	"leaving": `
import os
while True:
    try:
        if os.fork() > 0: os._exit(0)
    except OSError: pass`,
	"memory": `
import os
for i in range(30):
    if os.fork() == 0: break
x = []
while True: x.append(b"x" * (1 << 20))`,
}

// bombReport is what bomber prints.
type bombReport struct {
	Status  Status
	Notes   []string
	Seconds float64
	After   int // exit status of a program in the same sandbox afterwards
}

// bomber runs a bomb in a sandbox while the machine is busy. Its arguments: a folder, whether the sandbox is plain, the way of holding, the bomb.
func bomber(args []string) int {
	if os.Geteuid() != 0 {
		if err := unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: quotatest.Tasks, Max: quotatest.Tasks}); err != nil {
			fmt.Println(err)
			return 1
		}
	}
	for range 4 {
		load := exec.Command("/bin/sh", "-c", "while :; do :; done")
		load.SysProcAttr = &unix.SysProcAttr{Pdeathsig: unix.SIGKILL}
		if err := load.Start(); err != nil {
			fmt.Println(err)
			return 1
		}
		defer load.Wait()
		defer load.Process.Kill()
	}
	b, err := Open(context.Background(), Options{Tool: tool(), Dir: args[0], Plain: args[1] == "plain", Hold: quota.Way(args[2]),
		Limits: limits.Limits{Processes: bombProcesses, Memory: 512 << 20}, TempMB: 16})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer b.Close()
	begin := time.Now()
	p, err := b.Start(Command{Path: "/usr/bin/env", Args: []string{"env", "python3", "-c", args[3]}, Env: []string{"PATH=" + os.Getenv("PATH")}})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	wait := time.Minute
	if args[3] == bombs["threads"] { // which nobody sees
		wait = 2 * time.Second
	}
	limit := time.AfterFunc(wait, p.Kill) // as a time limit would
	r := bombReport{Status: p.Wait(), Notes: b.Notes(), Seconds: time.Since(begin).Seconds()}
	limit.Stop()
	if p, err = b.Start(shell("exit 7")); err != nil {
		fmt.Println(err)
		return 1
	}
	r.After = p.Wait().Exit
	json.NewEncoder(os.Stdout).Encode(r)
	return 0
}

// Whatever a program does, the kernel holds it, however busy the machine is: the peak of tasks stays where the limit says.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("takes the whole machine for a while")
	}
	ways := []quota.Way{""}
	if os.Geteuid() == 0 {
		ways = append(ways, quota.SpareUser, quota.UserNamespace)
	}
	for _, sandbox := range []string{"namespaces", "plain"} {
		if sandbox == "plain" && os.Geteuid() != 0 && !quota.Find().Way.Groups() {
			continue // refused: TestRefused
		}
		for _, way := range ways {
			for name, script := range bombs {
				if way != "" && (name == "sessions" || name == "leaving") {
					continue // as with groups
				}
				if way == quota.UserNamespace && sandbox == "plain" {
					continue // refused: TestRefused
				}
				t.Run(fmt.Sprint(sandbox, "/", way, "/", name), func(t *testing.T) {
					cmd := exec.Command(tool(), t.TempDir(), sandbox, string(way), script)
					if way == quota.UserNamespace {
						cmd = asOther(t, sandbox, string(way), script)
					}
					cmd.Env = append(os.Environ(), programVariable+"=bomber", "GOMAXPROCS=2")
					var out bytes.Buffer
					cmd.Stdout, cmd.Stderr = &out, &out
					o := quotatest.Hold(t, cmd)
					if err := cmd.Run(); err != nil {
						t.Fatalf("%v\n%s", err, out.Bytes())
					}
					var r bombReport
					if err := json.Unmarshal(out.Bytes(), &r); err != nil {
						t.Fatalf("%v\n%s", err, out.Bytes())
					}
					most := quota.Tasks(bombProcesses) + 4 + 100 // those who make load, and the threads of bomber and of the sandbox
					if peak := o.Peak(t); peak > most {
						t.Errorf("%d tasks at once, at most %d are permitted", peak, most)
					}
					t.Logf("%.1f s, peak %d, %+v", r.Seconds, o.Peak(t), r.Status)
					if r.After != 7 {
						t.Errorf("the sandbox does not work afterwards: %+v", r)
					}
					if way == quota.UserNamespace && !strings.Contains(strings.Join(r.Notes, "\n"), "only with control groups") {
						t.Errorf("it was held in another way: %q", r.Notes)
					}
					// Many processes are much memory too. Threads alone are refused without anybody's seeing it where there is no group, and
					// who has left a parent that ended is gone with it.
					seen := r.Status.OOM || r.Status.Forked && name != "memory" || name == "leaving" || name == "threads"
					if r.Status.Err != nil || !seen {
						t.Errorf("%+v", r.Status)
					}
				})
			}
		}
	}
}

// asOther is the test's executable as a user who is not root, in a folder of that user's.
func asOther(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	dir, err := os.MkdirTemp("", "confine-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	data, err := os.ReadFile(tool())
	copied := filepath.Join(dir, "confine.test")
	if err := errors.Join(err, os.WriteFile(copied, data, 0o755), os.Chmod(copied, 0o755), os.Mkdir(dir+"/work", 0o777), os.Chmod(dir+"/work", 0o777), os.Chmod(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	spare, err := quota.Spare()
	if err != nil {
		t.Fatal(err)
	}
	user := strconv.Itoa(spare)
	cmd := exec.Command("setpriv", append([]string{"--reuid", user, "--regid", user, "--clear-groups", copied, dir + "/work"}, args...)...)
	cmd.Dir = "/"
	return cmd
}

// A machine that has no way is refused, unless the user says otherwise.
func TestRefused(t *testing.T) {
	none := &quota.Machine{Way: quota.None, Why: []error{unix.EPERM}}
	limits := limits.Limits{Processes: 1}
	for _, c := range []struct {
		o       Options
		m       *quota.Machine
		r       rung
		waived  bool
		refused bool
	}{
		{Options{Limits: limits}, none, rung{user: true}, false, true},
		{Options{Limits: limits}, none, rung{}, true, false},
		{Options{}, none, rung{}, false, false},
		{Options{Limits: limits}, &quota.Machine{Way: quota.UserNamespace, Why: none.Why}, rung{user: true}, false, false},
		{Options{Limits: limits}, &quota.Machine{Way: quota.UserNamespace, Why: none.Why}, rung{}, false, true},
		{Options{Limits: limits}, &quota.Machine{Way: quota.SpareUser}, rung{}, false, false},
	} {
		t.Setenv(quota.Waiver, "")
		if c.waived {
			t.Setenv(quota.Waiver, "1")
		}
		if _, err := c.r.hold(&c.o, c.m); (err != nil) != c.refused {
			t.Errorf("%+v on %v, %+v: %v", c.o, c.m.Way, c.r, err)
		}
	}
}
