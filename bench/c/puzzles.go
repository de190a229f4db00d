package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
)

// trial is one attempt of one side at a puzzle.
type trial struct {
	Puzzle     string `json:"puzzle"`
	Trial      int    `json:"trial"` // the seed of its randomness
	Side       string `json:"side"`
	Cap        int    `json:"cap"`
	Reached    bool   `json:"reached"`
	Executions int64  `json:"executions"` // until the abort is reached, the operand runs among them; or all
	// The operand runs of parallax until it was stopped, which is after the abort.
	CmpLogRuns int64  `json:"operand_runs,omitempty"`
	Clang      string `json:"clang"`
	origin.Origin
}

type attempt struct {
	puzzle, side string
	trial        int
}

// solve has both sides try all puzzles, in turns.
func (m *measurement) solve(ctx context.Context) error {
	taken, err := samples.Read[trial](m.puzzles)
	if err != nil {
		return err
	}
	done := map[attempt]bool{}
	var origins []origin.Origin
	for _, t := range taken {
		if t.Cap != m.cap {
			return fmt.Errorf("%s has trials of %d executions, not %d: remove it to begin anew", m.puzzles, t.Cap, m.cap)
		}
		done[attempt{t.Puzzle, t.Side, t.Trial}] = true
		origins = append(origins, t.Origin)
	}
	if err := m.Here.Check(m.puzzles, origins); err != nil {
		return err
	}
	list, err := m.list()
	if err != nil {
		return err
	}
	var left []attempt
	for n := 1; n <= m.trials; n++ {
		for _, name := range list {
			for _, side := range []string{ours, libFuzzer} {
				if a := (attempt{name, side, n}); !done[a] && m.only.MatchString("puzzles/"+name) {
					left = append(left, a)
				}
			}
		}
	}
	return m.tryAll(ctx, left)
}

// list are the puzzles that were built.
func (m *measurement) list() (names []string, err error) {
	sources, err := filepath.Glob(filepath.Join(m.Work, "puzzles", "*.c"))
	if err == nil && sources == nil {
		err = fmt.Errorf("%s has no puzzles: build.sh makes them", m.Work)
	}
	for _, s := range sources {
		names = append(names, strings.TrimSuffix(filepath.Base(s), ".c"))
	}
	return names, err
}

// tryAll makes attempts, some at a time.
func (m *measurement) tryAll(ctx context.Context, left []attempt) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var (
		mu     sync.Mutex
		failed error
		wait   sync.WaitGroup
	)
	work := make(chan attempt)
	for i := range m.jobs {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for a := range work {
				t, err := m.try(ctx, a, filepath.Join(m.runs, fmt.Sprint("try", i)))
				mu.Lock()
				if err == nil {
					err = samples.Append(m.puzzles, t)
				}
				if err != nil && failed == nil {
					failed = fmt.Errorf("%s, %s, trial %d: %w", a.puzzle, a.side, a.trial, err)
					cancel()
				}
				mu.Unlock()
			}
		}()
	}
	for _, a := range left {
		if ctx.Err() != nil {
			break
		}
		work <- a
	}
	close(work)
	wait.Wait()
	return errors.Join(failed, ctx.Err())
}

// try makes one attempt in a folder that is new.
func (m *measurement) try(ctx context.Context, a attempt, folder string) (trial, error) {
	t := trial{Puzzle: a.puzzle, Trial: a.trial, Side: a.side, Cap: m.cap, Clang: m.clang, Origin: m.Here}
	if err := os.RemoveAll(folder); err != nil {
		return t, err
	}
	if err := os.MkdirAll(filepath.Join(folder, "corpus"), 0o755); err != nil {
		return t, err
	}
	binary, seeds := filepath.Join(m.Work, "bin", a.puzzle), filepath.Join(m.Work, "seeds", "puzzles")
	err := error(nil)
	if a.side == ours {
		err = m.tryOurs(ctx, &t, fuzzCommand(m.Tool, binary+".parallax", seeds, folder, a.trial, fmt.Sprint(m.cap, "x")), folder)
	} else {
		err = m.tryLibFuzzer(ctx, &t, []string{
			binary + ".libfuzzer", fmt.Sprint("-seed=", a.trial), fmt.Sprint("-max_len=", maxBytes), "-print_final_stats=1",
			fmt.Sprint("-runs=", m.cap), "corpus", seeds,
		}, folder)
	}
	if err != nil {
		text, _ := os.ReadFile(filepath.Join(folder, stderrFile))
		return t, fmt.Errorf("%w: %s", err, tail(text))
	}
	return t, os.RemoveAll(folder)
}

// command prepares a command whose outputs go to the folder.
func command(args []string, folder string) (*exec.Cmd, func(), error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = folder
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // ^C is for this program
	stdout, err := os.Create(filepath.Join(folder, stdoutFile))
	if err != nil {
		return nil, nil, err
	}
	stderr, err := os.Create(filepath.Join(folder, stderrFile))
	if err != nil {
		stdout.Close()
		return nil, nil, err
	}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	return cmd, func() { stdout.Close(); stderr.Close() }, nil
}

// await waits for a command, and interrupts it when ready says so or the context ends.
func await(ctx context.Context, cmd *exec.Cmd, ready func() bool) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	stopping := false
	for {
		select {
		case err := <-ended:
			var exited *exec.ExitError
			if errors.As(err, &exited) {
				err = nil // what it says counts
			}
			return errors.Join(err, ctx.Err())
		case <-tick.C:
			if !stopping && (ctx.Err() != nil || ready()) {
				stopping = true
				cmd.Process.Signal(os.Interrupt)
			}
		}
	}
}

// tryOurs lets parallax go on until a finding is in its folder. The campaign notes how many inputs
// it had executed before.
func (m *measurement) tryOurs(ctx context.Context, t *trial, args []string, folder string) error {
	cmd, closeFiles, err := command(args, folder)
	if err != nil {
		return err
	}
	defer closeFiles()
	if err := await(ctx, cmd, func() bool {
		found, _ := filepath.Glob(filepath.Join(folder, "campaign", "findings", "*", "*", "input"))
		return found != nil
	}); err != nil {
		return err
	}
	s, err := readJSON(folder)
	if err != nil {
		return err
	}
	t.Executions, t.CmpLogRuns = s.Executions, s.CmpLogRuns
	for _, b := range s.Findings.Buckets {
		if b.Kind != "crash" {
			return fmt.Errorf("a finding of kind %s in a puzzle", b.Kind)
		}
		t.Reached, t.Executions = true, min(t.Executions, b.FirstSeen)
	}
	t.Executions += t.CmpLogRuns
	if !t.Reached && s.Executions < int64(m.cap) {
		return fmt.Errorf("parallax ended after %d executions with exit code %d", s.Executions, cmd.ProcessState.ExitCode())
	}
	return nil
}

// tryLibFuzzer lets libFuzzer go on until it ends.
func (m *measurement) tryLibFuzzer(ctx context.Context, t *trial, args []string, folder string) error {
	cmd, closeFiles, err := command(args, folder)
	if err != nil {
		return err
	}
	defer closeFiles()
	if err := await(ctx, cmd, func() bool { return false }); err != nil {
		return err
	}
	s, err := readLibFuzzer(folder)
	t.Reached, t.Executions = s.findings > 0, s.executions
	if err == nil && !t.Reached && t.Executions < int64(m.cap) {
		err = fmt.Errorf("libFuzzer ended after %d executions with exit code %d", t.Executions, cmd.ProcessState.ExitCode())
	}
	return err
}
