package execute

import (
	"bytes"
	"os"
	"strconv"
	"time"
)

// maxStretch limits the factor by which a run may exceed its timeout while other processes use the
// processors.
const maxStretch = 5

// delays maps each thread of a process to the time that it was runnable without a processor. A busy
// machine is not the program's fault, so a timeout must not count it.
type delays map[string]time.Duration

// unseenPart is the reciprocal of the part of a limit after which a run's delays are first read.
// Short runs need no reading.
const unseenPart = 8

// runDelays reads the delays of a process. It returns an empty map if the kernel has none. Only
// long runs pay for it: it makes waiting for the process expensive (lastThread).
//
// Contract relied on: the second number of /proc/PID/task/TID/schedstat, in nanoseconds
// (proc_pid_schedstat(5)).
func runDelays(pid int) delays {
	d := delays{}
	dir := "/proc/" + strconv.Itoa(pid) + "/task"
	threads, err := os.ReadDir(dir)
	if err != nil {
		return d
	}
	for _, t := range threads {
		b, err := os.ReadFile(dir + "/" + t.Name() + "/schedstat")
		if fields := bytes.Fields(b); err == nil && len(fields) > 1 {
			if ns, err := strconv.ParseInt(string(fields[1]), 10, 64); err == nil {
				d[t.Name()] = time.Duration(ns)
			}
		}
	}
	return d
}

// maxIncrease returns the largest delay of a thread since before. A sum would be too large, because
// threads of one process also wait for each other.
func (d delays) maxIncrease(before delays) time.Duration {
	most := time.Duration(0)
	for thread, v := range d {
		most = max(most, v-before[thread])
	}
	return most
}

// extrapolateDelay extrapolates the delay of a whole run from the delay seen since it had run for
// unseen.
func extrapolateDelay(seen, took, unseen time.Duration) time.Duration {
	if took <= unseen {
		return seen
	}
	return time.Duration(float64(seen) * float64(took) / float64(took-unseen))
}

// lastThread is a pause before waiting for a process whose /proc/PID/task was read. It lets the
// last thread end. Until then, the kernel (6.18) makes the waiting process loop, which takes the
// processor from that thread. On a busy machine this takes 20 to 700 ms of CPU time.
const lastThread = 2 * time.Millisecond
