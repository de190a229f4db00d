// Regress measures parallax regress on pairs of versions with a known regression. It measures how
// soon the schedules find it and how much of the change they cover. It also measures the cost and
// the benefit of running the old version next to the new one.
//
//	regress -root bench/regress -parallax TOOL -work FOLDER -samples regress.samples.jsonl
//	regress -table -samples regress.samples.jsonl
//	regress -analysis -trials 3 -only 'goja|esbuild-media' -root bench/regress -parallax TOOL -work FOLDER -samples analysis.samples.jsonl
//	regress -kinds -root bench/regress -parallax TOOL -work FOLDER -samples kinds.samples.jsonl
//
// The pairs are those of subjects.toml and, with -c DIR, those of c/subjects-c.toml. c/build.sh has
// filled DIR. Measurements in the file of samples are not repeated. The same command continues an
// interrupted run, and loses only the current trial. Subjects and configurations take turns, so
// that partial results are balanced.
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

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
	"parallax/bench/internal/setting"
)

func main() {
	var m measurement
	m.Flags()
	flag.StringVar(&m.root, "root", ".", "folder with subjects.toml")
	flag.StringVar(&m.pairs, "c", "", "folder that c/build.sh has filled; without it no C pairs are measured")
	flag.IntVar(&m.trials, "trials", 10, "trials of each configuration on each subject")
	flag.TextVar(&m.budget, "budget", budget{text: "60s", cpu: time.Minute}, "CPU time of a trial's fuzzing workers, such as 20s, or inputs, such as 3000x; building and triage are not counted")
	flag.DurationVar(&m.triage, "triage", 10*time.Second, "longest time that a trial goes on judging what was found after its fuzzing; 0 is no limit")
	flag.BoolVar(&m.retry, "retry", false, "measure again what failed")
	names := flag.String("configurations", configurationNames(), "what to measure, separated by commas")
	only := flag.String("only", "", "regular expression: subjects to measure")
	tables := flag.Bool("table", false, "sum up the file of samples instead")
	analyses := flag.Bool("analysis", false, "measure what the analysis of the change costs instead, of pairs of Go; the samples go to a file of their own")
	ofKinds := flag.Bool("kinds", false, "list the kinds of change points of the pairs of Go instead, and those that can have decided findings of trials; the samples go to a file of their own")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	switch {
	case *tables && m.File == "":
		err = errors.New("-samples is needed")
	case *tables && *analyses:
		err = analysisTable(os.Stdout, m.File)
	case *tables && *ofKinds:
		err = kindsTable(os.Stdout, m.File)
	case *tables:
		err = table(os.Stdout, m.File)
	case *analyses:
		if m.subjects, err = readSubjects(m.root, *only, goPairs, analysis); err == nil {
			err = m.analyses(ctx)
		}
	case *ofKinds:
		if m.subjects, err = readSubjects(m.root, *only, goPairs); err == nil {
			err = m.collectKinds(ctx)
		}
	default:
		if err = m.choose(*names, *only); err == nil {
			err = m.run(ctx)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "regress:", err)
		os.Exit(1)
	}
}

type measurement struct {
	setting.Setting
	root, pairs    string
	trials         int
	budget         budget
	triage         time.Duration
	retry          bool
	configurations []configuration
	subjects       []subject
	done           map[key]bool
	known          map[string][]bucket // by subject: where its witness is filed
}

type key struct {
	subject, configuration string
	seed                   int
}

func (m *measurement) choose(names, only string) (err error) {
	if m.configurations, err = chooseConfigurations(names); err != nil {
		return err
	}
	m.subjects, err = readSubjects(m.root, only, goPairs, cPairs)
	return err
}

func (m *measurement) run(ctx context.Context) (err error) {
	if err := m.Complete(); err != nil {
		return err
	}
	for _, path := range []*string{&m.root, &m.pairs} {
		if *path == "" {
			continue
		}
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	if m.pairs == "" {
		m.subjects = slices.DeleteFunc(m.subjects, func(s subject) bool { return s.C })
	}
	if len(m.subjects) == 0 {
		return errors.New("nothing to measure: the pairs of C need -c")
	}
	if err := m.resume(); err != nil {
		return err
	}
	// The seed of randomness is the number of the trial, of all configurations.
	for seed := 1; seed <= m.trials; seed++ {
		for i, s := range m.subjects {
			if err := m.witness(ctx, s); err != nil {
				return err
			}
			for _, c := range m.order(seed + i) {
				if m.done[key{s.Name, c.name, seed}] {
					continue
				}
				if err := m.trial(ctx, s, c, seed); err != nil {
					return err
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
	m.done, m.known = map[key]bool{}, map[string][]bucket{}
	var origins []origin.Origin
	for _, s := range taken {
		if s.Budget != m.budget.text {
			return fmt.Errorf("%s has trials of %s, not %s: remove it to begin anew", m.File, s.Budget, m.budget.text)
		}
		if s.Configuration != witnessed && s.Triage != m.triage.Seconds() {
			return fmt.Errorf("%s has trials that judge for %v seconds, not %v: remove it to begin anew", m.File, s.Triage, m.triage)
		}
		origins = append(origins, s.Origin)
		if s.Error != "" && m.retry {
			continue
		}
		m.done[s.key()] = true
		if s.Configuration == witnessed {
			m.known[s.Subject] = s.Found
		}
	}
	return m.Here.Check(m.File, origins)
}

// order is the order in which configurations take their turns: each comes first as often as the
// others.
func (m *measurement) order(turn int) []configuration {
	n := turn % len(m.configurations)
	return slices.Concat(m.configurations[n:], m.configurations[:n])
}

// trial fuzzes and writes the sample down. That it failed is written down too, and the measurement
// goes on.
func (m *measurement) trial(ctx context.Context, s subject, c configuration, seed int) error {
	t, err := m.campaign(ctx, s, c, seed, m.budget, m.triage)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		t.Error = m.clean(err.Error())
	}
	t.Witness = t.first(func(b bucket) bool { return b.any(m.known[s.Name]) })
	return m.add(t)
}

// add writes a sample down.
func (m *measurement) add(t sample) error {
	if err := samples.Append(m.File, t); err != nil {
		return err
	}
	m.done[t.key()] = true
	fmt.Fprintln(os.Stderr, t)
	return nil
}
