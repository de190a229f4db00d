package main

import (
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parallax/cmd/internal/command/fuzzing"
)

// register declares the flags that the command's mode has.
func register(c *cobra.Command, f *fuzzing.Options) {
	o := &f.Campaign
	fs := c.Flags()
	f.Version = version()
	f.Given = func(flag string) bool {
		if fs.Lookup(flag) == nil {
			panic("there is no flag " + flag) // a mistake in the package that asks
		}
		return fs.Changed(flag)
	}
	each, usual, guidance, compares := "", "stratified", []string{"ensemble"}, o.Mode != fuzzing.ModeFuzz
	takes := "the programs take"
	if o.Mode == fuzzing.ModeFuzz {
		takes = "the FuzzXxx or harness takes"
	}
	drawn, some := "", "stratified, adaptive, uniform, cheap, rarity, afl, aflfast-fast"
	switch o.Mode {
	case fuzzing.ModeFuzz:
		each, usual = "; for each target", "rarity" // bench/NOTES.md, "schedule"
		drawn = "; default with a generator or grammar: uniform"
	case fuzzing.ModeRegress:
		takes = "the FuzzXxx or functions take"
		each, usual, guidance = "; for all targets together", "points", []string{"ensemble", fuzzing.GuidanceOfChange}
		some = "points, delta, aflgo, churn, " + some
	}
	fs.StringVar(&f.Fuzz, "fuzz", "", "run only FuzzXxx whose name matches the regular expression")
	budgetFlag(c, &f.FuzzTime, "0", each)
	fs.StringVar(&f.Quiet, "until-quiet", "0", "end when for so long, such as 10m or 100000x, no new block, kind of disagreement or finding appeared; 0 is no limit")
	fs.DurationVar(&o.Budget.CPU, "cputime", 0, "CPU time of all fuzzing workers, without building and triage; 0 is no limit"+each)
	fs.IntVarP(&o.Parallel, "parallel", "p", runtime.NumCPU(), "number of fuzzing workers; with 1, a seed and a budget of inputs, a campaign repeats exactly")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of the random numbers")
	fs.StringVarP(&o.Out, "out", "o", "", "the campaign's folder (default .parallax/<target>); with several targets, the folder of their folders")
	fs.StringArrayVarP(&o.Seeds, "seeds", "i", nil, "seed inputs, may be repeated: a file, or a folder of plain files, of go test fuzz v1 files, or of libFuzzer or AFL")
	fs.BoolVar(&o.GoCache, "go-cache", false, "also use as seeds what go test -fuzz has cached for the target")
	fs.StringVarP(&o.Dictionary, "dict", "x", "", "file of dictionary tokens, in the format of AFL and libFuzzer")
	fs.StringVar(&o.GrammarFile, "grammar", "", "file of a grammar that makes the inputs, instead of bytes (parallax help grammars)")
	fs.BoolVar(&o.GrammarOperands, "grammar-operands", false, "with --grammar, write operands of comparisons into texts where these stay in the language, which takes a second build")
	if o.Mode != fuzzing.ModeModel { // whose functions say what inputs are
		fs.StringVar(&o.Generator, "generator", "", "generator that draws the inputs, such as ./pkg.Document: a func(t *gen.T) that returns what "+takes+", or a gen.Gen (parallax help generators)")
		mustComplete(c, "generator", cobra.NoFileCompletions)
	}
	fs.StringVar(&o.Schedule, "schedule", usual, "how the next seed to mutate is chosen: "+some+" and others (parallax help schedules)"+drawn)
	fs.StringVar(&o.Mutators, "mutators", "full", "set of mutation operators: full, nezha, der (keeps certificates and other DER readable)")
	fs.StringVar(&o.Repair, "repair", "", "function that makes mutants valid before they are executed, such as ./pkg.Repair: func([]byte) []byte, or one of all arguments (parallax help repair)")
	fs.StringVar(&f.MaxBytes, "max-bytes", "4096", "largest size of an argument, such as 64 or 4KiB. Tapes of a generator may have 64KiB unless it is given")
	fs.DurationVar(&o.Timeout, "timeout", 2*time.Second, "time limit of a program for one input")
	fs.StringVar(&f.Memory, "memory", "2GiB", "memory limit of a worker")
	fs.StringSliceVar(&o.Instrument, "instrument", nil, "further packages to instrument, such as strconv")
	fs.StringVar(&o.Tags, "tags", "", "build tags of packages")
	fs.BoolVar(&o.NoCmpLog, "no-cmplog", false, "do not use the operands of comparisons, which takes a second build")
	noLimits(c)
	fs.DurationVar(&o.TriageTime, "triage-time", 0, "time for triage after fuzzing; the rest waits in the folder; 0 is no limit (default: 30s, or a quarter of the fuzzing time)")
	fs.BoolVar(&o.NoFuzz, "no-fuzz", false, "fuzz nothing: confirm and minimize the findings that earlier runs left in the folder")
	fs.BoolVar(&o.NoTriage, "no-triage", false, "do not confirm or minimize findings: candidates stay in the folder for the next run without this flag")
	fs.BoolVar(&o.SkipAccepted, "skip-accepted", false, "do not triage candidates that look like an accepted difference; programs without blocks always skip them")
	if !compares {
		fs.BoolVar(&o.NoTrim, "no-trim", false, "do not trim inputs before they are kept")
	}
	fs.StringVar(&f.Join, "join", "", "address of a hub, such as nats://HOST:4222: exchange inputs and findings with campaigns of the same programs. "+fuzzing.TokenVariable+" has its token (parallax help fleet)")
	mustComplete(c, "join", cobra.NoFileCompletions)
	uiFlag(c, &f.UI)
	fs.BoolVarP(&f.Verbose, "verbose", "v", false, "also show diversity, evenness and probabilities")
	jsonFlag(c, &f.JSON)
	registerFormats(fs, &f.Formats)
	fs.StringVar(&f.Events, "events", "", "write the events of the run as JSON lines to this file while it runs; - is standard output (parallax help json)")
	fs.BoolVar(&o.Ordered, "ordered-traces", false, "count runs that execute the same blocks in another order as different behaviors (parallax help diversity)")
	if compares {
		fs.StringSliceVar(&o.Guidance, "guidance", guidance, f.GuidanceText())
		if o.Mode == fuzzing.ModeDiff {
			fs.StringVar(&o.Reference, "reference", "", "with guidance reference, the program that the others are compared with (default the first)")
		}
		fs.IntVar(&f.PoolSize, "pool-size", f.PoolSize, "new tuples that each domain of guidance keeps without condition; 0 keeps all, and all seeds, as NEZHA does")
		fs.StringSliceVar(&f.Compare, "compare", nil, "layers compared: verdict, value, class (default verdict,value, or the harness's own)")
		choices(c, "compare", true, fuzzing.AllLayers...)
	} else {
		fs.StringSliceVar(&o.Guidance, "guidance", []string{"coverage"}, f.GuidanceText())
		fs.BoolVar(&o.NoInstrument, "no-instrument", false, "count no blocks: with a guidance that looks at none, random or rlcheck (parallax help guidance)")
	}
	fs.StringSliceVar(&f.Without, "without", nil, "with a generator, parts of the search to leave out, for experiments: "+strings.Join(fuzzing.Parts, ", ")+" (parallax help generators)")
	choices(c, "without", true, fuzzing.Parts...)
	fs.StringSliceVar(&f.Published, "published", nil, "with guidance behaviour and its variants, details of BeDivFuzz's public code to follow, for experiments: "+strings.Join(fuzzing.Details, ", ")+" (parallax help guidance)")
	choices(c, "published", true, fuzzing.Details...)
	choices(c, "guidance", true, f.GuidanceWords()...)
	choices(c, "schedule", false, f.ScheduleWords()...)
	choices(c, "mutators", false, "full", "nezha", "der")
	mustComplete(c, "repair", cobra.NoFileCompletions)
	mustComplete(c, "out", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
	mustComplete(c, "fuzz", cobra.NoFileCompletions)
}

// noLimits declares the flag of commands that run programs. The environment passes it to all
// processes of parallax.
func noLimits(c *cobra.Command) {
	c.Flags().BoolFunc("no-limits", "run programs although the kernel cannot hold them to their limits here, and Go functions without (parallax help configuration)", func(text string) error {
		on, err := strconv.ParseBool(text)
		if err != nil {
			return err
		}
		return fuzzing.NoLimits(on)
	})
}

// allows registers --allow.
func allows(c *cobra.Command, f *fuzzing.Options) {
	c.Flags().StringSliceVar(&f.Campaign.Allow, "allow", nil, "let functions reach the network, and write files everywhere: "+strings.Join(fuzzing.Allowable(), ", "))
	choices(c, "allow", true, fuzzing.Allowable()...)
}

// registerFormats declares the flags of files for continuous integration.
func registerFormats(fs *pflag.FlagSet, f *fuzzing.Formats) {
	fs.StringVar(&f.SARIF, "sarif", "", "write the findings as SARIF to this file, for code scanning (parallax help ci)")
	fs.StringVar(&f.JUnit, "junit", "", "write the findings as JUnit XML to this file, for test reports")
	fs.StringVar(&f.Markdown, "markdown", "", markdownUsage)
}

const markdownUsage = "write the findings as Markdown to this file, for a job summary or a pull request"
