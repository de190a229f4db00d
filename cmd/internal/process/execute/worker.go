// Package execute runs workers: it starts them, sends them orders, watches them, and describes
// their end. Packages campaign, triage and subject call it. So does program/gofunc for the workers
// of a lockstep process.
//
// A worker's end is data. If a program ends its process, the result is a Death with the outcome,
// the input in flight and the output. Only a worker that cannot be started is an error.
//
// Invariants: a worker never outlives its supervisor, because the kernel kills it. Close leaves no
// process and no mapping.
//
// The supervisor watches a worker from outside (watch.go), because Go cannot interrupt a program
// from inside. It observes the time since the last input, the resident memory, and the answers to
// pings. Time in which the process waited for a processor does not count, and neither does memory
// of the engine. A worker that hangs gets SIGQUIT for its stacks, and then SIGKILL.
//
// A Death (death.go) has the status, the text on standard error, the input in flight and those
// before it. An earlier input may be the cause, since a goroutine that it left can kill the process
// later.
package execute

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/base/leader"
	"parallax/cmd/internal/process/box"
	"parallax/cmd/internal/process/quota"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Spec describes the start of a worker.
type Spec struct {
	Binary string
	Args   []string
	Dir    string   // working directory of the programs
	Env    []string // variables to add to the environment, as NAME=value
	Mode   string   // of the campaign: diff or fuzz, for test binaries
	CmpLog string   // executable of the cmplog build, which may appear later; empty means none
	Test   bool     // a test binary, which ends by itself
	// the parallax executable, for a worker in a box (package box); empty means no box
	Box      string
	Service  []string // a command that runs with the worker in its box
	Confined Confinement
	Starts   bool // it starts processes, and ends them on SIGTERM: a lockstep process
	MaxFlat  int  // size of the largest input in flat form, in bytes
	Timeout  time.Duration
	Memory   int64         // resident bytes of its programs at which a worker is ended: see exceeds
	Patience time.Duration // timeout of its hello; 0 means a minute
	Claims   *os.File      // memory that the workers of a campaign share (wire.Claims); nil means none
	Hold     quota.Way     // how the kernel limits the worker; empty means the best way of the machine
}

// Message is an answer of a worker.
type Message struct {
	Kind    byte
	Payload []byte
}

// Worker is a running worker process.
type Worker struct {
	Hello   wire.HelloMessage
	Mem     *wire.Memory
	Replies chan Message  // answers to orders; closed after the last
	Dead    chan struct{} // closed when the process has ended and Death is set

	spec    Spec
	mapping []byte
	mapMu   sync.Mutex // the watch must not read a mapping that Close has removed
	socket  *os.File
	fd      int // of socket, while it is open
	sendMu  sync.Mutex
	cmd     *exec.Cmd
	leader  *leader.Leader // of cmd, once it is started
	group   *quota.Group   // nil where the machine has none
	text    *headTail
	death   *Death
	reason  oracle.Outcome // why the watch ended the worker; 0 if it did not
	silent  bool           // the watch ended it without an input in flight
	foreign bool           // a program wrote to the socket
	answers wire.Answers

	// Numbers of orders that are answered, and of their answers. No program can change them.
	asked, answered atomic.Int64

	hurry     atomic.Int64 // nanoseconds of CPU time per input; 0 means no limit
	readTasks atomic.Bool  // files below /proc/PID/task were read

	cpuMu sync.Mutex
	cpu   time.Duration // the last result of CPU
}

// helloTimeout limits the start of a worker, which includes the package initialization of the
// programs.
const helloTimeout = 60 * time.Second

// Start starts a worker and waits for its hello.
func Start(spec Spec) (*Worker, error) { return StartContext(context.Background(), spec) }

// StartContext is Start that stops when ctx ends, and returns its error.
func StartContext(ctx context.Context, spec Spec) (*Worker, error) {
	if spec.Patience == 0 {
		spec.Patience = helloTimeout
	}
	size := wire.MemorySize(spec.MaxFlat)
	fd, err := unix.MemfdCreate("parallax", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("creating the memory shared with a worker: %w", err)
	}
	file := os.NewFile(uintptr(fd), "parallax-memory")
	defer file.Close()
	if err := file.Truncate(int64(size)); err != nil {
		return nil, fmt.Errorf("sizing the memory shared with a worker: %w", err)
	}
	// A program that truncates the file would make an access here end this process.
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL); err != nil {
		return nil, fmt.Errorf("sealing the memory shared with a worker: %w", err)
	}
	mapping, err := unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("mapping the memory shared with a worker: %w", err)
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		unix.Munmap(mapping)
		return nil, fmt.Errorf("creating the socket to a worker: %w", err)
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "socket"), os.NewFile(uintptr(pair[1]), "socket")
	w := &Worker{
		Mem: wire.NewMemory(mapping, spec.MaxFlat), Replies: make(chan Message, 4), Dead: make(chan struct{}),
		spec: spec, mapping: mapping, socket: ours, fd: pair[0], text: &headTail{}, answers: wire.Answers{Key: rand.Uint64()},
	}
	w.cmd = exec.Command(spec.Binary, spec.Args...)
	w.cmd.Dir = spec.Dir
	w.cmd.Env = append(os.Environ(), "PARALLAX_WORKER=1", "PARALLAX_MODE="+spec.Mode, "GOTRACEBACK=all",
		"PARALLAX_MEMORY="+strconv.FormatInt(spec.Memory, 10), "PARALLAX_INPUT="+strconv.Itoa(spec.MaxFlat),
		"PARALLAX_TIMEOUT="+strconv.FormatInt(spec.Timeout.Milliseconds(), 10))
	w.cmd.Env = append(w.cmd.Env, spec.Confined.environ(spec.Dir)...)
	w.cmd.Env = append(w.cmd.Env, spec.Env...)
	w.cmd.Env = append(w.cmd.Env, wire.KeyVariable+"="+strconv.FormatUint(w.answers.Key, 16))
	if spec.Dir != "" { // as go test sets it, for processes that change their folder
		w.cmd.Env = append(w.cmd.Env, "PWD="+spec.Dir)
	}
	if spec.CmpLog != "" {
		w.cmd.Env = append(w.cmd.Env, "PARALLAX_CMPLOG="+spec.CmpLog)
	}
	w.cmd.Stdout, w.cmd.Stderr = w.text, w.text
	w.cmd.ExtraFiles = []*os.File{file, theirs}
	if spec.Claims != nil {
		w.cmd.ExtraFiles = append(w.cmd.ExtraFiles, spec.Claims)
		w.cmd.Env = append(w.cmd.Env, wire.ClaimsVariable+"=1")
	}
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: w.parentDeathSignal()}
	if spec.Box != "" {
		box.Wrap(w.cmd, spec.Box, spec.Service)
	}
	w.cmd.WaitDelay = time.Second
	started := make(chan error, 1)
	if w.group, err = spec.group(size); err == nil {
		quota.OnThread(func() { w.superviseThread(started, theirs) })
		err = <-started
	} else {
		theirs.Close()
	}
	if err != nil {
		ours.Close()
		unix.Munmap(mapping)
		return nil, fmt.Errorf("starting %s: %w", spec.Binary, err)
	}
	go w.receive()
	go w.watch()
	stop := context.AfterFunc(ctx, w.Kill)
	defer stop()
	if err := w.greet(); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, err
	}
	return w, nil
}

// superviseThread starts the process and waits for its end on a thread of its own. The kernel sends
// the parent-death signal when the starting thread ends. The process inherits the thread's control
// group and system call filter.
func (w *Worker) superviseThread(started chan<- error, theirs *os.File) {
	err := w.startProcess()
	theirs.Close()
	if err != nil {
		w.group.Exit()
		go func() {
			w.group.Close()
			started <- err
		}()
		return
	}
	w.leader = leader.New(w.cmd)
	started <- nil
	w.leader.Ended()
	w.group.Exit()
	go w.reap() // this thread may be confined and unable to remove the group
}

// reap cleans up after the process has ended.
func (w *Worker) reap() {
	if w.readTasks.Load() {
		time.Sleep(lastThread)
	}
	err := w.leader.Wait() // also kills the rest of its process group
	w.group.Kill()         // also processes outside of the process group
	refused := w.group.Count()
	w.group.Close()
	w.bury(err, refused)
}

func (w *Worker) mapBytes() int {
	n := 0
	for _, r := range w.Hello.Regions {
		n += r.Counters
	}
	return min(n*len(w.Hello.Programs), len(w.Mem.Maps()))
}

// Death returns the end of the worker, or nil while it lives.
func (w *Worker) Death() *Death {
	select {
	case <-w.Dead:
		return w.death
	default:
		return nil
	}
}

// Wait waits for the end of the worker and returns it.
func (w *Worker) Wait() *Death {
	<-w.Dead
	return w.death
}

func (w *Worker) greet() error {
	select {
	case m, ok := <-w.Replies:
		if ok && m.Kind == wire.Failed && w.spec.Starts {
			w.Close()
			return failure(m.Payload)
		}
		if ok && m.Kind == wire.Hello {
			var hello wire.HelloMessage
			if err := hello.Read(wire.NewReader(m.Payload)); err == nil {
				w.mapMu.Lock() // it may already be dying
				w.Hello = hello
				w.mapMu.Unlock()
				return nil
			}
			w.Close()
			return errors.New("another version of parallax built the worker: build it again")
		}
	case <-time.After(w.spec.Patience):
		w.Close()
		return fmt.Errorf("a worker did not answer within %v of its start: does a package under test wait for something in its initialization?", w.spec.Patience)
	}
	<-w.Dead
	d := w.death
	w.mapMu.Lock()
	drawing := w.Mem != nil && w.Mem.Repairing()
	w.mapMu.Unlock()
	w.Close()
	if d.Foreign { // its first message was invalid
		return errors.New("another version of parallax built the worker: build it again")
	}
	if drawing {
		return &DrawError{d.Status}
	}
	if w.spec.Test {
		return &StartError{Status: d.Status, Text: string(d.Text)}
	}
	return fmt.Errorf("a worker does not start (%s): does a package under test fail in its initialization?\n%s", d.Status, briefTrace(d.Text))
}

func (w *Worker) receive() {
	r := bufio.NewReader(w.socket)
	defer close(w.Replies)
	for {
		kind, payload, err := w.answers.Receive(r)
		if errors.Is(err, wire.ErrForeign) { // a program has written it: nothing after it can be trusted
			w.mapMu.Lock()
			w.foreign = true
			w.mapMu.Unlock()
			w.Kill()
		}
		if err != nil {
			return
		}
		if kind != wire.Hello {
			w.answered.Add(1)
		}
		w.Replies <- Message{kind, payload}
	}
}

// StartError reports a test binary that ended before it reached a fuzz target.
type StartError struct {
	Status string
	Text   string // its output
}

// Error implements error.
func (e *StartError) Error() string {
	return fmt.Sprintf("the test ends before it calls f.Fuzz (%s)\n%s", e.Status, testOutput(e.Text))
}

// Passed reports whether the test passed.
func (e *StartError) Passed() bool { return e.Status == "exit status 0" }

// DrawError reports a generator that ended the process while it drew the inputs that check it.
type DrawError struct{ Status string }

// Error implements error.
func (e *DrawError) Error() string {
	return fmt.Sprintf("the generator ends its process (%s) on one of the first inputs: have it skip what it cannot draw, with t.Assume", e.Status)
}

// testGrace limits the cleanup of an idle test.
const testGrace = 2 * time.Second

// lockstepGrace limits the time that a lockstep process takes to end its programs.
const lockstepGrace = 10 * time.Second

// parentDeathSignal returns the signal that the worker gets when this process ends.
func (w *Worker) parentDeathSignal() syscall.Signal {
	if w.spec.Starts {
		return syscall.SIGTERM
	}
	return syscall.SIGKILL
}

// Close ends the worker, if it still runs, and frees its resources. An idle test and a lockstep
// process get time to clean up.
func (w *Worker) Close() {
	w.mapMu.Lock()
	if w.Mem != nil {
		// so that the worker does not mistake the end of orders for a program's doing
		w.Mem.RequestStop(true)
	}
	w.mapMu.Unlock()
	grace := time.Duration(0)
	switch {
	case w.spec.Starts && w.Death() == nil:
		grace = lockstepGrace
		w.Kill()
	case w.spec.Test && w.Mem != nil && w.Mem.State() == wire.Idle:
		grace = testGrace
	}
	unix.Shutdown(w.fd, unix.SHUT_RDWR) // Close alone would wait for the receiver, which is reading
	w.socket.Close()
	select {
	case <-w.Dead:
	case <-time.After(grace):
		w.leader.Kill()
		<-w.Dead
	}
	for range w.Replies { // drains until the receiver has ended
	}
	w.mapMu.Lock()
	defer w.mapMu.Unlock()
	if w.mapping != nil {
		unix.Munmap(w.mapping)
		w.mapping, w.Mem = nil, nil
	}
}

// End is Kill for callers that wait for the worker's current work. A lockstep process that does not
// end its programs soon is killed with them.
func (w *Worker) End() {
	w.Kill()
	if !w.spec.Starts {
		return
	}
	select {
	case <-w.Dead:
	case <-time.After(testGrace):
		w.leader.Kill()
	}
}

// Kill ends the process without waiting; Close must still be called.
func (w *Worker) Kill() {
	if w.spec.Starts {
		w.leader.Signal(syscall.SIGTERM)
		return
	}
	w.leader.Kill()
}
