package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/experiment/trial"
)

// benchFlags are the flags of bench.
type benchFlags struct {
	samples  string
	baseline string
	parallel int
	only     string
	table    bool
	json     bool
	mixed    bool
}

func benchCommand() *cobra.Command {
	var f benchFlags
	c := &cobra.Command{
		Use:   "bench CONFIG.toml",
		Short: "Run trials of configurations on subjects and report statistics",
		Long: `bench runs campaigns of several configurations (guidance, schedule, any flags) on several subjects. Each pair of
configuration and subject is run several times, with a different seed each time. The tables compare the findings of
configurations. They have medians, Mann-Whitney's U corrected for multiple comparisons, effect sizes, times to known causes, and
the overlap of findings. parallax help bench.md describes the format of CONFIG.toml.

Every trial adds a line to a file of samples (CONFIG.samples.jsonl). Trials that the file has are not run again, so the same
command continues an interrupted measurement, and the trials that were running. When all trials are there, bench prints the tables.`,
		Example: "  parallax bench experiment.toml\n  parallax bench experiment.toml --only '^semver/' --parallel 2\n  parallax bench experiment.toml --table > RESULTS.md",
		Args:    atMostOneConfig,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"toml"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(_ *cobra.Command, args []string) error { return bench(&f, args[0]) },
	}
	fs := c.Flags()
	fs.StringVar(&f.samples, "samples-file", "", "the file of samples (default CONFIG.samples.jsonl next to CONFIG.toml)")
	fs.IntVarP(&f.parallel, "parallel", "p", 1, "trials that run at a time, each with one fuzzing worker; at most half the number of processors gives the best measurements")
	fs.StringVar(&f.only, "only", "", "run and show only the trials whose subject/configuration matches the regular expression")
	fs.StringVar(&f.baseline, "baseline", "", "the configuration that the others are compared with (default the file's)")
	fs.BoolVar(&f.table, "table", false, "run nothing: print the tables of the existing samples")
	jsonFlag(c, &f.json)
	fs.BoolVar(&f.mixed, "mixed", false, "accept samples of another build of parallax, another Go release or another machine")
	mustComplete(c, "only", cobra.NoFileCompletions)
	return c
}

func atMostOneConfig(c *cobra.Command, args []string) error {
	if err := atLeast(1, "a configuration (parallax help bench.md describes the format)")(c, args); err != nil {
		return err
	}
	return atMost(1, "one configuration")(c, args)
}

func bench(f *benchFlags, path string) error {
	if f.parallel < 1 || f.parallel > 256 {
		return exit.Usage("--parallel %d: choose 1 to 256", f.parallel)
	}
	only, err := regexp.Compile(f.only)
	if err != nil {
		return exit.Usage("--only %q is not a regular expression: %w", f.only, err)
	}
	config, err := trial.ReadConfig(path)
	if err != nil {
		return err
	}
	if err := config.Compare(f.baseline); err != nil {
		return exit.Usage("--baseline: %w", err)
	}
	if err := config.Chooses(only); err != nil {
		return exit.Usage("--only %q %w", f.only, err)
	}
	file := f.samples
	if file == "" {
		file = config.SamplesFile()
	}
	if file, err = filepath.Abs(file); err != nil {
		return exit.Infra("%w", err)
	}
	if f.table {
		samples, err := readSamples(config, file)
		if err != nil {
			return err
		}
		return f.tell(config, samples, only)
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
		tellBench(p)
	}
	own, others, err := config.Select(file, all)
	if err != nil {
		return nil, err
	}
	if others > 0 {
		tellBench(fmt.Sprintf("%d samples are ignored: %s does not have their subjects, configurations or trials", others, filepath.Base(config.Path)))
	}
	return own, nil
}

func tellBench(line string) { fmt.Fprintln(os.Stderr, "bench:", line) }

// run runs the trials that are missing, and then prints the tables.
func (f *benchFlags) run(config *trial.Config, file string, only *regexp.Regexp) error {
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
	ctx, _ := terminal.Interruptible()
	r := &trial.Run{Config: config, Log: log, Done: samples, Parallel: f.parallel, Only: only, Report: tellBench, Now: time.Now}
	if r.Origin, err = trial.CurrentOrigin(ctx, tool, version()); err != nil {
		return err
	}
	if !f.mixed {
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
		tellBench(fmt.Sprintf("%d trials to run, samples go to %s", n, file))
	}
	failed := r.Run(ctx)
	if ctx.Err() != nil {
		tellBench(fmt.Sprintf("interrupted: %d trials are left; the same command continues with them", r.Missing()))
		return nil
	}
	if exit.Code(failed) == exit.InfraCode {
		return failed
	}
	r.Clean()
	if err := f.tell(config, r.Done, only); err != nil {
		return err
	}
	return failed
}

// workFolder is where the campaigns of a file of samples run: the same each time, so that what was built is found again.
func workFolder(file string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", exit.Infra("there is no folder for trials: %w: set HOME or XDG_CACHE_HOME", err)
	}
	h := fnv.New64a()
	h.Write([]byte(file))
	return filepath.Join(cache, "parallax", "bench", fmt.Sprintf("%016x", h.Sum64())), nil
}

// tell prints the comparisons.
func (f *benchFlags) tell(config *trial.Config, samples []*trial.Sample, only *regexp.Regexp) error {
	a, err := trial.Analyze(config, samples, only)
	if err != nil {
		return exit.Usage("%s: %w: run parallax bench without --table first", config.Path, err)
	}
	if f.json {
		var data []byte
		if data, err = a.JSON(); err == nil {
			_, err = os.Stdout.Write(data)
		}
	} else {
		err = a.Markdown(os.Stdout)
	}
	if err != nil {
		return exit.Infra("writing the comparisons: %w", err)
	}
	return nil
}
