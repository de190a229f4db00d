package solver

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"parallax/cmd/internal/base/leader"
)

// process is a running solver in a process group of its own, which dies with this process.
type process struct {
	cmd    *exec.Cmd
	leader *leader.Leader
	in     io.WriteCloser
	out    io.ReadCloser
	lines  chan string   // its output, closed at the end
	done   chan struct{} // closed when it has been waited for
	quit   chan struct{} // closed by kill
	once   sync.Once
	stderr *tail
	ended  error // valid when done is closed
	over   bool  // ask has seen its end
	// questions since (reset), whose last one is still active; 0 means that (reset) must come first
	pushed int
}

var (
	errEnded = errors.New("the solver ended")
	errLate  = errors.New("no answer in time")
)

// maxAnswer limits a solver's output for one question, so that a model cannot fill the memory.
const maxAnswer = 64 << 20

func startProcess(path string, args []string) (*process, error) {
	p := &process{
		cmd: exec.Command(path, args...), lines: make(chan string), done: make(chan struct{}), quit: make(chan struct{}), stderr: &tail{},
	}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	p.cmd.Stderr = p.stderr
	p.cmd.WaitDelay = time.Second // for a child that holds the pipes
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.out, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	started := make(chan error, 1)
	go p.live(started)
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// live starts the solver and waits for its end. The kernel sends the parent-death signal when the
// thread that started the process ends. A Go thread ends with a goroutine that has locked it, so
// that this goroutine stays.
func (p *process) live(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := p.cmd.Start(); err != nil {
		started <- err
		return
	}
	p.leader = leader.New(p.cmd)
	started <- nil
	read := make(chan struct{})
	go p.read(read)
	<-read // the pipe is closed by Wait
	p.ended = p.leader.Wait()
	close(p.done)
}

// read hands lines on until the solver ends.
func (p *process) read(done chan<- struct{}) {
	defer close(done)
	r := bufio.NewReader(p.out)
	for {
		line, err := r.ReadString('\n')
		if line != "" {
			select {
			case p.lines <- line:
			case <-p.quit:
			}
		}
		if err != nil {
			break
		}
	}
	close(p.lines)
}

// ask sends commands and returns their output. The solver echoes the mark at its end.
func (p *process) ask(ctx context.Context, late <-chan time.Time, text, mark string) (string, error) {
	sent := make(chan error, 1)
	// A solver that answers nothing may read nothing either. The write ends with the pipe, at the
	// latest when the process is killed.
	go func() {
		_, err := io.WriteString(p.in, text+"(echo \""+mark+"\")\n")
		sent <- err
	}()
	var b strings.Builder
	for {
		select {
		case line, ok := <-p.lines:
			p.over = p.over || !ok
			switch {
			case !ok && strings.Contains(b.String(), "(error"):
				return "", refused(b.String()) // as cvc5 ends after an error
			case !ok:
				return "", errEnded
			case strings.Trim(strings.TrimSpace(line), `"`) == mark:
				<-sent
				if strings.Contains(b.String(), "(error") {
					return "", refused(b.String())
				}
				return b.String(), nil
			case b.Len()+len(line) > maxAnswer:
				return "", errors.New("the answer is longer than 64 MiB")
			}
			b.WriteString(line)
		case <-ctx.Done():
			return "", ctx.Err()
		case <-late:
			return "", errLate
		}
	}
}

// refused returns the first error that a solver printed, on one line.
func refused(out string) error {
	_, detail, _ := strings.Cut(out, "(error")
	detail, _, _ = strings.Cut(detail, "\n(error")
	detail, _, _ = strings.Cut(detail, "\")\n") // the rest answers other commands
	detail = strings.Join(strings.Fields(strings.Trim(strings.TrimSpace(detail), `")`)), " ")
	if len(detail) > 500 {
		detail = strings.ToValidUTF8(detail[:500], "") + "..."
	}
	return &RefusedError{Detail: detail}
}

// kill ends the solver and its children, and waits for its end.
func (p *process) kill() {
	p.once.Do(func() {
		close(p.quit)
		p.leader.Kill()
		p.in.Close()
	})
	// A child outside of the group could hold the pipe forever.
	holding := time.AfterFunc(time.Second, func() { p.out.Close() })
	defer holding.Stop()
	for range p.lines { // lets read return
	}
	<-p.done
}

// detail describes the end of a process that was waited for.
func (p *process) detail() string {
	detail := "it ended in the middle of a question"
	if p.ended != nil {
		detail = p.ended.Error()
	}
	if text := strings.TrimSpace(p.stderr.String()); text != "" {
		detail += ": " + text
	}
	return detail
}

// tail keeps the end of the written bytes.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if extra := len(t.text) - 1000; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(t.text), "?")
}
