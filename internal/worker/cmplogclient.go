package worker

import (
	"bufio"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"parallax/internal/cmplog"
	"parallax/internal/wire"
)

// cmplogClient is the fuzzing worker's side of the cmplog build. It starts a process of that build
// when the executable exists, sends it inputs, and receives the operands of their comparisons. The
// process ends with this one. A process that dies or does not reply is replaced. An input that ends
// several processes is skipped.
type cmplogClient struct {
	path      string // executable, which may appear later; empty means that there is no such build
	start     CmpLogBuild
	beat      func() // reports progress to the supervisor while waiting
	runs      func() // counts a reply
	ready     bool
	untilStat int // calls of Ready until the next stat

	process *os.Process
	socket  *os.File
	in      *bufio.Reader
	broken  int // processes in a row that did not reply
}

const (
	cmplogFile = 3 // the socket, in the process of the cmplog build

	statEvery    = 4096 // calls of Ready between two stats of the executable
	pollInterval = 50 * time.Millisecond
	replyTimeout = 2 * time.Second // least time for a reply; else
	replyFactor  = 2               // this many times the timeout of a program
	maxBroken    = 5
	exitTimeout  = time.Second // for a test's cleanup; the supervisor waits for this process twice as long
)

// newCmplogClient reads the path of the executable from the environment.
func newCmplogClient(beat func(), runs func()) *cmplogClient {
	return &cmplogClient{path: os.Getenv("PARALLAX_CMPLOG"), beat: beat, runs: runs}
}

// Ready reports whether Compare can be called. The executable may still be under construction.
func (a *cmplogClient) Ready() bool {
	if a.ready || a.path == "" {
		return a.ready
	}
	if a.untilStat--; a.untilStat > 0 {
		return false
	}
	a.untilStat = statEvery
	_, err := os.Stat(a.path)
	a.ready = err == nil
	return a.ready
}

// Compare runs the input in the other process, or returns nil on failure. It tries an input again
// in a new process, since an effect of an earlier input may have ended the first one.
func (a *cmplogClient) Compare(flat []byte) []cmplog.Comparison {
	for try := 0; a.path != ""; try++ {
		ops, err := a.request(flat)
		if err == nil {
			a.broken = 0
			a.runs()
			return ops
		}
		if a.process != nil {
			a.end()
		}
		if a.giveUp(); try > 0 || err == errNoReply {
			break
		}
	}
	return nil
}

// request sends an input and waits for its comparisons.
func (a *cmplogClient) request(flat []byte) (ops []cmplog.Comparison, err error) {
	if a.process == nil {
		if err := a.begin(); err != nil {
			return nil, err
		}
	}
	if err := wire.Send(a.socket, wire.Compare, flat); err != nil {
		return nil, err
	}
	_, payload, err := wire.Receive(a.in)
	if err != nil {
		return nil, err
	}
	return readOps(payload)
}

// giveUp counts a process that did not reply. After maxBroken, no more are started.
func (a *cmplogClient) giveUp() {
	if a.broken++; a.broken >= maxBroken {
		a.path, a.ready = "", false
	}
}

func (a *cmplogClient) begin() error {
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	theirs := os.NewFile(uintptr(pair[1]), "socket")
	defer theirs.Close()
	tick := syscall.NsecToTimeval(int64(pollInterval))
	err = syscall.SetsockoptTimeval(pair[0], syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &tick)
	if err == nil {
		long := syscall.NsecToTimeval(int64(replyTimeout))
		err = syscall.SetsockoptTimeval(pair[0], syscall.SOL_SOCKET, syscall.SO_SNDTIMEO, &long)
	}
	if err != nil {
		syscall.Close(pair[0])
		return err
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		syscall.Close(pair[0])
		return err
	}
	defer null.Close()
	dir, env := startEnvironment()
	args := os.Args[1:]
	if a.start.Args != nil {
		args = a.start.Args
	}
	if a.start.Dir != "" {
		dir, env = a.start.Dir, append([]string{"PWD=" + a.start.Dir}, env...)
	}
	env = append(slices.Clone(a.start.Env), env...) // of two values of a variable, the first counts
	a.process, err = os.StartProcess(a.path, append([]string{a.path}, args...), &os.ProcAttr{
		Dir: dir, Env: env, Files: []*os.File{null, null, null, theirs},
		Sys: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL},
	})
	if err != nil {
		a.process = nil
		syscall.Close(pair[0])
		return err
	}
	a.socket = os.NewFile(uintptr(pair[0]), "socket")
	a.in = bufio.NewReader(&pollReader{fd: pair[0], beat: a.beat, polls: maxPolls(), big: a.exceedsMemory})
	return nil
}

// startEnvironment returns the folder and environment that this process was started with. Programs
// may have changed both since. Contract relied on: the supervisor sets PWD.
func startEnvironment() (dir string, env []string) {
	env = []string{"PARALLAX_WORKER=cmplog"}
	first, err := os.ReadFile("/proc/self/environ")
	list := strings.Split(strings.TrimRight(string(first), "\x00"), "\x00")
	if err != nil {
		list = os.Environ()
	}
	for _, e := range list {
		if strings.HasPrefix(e, "PARALLAX_WORKER=") {
			continue
		}
		env = append(env, e)
		if d, ok := strings.CutPrefix(e, "PWD="); ok {
			dir = d
		}
	}
	return dir, env
}

// close lets the process end by itself, so that a test's TestMain and cleanup functions run.
func (a *cmplogClient) close() {
	if a.process == nil {
		return
	}
	a.socket.Close()
	late := time.AfterFunc(exitTimeout, func() { a.process.Kill() })
	a.process.Wait()
	late.Stop()
	a.process = nil
}

func (a *cmplogClient) end() {
	a.process.Kill()
	a.process.Wait()
	a.socket.Close()
	a.process = nil
}

// maxPolls returns the number of polls that a reply may take.
func maxPolls() int {
	limit := replyTimeout
	if ms, err := strconv.Atoi(os.Getenv("PARALLAX_TIMEOUT")); err == nil {
		limit = max(limit, replyFactor*time.Duration(ms)*time.Millisecond)
	}
	return int(limit / pollInterval)
}

// exceedsMemory reports whether the process uses more memory than a worker may.
func (a *cmplogClient) exceedsMemory() bool {
	limit, err := strconv.ParseInt(os.Getenv("PARALLAX_MEMORY"), 10, 64)
	if err != nil || limit <= 0 {
		return false
	}
	statm, err := os.ReadFile("/proc/" + strconv.Itoa(a.process.Pid) + "/statm")
	if fields := strings.Fields(string(statm)); err == nil && len(fields) > 1 {
		pages, _ := strconv.ParseInt(fields[1], 10, 64)
		return pages*int64(os.Getpagesize()) > limit
	}
	return false
}

// pollReader reads a socket with a receive timeout. After each timeout it reports progress to the
// supervisor.
type pollReader struct {
	fd    int
	beat  func()
	polls int
	big   func() bool
}

var errNoReply = errors.New("the process of the cmplog build does not answer")

func (p *pollReader) Read(b []byte) (int, error) {
	for i := 0; i < p.polls; i++ {
		n, err := syscall.Read(p.fd, b)
		switch {
		case err == syscall.EAGAIN || err == syscall.EINTR:
			if p.beat(); p.big() {
				return 0, errNoReply
			}
			continue
		case err != nil:
			return 0, err
		case n == 0:
			return 0, errNoReply
		}
		return n, nil
	}
	return 0, errNoReply
}
