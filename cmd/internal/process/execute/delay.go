package execute

import (
	"bytes"
	"os"
	"strconv"
	"time"
)

// maxStretch bounds how much longer than its timeout a run may take because other processes have the processors.
const maxStretch = 5

// delays are, for each thread of a process, how long it was ready to run and did not get a processor. On a busy machine
// that is no program's fault, and a timeout must not count it.
type delays map[string]time.Duration

// unseenPart is the part of a limit, one in so many, after which the delays of a run are first read: not for each run.
const unseenPart = 8

// runDelays reads the delays of a process; empty if the kernel does not tell. It is for runs that have already taken long, because of what it
// costs to wait for the process then (lastThread).
//
// Contract relied on: the second number of /proc/PID/task/TID/schedstat, in nanoseconds (proc_pid_schedstat(5)).
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

// since is the delay of the thread that was delayed most. Threads of one process also wait for each other: their sum
// would say too much.
func (d delays) since(before delays) time.Duration {
	most := time.Duration(0)
	for thread, v := range d {
		most = max(most, v-before[thread])
	}
	return most
}

// delayed is the delay of a run of which so much was seen from a moment on. Before that it is taken to have had its share.
func delayed(seen, took, unseen time.Duration) time.Duration {
	if took <= unseen {
		return seen
	}
	return time.Duration(float64(seen) * float64(took) / float64(took-unseen))
}

// lastThread is given to the last of a process's threads, once files below /proc/PID/task have been read. Until it is gone, the kernel (6.18)
// makes whoever waits for the process turn in a loop, which takes the processor from that thread: on a busy machine 20 to 700 ms of CPU time.
const lastThread = 2 * time.Millisecond
