package clang

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
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
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
		cmd.WaitDelay = 2 * time.Second
		done <- cmd.Run()
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

// passing tells whether clang failed for a reason that does not lie in what it was given: it was killed, or the disk is full.
func passing(ctx context.Context, said string, failed *exec.ExitError) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	status, _ := failed.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		return &errPassing{"the compiler was ended by a signal (" + status.Signal().String() + "), as it is where memory runs out"}
	}
	if status.ExitStatus() > 128 {
		return &errPassing{"the compiler crashed: " + reason(said, failed)}
	}
	for _, sign := range []string{"due to signal", "unable to execute command", "out of memory", "ran out of memory", "bad_alloc", "No space left", "Disk quota exceeded",
		"Input/output error", "Cannot allocate memory", "Read-only file system", "cannot find", "no such file or directory", "No such file or directory", "ld terminated with signal"} {
		if i := strings.Index(said, sign); i >= 0 {
			return &errPassing{shortened(strings.TrimSpace(lineAt(said, i)))}
		}
	}
	return nil
}

// lineAt is the line of a text with a place in it.
func lineAt(text string, i int) string {
	start := strings.LastIndexByte(text[:i], '\n') + 1
	line, _, _ := strings.Cut(text[start:], "\n")
	return line
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
	now, err := ask(path)
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
