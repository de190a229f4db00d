// Package compiler runs a C compiler for models and their originals under a time limit. Without a
// limit, a wrapper that waits for a server, or a compiler in an endless loop, would block the
// command.
//
// Invariant: no process in the compiler's process group outlives Run.
package compiler

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"parallax/cmd/internal/base/leader"
)

// Limit bounds the time of a compiler run. Tests change it.
var Limit = 2 * time.Minute

// SlowError reports a compiler that did not end within Limit.
type SlowError struct {
	Program string
	Limit   time.Duration
}

func (e *SlowError) Error() string {
	return fmt.Sprintf("the C compiler %s did not end within %v: is it a wrapper that waits for something? Try it by hand", e.Program, e.Limit)
}

// Run runs a compiler in dir and returns its standard output and its messages. An empty dir means
// the current one. The error is a *SlowError, the context's error, or that of exec.Cmd.Run.
func Run(ctx context.Context, dir, program string, args ...string) (out, messages []byte, err error) {
	limited, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	cmd := exec.CommandContext(limited, program, args...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	cmd.WaitDelay = time.Second
	err = leader.Run(limited, cmd)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		err = ctx.Err()
	case errors.Is(limited.Err(), context.DeadlineExceeded):
		err = &SlowError{program, Limit}
	}
	return stdout.Bytes(), stderr.Bytes(), err
}
