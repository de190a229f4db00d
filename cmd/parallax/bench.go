package main

import (
	"github.com/spf13/cobra"

	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/experiment/bench"
)

func benchCommand() *cobra.Command {
	f := bench.Options{Version: version(), Interruptible: terminal.Interruptible}
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
		RunE: func(_ *cobra.Command, args []string) error { return bench.Run(f, args[0]) },
	}
	fs := c.Flags()
	fs.StringVar(&f.Samples, "samples-file", "", "the file of samples (default CONFIG.samples.jsonl next to CONFIG.toml)")
	fs.IntVarP(&f.Parallel, "parallel", "p", 1, "trials that run at a time, each with one fuzzing worker; at most half the number of processors gives the best measurements")
	fs.StringVar(&f.Only, "only", "", "run and show only the trials whose subject/configuration matches the regular expression")
	fs.StringVar(&f.Baseline, "baseline", "", "the configuration that the others are compared with (default the file's)")
	fs.BoolVar(&f.Table, "table", false, "run nothing: print the tables of the existing samples")
	jsonFlag(c, &f.JSON)
	fs.BoolVar(&f.Mixed, "mixed", false, "accept samples of another build of parallax, another Go release or another machine")
	mustComplete(c, "only", cobra.NoFileCompletions)
	return c
}

func atMostOneConfig(c *cobra.Command, args []string) error {
	if err := atLeast(1, "a configuration (parallax help bench.md describes the format)")(c, args); err != nil {
		return err
	}
	return atMost(1, "one configuration")(c, args)
}
