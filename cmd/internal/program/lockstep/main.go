package lockstep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"syscall"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/program"
	"parallax/internal/worker"
)

// Main is `parallax lockstep SPEC`. It serves the supervisor that started it, and returns the exit
// code.
func Main(args []string, kinds program.Table) int {
	if len(args) != 1 || !worker.Wanted() {
		fmt.Fprintln(os.Stderr, "parallax diff starts parallax lockstep.")
		return exit.UsageCode
	}
	if err := serve(args[0], kinds); err != nil {
		fmt.Fprintln(os.Stderr, "parallax lockstep:", err)
		return exit.InfraCode
	}
	return exit.OK
}

func serve(path string, kinds program.Table) error {
	spec, err := read(path)
	if err != nil {
		return err
	}
	if n, err := strconv.Atoi(os.Getenv("PARALLAX_INPUT")); err == nil {
		// from the supervisor: inputs in triage may be longer than those in fuzzing
		spec.MaxFlat = n
	}
	if n, err := strconv.ParseInt(os.Getenv("PARALLAX_MEMORY"), 10, 64); err == nil && n > 0 {
		debug.SetMemoryLimit(n / 4 * 3)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	l, err := open(ctx, spec, kinds)
	var failed *program.Failure
	if errors.As(err, &failed) {
		return worker.Refuse(coded{failed})
	}
	if err != nil {
		return err
	}
	defer sweep()
	defer l.close()
	return worker.ServeRemote(l.target)
}

// sweep kills the rest of the process group that this process leads, including itself. A Go
// function may have started processes in the cmplog build. The supervisor does the same, unless it
// was killed.
func sweep() {
	if syscall.Getpgrp() == os.Getpid() {
		syscall.Kill(0, syscall.SIGKILL)
	}
}

// coded is a failure with its exit code.
type coded struct{ *program.Failure }

func (c coded) ExitCode() int { return c.Code }
