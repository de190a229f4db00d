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
	args   []string // of parallax; {left} is the folder that is recorded
	each   string   // a glob in the folder that is recorded: the command is run for each of the first matches, with its base name added
	keep   []string // files of the working folder that are recorded afterwards
	settle string   // instead of a command: the folder of a campaign that gets times of our own
}

// often is for how many matches a step with each is run.
const often = 3

// patience is how long a command may take: many times what the slowest one does.
const patience = 10 * time.Minute

// step runs the commands of a step. Their output goes to files that begin with its number.
func (r *recorder) step(ctx context.Context, p place, number int, s step) (exits []int, err error) {
	if s.settle != "" {
		return nil, settle(filepath.Join(p.left, s.settle))
	}
	args := p.expand(s.args)
	said := filepath.Join(p.left, fmt.Sprintf("step-%02d", number+1))
	variants := [][]string{args}
	if s.each != "" {
		found, err := filepath.Glob(filepath.Join(p.left, filepath.FromSlash(s.each))) // sorted
		if err != nil {
			return nil, err
		}
		variants = nil
		for _, name := range found[:min(len(found), often)] {
			variants = append(variants, append(args[:len(args):len(args)], filepath.Base(name)))
		}
	}
	for i, args := range variants {
		name := said
		if i > 0 {
			name += fmt.Sprintf("-%d", i+1)
		}
		exit, err := r.command(ctx, p, args, name)
		if err != nil {
			return nil, err
		}
		exits = append(exits, exit)
	}
	for _, name := range s.keep {
		if err := copyFile(filepath.Join(p.dir, name), said+"."+filepath.Base(name)); err != nil {
			return nil, err
		}
	}
	return exits, nil
}

// command runs parallax once and writes down what it printed and how it ended.
func (r *recorder) command(ctx context.Context, p place, args []string, said string) (exit int, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.tool, args...)
	cmd.Dir = p.dir
	// Python would write into the tree, which is shared; the go command's cache is that of always.
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PARALLAX_TRIAGE_TIME=0", "XDG_CACHE_HOME="+p.cache, "GOCACHE="+r.gocache)
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
	exit = cmd.ProcessState.ExitCode()
	return exit, errors.Join(
		os.WriteFile(said+".stdout", stdout.Bytes(), 0o644),
		os.WriteFile(said+".stderr", stderr.Bytes(), 0o644),
		os.WriteFile(said+".exit", []byte(fmt.Sprintln(exit)), 0o644),
	)
}
