package execute

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// CPU is the CPU time, user and system, of the worker and of what it has started: its operand process, and processes of the
// programs. It never goes back. What a killed worker's children used since the last call is lost.
func (w *Worker) CPU() time.Duration {
	total := time.Duration(0)
	select {
	case <-w.Dead:
		// Of wait4(2): with all descendants that were waited for.
		total = w.cmd.ProcessState.UserTime() + w.cmd.ProcessState.SystemTime()
	default:
		pid := w.cmd.Process.Pid
		w.looked.Store(true)
		for _, p := range family(pid) {
			total += spent(p) + waitedFor(p)
		}
	}
	w.cpuMu.Lock()
	defer w.cpuMu.Unlock()
	w.cpu = max(w.cpu, total)
	return w.cpu
}

// spent is the CPU time of all threads of a process, those that have ended among them; 0 if it is gone.
//
// Contract relied on: MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED) of the kernel's posix-timers.h, which is what
// clock_getcpuclockid(3) returns. It is exact, where /proc/PID/stat counts in steps of ten milliseconds.
func spent(pid int) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|2), &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// tick is the unit of times in /proc/PID/stat: sysconf(_SC_CLK_TCK), which is 100 on every port of Go to Linux.
const tick = 10 * time.Millisecond

// waitedFor is the CPU time of a process's descendants that have ended and were waited for: cutime and cstime, the fields 16
// and 17 of proc_pid_stat(5).
func waitedFor(pid int) time.Duration {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	// The second field is a name in parentheses that may hold anything; the rest begins with the third.
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	total := time.Duration(0)
	for i := 13; i <= 14 && i < len(fields); i++ {
		n, _ := strconv.ParseInt(string(fields[i]), 10, 64)
		total += time.Duration(n) * tick
	}
	return total
}

// maxFamily is how many processes are looked at for one worker, so that a program that starts thousands does not slow down the campaign.
const maxFamily = 256

// family is a process and its descendants, parents first: programs are the children of a sandbox, which is a child of the lockstep process.
func family(pid int) []int {
	all := []int{pid}
	for i := 0; i < len(all) && len(all) < maxFamily; i++ {
		all = append(all, children(all[i])...)
	}
	return all
}

// children lists the processes that a process has started and not waited for. Kernels without CONFIG_PROC_CHILDREN do not
// tell: there they count once they have been waited for.
func children(pid int) (all []int) {
	dir := "/proc/" + strconv.Itoa(pid) + "/task/"
	threads, _ := os.ReadDir(dir) // the process may be gone
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
