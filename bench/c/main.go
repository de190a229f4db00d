// C compares parallax on C programs with libFuzzer, and with AFL++ in persistent mode. It measures
// executions per second of CPU time, and executions until a planted abort is reached.
//
//	c -parallax TOOL -work FOLDER -samples samples.jsonl -puzzles puzzles.jsonl
//	c -table -samples samples.jsonl -puzzles puzzles.jsonl
//
// build.sh has filled FOLDER. Measurements in the files of samples are not repeated. The same
// command continues an interrupted measurement, and loses only the current run.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"parallax/bench/internal/setting"
)

func main() {
	var m measurement
	m.Flags()
	flag.StringVar(&m.puzzles, "puzzles", "", "file of samples of the puzzles")
	flag.StringVar(&m.runs, "runs", "", "folder for what fuzzers write while they run, if not below the one for work")
	flag.IntVar(&m.rounds, "rounds", 5, "runs of parallax and of the others on each harness")
	flag.IntVar(&m.variantRounds, "variant-rounds", 1, "runs of parallax without operands, and with one build, on each harness")
	flag.DurationVar(&m.cpu, "cpu", 20*time.Second, "CPU time of a run, of all processes")
	flag.IntVar(&m.trials, "trials", 10, "trials on each puzzle")
	flag.IntVar(&m.cap, "cap", 2_000_000, "executions after which a puzzle is given up")
	flag.IntVar(&m.jobs, "jobs", 2, "puzzles at a time: what is counted there does not depend on time")
	only := flag.String("only", "", "regular expression: what to measure, such as throughput/expat or puzzles/magic")
	tables := flag.Bool("table", false, "sum up the files of samples instead")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if m.only, err = regexp.Compile(*only); err == nil && !*tables {
		err = m.run(ctx)
	}
	if err == nil {
		err = table(os.Stdout, m.File, m.puzzles)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "c:", err)
		os.Exit(1)
	}
}

type measurement struct {
	setting.Setting
	puzzles, runs         string
	rounds, variantRounds int
	cpu                   time.Duration
	trials, cap, jobs     int
	only                  *regexp.Regexp
	clang                 string
}

// maxBytes is the largest input for all tools: the default of parallax and of libFuzzer.
const maxBytes = 4096

func (m *measurement) run(ctx context.Context) error {
	if err := m.Complete(); err != nil {
		return err
	}
	if m.runs == "" {
		m.runs = filepath.Join(m.Work, "runs")
	}
	out, err := exec.Command("clang-19", "--version").Output()
	if err != nil {
		return fmt.Errorf("asking clang-19 for its version: %w", err)
	}
	m.clang, _, _ = strings.Cut(string(out), "\n")
	if m.puzzles != "" {
		if err := m.solve(ctx); err != nil {
			return err
		}
	}
	return m.race(ctx)
}
