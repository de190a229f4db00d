// Schedule measures how many blocks parallax fuzz covers in equal CPU time under each power
// schedule, on subjects of its own. The default of --schedule is chosen by it.
//
//	schedule -parallax TOOL -work FOLDER -samples samples.jsonl
//	schedule -table samples.jsonl
//
// Measurements in the file of samples are not repeated. The same command continues an interrupted
// run, and loses only the current trial. Schedules and subjects take turns, so that partial results
// are balanced.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
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
	flag.IntVar(&m.trials, "trials", 8, "trials for each schedule on each subject")
	flag.DurationVar(&m.cpu, "cpu", 20*time.Second, "CPU time of a trial, of all processes, building not counted")
	names := flag.String("variants", variantNames(), "what to measure, separated by semicolons")
	only := flag.String("only", "", "regular expression: subjects to measure")
	summary := flag.String("table", "", "sum up a file of samples instead")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if *summary != "" {
		err = table(os.Stdout, *summary)
	} else {
		var unknown error
		m.subjects, unknown = subject.Choose(subjects, *only)
		if err = errors.Join(m.choose(*names), unknown); err == nil {
			err = m.run(ctx)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "schedule:", err)
		os.Exit(1)
	}
}

type measurement struct {
	setting.Setting
	trials   int
	cpu      time.Duration
	variants []variant
	subjects []subject.Subject
	done     map[key]bool
}

type key struct {
	subject, variant string
	trial            int
}

func (m *measurement) run(ctx context.Context) error {
	if err := m.Complete(); err != nil {
		return err
	}
	if err := m.resume(); err != nil {
		return err
	}
	packages := make([]subject.Package, len(m.subjects))
	for i, s := range m.subjects {
		var err error
		if packages[i], err = m.prepare(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	for trial := 1; trial <= m.trials; trial++ {
		for i, pkg := range packages {
			for _, v := range m.order(trial + i) {
				if m.done[key{pkg.Name, v.name, trial}] {
					continue
				}
				if err := m.trial(ctx, pkg, v, trial); err != nil {
					return fmt.Errorf("%s, %s, trial %d: %w", pkg.Name, v.name, trial, err)
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
		if s.Budget != m.cpu.Seconds() {
			return fmt.Errorf("%s has trials of %v CPU seconds, not %v: remove it to begin anew", m.File, s.Budget, m.cpu)
		}
		m.done[key{s.Subject, s.Variant, s.Trial}] = true
		origins = append(origins, s.Origin)
	}
	return m.Here.Check(m.File, origins)
}

// order is the order in which variants take their turns: each comes first as often as the others.
func (m *measurement) order(turn int) []variant {
	n := turn % len(m.variants)
	return slices.Concat(m.variants[n:], m.variants[:n])
}

// prepare copies the module and builds what fuzzes, so that trials find it in the cache. With a
// budget of inputs nothing is fuzzed before all of it is built.
func (m *measurement) prepare(ctx context.Context, s subject.Subject) (subject.Package, error) {
	fmt.Fprintln(os.Stderr, "building", s.Name)
	pkg, err := s.Checkout(ctx, filepath.Join(m.Work, "modules"))
	if err != nil {
		return pkg, err
	}
	folder := filepath.Join(m.Work, "runs", s.Name)
	if err := os.RemoveAll(folder); err != nil {
		return pkg, err
	}
	if _, err := engine.NewParallax(s.Name, pkg, m.Tool).Fuzz(ctx, folder, engine.Limit{Inputs: 1}, 1); err != nil {
		return pkg, err
	}
	return pkg, os.RemoveAll(folder)
}

// trial fuzzes and writes the sample down. The trial's number is the seed of randomness, of all
// variants.
func (m *measurement) trial(ctx context.Context, pkg subject.Package, v variant, trial int) error {
	folder := filepath.Join(m.Work, "runs", pkg.Name)
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	load := origin.Load()
	r, err := engine.NewParallax(v.name, pkg, m.Tool, v.flags...).Fuzz(ctx, folder, engine.Limit{CPU: m.cpu}, trial)
	if err != nil {
		return err
	}
	if r.Blocks == 0 {
		return errors.New("the summary tells no coverage")
	}
	one := sample{
		Trial: trial, Subject: pkg.Name, Version: pkg.Version, Variant: v.name, Covered: r.Covered, Of: r.Blocks,
		Inputs: r.Inputs, Executions: r.Executions, Corpus: r.Corpus, Findings: r.Findings, Budget: m.cpu.Seconds(),
		CPU: r.Fuzzing().Seconds(), Building: r.Building.Seconds(), Wall: r.Wall.Seconds(), Load: load, Origin: m.Here,
	}
	if err := samples.Append(m.File, one); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s, trial %d of %d, %s: %d blocks, %d inputs, corpus %d, %.1f CPU s, %.0f s\n",
		one.Subject, trial, m.trials, one.Variant, one.Covered, one.Inputs, one.Corpus, one.CPU, one.Wall)
	return os.RemoveAll(folder)
}
