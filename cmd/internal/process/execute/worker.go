// Package execute runs workers: it starts them, hands them orders, watches them, and says how they ended. Packages campaign, triage
// and target call it, and program/gofunc, whose workers are those of a lockstep process.
//
// A worker's death is data: whatever a program does to its process comes back as a Death with the outcome, the input
// in flight and the text that was printed. Only a worker that cannot be started is an error.
//
// Invariants: a worker never outlives its supervisor (the kernel kills it), and Close leaves neither process nor
// mapping behind.
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

// Spec says how a worker is started.
type Spec struct {
	Binary   string
	Args     []string
	Dir      string   // working directory of the programs
	Env      []string // variables that are added to the environment, as in NAME=value
	Mode     string   // of the campaign: diff or fuzz, for test binaries
	CmpLog   string   // executable of the cmplog build, which may appear later; "": not wanted
	Test     bool     // a test binary, which ends by itself
	Box      string   // the parallax executable, if the worker runs in a box (package box); "": it does not
	Service  []string // a command that the box runs beside the worker
	Confined Confinement
	Starts   bool // it starts processes of its own, and ends with them when it gets SIGTERM: a lockstep process
	MaxFlat  int  // largest input in flat form, in bytes
	Timeout  time.Duration
	Memory   int64         // resident bytes of its programs at which a worker is ended: see exceeds
	Patience time.Duration // until it says hello; 0: a minute
	Claims   *os.File      // what the workers of a campaign share (wire.Claims); nil: nothing
	Hold     quota.Way     // how the kernel holds the worker; "": as the machine permits
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
	Replies chan Message  // answers to orders; closed after the worker's last one
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
	reason  oracle.Outcome // why the watch ended the worker, if it did
	silent  bool           // it was ended without an input in flight
	foreign bool           // something that is no answer came by the socket
	said    wire.Answers

	// Orders that are answered: how many were given, and how many answers have come. No program can change that.
	asked, answered atomic.Int64

	hurry  atomic.Int64 // nanoseconds of CPU time that a program may use for an input; 0: as many as it takes
	looked atomic.Bool  // files below /proc/PID/task were read

	cpuMu sync.Mutex
	cpu   time.Duration // as CPU said last
}

// helloTimeout bounds the start of a worker. Package initialization of the programs is part of it.
const helloTimeout = 60 * time.Second

// Start starts a worker and waits for its hello.
func Start(spec Spec) (*Worker, error) { return StartContext(context.Background(), spec) }

// StartContext is Start that gives up when ctx ends, with its error.
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
	// A program that truncates the file must not take the memory away from here: to look at it would end this process.
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
		spec: spec, mapping: mapping, socket: ours, fd: pair[0], text: &headTail{}, said: wire.Answers{Key: rand.Uint64()},
	}
	w.cmd = exec.Command(spec.Binary, spec.Args...)
	w.cmd.Dir = spec.Dir
	w.cmd.Env = append(os.Environ(), "PARALLAX_WORKER=1", "PARALLAX_MODE="+spec.Mode, "GOTRACEBACK=all",
		"PARALLAX_MEMORY="+strconv.FormatInt(spec.Memory, 10), "PARALLAX_INPUT="+strconv.Itoa(spec.MaxFlat),
		"PARALLAX_TIMEOUT="+strconv.FormatInt(spec.Timeout.Milliseconds(), 10))
	w.cmd.Env = append(w.cmd.Env, spec.Confined.environ(spec.Dir)...)
	w.cmd.Env = append(w.cmd.Env, spec.Env...)
	w.cmd.Env = append(w.cmd.Env, wire.KeyVariable+"="+strconv.FormatUint(w.said.Key, 16))
	if spec.Dir != "" { // as go test sets it; a process that changes its folder finds the first one there
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
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: w.ending()}
	if spec.Box != "" {
		box.Wrap(w.cmd, spec.Box, spec.Service)
	}
	w.cmd.WaitDelay = time.Second
	started := make(chan error, 1)
	if w.group, err = spec.group(size); err == nil {
		quota.OnThread(func() { w.live(started, theirs) })
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

// live starts the process and waits for its end, on a thread of its own: the kernel sends the parent-death signal when the thread that
// started the process ends, and the process inherits the thread's control group and its filter of system calls.
func (w *Worker) live(started chan<- error, theirs *os.File) {
	err := w.begin()
	theirs.Close()
	if err != nil {
		w.group.Out()
		go func() {
			w.group.Close()
			started <- err
		}()
		return
	}
	w.leader = leader.New(w.cmd)
	started <- nil
	w.leader.Ended()
	w.group.Out()
	go w.reap() // this thread may be confined, and could not remove the group
}

// reap cleans up after the process, which has ended.
func (w *Worker) reap() {
	if w.looked.Load() {
		time.Sleep(lastThread)
	}
	err := w.leader.Wait() // which kills whatever the programs started
	w.group.Kill()         // and whoever has left their group of processes
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

// Death returns how the worker ended, nil while it lives.
func (w *Worker) Death() *Death {
	select {
	case <-w.Dead:
		return w.death
	default:
		return nil
	}
}

// Wait returns how the worker ended, when it has.
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
				w.mapMu.Lock() // it may be dying already
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
	if d.Foreign { // what it said first was no answer
		return errors.New("another version of parallax built the worker: build it again")
	}
	if drawing {
		return &DrawError{d.Status}
	}
	if w.spec.Test {
		return &StartError{Status: d.Status, Text: string(d.Text)}
	}
	return fmt.Errorf("a worker does not start (%s): does a package under test fail in its initialization?\n%s", d.Status, brief(d.Text))
}

func (w *Worker) receive() {
	r := bufio.NewReader(w.socket)
	defer close(w.Replies)
	for {
		kind, payload, err := w.said.Receive(r)
		if errors.Is(err, wire.ErrForeign) { // a program has written it: nothing that follows can be believed
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

// StartError is a test binary that ended before it reached a fuzz target.
type StartError struct {
	Status string
	Text   string // what it printed
}

// Error implements error.
func (e *StartError) Error() string {
	return fmt.Sprintf("the test ends before it calls f.Fuzz (%s)\n%s", e.Status, said(e.Text))
}

// Passed reports whether it ended as a test that passes.
func (e *StartError) Passed() bool { return e.Status == "exit status 0" }

// DrawError says that the generator has ended the process, while it drew the inputs by which it is checked.
type DrawError struct{ Status string }

// Error implements error.
func (e *DrawError) Error() string {
	return fmt.Sprintf("the generator ends its process (%s) on one of the first inputs: have it skip what it cannot draw, with t.Assume", e.Status)
}

// endTime is what a test may take to clean up once it has nothing more to do.
const endTime = 2 * time.Second

// partingTime is what a lockstep process may take to end its programs.
const partingTime = 10 * time.Second

// ending is the signal that the worker gets when this process ends.
func (w *Worker) ending() syscall.Signal {
	if w.spec.Starts {
		return syscall.SIGTERM
	}
	return syscall.SIGKILL
}

// Close ends the worker, if it still runs, and frees what it held. A test that is idle is given time to clean up, and so is a
// lockstep process.
func (w *Worker) Close() {
	w.mapMu.Lock()
	if w.Mem != nil {
		w.Mem.RequestStop(true) // so that the end of orders is no program's doing
	}
	w.mapMu.Unlock()
	grace := time.Duration(0)
	switch {
	case w.spec.Starts && w.Death() == nil:
		grace = partingTime
		w.Kill()
	case w.spec.Test && w.Mem != nil && w.Mem.State() == wire.Idle:
		grace = endTime
	}
	unix.Shutdown(w.fd, unix.SHUT_RDWR) // the receiver is reading: closing alone would wait for it
	w.socket.Close()
	select {
	case <-w.Dead:
	case <-time.After(grace):
		w.leader.Kill()
		<-w.Dead
	}
	for range w.Replies { // ends the receiver
	}
	w.mapMu.Lock()
	defer w.mapMu.Unlock()
	if w.mapping != nil {
		unix.Munmap(w.mapping)
		w.mapping, w.Mem = nil, nil
	}
}

// End is Kill for who waits for what the worker does now: a lockstep process that does not end its programs soon is ended with
// them.
func (w *Worker) End() {
	w.Kill()
	if !w.spec.Starts {
		return
	}
	select {
	case <-w.Dead:
	case <-time.After(endTime):
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
