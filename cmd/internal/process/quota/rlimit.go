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

// counted is how many tasks the user had a moment ago: counting takes milliseconds where there are many, and workers start often.
var counted struct {
	sync.Mutex
	tasks int
	at    time.Time
}

const countAgain = time.Second

// OwnTasks is how many tasks this process's user has, or had a moment ago.
func OwnTasks() int {
	counted.Lock()
	defer counted.Unlock()
	if now := time.Now(); counted.at.IsZero() || now.Sub(counted.at) > countAgain {
		counted.tasks, counted.at = userTasks(os.Getuid()), now
	}
	return counted.tasks
}

// StartWithin starts a command whose user may have so many tasks: the kernel counts all of them, whoever starts them, for as long as they have
// no user namespace of their own. It is for who is not root, and for threads of OnThread.
//
// The limit belongs to a process, so that it is not set here before: others that are started meanwhile would inherit it. The new process
// stops before its first instruction, as if for a debugger, and gets it then. Where no process may be stopped so, it gets it a moment after
// it has begun.
func StartWithin(tasks int, cmd *exec.Cmd) error {
	cmd.SysProcAttr.Ptrace = stoppable()
	user := unix.Geteuid()
	if err := cmd.Start(); err != nil {
		return err
	}
	pid := cmd.Process.Pid
	if cmd.SysProcAttr.Ptrace {
		// What is only looked at here, cmd.Wait takes note of.
		var info unix.Siginfo
		for unix.Waitid(unix.P_PID, pid, &info, unix.WSTOPPED|unix.WEXITED|unix.WNOWAIT|unix.WALL, nil) == unix.EINTR {
		}
		defer unix.PtraceDetach(pid)
	}
	// From another thread: this one's shield refuses it.
	limited := make(chan error)
	OnThread(func() { limited <- within(pid, tasks, user) })
	err := <-limited
	if err == nil || errors.Is(err, unix.ESRCH) { // it has ended
		return nil
	}
	cmd.Process.Kill()
	cmd.Wait()
	return err
}

// within limits a process of a user from the calling thread, which becomes that user if it is another.
func within(pid, tasks, user int) error {
	if user != unix.Geteuid() {
		if err := Become(user); err != nil {
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

// stoppable reports whether processes can be started so that they stop. It starts none: what fails is the last step or the one before.
var stoppable = sync.OnceValue(func() bool {
	failed := make(chan error)
	OnThread(func() {
		_, err := os.StartProcess("", []string{""}, &os.ProcAttr{Sys: &syscall.SysProcAttr{Ptrace: true}})
		failed <- err
	})
	return errors.Is(<-failed, unix.ENOENT)
})

// userTasks is how many tasks a user has.
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
		// After the name in parentheses, proc_pid_stat(5): the state is third, the number of threads twentieth.
		if fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]); len(fields) > 17 {
			n, _ := strconv.Atoi(string(fields[17]))
			tasks += n
		}
	}
	return tasks
}
