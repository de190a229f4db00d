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

// bombProcesses is the limit of the sandbox. The resulting limit of the kernel, with the threads of
// bomber and of the load, is far below the outer limit.
const bombProcesses = 64

// bombs are programs that create processes and threads as quickly as they can, and go on after a
// refusal.
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

// bombReport is the output of bomber.
type bombReport struct {
	Status  Status
	Notes   []string
	Seconds float64
	After   int // exit status of a program in the same sandbox afterwards
}

// bomber runs a bomb in a sandbox while the machine is busy. Its arguments: a folder, whether the
// sandbox is plain, the way of limiting, the bomb.
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
	if args[3] == bombs["threads"] { // without a trace
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

// TestBombs checks that the kernel limits every program, however busy the machine is: the peak of
// tasks stays below the limit.
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
					// the load, and the threads of bomber and of the sandbox
					most := quota.Tasks(bombProcesses) + 4 + 100
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
					// Many processes also take much memory. Without a group, a refused thread
					// leaves no trace, and orphans outside of the process group are killed with it.
					seen := r.Status.OOM || r.Status.Forked && name != "memory" || name == "leaving" || name == "threads"
					if r.Status.Err != nil || !seen {
						t.Errorf("%+v", r.Status)
					}
				})
			}
		}
	}
}

// asOther returns the test's executable as a command of a user other than root, in a folder of that
// user.
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

// TestRefused checks that a machine without a way to limit programs is refused, unless the user
// permits it.
func TestRefused(t *testing.T) {
	none := &quota.Machine{Way: quota.None, Why: []error{unix.EPERM}}
	limits := limits.Limits{Processes: 1}
	for _, c := range []struct {
		o       Options
		m       *quota.Machine
		r       isolationLevel
		waived  bool
		refused bool
	}{
		{Options{Limits: limits}, none, isolationLevel{user: true}, false, true},
		{Options{Limits: limits}, none, isolationLevel{}, true, false},
		{Options{}, none, isolationLevel{}, false, false},
		{Options{Limits: limits}, &quota.Machine{Way: quota.UserNamespace, Why: none.Why}, isolationLevel{user: true}, false, false},
		{Options{Limits: limits}, &quota.Machine{Way: quota.UserNamespace, Why: none.Why}, isolationLevel{}, false, true},
		{Options{Limits: limits}, &quota.Machine{Way: quota.SpareUser}, isolationLevel{}, false, false},
	} {
		t.Setenv(quota.Waiver, "")
		if c.waived {
			t.Setenv(quota.Waiver, "1")
		}
		if _, err := c.r.chooseWay(&c.o, c.m); (err != nil) != c.refused {
			t.Errorf("%+v on %v, %+v: %v", c.o, c.m.Way, c.r, err)
		}
	}
}
