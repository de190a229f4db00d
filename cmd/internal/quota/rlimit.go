package quota

import (
	"bytes"
	"os"
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

// WithTasks starts a process that may have so many tasks more than its user has now. It is for who is not root, and for programs that are to
// have no user namespace of their own: the kernel counts all tasks of the user then, whoever starts them.
func WithTasks(tasks int, start func() (pid int, err error)) error {
	counted.Lock()
	defer counted.Unlock()
	if now := time.Now(); counted.at.IsZero() || now.Sub(counted.at) > countAgain {
		counted.tasks, counted.at = userTasks(os.Getuid()), now
	}
	var own unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NPROC, &own); err != nil {
		return os.NewSyscallError("getrlimit", err)
	}
	most := min(uint64(counted.tasks+tasks), own.Max)
	// The process inherits it, so that it holds from its first moment on. Then it is made what the process itself cannot raise.
	if err := unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: most, Max: own.Max}); err != nil {
		return os.NewSyscallError("limiting processes: setrlimit", err)
	}
	defer unix.Setrlimit(unix.RLIMIT_NPROC, &own)
	pid, err := start()
	if err != nil {
		return err
	}
	_ = unix.Prlimit(pid, unix.RLIMIT_NPROC, &unix.Rlimit{Cur: most, Max: most}, nil) // it may have ended
	return nil
}

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
