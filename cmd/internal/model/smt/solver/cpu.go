package solver

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// CPU returns the processor time that the solver's processes have used.
func (s *Solver) CPU() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process == nil {
		return s.ended
	}
	return s.ended + s.process.cpu()
}

// tick is the unit of times in /proc: USER_HZ, which is 100 on every architecture that Go supports.
const tick = 10 * time.Millisecond

// cpu returns the processor time of a process; after its end, from its final state.
func (p *process) cpu() time.Duration {
	select {
	case <-p.done:
		return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
	default:
	}
	text, err := os.ReadFile("/proc/" + strconv.Itoa(p.cmd.Process.Pid) + "/stat")
	if err != nil {
		return 0
	}
	// The fields behind the name, which may have spaces: utime and stime are fields 14 and 15 of
	// proc(5).
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 13 {
		return 0
	}
	var ticks int64
	for _, f := range fields[11:13] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0
		}
		ticks += n
	}
	return time.Duration(ticks) * tick
}
