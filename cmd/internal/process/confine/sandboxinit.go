package confine

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/process/quota"
)

// socketFile is the descriptor of the control socket in the sandbox.
const socketFile = 3

// sandboxInit is the sandbox itself. One thread waits for its owner, for the program and for the
// next check at once.
//
// It stays on one thread. Restrictions (capabilities, new privileges, network) and limits (a
// control group of v1) belong to the thread that forks. The kernel also ties a program's death
// signal to it. This is not the first thread, by which the kernel accounts this process's memory.
type sandboxInit struct {
	spec   spec
	socket socket
	null   int // /dev/null
	folder string
	made   unix.Stat_t // the private folder at its creation
	shared bool        // quota.IPCFolders are file systems of the sandbox itself
	tree   descendants
	// lastPID sets the number of the next process, if the sandbox has a PID namespace; otherwise it
	// is -1. Programs derive names and seeds from their process number, which is then equal in
	// every run.
	lastPID int
	rss     int64 // the maximum of this process itself, at which a program's own figure starts
	group   *quota.Group

	run run
}

// run is the current program.
type run struct {
	seq           int
	pid           int // 0 means no program runs
	pidfd         int // -1 on kernels without it
	keepFile      string
	oom           bool
	forked        bool
	groupKilled   bool // its process group was killed, because the program has ended
	cpu           time.Duration
	nextCheck     time.Time     // time of the next check
	interval      time.Duration // interval of checks
	lastUsage     usage
	refusedBefore quota.Count // of the group at the program's start
}

// Main is the command `parallax sandbox FD`. It returns an exit code.
func Main(args []string) int {
	code := make(chan int)
	quota.OnThread(func() { code <- serveSandbox(args) })
	return <-code
}

func serveSandbox(args []string) int {
	if len(args) != 1 || args[0] != strconv.Itoa(socketFile) {
		fmt.Fprintln(os.Stderr, "parallax sandbox is started by parallax itself")
		return 2
	}
	k := &sandboxInit{socket: socketFile}
	// A program may send signals to its parent. They are caught and dropped, because programs would
	// inherit ignored signals.
	signal.Notify(make(chan os.Signal, 1))
	ownFiles()
	fixAddresses()
	if _, err := k.socket.receive(&k.spec); err != nil {
		fmt.Fprintln(os.Stderr, "parallax sandbox is started by parallax itself:", err)
		return 2
	}
	k.group = quota.Inherit(k.spec.Group, socketFile+1)
	notes, err := k.setUp()
	if err != nil {
		k.socket.send(ready{Error: err.Error()}, -1)
		return 1
	}
	defer k.tearDown()
	if err := k.socket.send(ready{Notes: notes}, -1); err != nil {
		return 1
	}
	// The socket ends with the owner, or when the owner closes it. No message is due then.
	err = k.loop()
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, unix.EPIPE) && !errors.Is(err, unix.ECONNRESET) {
		fmt.Fprintln(os.Stderr, "parallax sandbox:", err)
		return 1
	}
	return 0
}

// ownFiles keeps all descriptors except the standard streams from programs: the control socket, and
// any descriptor that the owner inherited.
func ownFiles() {
	if unix.CloseRange(socketFile, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) == nil {
		return // since Linux 5.11
	}
	entries, _ := os.ReadDir("/proc/self/fd")
	for _, entry := range entries {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd >= socketFile {
			unix.CloseOnExec(fd)
		}
	}
	unix.CloseOnExec(socketFile)
}

// fixAddresses gives the programs of this thread the same addresses in each run, where the machine
// permits it. Programs that hash or sort pointers then repeat, and so does a campaign.
func fixAddresses() {
	const query, addrNoRandomize = 0xffffffff, 0x0040000
	if now, _, errno := unix.RawSyscall(unix.SYS_PERSONALITY, query, 0, 0); errno == 0 {
		unix.RawSyscall(unix.SYS_PERSONALITY, now|addrNoRandomize, 0, 0)
	}
}

// loop serves the owner until the owner ends.
func (k *sandboxInit) loop() error {
	for {
		fds := []unix.PollFd{{Fd: int32(k.socket), Events: unix.POLLIN}}
		var timeout *unix.Timespec
		if k.run.pid != 0 {
			wait := max(time.Until(k.run.nextCheck), 0)
			if k.run.pidfd >= 0 {
				fds = append(fds, unix.PollFd{Fd: int32(k.run.pidfd), Events: unix.POLLIN})
			} else {
				wait = min(wait, time.Millisecond)
			}
			t := unix.NsecToTimespec(int64(wait))
			timeout = &t
		}
		if _, err := unix.Ppoll(fds, timeout, nil); err != nil && err != unix.EINTR {
			return os.NewSyscallError("ppoll", err)
		}
		if fds[0].Revents != 0 {
			if err := k.serve(); err != nil {
				return err
			}
		}
		if k.run.pid == 0 {
			continue
		}
		over, status, err := k.reap()
		if err == nil && over {
			err = k.finish(status)
		}
		if err != nil {
			return err
		}
		if k.run.pid != 0 && !time.Now().Before(k.run.nextCheck) {
			k.checkLimits()
		}
	}
}

// serve handles one request of the owner.
func (k *sandboxInit) serve() error {
	var r request
	fds, err := k.socket.receive(&r)
	closeAll := func() {
		for _, fd := range fds {
			unix.Close(fd)
		}
		fds = nil
	}
	defer closeAll()
	switch {
	case err != nil:
		return err
	case r.Kill:
		if k.run.pid != 0 && k.run.seq == r.Seq {
			k.checkLimits() // a limit that it exceeds may explain the timeout
			k.kill()
		}
		return nil
	case r.Signal != 0:
		if k.run.pid != 0 && k.run.seq == r.Seq {
			unix.Kill(k.run.pid, syscall.Signal(r.Signal))
		}
		return nil
	case k.run.pid != 0:
		return errors.New("asked to start a second program")
	}
	what, err := k.start(&r, fds)
	// before the answer: the owner waits for pipes to close that only the program may hold
	closeAll()
	if err != nil {
		k.emptyFolder()
		var errno syscall.Errno
		if !errors.As(err, &errno) {
			return err // of the socket
		}
		return k.socket.send(reply{Errno: int(errno), What: what}, -1)
	}
	leader := k.run.pidfd
	if k.spec.PID { // the kernel ends the rest
		leader = -1
	}
	return k.socket.send(reply{Pid: k.run.pid}, leader)
}

// start creates the private folder and starts the program in it. On failure, what is the path at
// fault.
func (k *sandboxInit) start(r *request, fds []int) (what string, err error) {
	err = k.createFolder()
	what = k.folder
	// The content must be read from the socket, even if it cannot be stored.
	for _, f := range r.Files {
		path := filepath.Join(k.folder, f.Name)
		if failed := k.receiveFile(path, f.Size, err == nil); failed != nil {
			var errno syscall.Errno
			if !errors.As(failed, &errno) {
				return what, failed
			}
			what, err = path, failed
		}
	}
	if err != nil {
		return what, err
	}
	attr := &syscall.ProcAttr{Dir: r.Dir, Env: asStrings(r.Env), Sys: &syscall.SysProcAttr{Setsid: true}}
	if attr.Dir == "" {
		attr.Dir = k.folder
	}
	if !k.spec.PID {
		attr.Sys.Pdeathsig = unix.SIGKILL
	}
	k.group.Attributes(attr.Sys)
	for _, given := range r.Streams {
		fd := k.null
		if given {
			if len(fds) == 0 {
				return what, errors.New("a stream is missing")
			}
			fd, fds = fds[0], fds[1:]
		}
		attr.Files = append(attr.Files, uintptr(fd))
	}
	k.run = run{seq: r.Seq, keepFile: r.Keep, pidfd: -1, interval: minInterval, refusedBefore: k.group.Count()}
	attr.Sys.PidFD = &k.run.pidfd
	k.run.pid, err = k.fork(r.Path, asStrings(r.Args), attr)
	if err != nil {
		k.run.pid = 0
		if info, failed := os.Stat(attr.Dir); failed != nil || !info.IsDir() {
			return attr.Dir, err
		}
		return r.Path, err
	}
	k.run.nextCheck = time.Now().Add(k.run.interval)
	return "", nil
}

// fork starts a program under the limit of file sizes. The sandbox has that limit only for this
// moment, since it writes the programs' inputs itself.
func (k *sandboxInit) fork(path string, args []string, attr *syscall.ProcAttr) (int, error) {
	if k.spec.FileSize > 0 {
		var own unix.Rlimit
		if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &own); err == nil {
			unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: min(uint64(k.spec.FileSize), own.Max), Max: own.Max})
			defer unix.Setrlimit(unix.RLIMIT_FSIZE, &own)
		}
	}
	if k.lastPID >= 0 {
		unix.Pwrite(k.lastPID, []byte("99"), 0) // the program is process 100
	}
	pid, _, err := syscall.StartProcess(path, args, attr)
	return pid, err
}

// receiveFile writes the next size bytes of the socket into a new file, or drops them.
func (k *sandboxInit) receiveFile(path string, size int, write bool) error {
	var failed error
	var f *os.File
	if write {
		f, failed = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	}
	buffer := make([]byte, min(size, 256<<10))
	for size > 0 {
		part := buffer[:min(size, len(buffer))]
		if _, err := io.ReadFull(k.socket, part); err != nil {
			return fmt.Errorf("the content of a file: %v", err)
		}
		size -= len(part)
		if f != nil && failed == nil {
			_, failed = f.Write(part)
		}
	}
	if f != nil {
		if err := f.Close(); failed == nil {
			failed = err
		}
	}
	return failed
}

// reap waits for children that have ended: the program, whose status it returns, and orphans.
func (k *sandboxInit) reap() (over bool, status unix.WaitStatus, err error) {
	for {
		pid, s, err := k.wait(unix.WNOHANG)
		if err == unix.ECHILD && !over {
			return false, 0, errors.New("the program's end was not seen")
		}
		if err != nil || pid == 0 {
			return over, status, nil
		}
		if pid == k.run.pid {
			over, status = true, s
		}
	}
}

// wait is wait4 for any child. It adds the child's CPU time.
func (k *sandboxInit) wait(options int) (int, unix.WaitStatus, error) {
	child := -1
	if !k.spec.PID {
		// The process group is killed while its number is still reserved: afterwards it may belong
		// to other processes.
		if child = anyEnded(); child == k.run.pid && child > 0 {
			unix.Kill(-child, unix.SIGKILL)
			k.run.groupKilled = true
		}
		if child == 0 {
			child = -1
			options |= unix.WNOHANG
		}
	}
	for {
		var status unix.WaitStatus
		var usage unix.Rusage
		pid, err := unix.Wait4(child, &status, options|unix.WALL, &usage)
		if err == unix.EINTR {
			continue
		}
		if err != nil || pid == 0 {
			return 0, 0, err
		}
		k.run.cpu += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
		// The program may have exceeded the limit between two checks. Its figure starts at that of
		// this process, from which it was forked, so that smaller values have no meaning.
		if k.spec.Memory > k.rss && usage.Maxrss<<10 > k.spec.Memory {
			k.run.oom = true
		}
		return pid, status, nil
	}
}

// anyEnded returns a child that has ended and was not waited for, or 0.
func anyEnded() int {
	var info unix.Siginfo
	for unix.Waitid(unix.P_ALL, 0, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT|unix.WALL, nil) == unix.EINTR {
	}
	const pid = 16 // offset in siginfo_t on 64-bit machines
	return int(*(*int32)(unsafe.Add(unsafe.Pointer(&info), pid)))
}

// finish ends the program's remaining processes, empties the folder and sends the status to the
// owner.
func (k *sandboxInit) finish(status unix.WaitStatus) error {
	k.sweep()
	k.recordRefusals()
	kept := -1
	if k.run.keepFile != "" {
		kept = regular(filepath.Join(k.folder, k.run.keepFile))
	}
	r := reply{Exit: status.ExitStatus(), OOM: k.run.oom && !k.run.forked, Forked: k.run.forked, CPU: int64(k.run.cpu)}
	if status.Signaled() {
		r.Exit, r.Signal = 0, int(status.Signal())
	}
	k.emptyFolder()
	if k.run.pidfd >= 0 {
		unix.Close(k.run.pidfd)
	}
	k.run = run{}
	err := k.socket.send(r, kept)
	if kept >= 0 {
		unix.Close(kept)
	}
	return err
}

// sweep kills and reaps until no process remains. Once the program has ended, all its descendants
// are children of this process, or descend from one.
func (k *sandboxInit) sweep() {
	options := 0
	if !k.spec.PID {
		// A killed process may have started another one unseen, so a blocking wait could last
		// forever.
		options = unix.WNOHANG
	}
	for {
		pid, _, err := k.wait(unix.WNOHANG)
		if err != nil {
			return
		}
		if pid != 0 {
			continue
		}
		k.kill()
		if _, _, err := k.wait(options); err == nil && options != 0 {
			time.Sleep(200 * time.Microsecond)
		}
	}
}

// regular opens a regular file that a program wrote. It returns -1 for links, pipes and devices.
func regular(path string) int {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1
	}
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil || stat.Mode&unix.S_IFMT != unix.S_IFREG {
		unix.Close(fd)
		return -1
	}
	return fd
}

func asStrings(b [][]byte) []string {
	all := make([]string, len(b))
	for i := range b {
		all[i] = string(b[i])
	}
	return all
}
