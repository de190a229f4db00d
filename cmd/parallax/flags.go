package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/process/quota"
	"parallax/cmd/internal/show/ui"
	"parallax/cmd/internal/subject"
	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/policy"
	"parallax/internal/schedule"
)

// allLayers are the layers that --compare takes.
var allLayers = []string{"verdict", "value", "class"}

// campaignFlags are the flags of commands that fuzz, as they are written.
type campaignFlags struct {
	fuzz     string
	fuzztime string
	maxBytes string
	memory   string
	compare  []string
	without  []string
	json     bool
	verbose  bool
	ui       string
	formats  formatFlags
	options  campaign.Options
	flags    *pflag.FlagSet

	failOnChange bool // of regress: changed behavior makes the run fail
	planOnly     bool // of regress: nothing is fuzzed
}

// register declares the flags that the command's mode has.
func (f *campaignFlags) register(c *cobra.Command) {
	o := &f.options
	fs := c.Flags()
	f.flags = fs
	each, usual, guidance, compares := "", "stratified", []string{"ensemble"}, o.Mode != subject.Fuzz
	takes := "the programs take"
	if o.Mode == subject.Fuzz {
		takes = "the FuzzXxx or harness takes"
	}
	drawn, some := "", "stratified, adaptive, uniform, cheap, rarity, afl, aflfast-fast"
	switch o.Mode {
	case subject.Fuzz:
		each, usual = "; for each target", "rarity" // bench/NOTES.md, "schedule"
		drawn = "; default with a generator or grammar: uniform"
	case subject.Regress:
		takes = "the FuzzXxx or functions take"
		each, usual, guidance = "; for all targets together", "points", []string{"ensemble", feature.Change}
		some = "points, delta, aflgo, churn, " + some
	}
	fs.StringVar(&f.fuzz, "fuzz", "", "run only FuzzXxx whose name matches the regular expression")
	budgetFlag(c, &f.fuzztime, "0", each)
	fs.DurationVar(&o.Budget.CPU, "cputime", 0, "CPU time of all fuzzing workers, without building and triage; 0 is no limit"+each)
	fs.IntVarP(&o.Parallel, "parallel", "p", runtime.NumCPU(), "number of fuzzing workers; with 1, a seed and a budget of inputs, a campaign repeats exactly")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of the random numbers")
	fs.StringVarP(&o.Out, "out", "o", "", "the campaign's folder (default .parallax/<target>); with several targets, the folder of their folders")
	fs.StringArrayVarP(&o.Seeds, "seeds", "i", nil, "seed inputs, may be repeated: a file, or a folder of plain files, of go test fuzz v1 files, or of libFuzzer or AFL")
	fs.BoolVar(&o.GoCache, "go-cache", false, "also use as seeds what go test -fuzz has cached for the target")
	fs.StringVarP(&o.Dictionary, "dict", "x", "", "file of dictionary tokens, in the format of AFL and libFuzzer")
	fs.StringVar(&o.GrammarFile, "grammar", "", "file of a grammar that makes the inputs, instead of bytes (parallax help grammars)")
	fs.BoolVar(&o.GrammarOperands, "grammar-operands", false, "with --grammar, write operands of comparisons into texts where these stay in the language, which takes a second build")
	if o.Mode != subject.Model { // whose functions say what inputs are
		fs.StringVar(&o.Generator, "generator", "", "generator that draws the inputs, such as ./pkg.Document: a func(t *gen.T) that returns what "+takes+", or a gen.Gen (parallax help generators)")
		mustComplete(c, "generator", cobra.NoFileCompletions)
	}
	fs.StringVar(&o.Schedule, "schedule", usual, "how the next seed to mutate is chosen: "+some+" and others (parallax help schedules)"+drawn)
	fs.StringVar(&o.Mutators, "mutators", "full", "set of mutation operators: full, nezha")
	fs.StringVar(&o.Repair, "repair", "", "function that makes mutants valid before they are executed, such as ./pkg.Repair: func([]byte) []byte, or one of all arguments (parallax help repair)")
	fs.StringVar(&f.maxBytes, "max-bytes", "4096", "largest size of an argument, such as 64 or 4KiB. Tapes of a generator may have 64KiB unless it is given")
	fs.DurationVar(&o.Timeout, "timeout", 2*time.Second, "time limit of a program for one input")
	fs.StringVar(&f.memory, "memory", "2GiB", "memory limit of a worker")
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
	uiFlag(c, &f.ui)
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "also show diversity, evenness and probabilities")
	jsonFlag(c, &f.json)
	f.formats.register(fs)
	fs.BoolVar(&o.Ordered, "ordered-traces", false, "count runs that execute the same blocks in another order as different behaviors (parallax help diversity)")
	if compares {
		fs.StringSliceVar(&o.Guidance, "guidance", guidance, guidanceText(o))
		if o.Mode == subject.Diff {
			fs.StringVar(&o.Reference, "reference", "", "with guidance reference, the program that the others are compared with (default the first)")
		}
		fs.IntVar(&o.PoolSize, "pool-size", 0, "new tuples that each domain of guidance keeps without condition (default 256)")
		fs.StringSliceVar(&f.compare, "compare", nil, "layers compared: verdict, value, class (default verdict,value, or the harness's own)")
		choices(c, "compare", true, allLayers...)
	} else {
		fs.StringSliceVar(&o.Guidance, "guidance", []string{"coverage"}, guidanceText(o))
		fs.BoolVar(&o.Uncounted, "no-instrument", false, "count no blocks: with a guidance that looks at none, random or rlcheck (parallax help guidance)")
	}
	fs.StringSliceVar(&f.without, "without", nil, "with a generator, parts of the search to leave out, for experiments: "+strings.Join(policy.Parts, ", ")+" (parallax help generators)")
	choices(c, "without", true, policy.Parts...)
	choices(c, "guidance", true, guidances(o)...)
	choices(c, "schedule", false, schedules(o)...)
	choices(c, "mutators", false, "full", "nezha")
	mustComplete(c, "repair", cobra.NoFileCompletions)
	mustComplete(c, "out", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
	mustComplete(c, "fuzz", cobra.NoFileCompletions)
}

// noLimits declares the flag of commands that run programs. The environment tells it to all processes of parallax that start some.
func noLimits(c *cobra.Command) {
	c.Flags().BoolFunc("no-limits", "run programs although the kernel cannot hold them to their limits here, and Go functions without (parallax help configuration)", func(text string) error {
		on, err := strconv.ParseBool(text)
		switch {
		case err != nil:
			return err
		case on:
			return os.Setenv(quota.Waiver, "1")
		}
		return os.Unsetenv(quota.Waiver)
	})
}

// guidances and schedules are those that the command's mode has, as shells complete them: each name with what its row says of it.
func guidances(o *campaign.Options) (words []string) {
	for _, name := range o.Guidances() {
		words = append(words, name+"\t"+feature.Find(name).Text)
	}
	return words
}

func schedules(o *campaign.Options) (words []string) {
	names := o.Schedules()
	for _, row := range schedule.Table {
		if slices.Contains(names, row.Name) {
			words = append(words, row.Name+"\t"+row.Text)
		}
	}
	return words
}

// guidanceText names the guidances that the command's mode has.
func guidanceText(o *campaign.Options) string {
	var domains, others, searches []string
	for _, name := range o.Guidances() {
		if d := feature.Find(name); d.Search != nil {
			searches = append(searches, name)
		} else if d.KeepsOnlySeeds || d.Union != nil {
			others = append(others, name)
		} else {
			domains = append(domains, name)
		}
	}
	return fmt.Sprintf("novelty by which inputs are kept: %s, a union of these, %s; with a generator also %s (parallax help guidance)",
		strings.Join(domains, ", "), strings.Join(others, ", or "), strings.Join(searches, ", "))
}

// complete completes and checks the options.
func (f *campaignFlags) complete() error {
	o := &f.options
	var err error
	if err := f.triageTime(); err != nil {
		return err
	}
	cpu := o.Budget.CPU
	if o.Budget, err = campaign.ParseBudget(f.fuzztime); err != nil {
		return err
	}
	o.Budget.CPU = cpu
	if o.Memory, err = campaign.ParseMemory(f.memory); err != nil {
		return err
	}
	if o.MaxBytes, err = parseMaxBytes(f.maxBytes); err != nil {
		return err
	}
	if o.Config != nil {
		f.configured()
	}
	if !f.flags.Changed("max-bytes") && (o.Config == nil || !o.Config.Input.Limited) {
		o.MaxTape = campaign.DefaultTape
	}
	guidance, _, err := o.Named()
	if err != nil {
		return err
	}
	if !f.flags.Changed("schedule") {
		search := feature.SearchOf(guidance)
		switch {
		case search != nil:
			o.Schedule = search.Search.Schedule
		case slices.Contains(guidance, feature.Adaptive):
			o.Schedule = schedule.Adaptive // it tells what domains yield
		default:
			o.Unscheduled = o.Mode == subject.Fuzz
		}
	}
	o.Without = strings.Join(f.without, ",")
	layers := f.compare
	if o.LayersGiven = len(layers) > 0; !o.LayersGiven {
		layers = []string{"verdict", "value"}
	}
	if o.Layers, err = oracle.ParseLayers(layers); err != nil {
		return exit.Usage("--compare: %w%s", err, meantOne(layers, allLayers))
	}
	if f.fuzz != "" {
		if o.Match, err = regexp.Compile(f.fuzz); err != nil {
			return exit.Usage("--fuzz %q is not a regular expression: %w", f.fuzz, err)
		}
	}
	switch f.ui {
	case ui.Auto, ui.Line, ui.Full, ui.None:
	default:
		return exit.Usage("--ui %q: choose auto, line, full or none", f.ui)
	}
	if o.Dir, err = os.Getwd(); err != nil {
		return exit.Infra("finding the current folder: %w", err)
	}
	for _, p := range []*string{&o.Out, &o.Dictionary} {
		*p = absolute(o.Dir, *p)
	}
	for i := range o.Seeds {
		o.Seeds[i] = absolute(o.Dir, o.Seeds[i])
	}
	if o.GrammarFile != "" && o.Generator != "" {
		return exit.Usage("--grammar and --generator: inputs are made of one of them. Leave one out, or draw from gen.Grammar in the generator")
	}
	if o.GrammarFile != "" {
		if err := o.ReadGrammar(absolute(o.Dir, o.GrammarFile)); err != nil {
			return err
		}
	}
	if err := f.formats.check(o.Dir); err != nil {
		return err
	}
	if err := o.Check(); err != nil {
		return err
	}
	if o.Mode == subject.Regress { // bounded
		return nil
	}
	return f.ends()
}

// view returns the view of the run: with -v, it shows diversity, evenness and probabilities.
func (f *campaignFlags) view(interrupt func()) ui.UI {
	view := ui.New(os.Stderr, f.ui, interrupt)
	if f.verbose {
		return view
	}
	return ui.Brief(view)
}

// ends is an error if nothing would end the run: there is no budget, and no terminal at which a user could.
func (f *campaignFlags) ends() error {
	o := &f.options
	if o.Budget != (campaign.Budget{}) || o.NoFuzz || f.planOnly || f.flags.Changed("fuzztime") || o.Mode == subject.Model ||
		term.IsTerminal(os.Stdin.Fd()) || term.IsTerminal(os.Stderr.Fd()) {
		return nil
	}
	return exit.Usage("no budget and no terminal: give --fuzztime 1m, or --fuzztime 0 to fuzz until a signal")
}

// triageVariable is the environment variable with the time for triage of commands without the flag.
const triageVariable = "PARALLAX_TRIAGE_TIME"

// triageTime takes from the environment what --triage-time leaves open.
func (f *campaignFlags) triageTime() (err error) {
	o, text := &f.options, os.Getenv(triageVariable)
	given := f.flags.Changed("triage-time")
	if !given && text != "" {
		if o.TriageTime, err = time.ParseDuration(text); err != nil || o.TriageTime < 0 {
			return exit.Usage("%s=%s: give a time such as 1m, or 0 for no limit", triageVariable, text)
		}
		given = true
	}
	o.TriageAll = given && o.TriageTime == 0
	return nil
}

// parseMaxBytes reads --max-bytes: a number, or a size as in a configuration. Its range is checked with the other options.
func parseMaxBytes(text string) (int, error) {
	n, err := tomldoc.Integer(text)
	if err != nil {
		var ok bool
		if n, ok = tomldoc.ParseSize(text); !ok {
			return 0, exit.Usage("--max-bytes %q: give a size like 64 or 4KiB", text)
		}
	}
	return int(n), nil
}

// meantOne suggests a word for the first that is unknown; "" if none is near.
func meantOne(words, known []string) string {
	for _, word := range words {
		if word = strings.TrimSpace(word); !slices.Contains(known, word) {
			return tomldoc.DidYouMean(word, known)
		}
	}
	return ""
}

// configured takes from the configuration what the command line leaves open.
func (f *campaignFlags) configured() {
	o, file := &f.options, f.options.Config
	if len(f.compare) == 0 {
		f.compare = file.Compare.Layers.Names()
	}
	o.Seeds = append(o.Seeds, file.Input.Seeds...)
	if o.Dictionary == "" {
		o.Dictionary = file.Input.Dictionary
	}
	if o.Generator == "" && o.GrammarFile == "" { // one of these on the command line takes the place of both
		o.GrammarFile, o.Generator = file.Input.Grammar, file.Input.Generator
	}
	if !f.flags.Changed("max-bytes") {
		o.MaxBytes = file.Input.MaxBytes
	}
	o.Timeout = file.Limits.Timeout
	if o.Accepted = file.Compare.Accepted; o.Accepted == "" {
		o.Accepted = filepath.Join(file.Dir, accept.FileName)
	}
}

// absolute is a path from dir, unless it is empty.
func absolute(dir, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// tell shows the results of the campaigns, each with its folder.
func (f *campaignFlags) tell(summaries []*report.Summary, folders []string, several bool) error {
	told := false // what to type next
	together := report.Together(summaries)
	for i, s := range summaries {
		o := report.EndOptions{Width: terminal.Width(), Color: terminal.Color(), Verbose: f.verbose, Folder: folders[i], Test: len(f.options.Packages) > 0, Together: together, Several: several}
		if f.options.Out != "" {
			o.Flags = "--campaign " + shell.Word(o.Folder) + " "
		}
		o.Brief, told = told, told || s.Open() > 0
		if err := report.End(os.Stderr, s, o); err != nil {
			return exit.Infra("writing the summary: %w", err)
		}
	}
	var err error
	if several && !f.verbose {
		err = report.Notes(os.Stderr, summaries, terminal.Width())
	}
	if together != nil && err == nil {
		err = report.TellTogether(os.Stderr, together, terminal.Width(), f.verbose)
	}
	if err != nil {
		return exit.Infra("writing the summary: %w", err)
	}
	if several && !told && len(summaries) > 0 {
		if err := report.GoesOn(os.Stderr, terminal.Width()); err != nil {
			return exit.Infra("writing the summary: %w", err)
		}
	}
	sayWaiting(summaries, os.Args[1:])
	if !f.json {
		return nil
	}
	var data []byte
	if !several {
		data, err = summaries[0].Encode()
	} else {
		data, err = report.EncodeAll(summaries, nil)
	}
	if err == nil {
		_, err = os.Stdout.Write(data)
	}
	if err != nil {
		return exit.Infra("writing the summary: %w", err)
	}
	return nil
}
