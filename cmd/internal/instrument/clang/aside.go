package clang

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"parallax/cmd/internal/lazyregexp"
	"parallax/cmd/internal/leader"
)

// Compilers that make variants later run beside something else: a campaign, or nothing. They end with the process that started them,
// however it ends.

// lowPriority is how nice they are beside a campaign: with as many workers as processors, they get a tenth of the time.
const lowPriority = 10

// runAside runs a command in a process group of its own, which ends when ctx does.
func runAside(ctx context.Context, cmd *exec.Cmd, low bool) error {
	done := make(chan error, 1)
	go func() {
		// The kernel sends the signal when the thread ends that has started the process, and priorities belong to threads. The thread is
		// not given back: it ends here.
		runtime.LockOSThread()
		if low {
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, lowPriority) // of this thread: what it starts inherits it
		}
		cmd.WaitDelay = 2 * time.Second
		done <- leader.Run(ctx, cmd)
	}()
	err := <-done
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// errPassing is wrapped by reasons that another try may not meet: they are told and not remembered.
type errPassing struct{ why string }

func (e *errPassing) Error() string { return e.why }

// crashes are signals that end a compiler because of what it was given.
var crashes = []syscall.Signal{syscall.SIGSEGV, syscall.SIGABRT, syscall.SIGILL, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGTRAP}

// crashed tells whether a compiler or linker came to its end by a mistake of its own. Another try would end the same way.
func crashed(said string, failed *exec.ExitError) bool {
	status, _ := failed.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		return slices.Contains(crashes, status.Signal())
	}
	if code := status.ExitStatus(); code > 128 && slices.Contains(crashes, syscall.Signal(code-128)) {
		return true
	}
	for line := range strings.Lines(said) {
		if strings.HasPrefix(line, "PLEASE submit a bug report") && !strings.Contains(said, "unable to execute command: Killed") {
			return true
		}
		if _, signal, ok := strings.Cut(line, "unable to execute command: "); ok && toolLine().MatchString(line) {
			for _, s := range crashes {
				if strings.HasPrefix(strings.ToLower(signal), s.String()) {
					return true
				}
			}
		}
	}
	return false
}

// toolLine begins what a tool says of itself, and nothing that it shows of a source.
var toolLine = lazyregexp.New(`^(([^\s:]*/)?([\w.+-]*-)?(ld|lld|gold|mold|collect2|as|sh)([.-][\w.]+)?: |([^\s:]+: )?(fatal )?error: |LLVM ERROR: |terminate called |  what\(\): )`)

// signs are what a tool says that has met the limits of the machine.
var signs = []string{"unable to execute command", "out of memory", "memory exhausted", "bad_alloc", "No space left", "Disk quota exceeded", "Input/output error",
	"Cannot allocate memory", "Resource temporarily unavailable", "Read-only file system", "cannot find", "no such file or directory", "No such file or directory",
	"ld terminated with signal"}

// passing tells whether clang failed for a reason that does not lie in what it was given: it was killed, or the disk is full.
func passing(ctx context.Context, said string, failed *exec.ExitError) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	status, _ := failed.Sys().(syscall.WaitStatus)
	for line := range strings.Lines(said) {
		if !toolLine().MatchString(line) {
			continue
		}
		for _, sign := range signs {
			if strings.Contains(line, sign) && (sign != signs[0] || !crashed(line, failed)) {
				return &errPassing{shortened(strings.TrimSpace(line))}
			}
		}
	}
	switch {
	case crashed(said, failed):
		return nil
	case status.Signaled():
		return &errPassing{"the compiler was ended by a signal (" + status.Signal().String() + "), as it is where memory runs out"}
	case status.ExitStatus() > 128 && status.ExitStatus() < 128+32:
		return &errPassing{"the compiler was ended by a signal (" + syscall.Signal(status.ExitStatus()-128).String() + "), as it is where memory runs out"}
	}
	return nil
}

// sameClang tells whether a clang is still there, and still the release that has compiled the rest.
func sameClang(path, release string) error {
	if !filepath.IsAbs(path) {
		if found, err := exec.LookPath(path); err == nil {
			path = found
		}
	}
	const todo = ": install that one again, or build the program again"
	if _, err := os.Stat(path); err != nil {
		return &errPassing{"the program was built by clang " + release + ", " + path + ", which is not there any more" + todo}
	}
	now, err := releaseOf(path)
	if err != nil {
		return &errPassing{err.Error()}
	}
	if now != release {
		return &errPassing{"the program was built by clang " + release + ", and " + path + " is clang " + now + " now" + todo}
	}
	return nil
}

// onDisk says what is wrong with the folder that a variant is made in, nil if it is something else.
func onDisk(folder string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return &errPassing{folder + " has no room for it: " + err.Error() + ": make room there"}
	case errors.Is(err, syscall.EROFS), errors.Is(err, os.ErrPermission):
		return &errPassing{folder + " cannot be written: " + err.Error() + ": make it writable, or copy the program and the folder to where it is"}
	}
	return nil
}

// jobs is how many compilers run at once: as many as this process may use processors, fewer beside a campaign, and no more than there is
// memory for.
func jobs(low bool) int {
	n := runtime.GOMAXPROCS(0)
	if low {
		n = min(n, lowJobs)
	}
	meminfo, _ := os.ReadFile("/proc/meminfo")
	if free, ok := available(string(meminfo)); ok {
		n = min(n, free/compilerMemory)
	}
	return max(n, 1)
}

const (
	lowJobs        = 2
	compilerMemory = 1 << 20 // KiB, of a compiler with a large source
)

// available is the memory in KiB that /proc/meminfo says programs can get.
func available(meminfo string) (kib int, ok bool) {
	for line := range strings.Lines(meminfo) {
		if rest, ok := strings.CutPrefix(line, "MemAvailable:"); ok {
			n, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")))
			return n, err == nil
		}
	}
	return 0, false
}

// jobs is how many compilers a build may run at once that it has started one of.
func (w *wrapper) jobs() int {
	if parallelMake() {
		return 1
	}
	return jobs(false)
}
