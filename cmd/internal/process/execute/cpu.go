package execute

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// CPU returns the CPU time, user and system, of the worker and its descendants: its operand
// process, and processes of the programs. It never decreases. Time that a killed worker's children
// used since the last call is lost.
func (w *Worker) CPU() time.Duration {
	total := time.Duration(0)
	select {
	case <-w.Dead:
		// See wait4(2): it includes all descendants that were waited for.
		total = w.cmd.ProcessState.UserTime() + w.cmd.ProcessState.SystemTime()
	default:
		pid := w.cmd.Process.Pid
		w.readTasks.Store(true)
		for _, p := range family(pid) {
			total += cpuTime(p) + reapedTime(p)
		}
	}
	w.cpuMu.Lock()
	defer w.cpuMu.Unlock()
	w.cpu = max(w.cpu, total)
	return w.cpu
}

// cpuTime returns the CPU time of all threads of a process, including ended ones. It returns 0 if
// the process is gone.
//
// Contract relied on: MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED) of the kernel's posix-timers.h,
// the value that clock_getcpuclockid(3) returns. It is exact, while /proc/PID/stat counts in steps
// of ten milliseconds.
func cpuTime(pid int) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|2), &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// tick is the unit of times in /proc/PID/stat: sysconf(_SC_CLK_TCK), which is 100 on every port of
// Go to Linux.
const tick = 10 * time.Millisecond

// reapedTime returns the CPU time of a process's descendants that have ended and were waited for.
// These are cutime and cstime, fields 16 and 17 of proc_pid_stat(5).
func reapedTime(pid int) time.Duration {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	// The second field is a name in parentheses that may contain any byte. The rest begins with the
	// third.
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	total := time.Duration(0)
	for i := 13; i <= 14 && i < len(fields); i++ {
		n, _ := strconv.ParseInt(string(fields[i]), 10, 64)
		total += time.Duration(n) * tick
	}
	return total
}

// maxFamily limits the processes that are measured per worker, so that a program that starts
// thousands does not slow down the campaign.
const maxFamily = 256

// family returns a process and its descendants, parents first. Programs are children of a sandbox,
// which is a child of the lockstep process.
func family(pid int) []int {
	all := []int{pid}
	for i := 0; i < len(all) && len(all) < maxFamily; i++ {
		all = append(all, children(all[i])...)
	}
	return all
}

// children lists the processes that a process has started and not waited for. Kernels without
// CONFIG_PROC_CHILDREN have no list; there, children count once they have been waited for.
func children(pid int) (all []int) {
	dir := "/proc/" + strconv.Itoa(pid) + "/task/"
	threads, _ := os.ReadDir(dir) // the process may have ended
	for _, t := range threads {
		data, _ := os.ReadFile(dir + t.Name() + "/children")
		for _, f := range bytes.Fields(data) {
			if child, err := strconv.Atoi(string(f)); err == nil {
				all = append(all, child)
			}
		}
	}
	return all
}
