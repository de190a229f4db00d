package extract

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/base/leader"
)

// worker is a process of an engine. It starts on the first request, and again after its end.
type worker struct {
	engine *Engine
	cmd    *exec.Cmd
	leader *leader.Leader // of cmd, once it is started
	stdin  io.WriteCloser
	out    *os.File
	answer *bufio.Reader
	said   *tail         // on standard error
	ended  chan struct{} // closed when the process has ended
	status error         // how, from then on
	asked  int
}

// longest limits the length of an answer's line.
const longest = 256 << 20

// start starts the process and waits for its greeting.
func (w *worker) start(ctx context.Context) error {
	o := &w.engine.Options
	cmd := exec.Command(w.engine.Env.Command[0], w.engine.Env.Command[1:]...)
	w.said = &tail{most: 4 << 10}
	cmd.Stderr, cmd.Env, cmd.Dir = w.said, environment(), os.TempDir()
	stdin, err := cmd.StdinPipe()
	if err == nil {
		var out, theirs *os.File
		if out, theirs, err = os.Pipe(); err == nil {
			cmd.Stdout = theirs
			w.cmd, w.stdin, w.out, w.answer = cmd, stdin, out, bufio.NewReaderSize(out, 64<<10)
			w.ended = make(chan struct{})
			if err = w.run(); err != nil {
				out.Close()
			}
			theirs.Close()
		}
	}
	if err != nil {
		w.cmd = nil
		return fault(ErrUnavailable, err, "%s %s does not start: %v", w.engine.Env.Engine, w.engine.Env.Version, err)
	}
	line, err := w.read(ctx, o.Start)
	if err != nil {
		w.kill()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fault(ErrUnavailable, err, "%s %s does not start: %v: remove %s to have it installed again", w.engine.Env.Engine, w.engine.Env.Version, err, w.engine.place())
	}
	var hello Hello
	if err := json.Unmarshal(line, &hello); err != nil || hello.Hello != "extract" || hello.Protocol != Protocol {
		w.kill()
		return fault(ErrUnavailable, err, "%s %s does not speak protocol %d: it begins with %s", w.engine.Env.Engine, w.engine.Env.Version, Protocol, short(line))
	}
	if hello.Engine != w.engine.Env.Engine || hello.Version != w.engine.Env.Version {
		w.kill()
		return fault(ErrUnavailable, nil, "%s %s was asked for, and what runs is %s %s: remove %s to have it installed again",
			w.engine.Env.Engine, w.engine.Env.Version, hello.Engine, hello.Version, w.engine.place())
	}
	return nil
}

func (e *Engine) place() string {
	if e.Env.Dir != "" {
		return e.Env.Dir
	}
	return filepath.Dir(e.Env.Command[0])
}

// run starts the process, enforces its memory limit, and waits for it in the background.
func (w *worker) run() error {
	started := make(chan error, 1)
	cmd, ended := w.cmd, w.ended
	go func() {
		// the parent-death signal comes when the thread that started the process ends
		runtime.LockOSThread()
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
		cmd.WaitDelay = time.Second
		if err := cmd.Start(); err != nil {
			started <- err
			return
		}
		pid, most := cmd.Process.Pid, uint64(w.engine.Options.MemoryMB)<<20
		err := unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: most, Max: most}, nil)
		if errors.Is(err, unix.ESRCH) { // it has ended
			err = nil
		}
		if err != nil {
			cmd.Process.Kill()
			cmd.Wait()
			started <- fmt.Errorf("limiting its memory: %w", err)
			return
		}
		l := leader.New(cmd)
		w.leader = l
		started <- nil
		w.status = l.Wait()
		close(ended)
	}()
	return <-started
}

// read reads a line.
func (w *worker) read(ctx context.Context, within time.Duration) ([]byte, error) {
	return w.exchange(ctx, nil, within)
}

var errHang = errors.New("no answer")

// exchange writes a line, if there is one, and reads one.
func (w *worker) exchange(ctx context.Context, request []byte, within time.Duration) ([]byte, error) {
	type result struct {
		line []byte
		err  error
	}
	done := make(chan result, 1)
	stdin, answer := w.stdin, w.answer
	go func() {
		if request != nil {
			if _, err := stdin.Write(request); err != nil {
				done <- result{err: io.EOF}
				return
			}
		}
		line, err := readLine(answer)
		done <- result{line, err}
	}()
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case r := <-done:
		if r.err != nil {
			return nil, w.death(r.err)
		}
		return r.line, nil
	case <-timer.C:
		return nil, fmt.Errorf("%w within %v", errHang, within)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func readLine(r *bufio.Reader) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if err == nil {
			return line, nil
		}
		if err != bufio.ErrBufferFull {
			return nil, err
		}
		if len(line) > longest {
			return nil, fmt.Errorf("an answer is longer than %d MB", longest>>20)
		}
	}
}

// death returns the exit status of the process after its output ended.
func (w *worker) death(err error) error {
	if err != io.EOF && !errors.Is(err, os.ErrClosed) {
		return err
	}
	select {
	case <-w.ended:
	case <-time.After(5 * time.Second): // it has closed its output and goes on
		return errors.New("it closed its output without an answer")
	}
	text := "it ended without an answer"
	var exit *exec.ExitError
	if errors.As(w.status, &exit) {
		text = "it ended: " + exit.String()
	}
	if said := strings.TrimSpace(w.said.String()); said != "" {
		text += ": " + last(said, nil)
	}
	return errors.New(text)
}

// kill ends the process and all that it started, and waits for it.
func (w *worker) kill() {
	if w.cmd == nil {
		return
	}
	w.leader.Kill()
	<-w.ended
	w.out.Close()
	w.cmd = nil
}

// ask sends one request. The engine's failures are part of the answer. An error means that ctx
// ended, or that the engine does not start. If the process lacked memory, a new one gets the
// request, with all memory for it alone.
func (w *worker) ask(ctx context.Context, m message, within time.Duration) (Answer, error) {
	used := w.cmd != nil
	a, full, err := w.attempt(ctx, m, within)
	if full && used {
		a, _, err = w.attempt(ctx, m, within)
	}
	return a, err
}

// attempt is ask without a retry. full reports that the process lacked memory and was ended.
func (w *worker) attempt(ctx context.Context, m message, within time.Duration) (a Answer, full bool, err error) {
	if w.cmd != nil {
		select {
		case <-w.ended: // between two requests
			w.kill()
		default:
		}
	}
	if w.cmd == nil {
		if err := w.start(ctx); err != nil {
			return Answer{}, false, err
		}
	}
	w.asked++
	m.ID = w.asked
	m.Limits = Limits{Seconds: within.Seconds(), MemoryMB: w.engine.Options.MemoryMB}
	request, err := json.Marshal(m)
	if err != nil {
		return Answer{}, false, err
	}
	began := time.Now()
	line, err := w.exchange(ctx, append(request, '\n'), within)
	a = Answer{ID: m.ID, Function: m.Function, passing: true, Seconds: time.Since(began).Seconds()}
	switch {
	case ctx.Err() != nil:
		w.kill()
		return Answer{}, false, ctx.Err()
	case errors.Is(err, errHang):
		w.kill()
		a.Status, a.Reason = Timeout, err.Error()
		return a, false, nil
	case err != nil:
		w.kill()
		a.Status, a.Reason = Crash, err.Error()
		return a, false, nil
	}
	var got struct {
		Answer
		Passing bool `json:"passing"` // it is not of the model: the process may have been full
	}
	if err := json.Unmarshal(line, &got); err != nil {
		w.kill()
		a.Status, a.Reason = Crash, "it wrote what is no answer: "+short(line)
		return a, false, nil
	}
	if why := got.wrong(m); why != "" {
		w.kill()
		a.Status, a.Reason = Crash, "its answer is not to what was asked: "+why
		return a, false, nil
	}
	if got.Passing {
		w.kill()
	}
	return got.Answer, got.Passing, nil
}

// wrong describes the defects of an answer.
func (a *Answer) wrong(m message) string {
	switch {
	case a.ID != m.ID || a.Function != m.Function:
		return fmt.Sprintf("it is to request %d for %q, and %d for %q was asked", a.ID, a.Function, m.ID, m.Function)
	case a.Status != OK && a.Status != Nothing && a.Status != Crash && a.Status != Timeout && a.Status != Unsupported:
		return fmt.Sprintf("the status is %q", a.Status)
	case a.Status != OK && a.Reason == "":
		return "it gives no reason"
	case a.Status == OK && m.Mode == Concrete && len(a.Outcomes) != len(m.Inputs):
		return fmt.Sprintf("there are %d results to %d inputs", len(a.Outcomes), len(m.Inputs))
	case a.Status == OK && m.Mode == calls && len(a.Said) != len(m.Calls):
		return fmt.Sprintf("there are %d results to %d calls", len(a.Said), len(m.Calls))
	case a.Status == OK && m.Mode == Takes && (a.Form == "" || len(a.Parameters) == 0):
		return "it does not say what the function takes"
	case a.Status == OK && (m.Mode == Bytes || m.Mode == Integers) && (len(a.Paths) == 0 || a.Result == nil):
		return "there are no paths"
	}
	return ""
}

func short(line []byte) string {
	const most = 80
	text := strings.TrimSpace(string(line))
	if len(text) > most {
		text = text[:most] + "..."
	}
	return fmt.Sprintf("%q", text)
}

// tail keeps the last part of the written bytes.
type tail struct {
	mu   sync.Mutex
	most int
	data []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if len(t.data) > 2*t.most {
		t.data = append(t.data[:0], t.data[len(t.data)-t.most:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(t.data[max(0, len(t.data)-t.most):]), "?")
}
