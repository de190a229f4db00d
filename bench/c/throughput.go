package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/process"
	"parallax/bench/internal/samples"
)

// sample is one run of one side on a harness, or, in round 0, the seeds alone.
type sample struct {
	Round      int     `json:"round"`
	Subject    string  `json:"subject"`
	Side       string  `json:"side"`
	Budget     float64 `json:"budget_cpu_seconds"`
	Executions int64   `json:"executions"`
	CPU        float64 `json:"cpu_seconds"` // all processes, user and system, starting included
	Wall       float64 `json:"wall_seconds"`
	CmpLogRuns int64   `json:"operand_runs,omitempty"` // not among the executions
	TriageRuns int64   `json:"judging_runs,omitempty"` // not among the executions
	Findings   int     `json:"findings"`
	Restarts   int     `json:"restarts"`
	Inputs     int     `json:"inputs"`   // kept, and replayed together with the seeds
	Blocks     int     `json:"blocks"`   // that they cover
	Of         int     `json:"of"`       // blocks with a counter
	LeftOut    int     `json:"left_out"` // inputs that end the process of the replay, and so count in part
	Load       string  `json:"loadavg"`
	// blocks over CPU time; an input counts in the second in which its file was written
	Series *process.Series `json:"series,omitempty"`
	Clang  string          `json:"clang"`
	origin.Origin
}

func (s sample) rate() float64 { return float64(s.Executions) / s.CPU }

const seedsAlone = "seeds"

// subjects are the harnesses of build.sh, the first one for all sides.
var subjects = []string{"trivial", "expat", "libxml2"}

type key struct {
	subject, side string
	round         int
}

// race measures all sides on all harnesses in turns.
func (m *measurement) race(ctx context.Context) error {
	taken, err := samples.Read[sample](m.File)
	if err != nil {
		return err
	}
	done := map[key]bool{}
	var origins []origin.Origin
	for _, s := range taken {
		if s.Side != seedsAlone && s.Budget != m.cpu.Seconds() {
			return fmt.Errorf("%s has runs of %v CPU seconds, not %v: remove it to begin anew", m.File, s.Budget, m.cpu)
		}
		done[key{s.Subject, s.Side, s.Round}] = true
		origins = append(origins, s.Origin)
	}
	if err := m.Here.Check(m.File, origins); err != nil {
		return err
	}
	sides := m.sides()
	for round := 0; round <= max(m.rounds, m.variantRounds); round++ {
		for _, subject := range subjects {
			if !m.only.MatchString("throughput/" + subject) {
				continue
			}
			if k := (key{subject, seedsAlone, 0}); round == 0 && !done[k] {
				if err := m.measure(ctx, sample{Subject: subject, Side: seedsAlone}, nil); err != nil {
					return err
				}
			}
			for i := range sides {
				s := &sides[(i+round)%len(sides)] // each of them begins now and then
				k := key{subject, s.name, round}
				if round == 0 || done[k] || s.name == afl && subject != subjects[0] {
					continue
				}
				if limit := m.variantRounds; (s.name == noCmpLog || s.name == fastOnly) && round > limit || round > m.rounds {
					continue
				}
				if err := m.measure(ctx, sample{Round: round, Subject: subject, Side: s.name, Budget: m.cpu.Seconds()}, s); err != nil {
					return fmt.Errorf("%s, %s, round %d: %w", subject, s.name, round, err)
				}
			}
		}
	}
	return nil
}

// measure runs a side, if any, replays what it kept, and writes the sample down.
func (m *measurement) measure(ctx context.Context, one sample, s *side) error {
	folder := filepath.Join(m.runs, "run")
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(folder, "corpus"), 0o755); err != nil {
		return err
	}
	seeds := filepath.Join(m.Work, "seeds", one.Subject)
	groups, err := m.files(nil, seeds+"/*")
	if err != nil {
		return err
	}
	if len(groups) == 0 {
		return fmt.Errorf("%s: there are no seeds: build.sh makes them", seeds)
	}
	one.Load, one.Clang, one.Origin = origin.Load(), m.clang, m.Here
	if s != nil {
		progress, err := m.fuzz(ctx, &one, s, seeds, folder)
		if err != nil {
			return err
		}
		t, err := s.read(folder)
		if err != nil {
			return err
		}
		one.Executions, one.CmpLogRuns, one.TriageRuns, one.Findings = t.executions, t.cmplogRuns, t.triageRuns, t.findings
		kept, err := m.files(progress, s.corpus(folder)...)
		if err != nil {
			return err
		}
		groups = append(groups, kept...)
	}
	c := covered{}
	series := &process.Series{}
	for second, files := range groups {
		if len(files) == 0 {
			continue
		}
		one.Inputs += len(files)
		if err := c.replay(ctx, filepath.Join(m.Work, "bin", one.Subject+".replay"), filepath.Join(folder, "map"), files); err != nil {
			return err
		}
		series.Add(second, c.blocks())
	}
	one.Blocks, one.Of, one.LeftOut = c.blocks(), len(c.all), c.leftOut
	if s != nil {
		one.Series = series
	}
	if err := samples.Append(m.File, one); err != nil {
		return err
	}
	if s != nil {
		fmt.Fprintf(os.Stderr, "%s, round %d, %s: %.0f executions per CPU second in %.1f s, %.0f s on the wall; %d blocks with %d inputs, %d findings\n",
			one.Subject, one.Round, one.Side, one.rate(), one.CPU, one.Wall, one.Blocks, one.Inputs, one.Findings)
	}
	return os.RemoveAll(folder)
}

// files groups the files of some patterns by the CPU second in which they were written.
func (m *measurement) files(progress process.Progress, patterns ...string) ([][]string, error) {
	var all []process.Kept[string]
	for _, p := range patterns {
		found, err := filepath.Glob(p)
		if err != nil {
			return nil, err
		}
		for _, name := range found {
			info, err := os.Stat(name)
			if err != nil {
				return nil, err
			}
			all = append(all, process.Kept[string]{What: name, At: info.ModTime()})
		}
	}
	return process.Seconds(progress, all), nil
}

// maxRestarts is how often a fuzzer that ends at a crash is started again in a run.
const maxRestarts = 20

// fuzz runs a side until its processes have used the CPU time.
func (m *measurement) fuzz(ctx context.Context, one *sample, s *side, seeds, folder string) (progress process.Progress, err error) {
	binary := filepath.Join(m.Work, "bin", one.Subject+"."+s.binary)
	for {
		used, passed, err := m.once(ctx, s, s.args(binary, seeds, folder, one.Round, int(process.Patience(m.cpu).Seconds())), folder, m.cpu-seconds(one.CPU))
		for i := range passed {
			passed[i].CPU += seconds(one.CPU)
		}
		progress = append(progress, passed...)
		one.CPU, one.Wall = one.CPU+used.CPU.Seconds(), one.Wall+used.Wall.Seconds()
		switch {
		case err != nil:
			return nil, err
		case seconds(one.CPU) >= m.cpu-m.cpu/50:
			return progress, nil
		case !s.again || one.Restarts == maxRestarts:
			text, _ := os.ReadFile(filepath.Join(folder, stderrFile))
			return nil, fmt.Errorf("it ended after %.1f CPU seconds with exit code %d: %s", one.CPU, used.Exit, tail(text))
		}
		one.Restarts++
	}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// once runs a command, interrupts it when the CPU time is used up, and waits for all that descends
// from it.
func (m *measurement) once(ctx context.Context, s *side, args []string, folder string, limit time.Duration) (process.Usage, process.Progress, error) {
	const appending = os.O_CREATE | os.O_APPEND | os.O_WRONLY
	stdout, err := os.OpenFile(filepath.Join(folder, stdoutFile), appending, 0o644)
	if err != nil {
		return process.Usage{}, nil, err
	}
	defer stdout.Close()
	stderr, err := os.OpenFile(filepath.Join(folder, stderrFile), appending, 0o644)
	if err != nil {
		return process.Usage{}, nil, err
	}
	defer stderr.Close()
	path := args[0]
	if !strings.Contains(path, "/") {
		path = "/usr/bin/" + path
	}
	p, err := process.Start(process.Command{Path: path, Args: args[1:], Dir: folder, Env: s.env, Stdout: stdout, Stderr: stderr})
	if err != nil {
		return process.Usage{}, nil, err
	}
	err = p.Within(ctx, limit)
	u, waitErr := p.Wait(2 * time.Second)
	return u, p.Progress(0), errors.Join(err, waitErr)
}
