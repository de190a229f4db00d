package confine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/process/quota"
)

// Sandbox starts programs. It is for one goroutine at a time, but for Close, Process.Kill and Process.Signal.
type Sandbox struct {
	rung    rung
	way     quota.Way
	group   *quota.Group
	groupMu sync.Mutex // Close and Process.Wait may be called at once
	conn    *net.UnixConn
	sandbox *os.Process
	errors  *os.File // what the sandbox said on its standard error, for when it ends unasked
	base    string   // a folder to remove, or ""
	folder  string
	notes   []string

	running *Process // started and not yet waited for
	seq     int
	write   sync.Mutex // frames are written whole

	closing sync.Once
	closed  error
}

// Process is a program that runs, or has run, in a sandbox.
type Process struct {
	sandbox *Sandbox
	seq     int
	pid     int      // as the sandbox sees it
	leader  *os.File // refers to the process, the leader of its group; nil with a PID namespace, and where the kernel has none
	once    sync.Once
	status  Status
}

// Open starts a sandbox. ctx bounds the opening only.
func Open(ctx context.Context, o Options) (*Sandbox, error) {
	var why error // why the rung before was not possible
	for _, r := range ladder(o.Plain, os.Geteuid()) {
		b, err := open(ctx, o, r)
		if err == nil {
			b.notes = append(append(r.missing(why, o.Limits.Network), b.unheld(&o)...), b.notes...)
			return b, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		why = err
	}
	return nil, fmt.Errorf("confining programs: %w", why)
}

func open(ctx context.Context, o Options, r rung) (*Sandbox, error) {
	b := &Sandbox{rung: r}
	var err error
	if b.way, err = r.hold(&o, quota.Find()); err != nil {
		return nil, err
	}
	if err := b.open(ctx, o); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

func (b *Sandbox) open(ctx context.Context, o Options) (err error) {
	r := b.rung
	s := spec{PID: r.pid, Private: r.private, User: r.user, Net: r.private && !o.Limits.Network,
		TempMB: o.TempMB, Memory: o.Limits.Memory, FileSize: o.Limits.FileSize, Processes: o.Limits.Processes, Network: o.Limits.Network, Writable: o.Writable, ReadOnly: o.ReadOnly}
	if s.TempMB <= 0 {
		s.TempMB = 256
	}
	if err := b.hold(&s); err != nil {
		return err
	}
	if r.private {
		s.Base = emptyFolder()
	}
	if s.Base == "" {
		if s.Base, err = os.MkdirTemp(o.Dir, "parallax-sandbox-"); err != nil {
			return err
		}
		if s.Base, err = filepath.Abs(s.Base); err != nil {
			return err
		}
		b.base, s.Made = s.Base, true
	}
	b.folder = filepath.Join(s.Base, "parallax")
	if err := b.launch(o.Tool, r.attributes(o.Limits.Network, s.Spare)); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { b.conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if err := b.send(s, nil); err != nil {
		return b.gone(err)
	}
	var answer ready
	if _, err := b.receive(&answer); err != nil {
		return b.gone(err)
	}
	if answer.Error != "" {
		return errors.New(answer.Error)
	}
	if !stop() {
		return ctx.Err()
	}
	b.notes = answer.Notes
	return nil
}

// launch starts the process of the sandbox.
func (b *Sandbox) launch(tool string, attributes *syscall.SysProcAttr) error {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return os.NewSyscallError("socketpair", err)
	}
	mine, theirs := os.NewFile(uintptr(pair[0]), "sandbox"), os.NewFile(uintptr(pair[1]), "sandbox")
	defer theirs.Close()
	defer mine.Close() // FileConn has a copy
	conn, err := net.FileConn(mine)
	if err != nil {
		return err
	}
	b.conn = conn.(*net.UnixConn)
	said, err := unix.MemfdCreate("sandbox", unix.MFD_CLOEXEC)
	if err != nil {
		return os.NewSyscallError("memfd_create", err)
	}
	b.errors = os.NewFile(uintptr(said), "sandbox")
	if tool, err = filepath.Abs(tool); err != nil { // the sandbox starts in the root folder
		return err
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	b.sandbox, err = os.StartProcess(tool, []string{filepath.Base(tool), "sandbox", strconv.Itoa(socketFile)}, &os.ProcAttr{
		Dir: "/", Env: []string{}, Files: append([]*os.File{null, null, b.errors, theirs}, b.group.Files()...), Sys: attributes,
	})
	return err
}

// Folder is the private folder, the same path for every process of the sandbox. It is empty when a process starts, but for
// Command.Files, and is emptied when it has ended. The owner may not be able to see what is in it.
func (b *Sandbox) Folder() string { return b.folder }

// Environ is an environment with the private folder as TMPDIR and HOME, where it has none.
func (b *Sandbox) Environ(env []string) []string {
	all := slices.Clone(env)
	for _, name := range []string{"TMPDIR", "HOME"} {
		if !slices.ContainsFunc(env, func(set string) bool { return strings.HasPrefix(set, name+"=") }) {
			all = append(all, name+"="+b.folder)
		}
	}
	return all
}

// Notes are what this machine does not permit, for the user; none where everything is as it should be.
func (b *Sandbox) Notes() []string { return b.notes }

// Start starts a program and returns when it runs or is known not to: errors wrap the syscall.Errno (ENOENT, EACCES, ENOEXEC,
// ENOSPC, ...), or ErrGone. The process before must have been waited for.
func (b *Sandbox) Start(c Command) (*Process, error) {
	if b.running != nil {
		return nil, errors.New("a sandbox runs one program at a time: the one before has not been waited for")
	}
	r, contents, err := b.request(c)
	if err != nil {
		return nil, err
	}
	var fds []int
	for i, f := range []*os.File{c.Stdin, c.Stdout, c.Stderr} {
		if f == nil {
			continue
		}
		fd := int(f.Fd())
		// Programs do not expect a stream that does not block, which is how Go opens pipes.
		if err := unix.SetNonblock(fd, false); err != nil {
			return nil, err
		}
		r.Streams[i] = true
		fds = append(fds, fd)
	}
	if err := b.send(r, fds, contents...); err != nil {
		return nil, b.gone(err)
	}
	var started reply
	received, err := b.receive(&started)
	if err != nil {
		return nil, b.gone(err)
	}
	if started.Errno != 0 {
		return nil, &fs.PathError{Op: "start", Path: started.What, Err: syscall.Errno(started.Errno)}
	}
	b.running = &Process{sandbox: b, seq: r.Seq, pid: started.Pid}
	if len(received) > 0 {
		b.running.leader = os.NewFile(uintptr(received[0]), "leader")
	}
	return b.running, nil
}

// request is c as it is sent, and the contents of its files.
func (b *Sandbox) request(c Command) (*request, [][]byte, error) {
	if len(c.Args) == 0 {
		return nil, nil, errors.New("a command without a name")
	}
	b.seq++
	r := &request{Seq: b.seq, Path: c.Path, Dir: c.Dir, Keep: c.Keep, Args: texts(c.Args), Env: texts(c.Env)}
	if r.Path == "" {
		r.Path = c.Args[0]
	}
	var contents [][]byte
	for name, content := range c.Files {
		if !plainName(name) {
			return nil, nil, fmt.Errorf("%q is no name of a file in the private folder", name)
		}
		r.Files = append(r.Files, file{Name: name, Size: len(content)})
		contents = append(contents, content)
	}
	if c.Keep != "" && !plainName(c.Keep) {
		return nil, nil, fmt.Errorf("%q is no name of a file in the private folder", c.Keep)
	}
	return r, contents, nil
}

func plainName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\x00")
}

func texts(s []string) [][]byte {
	all := make([][]byte, len(s))
	for i := range s {
		all[i] = []byte(s[i])
	}
	return all
}

// Dir is the private folder.
func (p *Process) Dir() string { return p.sandbox.folder }

// Wait returns when the process has ended and all that it started is gone.
func (p *Process) Wait() Status {
	p.once.Do(func() { p.status = p.wait() })
	return p.status
}

func (p *Process) wait() Status {
	b := p.sandbox
	var r reply
	fds, err := b.receive(&r)
	b.running = nil
	defer p.leader.Close() // a nil file has nothing to close
	if err != nil {
		if !b.rung.pid {
			p.killLeft()
		}
		b.killGroup() // who has left that one is here
		return Status{Exit: -1, Err: b.gone(err)}
	}
	s := Status{Exit: r.Exit, Signal: syscall.Signal(r.Signal), OOM: r.OOM, Forked: r.Forked, CPU: time.Duration(r.CPU)}
	if s.Signal != 0 {
		s.Exit = -1
	}
	if len(fds) > 0 {
		s.Kept = os.NewFile(uintptr(fds[0]), "kept")
	}
	return s
}

// killLeft kills what is left of the process's group when the sandbox is gone. The kernel has killed the process itself, which was bound to the
// sandbox, and its number may be a stranger's by now.
func (p *Process) killLeft() {
	leader := -1
	if p.leader != nil {
		leader = int(p.leader.Fd())
	}
	err := unix.PidfdSendSignal(leader, unix.SIGKILL, nil, unix.PIDFD_SIGNAL_PROCESS_GROUP)
	if err == nil || err == unix.ESRCH {
		return
	}
	// Before Linux 6.9, only the number names a group. It is a stranger's if another process than the leader has it.
	if unix.PidfdSendSignal(leader, 0, nil, 0) == nil || unix.Kill(p.pid, 0) == unix.ESRCH {
		unix.Kill(-p.pid, unix.SIGKILL)
	}
}

// Kill ends the process and all that it started. It does not wait, and may be called at any time by any goroutine.
func (p *Process) Kill() {
	// An error means that the sandbox is gone, and the process with it, which Wait tells. A process that has ended has a number
	// that the sandbox does not know any more.
	_ = p.sandbox.send(request{Seq: p.seq, Kill: true}, nil)
}

// Signal sends a signal to the process, if it has not ended. As Kill, it does not wait.
func (p *Process) Signal(s syscall.Signal) {
	_ = p.sandbox.send(request{Seq: p.seq, Signal: int(s)}, nil)
}

// killGroup kills whom a sandbox that is gone has left in the control group.
func (b *Sandbox) killGroup() {
	b.groupMu.Lock()
	defer b.groupMu.Unlock()
	b.group.Kill()
}

// Close ends what runs, and the sandbox. Nothing is left of it.
func (b *Sandbox) Close() error {
	b.closing.Do(func() {
		if b.conn != nil {
			b.conn.Close()
		}
		if b.sandbox != nil {
			// The sandbox ends at once, unless a process of it cannot be killed, which the system may bring about.
			late := time.AfterFunc(10*time.Second, func() { b.sandbox.Kill() })
			b.sandbox.Wait()
			late.Stop()
		}
		b.killGroup()
		b.groupMu.Lock()
		b.group.Close()
		b.groupMu.Unlock()
		if b.errors != nil {
			b.errors.Close()
		}
		if b.base != "" {
			b.closed = os.RemoveAll(b.base)
		}
	})
	return b.closed
}

// send writes a frame with descriptors, and what follows it.
func (b *Sandbox) send(v any, fds []int, contents ...[]byte) error {
	data, err := frame(v)
	if err != nil {
		return err
	}
	var oob []byte
	if len(fds) > 0 {
		oob = unix.UnixRights(fds...)
	}
	b.write.Lock()
	defer b.write.Unlock()
	n, _, err := b.conn.WriteMsgUnix(data, oob, nil)
	if err == nil && n < len(data) {
		_, err = b.conn.Write(data[n:])
	}
	for _, content := range contents {
		if err != nil {
			return err
		}
		_, err = b.conn.Write(content)
	}
	return err
}

// receive reads a frame and the descriptors that came with it.
func (b *Sandbox) receive(v any) ([]int, error) {
	head, oob := make([]byte, 4), make([]byte, unix.CmsgSpace(4))
	n, oobn, _, _, err := b.conn.ReadMsgUnix(head, oob)
	if err == nil && n == 0 {
		err = io.EOF
	}
	if err != nil {
		return nil, err
	}
	fds, err := rights(oob[:oobn])
	if err == nil && n < len(head) {
		_, err = io.ReadFull(b.conn, head[n:])
	}
	if err == nil {
		err = decode(b.conn, head, v)
	}
	if err != nil {
		for _, fd := range fds {
			unix.Close(fd)
		}
		return nil, err
	}
	return fds, nil
}

// gone is the error of a sandbox that does not answer any more.
func (b *Sandbox) gone(err error) error {
	said := make([]byte, 4096)
	n, _ := b.errors.ReadAt(said, 0)
	if line, _, _ := bytes.Cut(bytes.TrimSpace(said[:n]), []byte("\n")); len(line) > 0 {
		return fmt.Errorf("%w: %s", ErrGone, line)
	}
	if errors.Is(err, io.EOF) {
		return ErrGone
	}
	return fmt.Errorf("%w: %v", ErrGone, err)
}
