// Package bench is parallax bench: it runs the trials of a configuration that are missing, and
// prints their tables. cmd/parallax calls it; experiment/trial runs and compares trials.
package bench

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/experiment/trial"
)

// Options are those of parallax bench.
type Options struct {
	Samples  string
	Baseline string
	Parallel int
	Only     string
	Table    bool
	JSON     bool
	Mixed    bool
	Version  string // of parallax

	Interruptible func() (ctx context.Context, interrupt func()) // begins to listen to signals
}

// Run runs the trials of a configuration that are missing, and prints the tables.
func Run(f Options, path string) error {
	if f.Parallel < 1 || f.Parallel > 256 {
		return exit.Usage("--parallel %d: choose 1 to 256", f.Parallel)
	}
	only, err := regexp.Compile(f.Only)
	if err != nil {
		return exit.Usage("--only %q is not a regular expression: %w", f.Only, err)
	}
	config, err := trial.ReadConfig(path)
	if err != nil {
		return err
	}
	if err := config.Compare(f.Baseline); err != nil {
		return exit.Usage("--baseline: %w", err)
	}
	if err := config.Chooses(only); err != nil {
		return exit.Usage("--only %q %w", f.Only, err)
	}
	file := f.Samples
	if file == "" {
		file = config.SamplesFile()
	}
	if file, err = filepath.Abs(file); err != nil {
		return exit.Infra("%w", err)
	}
	if f.Table {
		samples, err := readSamples(config, file)
		if err != nil {
			return err
		}
		return f.print(config, samples, only)
	}
	return f.run(config, file, only)
}

// readSamples reads the samples that the configuration asks for, and says what is left out.
func readSamples(config *trial.Config, file string) ([]*trial.Sample, error) {
	all, problems, err := trial.ReadSamples(file)
	if err != nil {
		return nil, err
	}
	for _, p := range problems {
		say(p)
	}
	own, others, err := config.Select(file, all)
	if err != nil {
		return nil, err
	}
	if others > 0 {
		say(fmt.Sprintf("%d samples are ignored: %s does not have their subjects, configurations or trials", others, filepath.Base(config.Path)))
	}
	return own, nil
}

func say(line string) { fmt.Fprintln(os.Stderr, "bench:", line) }

// run runs the trials that are missing, and then prints the tables.
func (f *Options) run(config *trial.Config, file string, only *regexp.Regexp) error {
	if err := config.Prepare(); err != nil {
		return err
	}
	tool, err := os.Executable()
	if err != nil {
		return exit.Infra("finding the parallax executable: %w", err)
	}
	log, err := trial.OpenLog(file)
	if err != nil {
		return err
	}
	defer log.Close()
	samples, err := readSamples(config, file)
	if err != nil {
		return err
	}
	ctx, _ := f.Interruptible()
	r := &trial.Run{Config: config, Log: log, Done: samples, Parallel: f.Parallel, Only: only, Report: say, Now: time.Now}
	if r.Origin, err = trial.CurrentOrigin(ctx, tool, f.Version); err != nil {
		return err
	}
	if !f.Mixed {
		if err := r.Check(file); err != nil {
			return err
		}
	}
	if r.Work, err = workFolder(file); err != nil {
		return err
	}
	lock, err := trial.LockFolder(r.Work)
	if err != nil {
		return err
	}
	defer lock.Close()
	if r.Tool, err = trial.KeepTool(tool, r.Work, r.Origin); err != nil {
		return err
	}
	if n := r.Missing(); n > 0 {
		say(fmt.Sprintf("%d trials to run, samples go to %s", n, file))
	}
	failed := r.Run(ctx)
	if ctx.Err() != nil {
		say(fmt.Sprintf("interrupted: %d trials are left; the same command continues with them", r.Missing()))
		return nil
	}
	if exit.Code(failed) == exit.InfraCode {
		return failed
	}
	r.Clean()
	if err := f.print(config, r.Done, only); err != nil {
		return err
	}
	return failed
}

// workFolder is where the campaigns of a file of samples run: the same each time, so that what was
// built is found again.
func workFolder(file string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", exit.Infra("there is no folder for trials: %w: set HOME or XDG_CACHE_HOME", err)
	}
	h := fnv.New64a()
	h.Write([]byte(file))
	return filepath.Join(cache, "parallax", "bench", fmt.Sprintf("%016x", h.Sum64())), nil
}

// print prints the comparisons.
func (f *Options) print(config *trial.Config, samples []*trial.Sample, only *regexp.Regexp) error {
	a, err := trial.Analyze(config, samples, only)
	if err != nil {
		return exit.Usage("%s: %w: run parallax bench without --table first", config.Path, err)
	}
	if f.JSON {
		var data []byte
		if data, err = a.JSON(); err == nil {
			_, err = os.Stdout.Write(data)
		}
	} else {
		err = a.Markdown(os.Stdout)
	}
	return exit.Doing("writing the comparisons", err)
}
