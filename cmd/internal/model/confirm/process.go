package confirm

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"parallax/cmd/internal/base/leader"
)

// process is a running driver in a process group of its own. It ends with this process.
type process struct {
	in, out *os.File
	hello   hello
	stderr  *bytes.Buffer // standard error; complete after the end
	ended   chan struct{} // closed at the end
	leader  *leader.Leader
}

// hello is the greeting of a driver.
type hello struct {
	found     bool
	library   string
	addresses []uint64 // of buffers, 0 for numbers
}

// wall is the ratio of the limits of real time and processor time of a call, as in the driver.
const wall = 20

// start starts a driver and reads its greeting.
func (n *native) start(ctx context.Context) (*process, error) {
	p, err := run(n.program, n.arguments())
	if err != nil {
		return nil, fmt.Errorf("the driver that calls %s does not start: %w", n.signature.Function, err)
	}
	done := p.withDeadline(ctx, grace)
	defer done()
	head := make([]byte, 32+8*len(n.signature.Arguments))
	if err := p.read(head); err != nil {
		err = p.exitError(ctx, err)
		p.kill()
		return nil, err
	}
	p.hello.found = binary.LittleEndian.Uint32(head) != 0
	p.hello.library, _, _ = strings.Cut(string(head[4:32]), "\x00")
	for rest := head[32:]; len(rest) > 0; rest = rest[8:] {
		p.hello.addresses = append(p.hello.addresses, binary.LittleEndian.Uint64(rest))
	}
	return p, nil
}

// run starts a program.
func run(program string, args []string) (*process, error) {
	p := &process{stderr: &bytes.Buffer{}, ended: make(chan struct{})}
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer childIn.Close()
	out, childOut, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, err
	}
	defer childOut.Close()
	p.in, p.out = in, out
	cmd := exec.Command(program, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = childIn, childOut, p.stderr
	cmd.Env, cmd.Dir = []string{"LC_ALL=C"}, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.WaitDelay = time.Second
	started := make(chan error, 1)
	go func() {
		// the parent-death signal is sent when the thread ends that started the process
		runtime.LockOSThread()
		if err := cmd.Start(); err != nil {
			started <- err
			return
		}
		p.leader = leader.New(cmd)
		started <- nil
		p.leader.Wait()
		close(p.ended)
	}()
	if err := <-started; err != nil {
		in.Close()
		out.Close()
		return nil, err
	}
	return p, nil
}

// withDeadline lets reads and writes fail after some time or when the context ends. The caller must
// call done.
func (p *process) withDeadline(ctx context.Context, within time.Duration) (done func()) {
	p.deadline(time.Now().Add(within))
	stop := context.AfterFunc(ctx, func() { p.deadline(time.Unix(1, 0)) })
	return func() { stop() }
}

func (p *process) deadline(at time.Time) {
	p.in.SetWriteDeadline(at)
	p.out.SetReadDeadline(at)
}

func (p *process) read(data []byte) error {
	_, err := io.ReadFull(p.out, data)
	return err
}

// exitError returns why a driver did not answer.
func (p *process) exitError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return errors.New("the driver does not answer")
	}
	p.kill()
	if text := strings.TrimSpace(strings.ToValidUTF8(p.stderr.String(), "?")); text != "" {
		return fmt.Errorf("the driver ended: %s", text)
	}
	return errors.New("the driver ended")
}

// kill ends the driver and its function, and waits for the end.
func (p *process) kill() {
	p.leader.Kill()
	<-p.ended
	p.in.Close()
	p.out.Close()
}
