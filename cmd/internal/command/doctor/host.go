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

// Host gives the checks access to the machine.
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
	Sandbox      func() (notes []string, err error) // confines a program, and returns the missing permissions
	Limits       func() (held Held, err error)      // how the kernel enforces the limits of programs, or why it cannot
	Processes    func() (uint64, error)
	Terminal     func() bool // standard error is a terminal
}

// System returns this machine.
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

// output gives a program a minute: a hanging tool is a failure too, and the first go command of a
// machine may fetch a toolchain.
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

// sandbox opens a sandbox like those of commands and drivers.
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

// Held describes how the kernel enforces the limits of programs, and the limits that it does not
// enforce.
type Held struct {
	How  string
	Open []string
}

// held reports how the kernel enforces limits. It opens a sandbox, since the machine's
// configuration alone does not show all obstacles.
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

// writable makes and removes a file. For a missing folder, it tries the nearest existing one above.
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
