// Reach measures how many blocks of a module the inputs of parallax fuzz and of go test -fuzz cover
// after equal CPU time.
//
//	reach -parallax TOOL -work FOLDER -samples samples.jsonl
//	reach -table samples.jsonl
//
// Measurements in the file of samples are not repeated. The same command continues an interrupted
// run, and loses only the current trial. Sides and subjects take turns, so that partial results are
// balanced.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"parallax/bench/internal/coverage"
	"parallax/bench/internal/engine"
	"parallax/bench/internal/origin"
	"parallax/bench/internal/process"
	"parallax/bench/internal/samples"
	"parallax/bench/internal/setting"
	"parallax/bench/internal/subject"
)

func main() {
	var m measurement
	m.Flags()
	flag.IntVar(&m.trials, "trials", 10, "trials for each side of each subject")
	flag.DurationVar(&m.cpu, "cpu", time.Minute, "CPU time of a trial, of all processes, building not counted")
	sides := flag.String("sides", native+","+ours, "sides to measure; \""+minimizing+"\" is go test with its default minimization")
	flag.StringVar(&m.only, "only", "", "regular expression: subjects to measure")
	summary := flag.String("table", "", "sum up a file of samples instead")
	flag.Parse()
	m.sides = strings.Split(*sides, ",")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if *summary != "" {
		err = table(os.Stdout, *summary)
	} else {
		err = m.run(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "reach:", err)
		os.Exit(1)
	}
}

// Sides, besides the seeds alone.
const (
	seeds      = "seeds"
	native     = "go test"
	minimizing = "go test, minimizing"
	ours       = "parallax"
)

type measurement struct {
	setting.Setting
	trials int
	cpu    time.Duration
	sides  []string
	only   string
	done   map[key]bool
}

type key struct {
	subject, side string
	trial         int
}

func (m *measurement) run(ctx context.Context) error {
	if err := m.Complete(); err != nil {
		return err
	}
	if err := m.resume(); err != nil {
		return err
	}
	chosen, err := subject.Choose(subjects, m.only)
	if err != nil {
		return err
	}
	var prepared []*arena
	for _, s := range chosen {
		if m.complete(s) {
			continue
		}
		a, err := m.prepare(ctx, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		prepared = append(prepared, a)
	}
	for trial := 1; trial <= m.trials; trial++ {
		for _, a := range prepared {
			for _, e := range a.engines {
				if m.done[key{a.subject.Name, e.Name(), trial}] {
					continue
				}
				if err := m.trial(ctx, a, e, trial); err != nil {
					return fmt.Errorf("%s, %s, trial %d: %w", a.subject.Name, e.Name(), trial, err)
				}
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
	m.done = map[key]bool{}
	var origins []origin.Origin
	for _, s := range taken {
		if s.Side != seeds && s.Budget != m.cpu.Seconds() {
			return fmt.Errorf("%s has trials of %v CPU seconds, not %v: remove it to begin anew", m.File, s.Budget, m.cpu)
		}
		m.done[key{s.Subject, s.Side, s.Trial}] = true
		origins = append(origins, s.Origin)
	}
	return m.Here.Check(m.File, origins)
}

func (m *measurement) complete(s subject.Subject) bool {
	for trial := 1; trial <= m.trials; trial++ {
		for _, side := range m.sides {
			if !m.done[key{s.Name, side, trial}] {
				return false
			}
		}
	}
	return true
}

// arena has the parts of trials on one subject.
type arena struct {
	subject subject.Subject
	engines []engine.Engine
	meter   *coverage.Meter
}

// prepare builds everything and measures the seeds. Fuzzing and measuring have a copy of the module
// each.
func (m *measurement) prepare(ctx context.Context, s subject.Subject) (*arena, error) {
	fmt.Fprintln(os.Stderr, "building", s.Name)
	pkg, err := s.Checkout(ctx, filepath.Join(m.Work, "modules"))
	if err != nil {
		return nil, err
	}
	apart, err := s.Checkout(ctx, filepath.Join(m.Work, "measured"))
	if err != nil {
		return nil, err
	}
	a := &arena{subject: s}
	var alone coverage.Measurement
	if a.meter, alone, err = coverage.New(ctx, apart, filepath.Join(m.Work, "coverage", s.Name)); err != nil {
		return nil, err
	}
	if !m.done[key{s.Name, seeds, 0}] {
		one := m.sample(a, seeds, 0, alone)
		if err := samples.Append(m.File, one); err != nil {
			return nil, err
		}
	}
	for _, side := range m.sides {
		e, err := m.engine(ctx, side, pkg)
		if err != nil {
			return nil, err
		}
		a.engines = append(a.engines, e)
	}
	return a, nil
}

func (m *measurement) engine(ctx context.Context, side string, pkg subject.Package) (engine.Engine, error) {
	binary := filepath.Join(m.Work, pkg.Name+".test")
	switch side {
	case native:
		return engine.NewNative(ctx, side, pkg, binary, "1x")
	case minimizing:
		return engine.NewNative(ctx, side, pkg, binary, "")
	case ours:
		p := engine.NewParallax(side, pkg, m.Tool)
		return p, m.warm(ctx, p)
	}
	return nil, fmt.Errorf("no side is called %q", side)
}

// warm lets parallax build what it needs, so that trials find it in its cache. With a budget of
// inputs nothing is fuzzed before all of it is built.
func (m *measurement) warm(ctx context.Context, p *engine.Parallax) error {
	folder := filepath.Join(m.Work, "warm")
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if _, err := p.Fuzz(ctx, folder, engine.Limit{Inputs: 1}, 1); err != nil {
		return err
	}
	return os.RemoveAll(folder)
}

// trial fuzzes, measures what was kept, and writes the sample down.
func (m *measurement) trial(ctx context.Context, a *arena, e engine.Engine, trial int) error {
	folder := filepath.Join(m.Work, "trial")
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	load := origin.Load()
	r, err := e.Fuzz(ctx, folder, engine.Limit{CPU: m.cpu}, trial)
	if err != nil {
		return err
	}
	inputs, err := e.Inputs(folder)
	if err != nil {
		return err
	}
	reached, series, err := a.meter.Measure(ctx, process.Seconds(r.Progress, inputs))
	if err != nil {
		return err
	}
	one := m.sample(a, e.Name(), trial, reached)
	one.Budget, one.CPU, one.Building, one.Wall = m.cpu.Seconds(), r.Fuzzing().Seconds(), r.Building.Seconds(), r.Wall.Seconds()
	one.Executions, one.Findings, one.Restarts = r.Executions, r.Findings, r.Restarts
	one.Inputs, one.Load, one.Series = len(inputs), load, &series
	if err := samples.Append(m.File, one); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s, trial %d of %d, %s: %d blocks, %d executions, %d inputs, %.1f CPU s, %.0f s\n",
		one.Subject, trial, m.trials, one.Side, one.Blocks, one.Executions, one.Inputs, one.CPU, one.Wall)
	return os.RemoveAll(folder)
}
