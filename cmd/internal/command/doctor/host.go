package doctor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"

	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/process/quota"
)

// A Host is the machine as the checks see it.
type Host struct {
	OS, Arch     string
	LookPath     func(program string) (string, error)
	Output       func(program string, args ...string) (string, error) // standard output; the error holds standard error
	Getenv       func(string) string
	ReadFile     func(string) ([]byte, error)
	WorkDir      func() (string, error)
	Writable     func(dir string) error
	Free         func(dir string) (uint64, error) // bytes
	Cores        func() int
	SharedMemory func() error                       // makes, maps and shares an anonymous file
	Sandbox      func() (notes []string, err error) // confines a program, and tells what is not permitted
	Limits       func() (held Held, err error)      // how the kernel holds programs to their limits, or why it cannot
	Processes    func() (uint64, error)
	Terminal     func() bool // standard error is one
}

// System is this machine.
func System() Host {
	return Host{
		OS: runtime.GOOS, Arch: runtime.GOARCH,
		LookPath: exec.LookPath, Output: output, Getenv: os.Getenv, ReadFile: os.ReadFile, WorkDir: os.Getwd,
		Writable: writable, Free: func(dir string) (uint64, error) { return free(existing(dir)) },
		Cores:        func() int { return runtime.GOMAXPROCS(0) },
		SharedMemory: sharedMemory, Sandbox: sandbox, Limits: held, Processes: processLimit,
		Terminal: func() bool { return term.IsTerminal(os.Stderr.Fd()) },
	}
}

// Output gives a program a minute: a tool that hangs is a finding too, and the first go command of a machine may have to
// fetch a toolchain.
func output(program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		err = fmt.Errorf("no answer in a minute")
	case err != nil && stderr.Len() > 0:
		err = fmt.Errorf("%s", strings.TrimSpace(stderr.String()))
	}
	return stdout.String(), err
}

// Sandbox opens a sandbox, as commands and drivers run in.
func sandbox() ([]string, error) {
	tool, err := os.Executable()
	if err != nil {
		return nil, err
	}
	b, err := confine.Open(context.Background(), confine.Options{Tool: tool, Dir: os.TempDir(), Limits: limits.Limits{Processes: 64}})
	if err != nil {
		return nil, err
	}
	notes := b.Notes()
	return notes, b.Close()
}

// Held is how the kernel holds programs to their limits, and what it does not hold.
type Held struct {
	How  string
	Open []string
}

// held reports how the kernel holds programs. A sandbox is opened, since there may be more in its way than the machine's way is known by.
func held() (h Held, err error) {
	m := quota.Find()
	if m.Way == quota.None {
		return h, m.Reasons()
	}
	tool, err := os.Executable()
	if err != nil {
		return h, err
	}
	b, err := confine.Open(context.Background(), confine.Options{Tool: tool, Dir: os.TempDir(), Limits: limits.Limits{Processes: 64, Memory: 1 << 30}})
	if err == nil {
		err = b.Close()
	}
	if errors.Is(err, quota.ErrNone) {
		return h, err
	}
	return Held{How: m.String(), Open: execute.LimitNotes(false)}, nil
}

// Writable makes and removes a file. For a folder that does not exist yet, the nearest one above it that does is tried.
func writable(dir string) error {
	f, err := os.CreateTemp(existing(dir), ".parallax-doctor-*")
	if err != nil {
		return err
	}
	name := f.Name()
	_, err = f.WriteString("x")
	if e := f.Close(); err == nil {
		err = e
	}
	if e := os.Remove(name); err == nil {
		err = e
	}
	return err
}

func existing(dir string) string {
	for {
		if info, err := os.Stat(dir); (err == nil && info.IsDir()) || filepath.Dir(dir) == dir {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}
