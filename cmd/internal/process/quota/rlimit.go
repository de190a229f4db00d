package quota

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// taskCount caches the user's number of tasks: counting takes milliseconds with many tasks, and
// workers start often.
var taskCount struct {
	sync.Mutex
	tasks int
	at    time.Time
}

const taskCountAge = time.Second

// OwnTasks returns the number of tasks of this process's user, up to a second old.
func OwnTasks() int {
	taskCount.Lock()
	defer taskCount.Unlock()
	if now := time.Now(); taskCount.at.IsZero() || now.Sub(taskCount.at) > taskCountAge {
		taskCount.tasks, taskCount.at = userTasks(os.Getuid()), now
	}
	return taskCount.tasks
}

// StartWithin starts a command with a limit on its user's tasks. The kernel counts all tasks of the
// user without a user namespace of their own. It is for users other than root, and for threads from
// OnThread.
//
// The limit belongs to a process. It is not set before the start, because other processes started
// meanwhile would inherit it. The new process stops before its first instruction, as for a
// debugger, and gets the limit then. Where this is not permitted, it gets the limit shortly after
// its start.
func StartWithin(tasks int, cmd *exec.Cmd) error {
	cmd.SysProcAttr.Ptrace = stoppable()
	user := unix.Geteuid()
	if err := cmd.Start(); err != nil {
		return err
	}
	pid := cmd.Process.Pid
	if cmd.SysProcAttr.Ptrace {
		// This wait leaves the status to cmd.Wait.
		var info unix.Siginfo
		for unix.Waitid(unix.P_PID, pid, &info, unix.WSTOPPED|unix.WEXITED|unix.WNOWAIT|unix.WALL, nil) == unix.EINTR {
		}
		defer unix.PtraceDetach(pid)
	}
	// On another thread, because this one's filter refuses it.
	limited := make(chan error)
	OnThread(func() { limited <- setTaskLimit(pid, tasks, user) })
	err := <-limited
	if err == nil || errors.Is(err, unix.ESRCH) { // it has ended
		return nil
	}
	cmd.Process.Kill()
	cmd.Wait()
	return err
}

// setTaskLimit limits a process of a user from the calling thread. If needed, the thread becomes
// that user.
func setTaskLimit(pid, tasks, user int) error {
	if user != unix.Geteuid() {
		if err := SetUser(user); err != nil {
			return err
		}
	}
	var now unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_NPROC, nil, &now); err != nil {
		return os.NewSyscallError("limiting processes: prlimit", err)
	}
	most := min(uint64(tasks), now.Max)
	return os.NewSyscallError("limiting processes: prlimit", unix.Prlimit(pid, unix.RLIMIT_NPROC, &unix.Rlimit{Cur: most, Max: most}, nil))
}

// stoppable reports whether processes can be started in a stopped state. It starts none: the
// executable is missing, which is the last check to fail.
var stoppable = sync.OnceValue(func() bool {
	failed := make(chan error)
	OnThread(func() {
		_, err := os.StartProcess("", []string{""}, &os.ProcAttr{Sys: &syscall.SysProcAttr{Ptrace: true}})
		failed <- err
	})
	return errors.Is(<-failed, unix.ENOENT)
})

// userTasks returns the number of tasks of a user.
func userTasks(uid int) (tasks int) {
	entries, _ := os.ReadDir("/proc")
	for _, entry := range entries {
		if _, err := strconv.Atoi(entry.Name()); err != nil {
			continue
		}
		info, err := entry.Info()
		if err != nil {
			continue
		}
		if s, ok := info.Sys().(*syscall.Stat_t); !ok || int(s.Uid) != uid {
			continue
		}
		stat, _ := os.ReadFile("/proc/" + entry.Name() + "/stat")
		// After the name in parentheses, proc_pid_stat(5): the state is third, the number of
		// threads twentieth.
		if fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]); len(fields) > 17 {
			n, _ := strconv.Atoi(string(fields[17]))
			tasks += n
		}
	}
	return tasks
}
