// Causes measures how well parallax diff locates the line that makes two programs differ, and
// whether its buckets are causes. It uses automatic mutants of real libraries, whose cause is the
// mutated line, and the puzzles with several planted causes.
//
//	causes -parallax TOOL -work FOLDER -screen -mutants mutants.jsonl
//	causes -parallax TOOL -work FOLDER -mutants mutants.jsonl -samples samples.jsonl
//	causes -table samples.jsonl
//
// Screening chooses the mutants once: those that some campaign distinguishes from the original.
// Measurements in the file of samples are not repeated, so the same command continues an
// interrupted run. Names divide the mutants into two halves. The half "dev" is for work on the
// tool, and "held-out" verifies the result.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"sync"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
)

func main() {
	var m measurement
	flag.StringVar(&m.tool, "parallax", "", "the parallax executable")
	flag.StringVar(&m.work, "work", "", "folder for copies of libraries and what campaigns write")
	flag.StringVar(&m.root, "root", "..", "folder of the repository, for the puzzles")
	flag.StringVar(&m.file, "samples", "", "file of samples")
	flag.StringVar(&m.list, "mutants", "", "file of the mutants that are measured")
	flag.StringVar(&m.revision, "revision", "unknown", "revision of the repository, for the samples")
	flag.IntVar(&m.seeds, "seeds", 5, "campaigns for each mutant")
	flag.IntVar(&m.inputs, "inputs", 20000, "inputs of a campaign")
	flag.IntVar(&m.parallel, "parallel", 2, "campaigns at once")
	flag.StringVar(&m.half, "half", "", "dev or held-out; empty: both")
	screen := flag.Bool("screen", false, "choose mutants and write them to the file -mutants")
	perLibrary := flag.Int("each", 16, "mutants of a library that screening looks for")
	only := flag.String("only", "", "regular expression: names of mutants to measure")
	summary := flag.String("table", "", "sum up a file of samples instead")
	misses := flag.Bool("misses", false, "with -table: list what was not located, of dev")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	switch {
	case *summary != "":
		err = table(os.Stdout, *summary, m.half, *misses)
	default:
		if m.only, err = regexp.Compile(*only); err != nil {
			break
		}
		if *screen {
			err = m.screen(ctx, *perLibrary)
		} else {
			err = m.run(ctx)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "causes:", err)
		os.Exit(1)
	}
}

type measurement struct {
	tool, work, root, file, list, revision, half string
	seeds, inputs, parallel                      int
	only                                         *regexp.Regexp
	here                                         origin.Origin
}

// screenSeed is no seed of a measurement.
const screenSeed = 1001

func (m *measurement) prepare() (err error) {
	if m.tool == "" || m.work == "" || m.list == "" {
		return errors.New("-parallax, -work and -mutants are needed")
	}
	for _, path := range []*string{&m.tool, &m.work, &m.root} {
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	if m.here, err = origin.Here(m.tool, m.revision); err != nil {
		return err
	}
	return prepare(m.work)
}

// task is a campaign to be run.
type task struct {
	name string
	half string
	seed int
	run  func(ctx context.Context, seed int) (sample, error)
}

func (m *measurement) run(ctx context.Context) error {
	if m.file == "" {
		return errors.New("-samples is needed")
	}
	if err := m.prepare(); err != nil {
		return err
	}
	taken, err := samples.Read[sample](m.file)
	if err != nil {
		return err
	}
	type key struct {
		name string
		seed int
	}
	done := map[key]bool{}
	var origins []origin.Origin
	for _, s := range taken {
		if s.Budget != m.inputs && s.Mutant != nil {
			return fmt.Errorf("%s has campaigns of %d inputs, not %d: remove it to begin anew", m.file, s.Budget, m.inputs)
		}
		done[key{s.Name, s.Seed}] = true
		origins = append(origins, s.Origin)
	}
	if err := m.here.Check(m.file, origins); err != nil {
		return err
	}
	all, err := m.mutantTasks(ctx)
	if err != nil {
		return err
	}
	all = append(m.puzzleTasks(), all...)
	var todo []task
	for seed := 1; seed <= m.seeds; seed++ {
		for _, t := range all {
			if !done[key{t.name, seed}] && (m.half == "" || m.half == t.half) && m.only.MatchString(t.name) {
				t.seed = seed
				todo = append(todo, t)
			}
		}
	}
	err = m.each(ctx, todo, func(s sample) error { return samples.Append(m.file, s) })
	if err != nil {
		return err
	}
	return table(os.Stdout, m.file, m.half, false)
}

// each runs tasks, some at once, and hands what they measured to take, one at a time.
func (m *measurement) each(ctx context.Context, todo []task, take func(sample) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	var workers sync.WaitGroup
	queue := make(chan task)
	finished := 0
	for range max(1, m.parallel) {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for t := range queue {
				s, err := t.run(ctx, t.seed)
				mu.Lock()
				if err == nil {
					finished++
					err = take(s)
					fmt.Fprintf(os.Stderr, "%d of %d: %s, seed %d: %d discrepancies\n", finished, len(todo), t.name, t.seed, s.discrepancies())
				}
				mu.Unlock()
				if err != nil {
					cancel(fmt.Errorf("%s, seed %d: %w", t.name, t.seed, err))
				}
			}
		}()
	}
feed:
	for _, t := range todo {
		select {
		case queue <- t:
		case <-ctx.Done():
			break feed
		}
	}
	close(queue)
	workers.Wait()
	return context.Cause(ctx)
}

// mutantTasks are the campaigns of the mutants that were chosen.
func (m *measurement) mutantTasks(ctx context.Context) ([]task, error) {
	chosen, err := samples.Read[mutant](m.list)
	if err != nil {
		return nil, err
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("%s holds no mutants: run with -screen first", m.list)
	}
	var tasks []task
	for _, lib := range libraries {
		s, err := checkout(ctx, m.work, lib)
		if err != nil {
			return nil, err
		}
		for _, c := range chosen {
			if c.Library != lib.Name {
				continue
			}
			t, err := m.mutantTask(s, c)
			if err != nil {
				return nil, err
			}
			tasks = append(tasks, t)
		}
	}
	return tasks, nil
}

// mutantTask finds a chosen mutant among those of its library.
func (m *measurement) mutantTask(s *subject, chosen mutant) (task, error) {
	for _, c := range s.all {
		if c.Name() == chosen.Name() && c.Before == chosen.Before {
			return m.measure(s, c), nil
		}
	}
	return task{}, fmt.Errorf("%s: there is no such mutant: choose anew with -screen", chosen.Name())
}

// measure is a campaign on a mutant.
func (m *measurement) measure(s *subject, c mutant) task {
	name := c.Name()
	return task{name: name, half: half(name), run: func(ctx context.Context, seed int) (sample, error) {
		one := sample{Name: name, Mutant: &c, Version: s.Version, Seed: seed, Budget: m.inputs, Origin: m.here, Load: origin.Load()}
		if err := s.write(c); err != nil {
			return one, err
		}
		out := filepath.Join(m.work, "campaigns", fmt.Sprint(c.Folder(), "-", seed))
		r, err := campaign{
			tool: m.tool, dir: m.work, out: out, funcs: []string{s.original(), s.changed(c)}, seeds: s.seeds, seed: seed, inputs: m.inputs,
		}.run(ctx)
		if err != nil {
			return one, err
		}
		one.Inputs, one.Buckets, one.Seconds, one.Limit = r.Inputs, r.Buckets, r.Seconds, r.Limit
		for i, b := range one.Buckets {
			one.Ranks = append(one.Ranks, rankOf(b, func(p place) bool { return s.covers(p, c) }))
			one.Buckets[i].Inputs = nil // of use for puzzles only
		}
		return one, os.RemoveAll(out)
	}}
}
