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

// Sandbox starts programs. Only Close, Process.Kill and Process.Signal may be called concurrently.
type Sandbox struct {
	level   isolationLevel
	way     quota.Way
	group   *quota.Group
	groupMu sync.Mutex // Close and Process.Wait may be called at once
	conn    *net.UnixConn
	sandbox *os.Process
	errors  *os.File // standard error of the sandbox, for a message if it ends
	base    string   // a folder to remove; empty means none
	folder  string
	notes   []string

	running *Process // started and not yet waited for
	seq     int
	write   sync.Mutex // frames are written whole

	closing sync.Once
	closed  error
}

// Process is a program that runs or has run in a sandbox.
type Process struct {
	sandbox *Sandbox
	seq     int
	pid     int // in the sandbox's PID namespace
	// refers to the process, the leader of its group; nil with a PID namespace, and on kernels
	// without pidfds
	leader *os.File
	once   sync.Once
	status Status
}

// Open starts a sandbox. ctx limits the start only.
func Open(ctx context.Context, o Options) (*Sandbox, error) {
	var why error // the failure of the level before
	for _, r := range levels(o.Plain, os.Geteuid()) {
		b, err := open(ctx, o, r)
		if err == nil {
			b.notes = append(append(r.notes(why, o.Limits.Network), b.limitNotes(&o)...), b.notes...)
			return b, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		why = err
	}
	return nil, fmt.Errorf("confining programs: %w", why)
}

func open(ctx context.Context, o Options, r isolationLevel) (*Sandbox, error) {
	b := &Sandbox{level: r}
	var err error
	if b.way, err = r.chooseWay(&o, quota.Find()); err != nil {
		return nil, err
	}
	if err := b.open(ctx, o); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

func (b *Sandbox) open(ctx context.Context, o Options) (err error) {
	r := b.level
	s := spec{PID: r.pid, Private: r.private, User: r.user, Net: r.private && !o.Limits.Network,
		TempMB: o.TempMB, Memory: o.Limits.Memory, FileSize: o.Limits.FileSize, Processes: o.Limits.Processes, Network: o.Limits.Network, Writable: o.Writable, ReadOnly: o.ReadOnly}
	if s.TempMB <= 0 {
		s.TempMB = 256
	}
	if err := b.setLimits(&s); err != nil {
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
		return b.endError(err)
	}
	var answer ready
	if _, err := b.receive(&answer); err != nil {
		return b.endError(err)
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

// Folder returns the private folder, which has the same path for every process of the sandbox. When
// a process starts, it holds only Command.Files. It is emptied when the process has ended. The
// owner may be unable to see its content.
func (b *Sandbox) Folder() string { return b.folder }

// Environ adds the private folder to an environment as TMPDIR and HOME, where these are missing.
func (b *Sandbox) Environ(env []string) []string {
	all := slices.Clone(env)
	for _, name := range []string{"TMPDIR", "HOME"} {
		if !slices.ContainsFunc(env, func(set string) bool { return strings.HasPrefix(set, name+"=") }) {
			all = append(all, name+"="+b.folder)
		}
	}
	return all
}

// Notes lists, for the user, protection that this machine does not permit.
func (b *Sandbox) Notes() []string { return b.notes }

// Start starts a program, and returns once it runs or has failed. Errors wrap a syscall.Errno
// (ENOENT, EACCES, ENOEXEC, ENOSPC, ...), or ErrGone. The last process must have been waited for.
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
		// Programs do not expect non-blocking streams, which is how Go opens pipes.
		if err := unix.SetNonblock(fd, false); err != nil {
			return nil, err
		}
		r.Streams[i] = true
		fds = append(fds, fd)
	}
	if err := b.send(r, fds, contents...); err != nil {
		return nil, b.endError(err)
	}
	var started reply
	received, err := b.receive(&started)
	if err != nil {
		return nil, b.endError(err)
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

// request returns the frame for c, and the contents of its files.
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

// Dir returns the private folder.
func (p *Process) Dir() string { return p.sandbox.folder }

// Wait returns when the process and all its descendants have ended.
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
		if !b.level.pid {
			p.killGroup()
		}
		b.killGroup() // processes outside of the process group are in this one
		return Status{Exit: -1, Err: b.endError(err)}
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

// killGroup kills the rest of the process's group after the sandbox has ended. The kernel has
// killed the process itself, which was bound to the sandbox. Another process may have its number by
// now.
func (p *Process) killGroup() {
	leader := -1
	if p.leader != nil {
		leader = int(p.leader.Fd())
	}
	err := unix.PidfdSendSignal(leader, unix.SIGKILL, nil, unix.PIDFD_SIGNAL_PROCESS_GROUP)
	if err == nil || err == unix.ESRCH {
		return
	}
	// Before Linux 6.9, only the number names a group. If another process than the leader has the
	// number, the group is not this one.
	if unix.PidfdSendSignal(leader, 0, nil, 0) == nil || unix.Kill(p.pid, 0) == unix.ESRCH {
		unix.Kill(-p.pid, unix.SIGKILL)
	}
}

// Kill ends the process and its descendants. It does not wait, and may be called from any goroutine
// at any time.
func (p *Process) Kill() {
	// An error means that the sandbox and the process have ended, which Wait reports. The sandbox
	// ignores the number of a process that has ended.
	_ = p.sandbox.send(request{Seq: p.seq, Kill: true}, nil)
}

// Signal sends a signal to the process, if it has not ended. Like Kill, it does not wait.
func (p *Process) Signal(s syscall.Signal) {
	_ = p.sandbox.send(request{Seq: p.seq, Signal: int(s)}, nil)
}

// killGroup kills the processes that a sandbox which has ended left in the control group.
func (b *Sandbox) killGroup() {
	b.groupMu.Lock()
	defer b.groupMu.Unlock()
	b.group.Kill()
}

// Close ends the program and the sandbox, and removes all that is left.
func (b *Sandbox) Close() error {
	b.closing.Do(func() {
		if b.conn != nil {
			b.conn.Close()
		}
		if b.sandbox != nil {
			// The sandbox ends at once, unless the system keeps one of its processes from being
			// killed.
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

// send writes a frame with descriptors, and the contents after it.
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

// endError returns the error of a sandbox that does not answer.
func (b *Sandbox) endError(err error) error {
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
