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

// keeper is the sandbox itself: one thread, which waits for its owner, for the program and for the time to look at once.
//
// It stays on one thread because what is taken from programs (capabilities, new privileges, the network) and what holds them (a control
// group of v1) belongs to the thread that forks, and because the kernel ties a program's death signal to it. That is not the first thread,
// which is the one that the kernel counts this process's memory by.
type keeper struct {
	spec   spec
	socket socket
	null   int // /dev/null
	folder string
	made   unix.Stat_t // the private folder, as it was made
	shared bool        // quota.IPCFolders are file systems of the sandbox's own
	kin    kin
	// lastPID sets the number of the next process, where the namespace is the sandbox's own; or -1. Programs make names and seeds
	// of their process number, which are the same in every run then.
	lastPID int
	rss     int64 // the most this process itself had, which a program's own figure starts with
	group   *quota.Group

	run run
}

// run is the program that runs.
type run struct {
	seq    int
	pid    int // 0: nothing runs
	pidfd  int // -1 where the kernel has none
	keep   string
	oom    bool
	forked bool
	parted bool // its group of processes was ended, since it has ended itself
	cpu    time.Duration
	look   time.Time     // when to look next
	every  time.Duration // how often
	last   usage
	before quota.Count // of the group, when the program was started
}

// Main is the command `parallax sandbox FD`. It returns an exit code.
func Main(args []string) int {
	code := make(chan int)
	quota.OnThread(func() { code <- keep(args) })
	return <-code
}

func keep(args []string) int {
	if len(args) != 1 || args[0] != strconv.Itoa(socketFile) {
		fmt.Fprintln(os.Stderr, "parallax sandbox is started by parallax itself")
		return 2
	}
	k := &keeper{socket: socketFile}
	// A program may send its parent what it likes. Nobody listens; what is ignored instead would be ignored by programs too.
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
	// The owner's death, or its order to end, is the end of the socket. Nothing is to be said to anybody then.
	err = k.loop()
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, unix.EPIPE) && !errors.Is(err, unix.ECONNRESET) {
		fmt.Fprintln(os.Stderr, "parallax sandbox:", err)
		return 1
	}
	return 0
}

// ownFiles keeps all descriptors but the standard streams from programs: the control socket, and what the owner inherited from
// who started it, which may be anything.
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

// fixAddresses has the programs of this thread lie at the same addresses each time, where the machine permits it: what hashes or sorts
// pointers then does the same each time, and a campaign repeats.
func fixAddresses() {
	const query, addrNoRandomize = 0xffffffff, 0x0040000
	if now, _, errno := unix.RawSyscall(unix.SYS_PERSONALITY, query, 0, 0); errno == 0 {
		unix.RawSyscall(unix.SYS_PERSONALITY, now|addrNoRandomize, 0, 0)
	}
}

// loop serves the owner until it is gone.
func (k *keeper) loop() error {
	for {
		fds := []unix.PollFd{{Fd: int32(k.socket), Events: unix.POLLIN}}
		var timeout *unix.Timespec
		if k.run.pid != 0 {
			wait := max(time.Until(k.run.look), 0)
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
		if k.run.pid != 0 && !time.Now().Before(k.run.look) {
			k.look()
		}
	}
}

// serve does what the owner asks.
func (k *keeper) serve() error {
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
			k.look() // what it has done may be why it takes long, and why there was no time to look
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
	closeAll() // before the owner hears of it: an end of a pipe that only the program holds is what he waits for
	if err != nil {
		k.clear()
		var errno syscall.Errno
		if !errors.As(err, &errno) {
			return err // of the socket
		}
		return k.socket.send(reply{Errno: int(errno), What: what}, -1)
	}
	leader := k.run.pidfd
	if k.spec.PID { // the kernel ends what is left
		leader = -1
	}
	return k.socket.send(reply{Pid: k.run.pid}, leader)
}

// start makes the private folder and starts the program in it. What failed is named by its path.
func (k *keeper) start(r *request, fds []int) (what string, err error) {
	err = k.provide()
	what = k.folder
	// The content has to be read from the socket, whether or not there is a place for it.
	for _, f := range r.Files {
		path := filepath.Join(k.folder, f.Name)
		if failed := k.fill(path, f.Size, err == nil); failed != nil {
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
	k.run = run{seq: r.Seq, keep: r.Keep, pidfd: -1, every: lookMin, before: k.group.Count()}
	attr.Sys.PidFD = &k.run.pidfd
	k.run.pid, err = k.fork(r.Path, asStrings(r.Args), attr)
	if err != nil {
		k.run.pid = 0
		if info, failed := os.Stat(attr.Dir); failed != nil || !info.IsDir() {
			return attr.Dir, err
		}
		return r.Path, err
	}
	k.run.look = time.Now().Add(k.run.every)
	return "", nil
}

// fork starts a program under the limit of file sizes, which is the sandbox's own for that moment only: it writes the programs'
// inputs itself.
func (k *keeper) fork(path string, args []string, attr *syscall.ProcAttr) (int, error) {
	if k.spec.FileSize > 0 {
		var own unix.Rlimit
		if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &own); err == nil {
			unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: min(uint64(k.spec.FileSize), own.Max), Max: own.Max})
			defer unix.Setrlimit(unix.RLIMIT_FSIZE, &own)
		}
	}
	if k.lastPID >= 0 {
		unix.Pwrite(k.lastPID, []byte("99"), 0) // this program is process 100
	}
	pid, _, err := syscall.StartProcess(path, args, attr)
	return pid, err
}

// fill writes the next size bytes of the socket into a new file, or nowhere.
func (k *keeper) fill(path string, size int, write bool) error {
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

// reap takes in the dead: the program itself, of which it tells the status, and orphans.
func (k *keeper) reap() (over bool, status unix.WaitStatus, err error) {
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

// wait is wait4 for any child, and counts its time.
func (k *keeper) wait(options int) (int, unix.WaitStatus, error) {
	child := -1
	if !k.spec.PID {
		// The program is ended with its group while the group's number is still its own: it may be a stranger's afterwards.
		if child = anyEnded(); child == k.run.pid && child > 0 {
			unix.Kill(-child, unix.SIGKILL)
			k.run.parted = true
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
		// A program that was over the limit between two looks. Its figure starts with that of this process, from which it
		// was forked, so it says nothing below that.
		if k.spec.Memory > k.rss && usage.Maxrss<<10 > k.spec.Memory {
			k.run.oom = true
		}
		return pid, status, nil
	}
}

// anyEnded is a child that has ended and was not waited for; 0 if there is none.
func anyEnded() int {
	var info unix.Siginfo
	for unix.Waitid(unix.P_ALL, 0, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT|unix.WALL, nil) == unix.EINTR {
	}
	const pid = 16 // where siginfo_t has it on 64-bit machines
	return int(*(*int32)(unsafe.Add(unsafe.Pointer(&info), pid)))
}

// finish ends what the program has left behind, empties the folder and tells the owner.
func (k *keeper) finish(status unix.WaitStatus) error {
	k.sweep()
	k.refused()
	kept := -1
	if k.run.keep != "" {
		kept = regular(filepath.Join(k.folder, k.run.keep))
	}
	r := reply{Exit: status.ExitStatus(), OOM: k.run.oom && !k.run.forked, Forked: k.run.forked, CPU: int64(k.run.cpu)}
	if status.Signaled() {
		r.Exit, r.Signal = 0, int(status.Signal())
	}
	k.clear()
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

// sweep kills and reaps until there is nobody. When the program itself is gone, all that it started has become a child of this
// process, or is below one.
func (k *keeper) sweep() {
	options := 0
	if !k.spec.PID {
		// What is killed may have started another since it was seen, so that waiting for ever is no plan.
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

// regular opens a file that a program wrote, or returns -1: a link, a pipe or a device is no output.
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
