package process

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// setChildSubreaper is PR_SET_CHILD_SUBREAPER of prctl(2): orphaned descendants become children of
// this process.
const setChildSubreaper = 36

// tick is the unit of times in /proc/PID/stat: sysconf(_SC_CLK_TCK), which is 100 on every port of
// Go to Linux.
const tick = 10 * time.Millisecond

func adopt() error {
	if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0); errno != 0 {
		return errno
	}
	return nil
}

// ownGroup keeps a terminal's ^C from reaching the command directly.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// tree lists all that descends from a process, without it, ancestors first.
func tree(root int) []int {
	all := children(root)
	for i := 0; i < len(all); i++ {
		all = append(all, children(all[i])...)
	}
	return all
}

func children(pid int) (all []int) {
	tasks := "/proc/" + strconv.Itoa(pid) + "/task/"
	entries, _ := os.ReadDir(tasks) // the process may be gone
	for _, e := range entries {
		data, _ := os.ReadFile(tasks + e.Name() + "/children")
		for _, f := range strings.Fields(string(data)) {
			if child, err := strconv.Atoi(f); err == nil {
				all = append(all, child)
			}
		}
	}
	return all
}

// spent adds utime, stime, cutime and cstime, the fields 14 to 17 of proc_pid_stat(5).
func spent(pid int) time.Duration { return used(pid, 4) }

func alone(pid int) time.Duration { return used(pid, 2) }

// used returns the sum of the first times of a process. They are user and system time, and the same
// of the children for which it has waited.
func used(pid, times int) time.Duration {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	// The second field is a name in parentheses that may hold anything.
	fields := strings.Fields(string(data)[strings.LastIndexByte(string(data), ')')+1:])
	if len(fields) < 15 {
		return 0
	}
	total := time.Duration(0)
	for _, f := range fields[11 : 11+times] {
		n, _ := strconv.ParseInt(f, 10, 64)
		total += time.Duration(n) * tick
	}
	return total
}

func killAll() {
	// Twice, since a process may start another one while the tree is read.
	for range 2 {
		for _, pid := range tree(os.Getpid()) {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// reap waits for all remaining children, kills what is left after the given time, and returns their
// CPU time.
func reap(leftover time.Duration) (cpu time.Duration, err error) {
	deadline := time.Now().Add(leftover)
	for {
		var usage syscall.Rusage
		pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, &usage)
		switch {
		case err == syscall.ECHILD:
			return cpu, nil
		case err == syscall.EINTR:
		case err != nil:
			return cpu, err
		case pid > 0:
			cpu += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
		default:
			if time.Now().After(deadline) {
				killAll()
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}
