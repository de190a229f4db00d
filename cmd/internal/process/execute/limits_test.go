package execute

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"parallax/cmd/internal/process/quota"
	"parallax/internal/wire"
)

// apart marks a process in a mount namespace of its own.
const apart = "EXECUTE_TEST_APART"

// shell returns the output of a shell command that a program of a worker starts.
func shell(t *testing.T, w *Worker, script string) string {
	t.Helper()
	r := run(t, w, "a:shell "+script, wire.WantDetail)[0]
	said, err := strconv.Unquote(r.Rendered)
	if err != nil || r.Error != "" {
		t.Fatalf("%+v, %v", r, err)
	}
	return said
}

// groupsOf returns the folders of parallax's groups among those that a program is in, as its
// /proc/self/cgroup names them.
func groupsOf(groups string) (folders []string) {
	for line := range strings.Lines(groups) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) < 3 || !strings.Contains(f[2], "/parallax-") {
			continue
		}
		for _, at := range []string{"/sys/fs/cgroup/" + f[1], "/sys/fs/cgroup", "/sys/fs/cgroup/unified"} {
			folder := filepath.Join(at, filepath.Dir(f[2]))
			if _, err := os.Stat(folder); err == nil {
				folders = append(folders, folder)
				break
			}
		}
	}
	return folders
}

// limitOf returns pids.max of the group.
func limitOf(t *testing.T, groups string) string {
	t.Helper()
	for _, folder := range groupsOf(groups) {
		if text, err := os.ReadFile(filepath.Join(folder, "pids.max")); err == nil {
			return strings.TrimSpace(string(text))
		}
	}
	return ""
}

// TestGroups checks that the programs of a worker of root cannot leave its control group, and
// --no-limits lifts its limits.
func TestGroups(t *testing.T) {
	if !quota.Find().Way.Groups() {
		t.Log("no control groups here")
		return
	}
	// Changes happen in a mount namespace of this test, and not on the machine.
	if os.Geteuid() == 0 && os.Getenv(apart) == "" {
		cmd := exec.Command("unshare", "--mount", "--propagation", "private", os.Args[0], "-test.run=^TestGroups$")
		cmd.Env = append(os.Environ(), apart+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	w := start(t, spec(t, false))
	before := shell(t, w, "cat /proc/self/cgroup")
	if os.Geteuid() == 0 {
		const leave = `exec 2> /dev/null
all() { for d in /sys/fs/cgroup/* /proc/$PPID/fd/* /proc/1/root/sys/fs/cgroup/*; do test -e $d/cgroup.procs && echo $$ > $d/cgroup.procs; done; }
all; for d in /sys/fs/cgroup/* /sys/fs/cgroup; do umount -l $d; done; all
mkdir cg; mount -t cgroup -o pids none cg && echo $$ > cg/cgroup.procs
unshare -Urm sh -c 'umount -l /sys/fs/cgroup/pids; echo $PPID > /sys/fs/cgroup/pids/cgroup.procs'
nsenter -t 1 -m sh -c 'echo $PPID > /sys/fs/cgroup/pids/cgroup.procs'
cat /proc/self/cgroup`
		if after := shell(t, w, leave); after != before || !strings.Contains(before, "/parallax-") {
			t.Errorf("it was in\n%sand is in\n%s", before, after)
		}
	}
	if limit := limitOf(t, before); limit != strconv.Itoa(quota.Tasks(workerProcesses)) {
		t.Errorf("limit %q", limit)
	}
	t.Setenv(quota.Waiver, "1")
	if limit := limitOf(t, shell(t, start(t, spec(t, false)), "cat /proc/self/cgroup")); limit != "max" {
		t.Errorf("limit %q, without limits", limit)
	}
}

// TestSpareUser checks that where root has no control groups, a worker runs as another user, which
// RLIMIT_NPROC limits. It may read and write the same files as root.
func TestSpareUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Log("only root can give a worker another user")
		return
	}
	s := spec(t, false)
	s.Hold = quota.SpareUser
	if err := os.Chmod(s.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	w := start(t, s)
	said := shell(t, w, "id -u; echo $$ > file && cat file > other && echo wrote; grep 'Max processes' /proc/self/limits")
	limit := fmt.Sprintf("Max processes             %-20d %-20d", quota.Tasks(workerProcesses), quota.Tasks(workerProcesses))
	if strings.HasPrefix(said, "0\n") || !strings.Contains(said, "\nwrote\n") || !strings.Contains(said, limit) {
		t.Errorf("%s, want %s", said, limit)
	}
	pid := w.cmd.Process.Pid
	w.Close()
	if !hasEnded(pid) {
		t.Error("it lives on")
	}
	t.Setenv(quota.Waiver, "1")
	if said := shell(t, start(t, s), "id -u"); said != "0\n" {
		t.Errorf("user %q, without limits", said)
	}
}

// TestLimitNotes checks that limits that the kernel does not enforce on Go programs are reported.
// In a box, root has no other user, so that no limit applies.
func TestLimitNotes(t *testing.T) {
	const processes, memory = "does not limit the processes", "limits their processes only"
	for _, test := range []struct {
		m             quota.Machine
		boxed, waived bool
		want          string
	}{
		{quota.Machine{Way: quota.CgroupV2, Memory: true}, true, false, ""},
		{quota.Machine{Way: quota.CgroupV2}, true, false, memory},
		{quota.Machine{Way: quota.CgroupV2, Memory: true}, true, true, processes},
		{quota.Machine{Way: quota.UserNamespace}, true, false, memory},
		{quota.Machine{Way: quota.SpareUser}, false, false, memory},
		{quota.Machine{Way: quota.SpareUser}, true, false, processes},
		{quota.Machine{Way: quota.None}, false, false, processes},
		{quota.Machine{Way: quota.None}, true, false, processes},
	} {
		got := strings.Join(limitNotes(&test.m, test.boxed, test.waived), "\n")
		if !strings.Contains(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%s, boxed %v, waived %v: %s", test.m.Way, test.boxed, test.waived, got)
		}
	}
}

// TestSignals checks that a program cannot signal parallax or, where the kernel can decide it, any
// process but its own.
func TestSignals(t *testing.T) {
	w, sibling := start(t, spec(t, false)), start(t, spec(t, false))
	signal := func(pid int) string {
		return strings.TrimSpace(shell(t, w, fmt.Sprintf("kill -0 %d 2> /dev/null; echo $?", pid)))
	}
	if signal(os.Getpid()) == "0" {
		t.Error("it can send signals to its supervisor")
	}
	if got := signal(sibling.cmd.Process.Pid); quota.Scoped() && got == "0" {
		t.Error("it can send signals to another worker")
	}
	if got := signal(w.cmd.Process.Pid); got != "0" {
		t.Errorf("its own process: %s", got)
	}
	if got := shell(t, w, "sleep 100 > /dev/null 2>&1 & kill $! && echo killed"); got != "killed\n" {
		t.Errorf("a child: %q", got)
	}
}

// TestGroupEndsWithWorker checks that a worker's control groups end with it, even if the thread
// that started it was confined and cannot change files. The next campaign would kill the processes
// in a group left behind.
func TestGroupEndsWithWorker(t *testing.T) {
	if !quota.Find().Way.Groups() {
		t.Skip("the user cannot make control groups")
	}
	for _, c := range []Confinement{{}, {Network: true, Files: true}} {
		s := spec(t, false)
		s.Confined = c
		w := start(t, s)
		folders := groupsOf(shell(t, w, "cat /proc/self/cgroup"))
		if len(folders) == 0 {
			t.Fatal("it is in no group")
		}
		w.Close()
		for _, dir := range folders {
			if _, err := os.Stat(dir); err == nil {
				t.Errorf("confined %+v: %s is left", c, dir)
			}
		}
	}
}
