// Package gocommand runs the user's go command and reads its output: its environment, the packages
// that it lists, and its errors. It knows nothing of targets.
//
// Every package that resolves, lists or builds uses it. Each run has a process group of its own,
// which is killed when the context ends. With the path of the parallax executable it also runs
// under Guard, unless it starts no process, so that no compiler outlives parallax. Errors that the
// user can fix, such as a missing network, are exit.Usage errors.
package gocommand

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/leader"
)

// lazyGC makes compilers and linkers collect garbage less often. They need a fifth less CPU time
// and a fifth more memory. This was measured with GOGC 100 and 400 on a build of the worker's
// packages and their imports (empty GOCACHE, Go 1.26).
const lazyGC = "GOGC=400"

// Command is one run of the go command.
type Command struct {
	Dir   string
	Env   []string // added to the environment
	Guard string   // the parallax executable; empty: run without a guard, as what is alone does
	Args  []string // after "go"
}

// alone reports whether a command starts no other process. It is gone with this one by itself, and
// a guard would cost as much as its answer.
func alone(args []string) bool {
	return args[0] == "env" || len(args) > 1 && (args[0] == "mod" || args[0] == "work") && args[1] == "edit"
}

// Run executes the command in a process group of its own and returns what it wrote. The group is
// killed when ctx ends. Under a guard it is also killed when this process dies, however that
// happens.
func Run(ctx context.Context, c Command) (stdout, stderr []byte, err error) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		return nil, nil, exit.Usage("no go command on PATH: parallax builds with the Go toolchain, 1.22 or later; install it from https://go.dev/dl")
	}
	argv := append([]string{goTool}, unstamped(c.Args)...)
	death := syscall.SIGKILL
	if c.Guard != "" && !alone(c.Args) {
		argv = append([]string{c.Guard, "guard", "--"}, argv...)
		death = syscall.SIGTERM
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = c.Dir
	cmd.Env = append([]string{lazyGC}, os.Environ()...) // of two values the last counts: the user's
	cmd.Env = append(cmd.Env, c.Env...)
	if c.Dir != "" {
		cmd.Env = append(cmd.Env, "PWD="+c.Dir)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: death}
	cmd.WaitDelay = 2 * time.Second

	// PR_SET_PDEATHSIG fires when the thread that forked ends, so that thread is kept until the
	// command is done.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, fmt.Errorf("starting %s: %w", argv[0], err)
	}
	l := leader.New(cmd)
	stop := context.AfterFunc(ctx, func() { l.SignalGroup(death) }) // a guard ends the group of its command
	err = l.Wait()
	stop()
	if ctx.Err() != nil {
		return out.Bytes(), errs.Bytes(), ctx.Err()
	}
	return out.Bytes(), errs.Bytes(), err
}

// unstamped keeps the go command from asking git for the revision, which it does for each main
// package, those of tests too. In a repository from a stranger, git would run the filters and the
// file system monitor that the repository's configuration names.
func unstamped(args []string) []string {
	if len(args) == 0 || !slices.Contains([]string{"build", "list", "test"}, args[0]) || slices.Contains(args, "-m") {
		return args
	}
	return slices.Concat(args[:1], []string{"-buildvcs=false"}, args[1:])
}
