// Throughput measures executions per second of CPU time of parallax fuzz and of go test -fuzz on
// the same fuzz tests.
//
//	throughput -parallax TOOL -work FOLDER -samples samples.jsonl
//	throughput -table samples.jsonl
//
// Measurements in the file of samples are not repeated, so the same command continues an
// interrupted run. A pair that was interrupted is measured again as a whole.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"parallax/bench/internal/engine"
	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
	"parallax/bench/internal/setting"
	"parallax/bench/internal/subject"
)

func main() {
	var m measurement
	m.Flags()
	flag.StringVar(&m.local, "subjects", "subjects", "folder of the module with this repository's own subjects")
	flag.IntVar(&m.pairs, "pairs", 7, "pairs of runs for each subject")
	flag.DurationVar(&m.time, "time", 12*time.Second, "length of a run on the wall")
	flag.StringVar(&m.only, "only", "", "regular expression: subjects to measure")
	summary := flag.String("table", "", "sum up a file of samples instead")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if *summary != "" {
		err = table(os.Stdout, *summary)
	} else {
		err = m.run(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "throughput:", err)
		os.Exit(1)
	}
}

// sample is one run of one engine.
type sample struct {
	Pair            int     `json:"pair"`
	Subject         string  `json:"subject"`
	Version         string  `json:"version"`
	Side            string  `json:"side"`
	Seconds         float64 `json:"seconds"` // the budget, on the wall
	Executions      int64   `json:"executions"`
	CPU             float64 `json:"cpu_seconds"`      // all processes, user and system, building included
	Building        float64 `json:"building_seconds"` // CPU time until the first process that fuzzes, for comparison
	Fixed           float64 `json:"fixed_cpu_seconds"`
	FixedExecutions int64   `json:"fixed_executions"` // of the same command with a budget of one input
	Findings        int     `json:"findings"`
	Restarts        int     `json:"restarts"`
	Packages        int     `json:"packages"` // instrumented
	Counters        int     `json:"counters"`
	Load            string  `json:"loadavg"`
	origin.Origin
}

// rate is executions per second of CPU time, of what a run did beyond a run of one input.
func (s sample) rate() float64 { return float64(s.Executions-s.FixedExecutions) / (s.CPU - s.Fixed) }

type measurement struct {
	setting.Setting
	local, only string
	pairs       int
	time        time.Duration
	done        map[string]int // pairs of a subject
}

const (
	native = "go test"
	ours   = "parallax"
)

func (m *measurement) run(ctx context.Context) error {
	if err := m.Complete(); err != nil {
		return err
	}
	if m.time < time.Second {
		return errors.New("-time: a second at least")
	}
	var err error
	if m.local, err = filepath.Abs(m.local); err != nil {
		return err
	}
	if err := m.resume(); err != nil {
		return err
	}
	all, err := subject.Choose(subjects(m.local), m.only)
	if err != nil {
		return err
	}
	var chosen []course
	for _, s := range all {
		if m.done[s.Name] >= m.pairs {
			continue
		}
		c, err := m.prepare(ctx, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		chosen = append(chosen, c)
	}
	for pair := 1; pair <= m.pairs; pair++ {
		for _, c := range chosen {
			if pair <= m.done[c.subject.Name] {
				continue
			}
			if err := m.pair(ctx, c, pair); err != nil {
				return fmt.Errorf("%s, pair %d: %w", c.subject.Name, pair, err)
			}
		}
	}
	return table(os.Stdout, m.File)
}

// resume reads what there is, and refuses to mix it with what is measured in another way.
func (m *measurement) resume() error {
	taken, err := samples.Read[sample](m.File)
	if err != nil {
		return err
	}
	m.done = map[string]int{}
	var origins []origin.Origin
	for _, s := range taken {
		if s.Seconds != m.time.Seconds() {
			return fmt.Errorf("%s has runs of %v seconds, not %v: remove it to begin anew", m.File, s.Seconds, m.time)
		}
		m.done[s.Subject] = max(m.done[s.Subject], s.Pair)
		origins = append(origins, s.Origin)
	}
	return m.Here.Check(m.File, origins)
}

// course is a subject with both engines, ready to run.
type course struct {
	subject subject.Subject
	engines [2]engine.Engine
}

// pair measures one engine after the other and writes both samples down, or none.
func (m *measurement) pair(ctx context.Context, c course, pair int) error {
	var both []sample
	for _, e := range c.engines {
		one, err := m.one(ctx, e, c.subject, pair)
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name(), err)
		}
		both = append(both, one)
	}
	if err := samples.Append(m.File, both...); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s, pair %d of %d: %.0f and %.0f executions per CPU second, ratio %.1f\n",
		c.subject.Name, pair, m.pairs, both[0].rate(), both[1].rate(), both[1].rate()/both[0].rate())
	return nil
}

// prepare builds the programs. A run of parallax with a budget of inputs does not begin before all
// is built, and fills its cache. With a budget of time, the second binary, for operands, is built
// in parallel.
func (m *measurement) prepare(ctx context.Context, s subject.Subject) (course, error) {
	fmt.Fprintln(os.Stderr, "building", s.Name)
	pkg, err := s.Checkout(ctx, filepath.Join(m.Work, "modules"))
	if err != nil {
		return course{}, err
	}
	n, err := engine.NewNative(ctx, native, pkg, filepath.Join(m.Work, s.Name+".test"), "1x")
	if err != nil {
		return course{}, err
	}
	p := engine.NewParallax(ours, pkg, m.Tool)
	if _, err := m.fuzz(ctx, p, engine.Limit{Inputs: 1}, 1); err != nil {
		return course{}, err
	}
	return course{s, [2]engine.Engine{n, p}}, nil
}

// fuzz runs an engine in a folder that is new, and removes it.
func (m *measurement) fuzz(ctx context.Context, e engine.Engine, limit engine.Limit, seed int) (engine.Result, error) {
	folder := filepath.Join(m.Work, "run")
	if err := os.RemoveAll(folder); err != nil {
		return engine.Result{}, err
	}
	r, err := e.Fuzz(ctx, folder, limit, seed)
	if err != nil {
		return r, err
	}
	return r, os.RemoveAll(folder)
}

// one measures a run, and what a run of one input takes.
func (m *measurement) one(ctx context.Context, e engine.Engine, s subject.Subject, pair int) (sample, error) {
	fixed, err := m.fuzz(ctx, e, engine.Limit{Inputs: 1}, pair)
	if err != nil {
		return sample{}, err
	}
	load := origin.Load()
	r, err := m.fuzz(ctx, e, engine.Limit{Time: m.time}, pair)
	if err != nil {
		return sample{}, err
	}
	if r.Executions <= fixed.Executions || r.CPU <= fixed.CPU {
		return sample{}, fmt.Errorf("%v did no more than one input: %+v, %+v", m.time, r, fixed)
	}
	return sample{
		Pair: pair, Subject: s.Name, Version: s.Version, Side: e.Name(), Seconds: m.time.Seconds(), Load: load, Origin: m.Here,
		Executions: r.Executions, CPU: r.CPU.Seconds(), Building: r.Building.Seconds(),
		FixedExecutions: fixed.Executions, Fixed: fixed.CPU.Seconds(),
		Findings: r.Findings, Restarts: r.Restarts, Packages: r.Instrumented.Packages, Counters: r.Instrumented.Counters,
	}, nil
}
