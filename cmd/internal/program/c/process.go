package c

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/program"
)

// process is one run of a program: it executes batches until it ends.
type process struct {
	mem    *memory
	run    *confine.Process
	tail   *program.Tail
	asked  uint32 // number of the latest request
	inputs uint32 // number of its inputs
	ended  chan struct{}
	over   atomic.Bool
	status confine.Status
	maps   []mapping // set once it is ready
	late   bool      // killed because an input took too long
}

// start starts the program and returns before it is ready.
func start(sandbox *confine.Sandbox, c *Config, path string, flags uint32) (*process, error) {
	m, err := newMemory(c.MaxInput, c.Limits.Output)
	if err != nil {
		return nil, err
	}
	m.put32(atFlags, flags)
	m.put64(atTick, uint64(c.Limits.Timeout))
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_CLOEXEC); err != nil {
		m.close()
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	unix.SetNonblock(fds[0], true) // before NewFile, which reads this flag
	r, w := os.NewFile(uintptr(fds[0]), "standard error"), os.NewFile(uintptr(fds[1]), "standard error")
	defer w.Close()
	run, err := sandbox.Start(confine.Command{
		Path: path, Args: append([]string{path}, c.Args...), Dir: c.Dir, Stdin: m.file, Stderr: w,
		Env: append(sanitizerOptions(sandbox.Environ(c.Env)), "PARALLAX_NATIVE=1"),
	})
	if err != nil {
		r.Close()
		m.close()
		return nil, err
	}
	p := &process{mem: m, run: run, tail: program.NewTail(r), ended: make(chan struct{})}
	go p.tail.Drain()
	go func() {
		p.status = run.Wait()
		p.over.Store(true)
		futexWake(m.word(atResponse)) // wakes waiting goroutines
		close(p.ended)                // then the memory may be unmapped
	}()
	return p, nil
}

// sanitizerOptions adds the required options before those of the user, which win. Stacks have
// addresses, because package clang symbolizes them faster. Leaks are checked after inputs and not
// at the end. Other programs do not read these variables, and the user's own build may have
// sanitizers.
func sanitizerOptions(env []string) []string {
	const (
		all     = "symbolize=0:allocator_may_return_null=1"
		address = all + ":leak_check_at_exit=0:print_stacktrace=1:quarantine_size_mb=64"
	)
	env = slices.Clone(env)
next:
	for _, o := range [][2]string{{"ASAN_OPTIONS", address}, {"UBSAN_OPTIONS", address + ":halt_on_error=1"}, {"MSAN_OPTIONS", all},
		{"TSAN_OPTIONS", all + `:halt_on_error=1:stack_trace_format="    #%n %p %F %L"`},
		{"LSAN_OPTIONS", "symbolize=0"},
	} {
		for i, v := range env {
			if set, ok := strings.CutPrefix(v, o[0]+"="); ok {
				env[i] = o[0] + "=" + o[1] + ":" + set
				continue next
			}
		}
		env = append(env, o[0]+"="+o[1])
	}
	return env
}

// FakesTime reports whether a variable preloads libfaketime. It ends programs with AddressSanitizer
// before they begin: it frees memory allocated before the sanitizer started.
func FakesTime(variable string) bool {
	return strings.HasPrefix(variable, "LD_PRELOAD=") && strings.Contains(variable, "libfaketime")
}

// stackGrace is the time that a waiting process gets to report its stack.
const stackGrace = 500 * time.Millisecond

// pollInterval is the interval of checks on a program that has not answered.
const pollInterval = 20 * time.Millisecond

// greet waits until the program is ready. It returns false if the program ends, or exceeds limit
// and is killed.
func (p *process) greet(ctx context.Context, limit time.Duration) (bool, error) {
	late := time.Now().Add(limit)
	for atomic.LoadUint32(p.mem.word(atResponse)) == 0 {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if p.over.Load() {
			return false, nil
		}
		if time.Now().After(late) {
			p.late = true
			p.run.Kill()
			<-p.ended
			return false, nil
		}
		futexWait(p.mem.word(atResponse), 0, pollInterval)
	}
	p.asked, p.maps = 1, p.mem.mappings()
	atomic.StoreUint32(p.mem.word(atRequest), 1)
	return true, nil
}

// await waits for the answer to the latest request. It returns false if the process ends instead.
// An input that takes longer than limit ends it. The program itself limits its processor time, so
// such an input waits.
func (p *process) await(ctx context.Context, limit time.Duration) (bool, error) {
	response := p.mem.word(atResponse)
	input, since := uint32(0), time.Time{}
	for {
		now := atomic.LoadUint32(response)
		if now == p.asked {
			return true, nil
		}
		if p.over.Load() {
			return atomic.LoadUint32(response) == p.asked, nil
		}
		if ctx.Err() != nil {
			p.run.Kill()
			<-p.ended
			return false, ctx.Err()
		}
		futexWait(response, now, pollInterval)
		// The current input must increase within the batch: a program that writes other numbers
		// gains no time.
		if at := atomic.LoadUint32(p.mem.word(atCurrent)); since.IsZero() || at > input && at <= p.inputs {
			if at <= p.inputs {
				input = at
			}
			since = time.Now()
		} else if limit > 0 && time.Since(since) > limit {
			p.late = true
			p.run.Signal(syscall.SIGXCPU) // so that it reports its stack
			select {
			case <-p.ended:
			case <-time.After(stackGrace):
				p.run.Kill()
				<-p.ended
			}
			return false, nil
		}
	}
}

// request sends the program a batch.
func (p *process) request(kind uint32, inputs [][]byte, most int) {
	p.asked, p.inputs = p.mem.order(kind, inputs, most), uint32(len(inputs))
}

// bury ends the process if needed, and reads the rest of its output. The memory stays until close.
func (p *process) bury() {
	if !p.over.Load() {
		p.run.Kill()
	}
	<-p.ended
	p.tail.End()
}

// output ends the process and returns the end of its output.
func (p *process) output() string {
	p.bury()
	return p.tail.Text()
}

// close ends the process and frees its resources.
func (p *process) close() {
	p.bury()
	p.mem.close()
}
