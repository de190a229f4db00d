package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/process"
	"parallax/bench/internal/samples"
)

// sample is a trial of go test -fuzz. Those of parallax are samples of parallax bench.
type sample struct {
	Pair    string   `json:"pair"`
	Tool    string   `json:"tool"`
	Trial   int      `json:"trial"` // go test -fuzz has no seed
	Budget  int      `json:"inputs"`
	Found   int      `json:"found_at,omitempty"` // inputs until then, 0 for none
	Input   string   `json:"input,omitempty"`    // quoted
	CPU     float64  `json:"cpu_seconds"`
	Wall    float64  `json:"wall_seconds"`
	Load    string   `json:"loadavg"`
	Command []string `json:"command"`
	origin.Origin
}

const native = "go test -fuzz"

func (m *measurement) run(ctx context.Context) error {
	if m.file == "" {
		return errors.New("-samples is needed")
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	here, err := origin.Here(self, m.revision)
	if err != nil {
		return err
	}
	here.Parallax = "" // it has no part in these trials
	taken, err := samples.Read[sample](m.file)
	if err != nil {
		return err
	}
	for trial := range m.trials {
		for _, p := range m.chosen() {
			if slices.ContainsFunc(taken, func(s sample) bool { return s.Pair == p.name && s.Trial == trial && s.Budget == m.inputs }) {
				continue
			}
			one, err := m.trial(ctx, p, trial)
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			one.Origin = here
			if err := samples.Append(m.file, one); err != nil {
				return err
			}
			fmt.Fprintf(os.Stderr, "%s, trial %d: found at %d, %.1f CPU s, %.0f s\n", p.name, trial, one.Found, one.CPU, one.Wall)
		}
	}
	return nil
}

func (m *measurement) trial(ctx context.Context, p pair, trial int) (s sample, err error) {
	old, err := m.build(ctx, p, oldSide)
	if err != nil {
		return s, err
	}
	binary := filepath.Join(m.dir(p), "fuzz.test")
	if _, err := m.goCommand(ctx, p, fixedSide, "test", "-c", "-fuzz=FuzzSame", "-o", binary, "./fuzz"); err != nil {
		return s, err
	}
	folder := filepath.Join(m.dir(p), "trial")
	dir := filepath.Join(m.dir(p), fixedSide, "fuzz")
	if err := errors.Join(os.RemoveAll(folder), os.RemoveAll(filepath.Join(dir, "testdata")), os.MkdirAll(folder, 0o777)); err != nil {
		return s, err
	}
	found, said := filepath.Join(folder, "found"), filepath.Join(folder, "output.txt")
	out, err := os.Create(said)
	if err != nil {
		return s, err
	}
	defer out.Close()
	args := []string{"-test.run=^$", "-test.fuzz=^FuzzSame$", "-test.parallel=1", "-test.fuzzminimizetime=1x", fmt.Sprintf("-test.fuzztime=%dx", m.inputs)}
	s = sample{Pair: p.name, Tool: native, Trial: trial, Budget: m.inputs, Load: origin.Load(), Command: args}
	value := ""
	if p.known.value {
		value = "1"
	}
	u, err := process.Run(ctx, process.Command{
		Path: binary, Args: append(args, "-test.fuzzcachedir="+filepath.Join(folder, "cache")), Dir: dir, Stdout: out, Stderr: out,
		Env: []string{"TRUTH_OLD=" + old, "TRUTH_FOUND=" + found, "TRUTH_INPUT=" + p.known.input, "TRUTH_OLD_VERDICT=" + p.known.old, "TRUTH_FIXED_VERDICT=" + p.known.fixed, "TRUTH_VALUE=" + value},
	})
	if err != nil {
		return s, err
	}
	s.CPU, s.Wall = u.CPU.Seconds(), u.Wall.Seconds()
	text, err := os.ReadFile(found)
	switch {
	case err == nil:
		at, input, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
		s.Input = input
		_, err = fmt.Sscan(at, &s.Found)
		return s, err
	case !errors.Is(err, os.ErrNotExist):
		return s, err
	case u.Exit != 0:
		data, _ := os.ReadFile(said)
		return s, fmt.Errorf("exit code %d without the known difference:\n%.2000s", u.Exit, data)
	}
	return s, nil
}
