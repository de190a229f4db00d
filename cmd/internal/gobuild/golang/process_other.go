//go:build !linux

package golang

import (
	"errors"
	"os"
	"os/exec"
)

// dieWithParent does nothing: only Linux signals the death of the parent process.
func dieWithParent() error { return nil }

func childDiesWithUs(*exec.Cmd) {}

// passThrough runs the tool and exits with its code; it returns only if the tool does not start.
func passThrough(args []string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	os.Exit(cmd.ProcessState.ExitCode())
	return nil
}
