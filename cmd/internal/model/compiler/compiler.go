// Package compiler runs a C compiler for models and their originals, for no longer than it may take: a wrapper that waits for a server, or a compiler that
// goes round in a circle, would hold up the command for ever.
//
// Invariant: nothing that a compiler has started in its process group outlives Run.
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

// Limit is how long a compiler may take for a file. It is a variable for tests.
var Limit = 2 * time.Minute

// SlowError is of a compiler that did not end within the Limit.
type SlowError struct {
	Program string
	Limit   time.Duration
}

func (e *SlowError) Error() string {
	return fmt.Sprintf("the C compiler %s did not end within %v: is it a wrapper that waits for something? Try it by hand", e.Program, e.Limit)
}

// Run runs a compiler in a folder, "" for the current one, and returns what it wrote and what it said. The error is a *SlowError, that of the context, or as
// exec.Cmd.Run has it.
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
