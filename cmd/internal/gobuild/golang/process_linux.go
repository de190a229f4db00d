package golang

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// dieWithParent asks the kernel to kill this process when the one that started it ends. The setting
// survives execve.
func dieWithParent() error {
	parent := os.Getppid()
	if _, _, e := syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0); e != 0 {
		return fmt.Errorf("prctl: %w", e)
	}
	if os.Getppid() != parent {
		return errors.New("the process that started it has ended")
	}
	return nil
}

func childDiesWithUs(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

// passThrough becomes the tool; it returns only if that fails.
func passThrough(args []string) error {
	return syscall.Exec(args[0], args, os.Environ())
}
