package http

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"parallax/internal/oracle"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/program"
)

// sandboxes starts the processes of services. Tests replace it.
type sandboxes interface {
	start(ctx context.Context, c *Config, port int, out *os.File) (process, error)
	notes() []string
	close() error
}

// process is a running service.
type process interface {
	Wait() confine.Status
	Kill()
}

// sandboxError is an error of the sandbox, which is not a configuration error.
type sandboxError struct{ error }

// lazySandbox starts services in a sandbox. It opens the sandbox for the first one.
type lazySandbox struct{ sandbox *confine.Sandbox }

func (b *lazySandbox) start(ctx context.Context, c *Config, port int, out *os.File) (process, error) {
	args, err := c.command(port)
	if err != nil {
		return nil, err
	}
	command := confine.Command{
		Args: args, Env: append(slices.Clip(c.Env), fmt.Sprintf("PORT=%d", port)), Dir: c.Dir, Stdout: out, Stderr: out,
	}
	for again := false; ; again = true {
		if b.sandbox == nil {
			limits := c.Limits
			limits.Network = true // requests come from outside the sandbox
			sandbox, err := confine.Open(ctx, confine.Options{Tool: c.Tool, Limits: limits, Dir: c.TempDir})
			if err != nil {
				return nil, sandboxError{err}
			}
			b.sandbox = sandbox
		}
		own := command
		own.Env = b.sandbox.Environ(command.Env)
		p, err := b.sandbox.Start(own)
		if err == nil {
			return p, nil
		}
		if !errors.Is(err, confine.ErrGone) {
			return nil, err
		}
		if again {
			return nil, sandboxError{err}
		}
		b.sandbox.Close()
		b.sandbox = nil
	}
}

func (b *lazySandbox) notes() []string {
	if b.sandbox == nil {
		return nil
	}
	return b.sandbox.Notes()
}

func (b *lazySandbox) close() error {
	if b.sandbox == nil {
		return nil
	}
	return b.sandbox.Close()
}

// command returns the command line with the executable's path.
func (c *Config) command(port int) ([]string, error) {
	args := slices.Clone(c.Start)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], portMark, fmt.Sprint(port))
	}
	if strings.ContainsRune(args[0], '/') && !filepath.IsAbs(args[0]) {
		args[0] = filepath.Join(c.Dir, args[0])
	}
	path, err := exec.LookPath(args[0])
	if err != nil {
		return nil, err
	}
	args[0] = path
	return args, nil
}

// started is a service that parallax has started.
type started struct {
	process process
	done    chan struct{} // closed when it has ended
	status  confine.Status
	output  *tailed
}

// start starts the service and waits until it is ready. code is the exit code of a failure.
func (e *Executor) start(ctx context.Context, code int) error {
	const tries = 3 // a free port may be taken before the service opens it
	picks := strings.Contains(e.c.URL, portMark)
	var failure *program.Failure
	for range tries {
		if picks {
			port, err := freePort()
			if err != nil {
				return e.c.failure(exit.InfraCode, "", "%v", err)
			}
			e.port = port
		} else if err := e.ready(ctx); err == nil {
			return e.c.failure(exit.UsageCode, "End it, or leave out start; or write {port} in url, start and ready, for a port that is free.",
				"something answers at %s before the service is started", e.where())
		}
		var err error
		if failure, err = e.startOnce(ctx, code); failure == nil || err != nil {
			return err
		}
		e.stop()
		if !picks || !strings.Contains(failure.What, "in use") {
			break
		}
	}
	return failure
}

func (e *Executor) startOnce(ctx context.Context, code int) (*program.Failure, error) {
	output, err := newTailed()
	if err != nil {
		return nil, e.c.failure(exit.InfraCode, "", "%v", err)
	}
	p, err := e.sandboxes.start(ctx, &e.c, e.port, output.write)
	output.write.Close()
	if err != nil {
		output.close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if errors.As(err, new(sandboxError)) {
			code = exit.InfraCode
		}
		return e.c.failure(code, "", "the service cannot be started: %v", err), nil
	}
	s := &started{process: p, done: make(chan struct{}), output: output}
	go func() {
		s.status = p.Wait()
		close(s.done)
	}()
	e.process = s

	// The first checks come in quick succession: most services are ready at once, and a campaign
	// starts them often.
	deadline := e.clock.Now().Add(e.c.StartTimeout)
	for pause := 2 * time.Millisecond; ; pause = min(2*pause, 200*time.Millisecond) {
		err := e.ready(ctx)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case s.dead():
			return e.c.failure(code, s.quote(), "the service ends as soon as it is started: %s", s.endText()), nil
		case err == nil:
			return nil, nil
		case !e.clock.Now().Before(deadline):
			return e.c.failure(code, s.quote(), "the service was started, and is not ready after %v: %v", e.c.StartTimeout, err), nil
		}
		if err := e.clock.Sleep(ctx, pause, s.done); err != nil {
			return nil, err
		}
	}
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// stop ends the service that parallax has started.
func (e *Executor) stop() {
	if e.process == nil {
		return
	}
	e.drop()
	e.process.process.Kill()
	<-e.process.done
	e.process.output.close()
	e.process = nil
}

// revive restarts the service if it has ended.
func (e *Executor) revive(ctx context.Context) error {
	if len(e.c.Start) == 0 || e.process != nil {
		return nil
	}
	return e.start(ctx, exit.InfraCode)
}

// awaitDeath gives the service time to end, which is visible only after its connections close. The
// wait is short after a closed connection, because the next try shows more, and longer if the
// service cannot be reached.
func (e *Executor) awaitDeath(ctx context.Context, f fault) error {
	if e.process == nil {
		return nil
	}
	wait := 20 * time.Millisecond
	if f == unreachable {
		wait = time.Second
	}
	return e.clock.Sleep(ctx, wait, e.process.done)
}

// blame turns the end of the service into the observation of an input, and cleans up. It reports
// whether an input is to blame.
func (e *Executor) blame(o *program.Observation) bool {
	s := e.process
	guilty := o != nil && s.status.Err == nil
	if guilty {
		o.Reset()
		o.Outcome, o.Message = oracle.Crashed, s.endText()
		if s.status.OOM {
			o.Outcome = oracle.OOM
		}
		o.Detail = s.tail(e.outputStart)
	} else if note := "the service ended between inputs: " + s.endText(); len(e.notes) < 10 && !slices.Contains(e.notes, note) {
		e.notes = append(e.notes, note)
	}
	e.stop()
	return guilty
}

// diesRepeatedly returns the failure of a service that keeps dying.
func (e *Executor) diesRepeatedly(s *started) *program.Failure {
	return e.c.failure(exit.InfraCode, s.quote(), "the service ends repeatedly by itself: %s", s.endText())
}

// dead reports whether the service has ended. A nil service has not.
func (s *started) dead() bool {
	if s == nil {
		return false
	}
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// ended returns a channel that is closed when the service ends, or nil if there is none.
func (s *started) ended() <-chan struct{} {
	if s == nil {
		return nil
	}
	return s.done
}

// endText describes the end of a dead service.
func (s *started) endText() string {
	switch {
	case s.status.Err != nil:
		return s.status.Err.Error()
	case s.status.OOM:
		return "out of memory"
	case s.status.Forked:
		return "more processes than allowed"
	case s.status.Signal != 0:
		return "signal: " + s.status.Signal.String()
	}
	return fmt.Sprintf("exit status %d", s.status.Exit)
}

// tail returns the end of a service's output since a position.
func (s *started) tail(since int64) string {
	if s == nil {
		return ""
	}
	if s.dead() {
		// All writers have ended, so the pipe ends.
		<-s.output.done
	}
	return s.output.text(since)
}

// place returns the current position in the output.
func (s *started) place() int64 {
	if s == nil {
		return 0
	}
	s.output.mu.Lock()
	defer s.output.mu.Unlock()
	return s.output.total
}

// quote returns the tail as a hint.
func (s *started) quote() string {
	text := strings.TrimSpace(s.tail(0))
	if text == "" {
		return "It printed nothing."
	}
	return "It printed:\n" + text
}

// tailed is a pipe that keeps the end of its data.
type tailed struct {
	read, write *os.File
	done        chan struct{}
	mu          sync.Mutex
	kept        []byte
	total       int64
}

const longestTail = 8192

func newTailed() (*tailed, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	t := &tailed{read: r, write: w, done: make(chan struct{})}
	go func() {
		defer close(t.done)
		buf := make([]byte, 4096)
		for {
			n, err := r.Read(buf)
			t.mu.Lock()
			t.kept = append(t.kept, buf[:n]...)
			t.total += int64(n)
			if over := len(t.kept) - longestTail; over > 0 {
				t.kept = append(t.kept[:0], t.kept[over:]...)
			}
			t.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return t, nil
}

func (t *tailed) text(since int64) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := t.kept[max(0, len(t.kept)-int(t.total-since)):]
	return strings.ToValidUTF8(string(kept), "\uFFFD")
}

func (t *tailed) close() {
	t.read.Close()
	<-t.done
}
