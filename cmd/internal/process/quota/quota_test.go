package quota

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestParse(t *testing.T) {
	mounts := parseMounts(`23 29 0:22 / /sys rw - sysfs sysfs rw
39 31 0:36 / /sys/fs/cgroup/pids rw,relatime shared:12 - cgroup cgroup rw,pids
35 31 0:32 /docker/1\0402 /sys/fs/cgroup/memory ro,relatime - cgroup cgroup rw,memory
41 31 0:38 /../.. /sys/fs/cgroup/unified rw,relatime - cgroup2 none rw,nsdelegate
`)
	want := []mountPoint{
		{options: []string{"rw", "pids"}, root: "/", path: "/sys/fs/cgroup/pids"},
		{options: []string{"rw", "memory"}, root: "/docker/1 2", path: "/sys/fs/cgroup/memory"},
		{v2: true, options: []string{"rw", "nsdelegate"}, root: "/../..", path: "/sys/fs/cgroup/unified"},
	}
	if fmt.Sprint(mounts) != fmt.Sprint(want) {
		t.Errorf("%+v", mounts)
	}
	own := parseOwn("8:pids:/\n4:cpu,memory:/docker/1 2/x\n0::/user.slice/a:b\n")
	if !maps.Equal(own, map[string]string{"pids": "/", "cpu": "/docker/1 2/x", "memory": "/docker/1 2/x", "": "/user.slice/a:b"}) {
		t.Errorf("%q", own)
	}
	for _, c := range []struct {
		m           mountPoint
		group, want string
	}{
		{nth(mounts, 0), "/", "/sys/fs/cgroup/pids"},
		{nth(mounts, 0), "/a/b", "/sys/fs/cgroup/pids/a/b"},
		{nth(mounts, 1), "/docker/1 2/x", "/sys/fs/cgroup/memory/x"},
		{nth(mounts, 1), "/docker/1 2", "/sys/fs/cgroup/memory"},
		{nth(mounts, 1), "/docker/1 23", ""},
		{nth(mounts, 1), "/other", ""},
		{nth(mounts, 0), "/../../other", ""}, // outside of this process's view
	} {
		if got, ok := c.m.groupPath(c.group); got != c.want || ok != (c.want != "") {
			t.Errorf("%s in %+v: %q, want %q", c.group, c.m, got, c.want)
		}
	}
}

func nth(all []mountPoint, i int) mountPoint { return all[i] }

// TestGroup checks that the kernel limits processes: a shell that is refused a process prints it,
// and the group counts it.
func TestGroup(t *testing.T) {
	m := Find()
	t.Log(m)
	if !m.Way.Groups() {
		t.Log("this machine has no control groups for this user: the other ways are tested by package confine")
		return
	}
	g, err := m.Open(Limits{Tasks: 10, Memory: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(g.parts[0].path, g.parts[0].name)
	type result struct {
		out []byte
		err error
	}
	run := func(script string) result {
		done := make(chan result)
		OnThread(func() {
			cmd := exec.Command("/bin/sh", "-c", script)
			cmd.SysProcAttr = &syscall.SysProcAttr{}
			g.Attributes(cmd.SysProcAttr)
			err := g.Join()
			var out []byte
			if err == nil {
				out, err = cmd.CombinedOutput()
			}
			g.Exit()
			done <- result{out, err}
		})
		return <-done
	}
	if r := run("echo fine"); r.err != nil || string(r.out) != "fine\n" || g.Count() != (Count{}) {
		t.Errorf("%s, %v, %+v", r.out, r.err, g.Count())
	}
	// At most 20 at any time, even without a limit.
	if r := run("for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 1000 & done > /dev/null 2>&1; wait"); r.err == nil {
		t.Errorf("20 processes in a group of 10: %s", r.out)
	}
	if n := g.Count(); n.Tasks == 0 {
		t.Errorf("%+v", n)
	}
	if n := len(g.processes()); n == 0 {
		t.Error("the group is empty")
	}
	g.Kill()
	if n := len(g.processes()); n != 0 {
		t.Errorf("%d are left", n)
	}
	// Their numbers are free once the machine's first process has waited for them.
	for deadline := time.Now().Add(time.Minute); value([]byte("n "+strings.TrimSpace(string(g.parts[0].read("pids.current")))), "n") > 1; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the group does not become empty")
		}
	}
	if m.Memory {
		// At most twice the memory.
		if r := run("exec head -c 150000000 /dev/zero | tail -c 150000000 > /dev/null"); g.Count().Killed == 0 {
			t.Errorf("%s, %v, %+v", r.out, r.err, g.Count())
		}
	}
	above := g.parts[0].hierarchy
	sweep(above)
	if _, err := os.Stat(path); err != nil {
		t.Error("a group in use was swept away: ", err)
	}
	g.Close()
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("the group is still there: ", err)
	}
	left := path + "0"
	if err := os.Mkdir(left, 0o755); err != nil {
		t.Fatal(err)
	}
	sweep(above)
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Error("a group that was left behind is still there: ", err)
	}
}

// TestSignalFilter checks that the filter refuses signals to the given process by every call that
// sends one, and no other signals.
func TestSignalFilter(t *testing.T) {
	victim := exec.Command("python3", "-c", "import threading, time\nfor i in range(3): threading.Thread(target=time.sleep, args=(1000,)).start()\nprint('up', flush=True)")
	victim.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	up, err := victim.StdoutPipe()
	if err == nil {
		err = victim.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer victim.Wait()
	defer victim.Process.Kill()
	if _, err := up.Read(make([]byte, 2)); err != nil {
		t.Fatal(err)
	}
	pid := victim.Process.Pid
	kill := func(pid int) error { // like unix.Kill, but other threads run meanwhile
		if _, _, errno := unix.Syscall(unix.SYS_KILL, uintptr(pid), 0, 0); errno != 0 {
			return errno
		}
		return nil
	}
	type outcome struct {
		got  map[string]error
		fail error
	}
	done := make(chan outcome)
	OnThread(func() {
		o := outcome{got: map[string]error{}}
		o.fail = RestrictSignals(true, pid)
		call := func(name string, number, a, b, c, d uintptr) {
			if _, _, errno := unix.RawSyscall6(number, a, b, c, d, 0, 0); errno != 0 {
				o.got[name] = errno
			} else {
				o.got[name] = nil
			}
		}
		p, self := uintptr(pid), uintptr(os.Getpid())
		call("kill", unix.SYS_KILL, p, 0, 0, 0)
		call("kill group", unix.SYS_KILL, ^p+1, 0, 0, 0)
		call("kill all", unix.SYS_KILL, ^uintptr(0), 0, 0, 0)
		call("tgkill", unix.SYS_TGKILL, p, p, 0, 0)
		call("tkill", unix.SYS_TKILL, p, 0, 0, 0)
		call("rt_sigqueueinfo", unix.SYS_RT_SIGQUEUEINFO, p, 0, 0, 0)
		call("rt_tgsigqueueinfo", unix.SYS_RT_TGSIGQUEUEINFO, p, p, 0, 0)
		call("pidfd_open", unix.SYS_PIDFD_OPEN, p, 0, 0, 0)
		call("pidfd_send_signal", unix.SYS_PIDFD_SEND_SIGNAL, ^uintptr(0), 0, 0, 0)
		call("F_SETOWN", unix.SYS_FCNTL, 0, unix.F_SETOWN, p, 0)

		o.got["self"] = kill(int(self))
		call("own thread", unix.SYS_TGKILL, self, uintptr(unix.Gettid()), 0, 0)
		call("F_GETFD", unix.SYS_FCNTL, 0, unix.F_GETFD, 0, 0)
		threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
		for _, thread := range threads {
			n, _ := strconv.Atoi(thread.Name())
			o.got["thread "+thread.Name()] = kill(n)
		}
		if len(threads) < 4 {
			o.got["threads"] = fmt.Errorf("%d threads", len(threads))
		}
		// Its descendants are limited, too, and can start and end others.
		out, err := exec.Command("/bin/sh", "-c", "sleep 1000 > /dev/null 2>&1 & kill $! && kill -0 "+strconv.Itoa(pid)+" 2>/dev/null; echo $?").Output()
		o.got["child"] = err
		if strings.TrimSpace(string(out)) != "1" {
			o.got["child"] = fmt.Errorf("%q, %v", out, err)
		}
		done <- o
	})
	o := <-done
	if o.fail != nil {
		t.Fatal(o.fail)
	}
	free := []string{"self", "own thread", "F_GETFD", "child"}
	for name, err := range o.got {
		want := error(unix.EPERM)
		if name == "pidfd_send_signal" {
			want = unix.ENOSYS
		}
		if slices.Contains(free, name) {
			want = nil
		}
		if err != want {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	if err := unix.Kill(pid, 0); err != nil {
		t.Errorf("another thread of this process: %v", err)
	}
}

// TestSweep checks that the next sweep kills processes that a killed process left in its group, and
// in groups that it created inside.
func TestSweep(t *testing.T) {
	m := Find()
	if !m.Way.Groups() {
		t.Log("this machine has no control groups for this user")
		return
	}
	g, err := m.Open(Limits{Tasks: 50})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(g.parts[0].path, g.parts[0].name)
	if err := os.Mkdir(filepath.Join(path, inside, "deeper"), 0o755); err != nil {
		t.Fatal(err)
	}
	var left []*exec.Cmd
	started := make(chan error)
	OnThread(func() {
		err := g.Join()
		for range 2 {
			cmd := exec.Command("sleep", "1000")
			cmd.SysProcAttr = &syscall.SysProcAttr{}
			g.Attributes(cmd.SysProcAttr)
			if err == nil {
				err = cmd.Start()
			}
			left = append(left, cmd)
		}
		g.Exit()
		started <- err
	})
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(path, inside, "deeper", "cgroup.procs"), []byte(strconv.Itoa(left[1].Process.Pid)), 0); err != nil {
		t.Fatal(err)
	}
	// Descriptors end with their process.
	for i := range g.parts {
		for _, f := range g.parts[i].files() {
			f.Close()
		}
	}
	for _, h := range m.parents {
		sweep(h)
	}
	for _, cmd := range left {
		late := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
		err := cmd.Wait()
		if !late.Stop() || cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() != unix.SIGKILL {
			t.Errorf("a process that was left behind lives on: %v", err)
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("the group is still there: ", err)
	}
}

// TestStartWithin checks RLIMIT_NPROC as another user, since it does not limit root. A process that
// is started without the limit is not limited.
func TestStartWithin(t *testing.T) {
	if os.Getenv("QUOTA_TEST_TASKS") != "" {
		startWithin(t)
		return
	}
	asOther(t, "-test.run=^TestStartWithin$")
}

func startWithin(t *testing.T) {
	var own unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NPROC, &own); err != nil {
		t.Fatal(err)
	}
	stop, beside := make(chan bool), make(chan error)
	go func() {
		for {
			select {
			case <-stop:
				beside <- nil
				return
			default:
			}
			out, err := exec.Command("/bin/sh", "-c", "cat /proc/self/limits").Output()
			for line := range strings.Lines(string(out)) {
				if f := strings.Fields(line); strings.HasPrefix(line, "Max processes") && (f[2] != limitText(own.Cur) || f[3] != limitText(own.Max)) {
					err = errors.New("beside: " + line)
				}
			}
			if err != nil {
				<-stop
				beside <- err
				return
			}
		}
	}()
	for range 20 {
		var out strings.Builder
		failed := make(chan error)
		OnThread(func() {
			cmd := exec.Command("/bin/sh", "-c", "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 0.1 & done; wait")
			cmd.SysProcAttr, cmd.Stderr = &syscall.SysProcAttr{}, &out
			err := RestrictSignals(true, os.Getpid())
			if err == nil {
				err = StartWithin(OwnTasks()+5, cmd)
			}
			if err == nil {
				cmd.Wait()
			}
			failed <- err
		})
		if err := <-failed; err != nil || out.Len() == 0 {
			t.Errorf("twenty processes where five are permitted: %v", err)
		}
	}
	close(stop)
	if err := <-beside; err != nil {
		t.Error(err)
	}
	if !stoppable() {
		t.Error("a process cannot be stopped before it begins")
	}
}

func limitText(n uint64) string {
	if n == unix.RLIM_INFINITY {
		return "unlimited"
	}
	return strconv.FormatUint(n, 10)
}

// asOther runs a part of these tests as a user other than root.
func asOther(t *testing.T, args ...string) {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "quota.test")
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(copied, data, 0o755)
	}
	for dir := filepath.Dir(copied); err == nil && dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(copied, args...)
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), "QUOTA_TEST_TASKS=1")
	if os.Geteuid() == 0 {
		spare, err := Spare()
		if err != nil {
			t.Fatal(err)
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(spare), Gid: uint32(spare)}}
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestFindNamespace checks that the creation of user namespaces is tried, not inferred.
func TestFindNamespace(t *testing.T) {
	if os.Getenv("QUOTA_TEST_TASKS") == "" {
		asOther(t, "-test.run=^TestFindNamespace$")
		return
	}
	m, err := detect(unix.Geteuid(), hasCapabilities), tryNamespace()
	if os.Getenv("QUOTA_TEST_TASKS") == "2" {
		if err == nil || m.Way == UserNamespace {
			t.Errorf("%v, %v", err, &m)
		}
		return
	}
	if err != nil {
		t.Fatalf("who is not root has no user namespace on this machine: %v", err)
	}
	// In a namespace of its own that permits no others inside.
	const script = `echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"`
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("unshare", "-r", "sh", "-c", script, "sh", self, "-test.run=^TestFindNamespace$")
	cmd.Env = append(os.Environ(), "QUOTA_TEST_TASKS=2")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestWaived(t *testing.T) {
	for value, want := range map[string]bool{"": false, "0": false, "false": false, "no": false, "1": true, "true": true} {
		t.Setenv(Waiver, value)
		if Waived() != want {
			t.Errorf("%q: %v", value, Waived())
		}
	}
}

// TestOnThread checks that a thread of OnThread is never the first, and ends with its function.
func TestOnThread(t *testing.T) {
	for range 50 {
		tid := make(chan int)
		OnThread(func() { tid <- unix.Gettid() })
		n := <-tid
		if n == os.Getpid() {
			t.Fatal("the first thread")
		}
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			if _, err := os.Stat(fmt.Sprintf("/proc/self/task/%d", n)); err != nil {
				break
			}
			if time.Now().After(deadline) {
				t.Fatal("the thread stays")
			}
		}
	}
}

// threadVariable makes a test process enter a group with one thread and leave it: "campaign", or
// "ended", whose first thread ends.
const threadVariable = "QUOTA_TEST_THREAD"

func init() {
	kind := os.Getenv(threadVariable)
	if kind == "" {
		return
	}
	g, err := Find().Open(Limits{})
	if err != nil {
		panic(err)
	}
	held := make(chan error)
	OnThread(func() {
		held <- g.Join()
		time.Sleep(time.Hour)
	})
	if err := <-held; err != nil {
		panic(err)
	}
	name := g.parts[0].name
	for i := range g.parts {
		for _, f := range g.parts[i].files() {
			f.Close()
		}
	}
	go func() {
		for kind == "ended" && state(os.Getpid()) != "Z" {
			time.Sleep(time.Millisecond)
		}
		fmt.Println(name)
	}()
	if kind == "ended" {
		unix.Syscall(unix.SYS_EXIT, 0, 0, 0) // initialization runs on the first thread
	}
	time.Sleep(time.Hour)
}

// TestSweepOfThreads sweeps a group that was left behind, in which two processes have a thread. One
// is a campaign with its first thread elsewhere: it is spared. The first thread of the other has
// ended and is in no group: it is killed.
func TestSweepOfThreads(t *testing.T) {
	m := Find()
	if m.Way != CgroupV1 {
		t.Skip("cgroup v1 alone has threads in groups")
	}
	started := func(kind string) (cmd *exec.Cmd, name string) {
		cmd = exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), threadVariable+"="+kind)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
		if _, err := fmt.Fscan(out, &name); err != nil {
			t.Fatal(err)
		}
		return cmd, name
	}
	campaign, name := started("campaign")
	ended, _ := started("ended")
	for _, h := range m.parents {
		sweep(h)
	}
	late := time.AfterFunc(20*time.Second, func() { ended.Process.Signal(unix.SIGTERM) })
	_ = ended.Wait()
	if !late.Stop() || ended.ProcessState.Sys().(syscall.WaitStatus).Signal() != unix.SIGKILL {
		t.Error("who has left its first thread lives on")
	}
	if s := state(campaign.Process.Pid); s == "Z" || s == "" {
		t.Errorf("the campaign was killed, for its thread in %s", name)
	}
	campaign.Process.Kill()
	campaign.Wait()
	// The kernel may hold the group for a moment longer than the process.
	for _, h := range m.parents {
		for end := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
			sweep(h)
			_, err := os.Stat(filepath.Join(h.path, name))
			if errors.Is(err, os.ErrNotExist) {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("%s is still there: %v", name, err)
			}
		}
	}
}

// state returns the state letter of a process.
func state(pid int) string {
	stat, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, after, _ := strings.Cut(string(stat), ") ")
	return after[:min(1, len(after))]
}
