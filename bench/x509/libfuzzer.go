package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/process"
	"parallax/bench/internal/samples"
)

// run runs the trials that are missing, and before them the seeds alone.
func (o *options) run(ctx context.Context) error {
	if err := o.complete(); err != nil {
		return err
	}
	taken, err := samples.Read[trial](o.File)
	if err != nil {
		return err
	}
	done := map[int]bool{}
	var origins []origin.Origin
	for _, t := range taken {
		if t.Trial != ofSeeds && (t.Runs != o.inputs || t.Seed != o.seed+t.Trial) {
			return fmt.Errorf("%s has trials of %d runs from seed %d, and now it is %d from seed %d: remove it to begin anew",
				o.File, t.Runs, t.Seed-t.Trial, o.inputs, o.seed)
		}
		done[t.Trial] = true
		origins = append(origins, t.Origin)
	}
	if err := o.Here.Check(o.File, origins); err != nil {
		return err
	}
	clang, err := exec.Command("clang-19", "--version").Output()
	if err != nil {
		return fmt.Errorf("asking clang-19 for its version: %w", err)
	}
	clang, _, _ = bytes.Cut(clang, []byte("\n"))
	for k := ofSeeds; k < o.trials; k++ {
		if done[k] {
			continue
		}
		t := trial{Trial: k, Clang: string(clang), Load: origin.Load(), Origin: o.Here}
		if err := o.trial(ctx, &t); err != nil {
			return fmt.Errorf("trial %d: %w", k+1, err)
		}
		if err := samples.Append(o.File, t); err != nil {
			return err
		}
		for _, r := range t.Replays {
			fmt.Fprintf(os.Stderr, "%s, trial %d: %d inputs kept of %d, %d unique discrepancies\n",
				r.Configuration, k+1, t.Corpus, t.Executed, r.Unique)
		}
	}
	return nil
}

// complete checks the command line and takes from the configuration of parallax bench what it leaves open.
func (o *options) complete() error {
	if o.libfuzzer == "" {
		return errors.New("-libfuzzer is needed: build.sh builds it")
	}
	if err := o.Complete(); err != nil {
		return err
	}
	for _, path := range []*string{&o.libfuzzer, &o.examples} {
		absolute, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = absolute
	}
	trials, inputs, seed, err := budget(filepath.Join(o.folder, "x509.toml"))
	if err != nil {
		return err
	}
	o.seed = seed
	if o.trials == 0 {
		o.trials = trials
	}
	if o.inputs == 0 {
		o.inputs = inputs
	}
	return os.MkdirAll(o.Work, 0o755)
}

// budget reads how many trials of how many inputs there are.
func budget(file string) (trials, inputs, seed int, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, 0, 0, err
	}
	for name, to := range map[string]*int{"trials": &trials, "inputs": &inputs, "seed": &seed} {
		found := regexp.MustCompile(`(?m)^` + name + ` = (\d+)\b`).FindSubmatch(text)
		if found == nil {
			return 0, 0, 0, fmt.Errorf("%s has no line %s = N", file, name)
		}
		*to, _ = strconv.Atoi(string(found[1]))
	}
	return trials, inputs, seed, nil
}

// maxBytes is max_bytes of examples/x509/parallax.toml.
const maxBytes = 8192

// trial runs libFuzzer and replays what it has kept.
func (o *options) trial(ctx context.Context, t *trial) error {
	folder := filepath.Join(o.Work, fmt.Sprint("trial-", t.Trial))
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	corpus := filepath.Join(folder, "corpus")
	if err := os.MkdirAll(corpus, 0o755); err != nil {
		return err
	}
	if t.Trial == ofSeeds {
		if err := o.replay(ctx, t, seedsOnly, folder, ""); err != nil {
			return err
		}
		return os.RemoveAll(folder)
	}
	t.Seed, t.Runs = o.seed+t.Trial, o.inputs
	if err := o.fuzz(ctx, t, folder, corpus); err != nil {
		return err
	}
	kept, err := os.ReadDir(corpus)
	if err != nil {
		return err
	}
	t.Corpus = len(kept)
	if err := o.replay(ctx, t, libFuzzer, folder, corpus); err != nil {
		return err
	}
	repaired := filepath.Join(folder, "repaired")
	if err := o.repair(ctx, corpus, repaired); err != nil {
		return err
	}
	if err := o.replay(ctx, t, resigned, folder, repaired); err != nil {
		return err
	}
	return os.RemoveAll(folder)
}

// maxRestarts is how often libFuzzer, which ends at a crash, is started again in a trial.
const maxRestarts = 20

var executedUnits = regexp.MustCompile(`(?m)^stat::number_of_executed_units: (\d+)$`)

// fuzz runs libFuzzer until it has executed as many inputs as a campaign of parallax, the seeds among them.
func (o *options) fuzz(ctx context.Context, t *trial, folder, corpus string) error {
	for t.Executed < int64(t.Runs) {
		log, err := os.Create(filepath.Join(folder, "stderr.txt"))
		if err != nil {
			return err
		}
		args := []string{
			fmt.Sprint("-seed=", t.Seed+1000*t.Crashes), fmt.Sprint("-runs=", int64(t.Runs)-t.Executed), fmt.Sprint("-max_len=", maxBytes),
			"-print_final_stats=1", corpus,
		}
		used, err := process.Run(ctx, process.Command{Path: o.libfuzzer, Args: append(args, o.seeds()...), Dir: folder, Stderr: log})
		text, readErr := os.ReadFile(log.Name())
		if err := errors.Join(err, readErr, log.Close()); err != nil {
			return err
		}
		t.CPU, t.Wall = t.CPU+used.CPU.Seconds(), t.Wall+used.Wall.Seconds()
		found := executedUnits.FindSubmatch(text)
		if found == nil {
			return fmt.Errorf("libFuzzer has not said how much it executed: %s", text[max(0, len(text)-1000):])
		}
		executed, _ := strconv.ParseInt(string(found[1]), 10, 64)
		t.Executed += executed
		if used.Exit == 0 {
			break
		}
		if t.Crashes++; t.Crashes > maxRestarts || executed == 0 {
			return fmt.Errorf("it has crashed %d times: %s", t.Crashes, text[max(0, len(text)-1000):])
		}
		// What ends it is among what it kept.
		if err := gather(folder, corpus); err != nil {
			return err
		}
	}
	return nil
}

// gather moves the inputs at which libFuzzer ended to the others.
func gather(folder, corpus string) error {
	for _, pattern := range []string{"crash-*", "timeout-*", "oom-*", "leak-*"} {
		files, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := os.Rename(f, filepath.Join(corpus, filepath.Base(f))); err != nil {
				return err
			}
		}
	}
	return nil
}
