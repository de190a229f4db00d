package execute

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"parallax/internal/diversity"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

const (
	watchInterval = 20 * time.Millisecond
	quitPatience  = 2 * time.Second // for the stacks of a hanging worker

	// Between two inputs a worker does its own work, which is short, but longer after much input at
	// its start. A worker that owes an answer is ended if it shows no sign of life for silence
	// times the timeout, and for at least minSilence.
	silence    = 10
	minSilence = 2 * time.Second
)

// Hurry limits the CPU time per input, in addition to the timeout. Zero means no limit. The count
// starts a few intervals of the watch after the input. A process that waits for a processor uses
// none, so a limit far below the timeout works on a busy machine, too.
func (w *Worker) Hurry(cpu time.Duration) { w.hurry.Store(int64(cpu)) }

// watch ends a worker whose program exceeds its time or memory. Go can interrupt neither from
// inside. Signs of life are answers to pings and orders, which no program gives by accident.
func (w *Worker) watch() {
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	answers, since := int64(-1), time.Now()
	var before delays         // of the current run
	used := time.Duration(-1) // CPU time before the run; -1 if unknown
	var unseen time.Duration  // duration of the run before the delays were read
	for {
		select {
		case <-w.Dead:
			return
		case <-tick.C:
		}
		w.mapMu.Lock()
		if w.mapping == nil {
			w.mapMu.Unlock()
			return
		}
		alive, limit, silent := w.Mem.Beaten(), w.spec.Timeout, false
		if w.Mem.State() == wire.Idle && w.Mem.Known() {
			limit, silent = max(silence*limit, minSilence), true
		}
		w.mapMu.Unlock()
		if now := w.answered.Load(); alive || now != answers || !w.outstanding() {
			answers, since, before, used = now, time.Now(), nil, -1
		} else if hurry := time.Duration(w.hurry.Load()); hurry > 0 && !silent {
			cpu := cpuTime(w.cmd.Process.Pid)
			if used < 0 {
				used = cpu
			}
			if cpu-used > hurry {
				w.end(oracle.Timeout)
				return
			}
		}
		took := time.Since(since)
		if before == nil && took > max(watchInterval, limit/unseenPart) && w.spec.Timeout > 0 && !w.spec.Starts {
			w.readTasks.Store(true)
			before, unseen = runDelays(w.cmd.Process.Pid), took
		}
		if w.spec.Memory > 0 && w.exceeds(memoryOf(w.cmd.Process.Pid)) {
			w.end(oracle.OOM)
			return
		}
		if w.spec.Timeout > 0 && !w.spec.Starts && took > limit &&
			(took > maxStretch*limit || took-extrapolateDelay(runDelays(w.cmd.Process.Pid).maxIncrease(before), took, unseen) > limit) {
			w.mapMu.Lock()
			w.silent = silent
			w.mapMu.Unlock()
			w.end(oracle.Timeout)
			return
		}
	}
}

// end kills the worker for a reason. A hanging worker is first asked for its stacks.
func (w *Worker) end(reason oracle.Outcome) {
	w.mapMu.Lock()
	w.reason = reason
	w.mapMu.Unlock()
	if reason == oracle.Timeout {
		w.readTasks.Store(true)
		w.leader.Do(func() { quit(w.cmd.Process.Pid) })
		select {
		case <-w.Dead:
			return
		case <-time.After(quitPatience):
		}
	}
	w.leader.Kill()
}

// quit asks a process for its stacks. Go's runtime prints no stack of a goroutine on another thread
// than the one that gets the signal. So the signal goes to the busiest running thread.
func quit(pid int) {
	tasks, _ := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task")
	busiest, most := 0, int64(-1)
	for _, t := range tasks {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/task/" + t.Name() + "/stat")
		if err != nil {
			continue
		}
		// After the name in parentheses, proc(5): the state is first, the times in user and kernel
		// mode are twelfth and thirteenth.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 13 || string(fields[0]) != "R" {
			continue
		}
		user, _ := strconv.ParseInt(string(fields[11]), 10, 64)
		kernel, _ := strconv.ParseInt(string(fields[12]), 10, 64)
		if tid, err := strconv.Atoi(t.Name()); err == nil && user+kernel > most {
			busiest, most = tid, user+kernel
		}
	}
	if busiest == 0 || unix.Tgkill(pid, busiest, unix.SIGQUIT) != nil {
		syscall.Kill(pid, syscall.SIGQUIT)
	}
}

// exceeds reports whether the programs of a worker use too much memory. Other memory does not
// count: the engine's, as the worker reports it, up to a bound; and touched memory that the worker
// shares.
func (w *Worker) exceeds(resident, shared int64) bool {
	if resident <= w.spec.Memory {
		return false
	}
	w.mapMu.Lock()
	defer w.mapMu.Unlock()
	if w.mapping == nil {
		return false
	}
	return resident-min(shared, w.sharing()) > w.spec.Memory+int64(w.Mem.EngineBytes())
}

// sharing returns the number of bytes that the worker can touch in shared memory.
func (w *Worker) sharing() int64 {
	n := wire.MemorySize(w.spec.MaxFlat) - wire.MapBytes
	if maps := w.mapBytes(); maps > 0 {
		n += min(maps+64+diversity.Size(len(w.Hello.Programs), maps/len(w.Hello.Programs)), wire.MapBytes)
	}
	if w.spec.Claims != nil {
		n += wire.ClaimsSize()
	}
	return int64(n)
}

// memoryOf returns the resident memory of a process in bytes, and its share of files and shared
// memory. It returns 0 if the process is gone. See proc_pid_statm(5).
func memoryOf(pid int) (resident, shared int64) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0, 0
	}
	fields := bytes.Fields(b)
	if len(fields) < 3 {
		return 0, 0
	}
	page := int64(os.Getpagesize())
	resident, _ = strconv.ParseInt(string(fields[1]), 10, 64)
	shared, _ = strconv.ParseInt(string(fields[2]), 10, 64)
	return resident * page, shared * page
}

// headTail keeps the beginning and the end of its input. A trace begins with the important part,
// and a program may have printed a flood before.
type headTail struct {
	mu      sync.Mutex
	head    []byte
	tail    []byte
	dropped int
}

const (
	headLimit = 32 << 10
	tailLimit = 256 << 10
)

func (h *headTail) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := len(p)
	if room := headLimit - len(h.head); room > 0 {
		k := min(room, len(p))
		h.head = append(h.head, p[:k]...)
		p = p[k:]
	}
	h.tail = append(h.tail, p...)
	if len(h.tail) > 2*tailLimit {
		cut := len(h.tail) - tailLimit
		h.dropped += cut
		h.tail = append(h.tail[:0], h.tail[cut:]...)
	}
	return n, nil
}

// Bytes returns what was kept.
func (h *headTail) Bytes() []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := append([]byte{}, h.head...)
	if h.dropped > 0 {
		out = append(out, fmt.Sprintf("\n... %d bytes left out ...\n", h.dropped)...)
	}
	return append(out, h.tail...)
}
