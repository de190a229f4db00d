// Package engine runs the fuzzing engines that bench compares, go test -fuzz and parallax fuzz, on
// a subject. It reports their results and cost. The programs of bench call it. An engine begins
// with the subject's own seeds and nothing else: the folder for a run is new, and holds all that
// the engine keeps.
package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"parallax/bench/internal/process"
	"parallax/bench/internal/subject"
)

// Limit ends a run. One of the fields is set.
type Limit struct {
	Time   time.Duration // as -fuzztime
	Inputs int           // as -fuzztime Nx
	CPU    time.Duration // of all processes, not counting what building took
}

// Result is the result of a run.
type Result struct {
	Executions   int64
	CPU          time.Duration // user and system, of all processes, building included
	Building     time.Duration // part of CPU that was spent before the first process that fuzzes
	Wall         time.Duration
	Findings     int              // failing inputs of go test, buckets of parallax
	Restarts     int              // go test ends at a failing input; it was started again
	Progress     process.Progress // of CPU without building
	Instrumented subject.Instrumented

	// Further figures from the summary of parallax. They are no measure against another engine, which
	// counts other things.
	Inputs          int64 // executed and counted: seeds and mutants
	Corpus          int   // inputs kept
	Blocks, Covered int   // instrumented, and those of them that were executed
}

// Fuzzing is the CPU time without what came before.
func (r Result) Fuzzing() time.Duration { return r.CPU - r.Building }

// Engine fuzzes one subject.
type Engine interface {
	Name() string
	// Fuzz runs the engine with one worker. The folder is made; it must not exist.
	Fuzz(ctx context.Context, folder string, limit Limit, seed int) (Result, error)
	// Inputs returns what a run has kept in its folder, failing inputs among it, with the times of the
	// files. Each is in the format of testdata/fuzz.
	Inputs(folder string) ([]process.Kept[[]byte], error)
}

const (
	// grace is the time in which an interrupted engine may end. Its work in that time counts.
	grace = 20 * time.Second
	// slow is the largest ratio of wall time to CPU time before a run is given up. The engines use one
	// processor and a little, and a busy machine has several programs for each.
	slow = 20
)

// patience is how long on the wall a run with a limit of CPU time may take.
func patience(cpu time.Duration) time.Duration { return slow*cpu + time.Minute }

// errStalled says that a run did not use its CPU time.
var errStalled = errors.New("the engine does next to nothing")

// clock returns the CPU time that counts.
type clock func() time.Duration

// follow waits for a process to end. If there is a limit, it interrupts the process once that has
// used the CPU time. It kills the process if it then continues, or when the context ends.
func follow(ctx context.Context, p *process.Process, limit time.Duration, used clock) (u process.Usage, interrupted bool, err error) {
	deadline := time.Now().Add(patience(limit))
	for limit > 0 && !interrupted && err == nil {
		left := limit - used()
		switch {
		case left <= 0:
			p.Interrupt()
			interrupted = true
		case time.Now().After(deadline):
			err = errStalled
		default:
			// The soonest end, if four processors are kept busy; one worker and its supervisor hardly need
			// two.
			err = pause(ctx, p, min(max(left/4, 5*time.Millisecond), time.Second))
		}
		if err == errEnded {
			err = nil
			break
		}
	}
	over := make(<-chan time.Time)
	if interrupted {
		over = time.After(grace)
	}
	if err == nil {
		select {
		case <-p.Ended():
		case <-over:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	select {
	case <-p.Ended():
	default:
		p.Kill()
	}
	u, waitErr := p.Wait(2 * time.Second)
	return u, interrupted, errors.Join(err, waitErr)
}

var errEnded = errors.New("ended")

// pause waits, until the process or the context ends.
func pause(ctx context.Context, p *process.Process, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-p.Ended():
		return errEnded
	case <-ctx.Done():
		return ctx.Err()
	}
}

// tail is the end of a file, for errors.
func tail(file string) string {
	data, _ := os.ReadFile(file)
	return string(bytes.TrimSpace(data[max(0, len(data)-2000):]))
}

// files reads all regular files of a folder, which need not exist, but those that a name is
// refused.
func files(folder string, accept func(name string) bool) (contents []process.Kept[[]byte], err error) {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !accept(e.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		contents = append(contents, process.Kept[[]byte]{What: data, At: info.ModTime()})
	}
	return contents, nil
}

// makeFolder makes the folder of a run.
func makeFolder(folder string) error {
	if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		return err
	}
	if err := os.Mkdir(folder, 0o755); err != nil {
		return fmt.Errorf("the folder for a run: %w", err)
	}
	return nil
}
