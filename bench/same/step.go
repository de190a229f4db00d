package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// step is a command of a campaign.
type step struct {
	args []string // of parallax; {left} stands for the folder that is recorded
	each string   // a glob in the folder that is recorded: the command is run once, with the base names of what matches added
	keep []string // files of the working folder that are recorded afterwards
}

// patience is how long a step may take: many times what the slowest one does.
const patience = 10 * time.Minute

// step runs a command and writes down what it printed and how it ended.
func (r *recorder) step(ctx context.Context, p place, number int, s step) (exit int, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	args := p.expand(s.args)
	if s.each != "" {
		found, err := filepath.Glob(filepath.Join(p.left, filepath.FromSlash(s.each)))
		if err != nil {
			return 0, err
		}
		for _, name := range found { // Glob sorts
			args = append(args, filepath.Base(name))
		}
	}
	cmd := exec.CommandContext(ctx, r.tool, args...)
	cmd.Dir = p.dir
	// PATH leads generated scripts to the build under test; Python writes no byte code into the shared tree.
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PATH="+filepath.Dir(r.tool)+string(os.PathListSeparator)+os.Getenv("PATH"))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second
	err = cmd.Run()
	var exited *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return 0, fmt.Errorf("parallax %q: %w\n%s", args, ctx.Err(), stderr.Bytes())
	case err != nil && !errors.As(err, &exited):
		return 0, err
	}
	said := filepath.Join(p.left, fmt.Sprintf("step-%02d", number+1))
	exit = cmd.ProcessState.ExitCode()
	return exit, errors.Join(
		os.WriteFile(said+".stdout", stdout.Bytes(), 0o644),
		os.WriteFile(said+".stderr", stderr.Bytes(), 0o644),
		os.WriteFile(said+".exit", []byte(fmt.Sprintln(exit)), 0o644),
		r.keep(p, said, s.keep),
	)
}

func (r *recorder) keep(p place, said string, names []string) error {
	for _, name := range names {
		if err := copyFile(filepath.Join(p.dir, name), said+"."+filepath.Base(name)); err != nil {
			return err
		}
	}
	return nil
}
