package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/process"
	"parallax/bench/internal/samples"
	"parallax/internal/stats"
)

// A single is a fuzzer that has one library. Its inputs are replayed on all of them.
type single struct {
	name    string // of the replay
	timed   bool   // it has the CPU time of a campaign of parallax, else as many executions
	path    string
	args    func(o *options, t *trial, corpus, seeds string) []string
	env     []string
	kept    []string // patterns of the files that it kept
	done    *regexp.Regexp
	said    string // where it says how much it has executed
	restart bool   // it ends at a crash
	signs   bool   // what it makes needs no repair
}

func (o *options) singles() []single {
	lib := single{
		name: libFuzzer, path: o.libfuzzer, kept: []string{"corpus/*", "crash-*", "timeout-*", "oom-*", "leak-*"}, restart: true,
		done: regexp.MustCompile(`(?m)^stat::number_of_executed_units: (\d+)$`), said: "stderr.txt",
		args: func(o *options, t *trial, corpus, seeds string) []string {
			runs := int64(-1)
			if t.Runs > 0 {
				runs = int64(t.Runs) - t.Executed
			}
			return []string{
				fmt.Sprint("-seed=", t.Seed+1000*t.Crashes), fmt.Sprint("-runs=", runs), fmt.Sprint("-max_len=", maxBytes), "-print_final_stats=1", corpus, seeds,
			}
		},
	}
	timed := lib
	timed.name, timed.timed = libFuzzerTimed, true
	return []single{
		lib, timed,
		{
			name: afl, timed: true, path: "/usr/bin/afl-fuzz", kept: []string{"out/default/queue/id:*", "out/default/crashes/id:*", "out/default/hangs/id:*"},
			done: regexp.MustCompile(`(?m)^execs_done\s*: (\d+)$`), said: "out/default/fuzzer_stats",
			env: []string{"AFL_NO_UI=1", "AFL_SKIP_CPUFREQ=1", "AFL_NO_AFFINITY=1", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1"},
			args: func(o *options, t *trial, _, seeds string) []string {
				return []string{"-i", seeds, "-o", "out", "-G", fmt.Sprint(maxBytes), "-t", "5000+", "-s", fmt.Sprint(t.Seed), "--", o.afl}
			},
		},
		{
			name: mucert, path: o.mucert, kept: []string{"accepted/*"}, done: regexp.MustCompile(`(?m)^executed: (\d+)$`), said: "stdout.txt", signs: true,
			args: func(o *options, t *trial, _, seeds string) []string {
				args := []string{"-coverage", o.cover, "-inputs", fmt.Sprint(t.Runs), "-seed", fmt.Sprint(t.Seed), "-to", "accepted"}
				if o.planName != "x509" { // whose seeds it has
					args = append(args, "-seeds", seeds)
				}
				return args
			},
		},
	}
}

// run runs the trials that are missing, and before them the seeds alone. Trials of libFuzzer have a
// file of their own: others are of a later build of parallax.
func (o *options) run(ctx context.Context) error {
	if err := o.complete(); err != nil {
		return err
	}
	all := slices.DeleteFunc(o.singles(), func(s single) bool { return !slices.Contains(o.plan.singles, s.name) })
	if err := o.trialsOf(ctx, o.File, all[:1], true); err != nil || len(all) == 1 {
		return err
	}
	return o.trialsOf(ctx, o.later(), all[1:], false)
}

// later is the file of samples of other fuzzers than libFuzzer with as many executions.
func (o *options) later() string { return filepath.Join(filepath.Dir(o.File), "single.samples.jsonl") }

// trialsOf runs the trials of some fuzzers that a file lacks, and the seeds alone if asked to.
func (o *options) trialsOf(ctx context.Context, file string, fuzzers []single, alone bool) error {
	taken, err := samples.Read[trial](file)
	if err != nil {
		return err
	}
	type key struct {
		fuzzer string
		trial  int
	}
	first := ofSeeds
	if !alone {
		first = 0
	}
	done := map[key]bool{}
	var origins []origin.Origin
	for _, t := range taken {
		if t.Trial != ofSeeds && (t.Runs > 0 && t.Runs != o.inputs || t.Seed != o.seed+t.Trial) {
			return fmt.Errorf("%s has trials of %d runs from seed %d, and now it is %d from seed %d: remove it to begin anew",
				file, t.Runs, t.Seed-t.Trial, o.inputs, o.seed)
		}
		if cpu, err := o.ours(); t.Budget > 0 && (err != nil || t.Budget != cpu.Seconds()) {
			return fmt.Errorf("%s has trials of %v CPU seconds, which is not what parallax had (%v, %v): remove it to begin anew", file, t.Budget, cpu, err)
		}
		name := cmp.Or(t.Fuzzer, libFuzzer)
		if t.Trial == ofSeeds {
			name = fuzzers[0].name
		}
		done[key{name, t.Trial}] = true
		origins = append(origins, t.Origin)
	}
	clang, err := exec.Command("clang-19", "--version").Output()
	if err != nil {
		return fmt.Errorf("asking clang-19 for its version: %w", err)
	}
	clang, _, _ = bytes.Cut(clang, []byte("\n"))
	for k := first; k < o.trials; k++ {
		for i, s := range fuzzers {
			if done[key{s.name, k}] || k == ofSeeds && i > 0 {
				continue
			}
			if err := o.Here.Check(file, origins); err != nil {
				return err
			}
			t := trial{Trial: k, Fuzzer: s.name, Clang: string(clang), Load: origin.Load(), Origin: o.Here}
			if err := o.trial(ctx, &t, &s); err != nil {
				return fmt.Errorf("%s, trial %d: %w", s.name, k+1, err)
			}
			if err := samples.Append(file, t); err != nil {
				return err
			}
			for _, r := range t.Replays {
				fmt.Fprintf(os.Stderr, "%s, trial %d: %d inputs kept of %d, %d unique discrepancies\n",
					r.Configuration, k+1, t.Corpus, t.Executed, r.Unique)
			}
		}
	}
	return nil
}

// complete checks the command line and takes from the configuration of parallax bench what it
// leaves open.
func (o *options) complete() error {
	if err := errors.Join(o.needs(), o.Complete()); err != nil {
		return err
	}
	for _, path := range []*string{&o.libfuzzer, &o.afl, &o.mucert, &o.cover, &o.examples} {
		absolute, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = absolute
	}
	trials, inputs, seed, err := budget(filepath.Join(o.folder, o.planName+".toml"))
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

// ours is the CPU time that parallax had in its trials, all its programs included, in the median of
// its default.
func (o *options) ours() (time.Duration, error) {
	all, err := readBench(filepath.Join(o.folder, "x509.samples.jsonl"))
	if err != nil {
		return 0, err
	}
	var cpu []float64
	for _, c := range all {
		if c.Configuration == "default" {
			cpu = append(cpu, c.CPU)
		}
	}
	if len(cpu) == 0 {
		return 0, errors.New("there are no trials of parallax whose CPU time others could have: parallax bench x509/x509.toml")
	}
	return time.Duration(stats.Median(cpu) * float64(time.Second)), nil
}

// maxBytes is max_bytes of examples/x509/parallax.toml.
const maxBytes = 8192

// trial runs a fuzzer and replays what it has kept.
func (o *options) trial(ctx context.Context, t *trial, s *single) error {
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
	t.Seed = o.seed + t.Trial
	if !s.timed {
		t.Runs = o.inputs
	} else {
		cpu, err := o.ours()
		if err != nil {
			return err
		}
		t.Budget = cpu.Seconds()
	}
	if err := o.fuzz(ctx, t, s, folder, corpus); err != nil {
		return err
	}
	kept, err := gather(folder, s.kept)
	if err != nil {
		return err
	}
	if t.Corpus, err = count(kept); err != nil {
		return err
	}
	if err := o.replay(ctx, t, s.name, folder, kept); err != nil {
		return err
	}
	if s.signs {
		return os.RemoveAll(folder)
	}
	repaired := filepath.Join(folder, "repaired")
	if err := o.repair(ctx, kept, repaired); err != nil {
		return err
	}
	if err := o.replay(ctx, t, s.name+repairedToo, folder, repaired); err != nil {
		return err
	}
	return os.RemoveAll(folder)
}

func count(folder string) (int, error) {
	files, err := os.ReadDir(folder)
	return len(files), err
}

// maxRestarts is how often a fuzzer that ends at a crash is started again in a trial.
const maxRestarts = 20

// fuzz runs a fuzzer until its budget is used up. The budget is the inputs that a campaign of
// parallax has executed, including the seeds, or its CPU time.
func (o *options) fuzz(ctx context.Context, t *trial, s *single, folder, corpus string) error {
	seeds := filepath.Join(folder, "seeds")
	inputs, err := distinct(o.seeds())
	if err == nil {
		err = os.MkdirAll(seeds, 0o755)
	}
	for i, data := range inputs {
		if err == nil {
			err = os.WriteFile(filepath.Join(seeds, fmt.Sprintf("%04d", i)), data, 0o644)
		}
	}
	if err != nil {
		return err
	}
	limit := func() time.Duration { return time.Duration((t.Budget - t.CPU) * float64(time.Second)) }
	for t.Executed < int64(t.Runs) || t.CPU < 0.98*t.Budget {
		log, err := os.Create(filepath.Join(folder, "stderr.txt"))
		if err != nil {
			return err
		}
		out, err := os.Create(filepath.Join(folder, "stdout.txt"))
		if err != nil {
			return err
		}
		p, err := process.Start(process.Command{Path: s.path, Args: s.args(o, t, corpus, seeds), Dir: folder, Env: s.env, Stdout: out, Stderr: log})
		if err != nil {
			return errors.Join(err, log.Close(), out.Close())
		}
		patience := limit()
		if !s.timed {
			patience = time.Hour
		}
		err = p.Within(ctx, patience)
		used, waitErr := p.Wait(10 * time.Second)
		said, readErr := os.ReadFile(log.Name())
		if err := errors.Join(err, waitErr, readErr, log.Close(), out.Close()); err != nil {
			return fmt.Errorf("%w: %s", err, said[max(0, len(said)-1000):])
		}
		text, err := os.ReadFile(filepath.Join(folder, s.said))
		if err != nil {
			return err
		}
		t.CPU, t.Wall = t.CPU+used.CPU.Seconds(), t.Wall+used.Wall.Seconds()
		found := s.done.FindSubmatch(text)
		if found == nil {
			return fmt.Errorf("it has not said how much it executed: %s", said[max(0, len(said)-1000):])
		}
		executed, _ := strconv.ParseInt(string(found[1]), 10, 64)
		t.Executed += executed
		if used.Exit == 0 && !s.timed || s.timed && t.CPU >= 0.98*t.Budget {
			break
		}
		if t.Crashes++; !s.restart || t.Crashes > maxRestarts || executed == 0 {
			return fmt.Errorf("it has ended %d times: %s", t.Crashes, said[max(0, len(said)-1000):])
		}
	}
	return nil
}

// gather copies what a fuzzer has kept to a folder of its own.
func gather(folder string, patterns []string) (string, error) {
	to := filepath.Join(folder, "kept")
	if err := os.MkdirAll(to, 0o755); err != nil {
		return "", err
	}
	n := 0
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			return "", err
		}
		for _, f := range files {
			if strings.Contains(filepath.Base(f), ",orig:") {
				continue // a seed, in AFL++'s queue
			}
			data, err := os.ReadFile(f)
			if err == nil {
				err = os.WriteFile(filepath.Join(to, fmt.Sprintf("%06d", n)), data, 0o644)
			}
			if err != nil {
				return "", err
			}
			n++
		}
	}
	return to, nil
}
