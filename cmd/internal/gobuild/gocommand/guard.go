package gocommand

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/leader"
)

// Guard is the command `parallax guard -- COMMAND ARGUMENTS...`. It runs the command in its own
// process group, and exits as the command does. When its parent dies or it gets SIGTERM, it kills
// the whole group. The command has a folder of its own for temporary files, which the guard removes
// at the end. If the guard itself is killed, the next guard removes it.
func Guard(args []string) int {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, "parallax guard: no command")
		return exit.UsageCode
	}
	ending := make(chan os.Signal, 1)
	signal.Notify(ending, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	parent := os.Getppid()
	syscall.Setpgid(0, 0) // fails only where it is the leader of a session already, which is a group of its own too
	runtime.LockOSThread()
	// The parent asked for SIGTERM at its death through SysProcAttr.Pdeathsig. Here again, for a
	// guard started otherwise.
	syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGTERM), 0)
	if os.Getppid() != parent {
		return exit.InfraCode
	}
	temp := newTemporary()
	defer temp.remove()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = temp.env()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "parallax guard:", err)
		return exit.InfraCode
	}
	done := make(chan error, 1)
	l := leader.New(cmd)
	go func() { done <- l.Wait() }()
	select {
	case <-ending:
		l.Kill()
		<-done
		return exit.InfraCode
	case err := <-done:
		var failed *exec.ExitError
		switch {
		case err == nil:
			return exit.OK
		case errors.As(err, &failed) && failed.ExitCode() >= 0:
			return failed.ExitCode()
		}
		fmt.Fprintln(os.Stderr, "parallax guard:", err)
		return exit.InfraCode
	}
}
