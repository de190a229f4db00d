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

// Main is `parallax lockstep SPEC`: it serves the supervisor that started it, and returns the exit
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
		spec.MaxFlat = n // of the supervisor: inputs that are triaged may be longer than those that are fuzzed
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

// sweep ends whatever is left in the group of processes that this process leads, itself included:
// what a Go function started in the build that records operands. The supervisor does so too, unless
// it was killed.
func sweep() {
	if syscall.Getpgrp() == os.Getpid() {
		syscall.Kill(0, syscall.SIGKILL)
	}
}

// coded is a failure with the exit code that it leads to.
type coded struct{ *program.Failure }

func (c coded) ExitCode() int { return c.Code }
