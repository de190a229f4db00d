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

	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/base/leader"
)

// Compilers of deferred variants run in the background of a campaign, or alone. They end with the
// process that started them, however it ends.

// lowPriority is the niceness during a campaign. With as many workers as processors, compilers get
// a tenth of the time.
const lowPriority = 10

// runInBackground runs a command in a process group of its own, which ends when ctx does.
func runInBackground(ctx context.Context, cmd *exec.Cmd, low bool) error {
	done := make(chan error, 1)
	go func() {
		// The kernel sends the signal when the thread that started the process ends, and priorities
		// belong to threads. The thread therefore stays locked, and ends with this goroutine.
		runtime.LockOSThread()
		if low {
			// of this thread, which the process inherits
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, lowPriority)
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

// errTransient is wrapped by reasons that may not apply to another attempt. They are reported and
// not stored.
type errTransient struct{ why string }

func (e *errTransient) Error() string { return e.why }

// crashes lists signals that end a compiler because of its input.
var crashes = []syscall.Signal{syscall.SIGSEGV, syscall.SIGABRT, syscall.SIGILL, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGTRAP}

// crashed reports whether a compiler or linker failed by a bug of its own. Another attempt would
// fail in the same way.
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

// toolLine matches the begin of a tool's own messages, as opposed to source excerpts.
var toolLine = lazyregexp.New(`^(([^\s:]*/)?([\w.+-]*-)?(ld|lld|gold|mold|collect2|as|sh)([.-][\w.]+)?: |([^\s:]+: )?(fatal )?error: |LLVM ERROR: |terminate called |  what\(\): )`)

// signs lists texts of tools that reached limits of the machine.
var signs = []string{"unable to execute command", "out of memory", "memory exhausted", "bad_alloc", "No space left", "Disk quota exceeded", "Input/output error",
	"Cannot allocate memory", "Resource temporarily unavailable", "Read-only file system", "cannot find", "no such file or directory", "No such file or directory",
	"ld terminated with signal"}

// transient returns an error if clang failed for a reason outside of its input: it was killed, or
// the disk is full.
func transient(ctx context.Context, said string, failed *exec.ExitError) error {
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
				return &errTransient{shortened(strings.TrimSpace(line))}
			}
		}
	}
	switch {
	case crashed(said, failed):
		return nil
	case status.Signaled():
		return &errTransient{"the compiler was ended by a signal (" + status.Signal().String() + "), as it is where memory runs out"}
	case status.ExitStatus() > 128 && status.ExitStatus() < 128+32:
		return &errTransient{"the compiler was ended by a signal (" + syscall.Signal(status.ExitStatus()-128).String() + "), as it is where memory runs out"}
	}
	return nil
}

// sameClang checks that a clang still exists, and is still the release that compiled the rest.
func sameClang(path, release string) error {
	if !filepath.IsAbs(path) {
		if found, err := exec.LookPath(path); err == nil {
			path = found
		}
	}
	const todo = ": install that one again, or build the program again"
	if _, err := os.Stat(path); err != nil {
		return &errTransient{"the program was built by clang " + release + ", " + path + ", which is not there any more" + todo}
	}
	now, err := releaseOf(path)
	if err != nil {
		return &errTransient{err.Error()}
	}
	if now != release {
		return &errTransient{"the program was built by clang " + release + ", and " + path + " is clang " + now + " now" + todo}
	}
	return nil
}

// explainDiskError explains an error of the folder in which a variant is made. It returns nil for
// other errors.
func explainDiskError(folder string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return &errTransient{folder + " has no room for it: " + err.Error() + ": make room there"}
	case errors.Is(err, syscall.EROFS), errors.Is(err, os.ErrPermission):
		return &errTransient{folder + " cannot be written: " + err.Error() + ": make it writable, or copy the program and the folder to where it is"}
	}
	return nil
}

// jobs returns the number of concurrent compilers: the processors of this process, fewer during a
// campaign, and no more than the memory allows.
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

// available returns the available memory of /proc/meminfo in KiB.
func available(meminfo string) (kib int, ok bool) {
	for line := range strings.Lines(meminfo) {
		if rest, ok := strings.CutPrefix(line, "MemAvailable:"); ok {
			n, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")))
			return n, err == nil
		}
	}
	return 0, false
}

// jobs returns the number of concurrent compilers for a build that has started one of them.
func (w *wrapper) jobs() int {
	if parallelMake() {
		return 1
	}
	return jobs(false)
}
