// Package fuzzing runs the targets of a command. It completes the options that the user wrote and
// fuzzes each target in its turn. It prints the results, and writes them for continuous
// integration. diff and fuzz are all here; regress and model make their targets by themselves, and
// hand them over as runs.
package fuzzing

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/charmbracelet/x/term"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/event"
	"parallax/cmd/internal/show/eventlog"
	"parallax/cmd/internal/show/text"
	"parallax/cmd/internal/show/ui"
	"parallax/cmd/internal/subject"
	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/schedule"
)

// AllLayers are the layers that --compare takes.
var AllLayers = []string{"verdict", "value", "class"}

// Options are those of commands that fuzz, as the user wrote them. Complete makes those of a
// campaign of them.
type Options struct {
	Fuzz     string
	FuzzTime string
	Quiet    string // the limit of --until-quiet
	Events   string // the file of --events; empty means none
	MaxBytes string
	Memory   string
	Compare  []string
	Without  []string
	// Published lists the details of BeDivFuzz's public code.
	Published []string
	PoolSize  int // of --pool-size; 0 means no bound
	JSON      bool
	Verbose   bool
	UI        string
	Formats   Formats
	Join      string // address of a hub; empty means that campaigns are alone
	Campaign  campaign.Options
	Given     func(flag string) bool // whether the user has given a flag
	Version   string                 // of parallax

	FailOnChange bool // of regress: changed behavior makes the run fail
	PlanOnly     bool // of regress: nothing is fuzzed
}

// Complete completes and checks the options.
func (f *Options) Complete() error {
	o := &f.Campaign
	var err error
	if err := f.triageTime(); err != nil {
		return err
	}
	cpu := o.Budget.CPU
	if o.Budget, err = campaign.ParseBudget(f.FuzzTime); err != nil {
		return err
	}
	o.Budget.CPU = cpu
	if o.Budget.Quiet, err = campaign.ParseQuiet(f.Quiet); err != nil {
		return err
	}
	if o.Memory, err = campaign.ParseMemory(f.Memory); err != nil {
		return err
	}
	if o.MaxBytes, err = parseMaxBytes(f.MaxBytes); err != nil {
		return err
	}
	if o.Config != nil {
		f.configured()
	}
	if !f.Given("max-bytes") && (o.Config == nil || !o.Config.Input.Limited) {
		o.MaxTape = campaign.DefaultTape
	}
	guidance, _, err := o.Named()
	if err != nil {
		return err
	}
	if !f.Given("schedule") {
		search := feature.SearchOf(guidance)
		switch {
		case search != nil:
			o.Schedule = search.Search.Schedule
		case slices.Contains(guidance, feature.Adaptive):
			o.Schedule = schedule.Adaptive // it measures what domains yield
		default:
			o.Unscheduled = o.Mode == subject.Fuzz
		}
	}
	if err := f.searched(guidance); err != nil {
		return err
	}
	if o.PoolSize, err = poolSize(f.PoolSize); err != nil {
		return err
	}
	layers := f.Compare
	if o.LayersGiven = len(layers) > 0; !o.LayersGiven {
		layers = []string{"verdict", "value"}
	}
	if o.Layers, err = oracle.ParseLayers(layers); err != nil {
		return exit.Usage("--compare: %w%s", err, tomldoc.MeantOne(layers, AllLayers))
	}
	if f.Fuzz != "" {
		if o.Match, err = regexp.Compile(f.Fuzz); err != nil {
			return exit.Usage("--fuzz %q is not a regular expression: %w", f.Fuzz, err)
		}
	}
	switch f.UI {
	case ui.Auto, ui.Line, ui.Full, ui.None:
	default:
		return exit.Usage("--ui %q: choose auto, line, full or none", f.UI)
	}
	if o.Dir, err = os.Getwd(); err != nil {
		return exit.Infra("finding the current folder: %w", err)
	}
	for _, p := range []*string{&o.Out, &o.Dictionary} {
		*p = Absolute(o.Dir, *p)
	}
	for i := range o.Seeds {
		o.Seeds[i] = Absolute(o.Dir, o.Seeds[i])
	}
	if o.GrammarFile != "" && o.Generator != "" {
		return exit.Usage("--grammar and --generator: inputs are made of one of them. Leave one out, or draw from gen.Grammar in the generator")
	}
	if o.GrammarFile != "" {
		if err := o.ReadGrammar(Absolute(o.Dir, o.GrammarFile)); err != nil {
			return err
		}
	}
	if err := f.Formats.Check(o.Dir); err != nil {
		return err
	}
	if f.Events == "-" && f.JSON {
		return exit.Usage("--events - and --json both write to standard output: name a file for --events")
	}
	if err := o.Check(); err != nil {
		return err
	}
	if err := f.join(); err != nil {
		return err
	}
	if o.Mode == subject.Regress { // bounded
		return nil
	}
	return f.Ends()
}

// Start completes and checks the options, and opens the view. It also returns a context that ends
// with the first interrupt, a channel that the second one closes, and the path of the parallax
// executable.
func (f *Options) Start() (ctx context.Context, kill <-chan struct{}, view ui.UI, tool string, err error) {
	if err := f.Complete(); err != nil {
		return nil, nil, nil, "", err
	}
	if tool, err = os.Executable(); err != nil {
		return nil, nil, nil, "", exit.Infra("finding the parallax executable: %w", err)
	}
	if f.Events != "" {
		events, err := eventlog.Create(f.Events, time.Now)
		if err != nil {
			return nil, nil, nil, "", err
		}
		f.Campaign.Subscribers = append(f.Campaign.Subscribers, func(t *subject.Facts) event.Subscriber { return events.Of(t.Name, t.Shape) })
	}
	ctx, kill, interrupt := terminal.Interrupts()
	return ctx, kill, f.View(interrupt), tool, nil
}

// View returns the view of the run: with -v, it shows diversity, evenness and probabilities.
func (f *Options) View(interrupt func()) ui.UI {
	view := ui.New(os.Stderr, f.UI, interrupt)
	if f.Verbose {
		return view
	}
	return ui.Brief(view)
}

// Ends is an error if nothing would end the run: there is no budget, and no terminal at which a
// user could.
func (f *Options) Ends() error {
	o := &f.Campaign
	if o.Budget != (campaign.Budget{}) || o.NoFuzz || f.PlanOnly || f.Given("fuzztime") || o.Mode == subject.Model ||
		term.IsTerminal(os.Stdin.Fd()) || term.IsTerminal(os.Stderr.Fd()) {
		return nil
	}
	return exit.Usage("no budget and no terminal: give --fuzztime 1m, or --fuzztime 0 to fuzz until a signal")
}

// TriageVariable is the environment variable with the time for triage of commands without the flag.
const TriageVariable = "PARALLAX_TRIAGE_TIME"

// triageTime takes from the environment what --triage-time leaves open.
func (f *Options) triageTime() (err error) {
	o, text := &f.Campaign, os.Getenv(TriageVariable)
	given := f.Given("triage-time")
	if !given && text != "" {
		if o.TriageTime, err = time.ParseDuration(text); err != nil || o.TriageTime < 0 {
			return exit.Usage("%s=%s: give a time such as 1m, or 0 for no limit", TriageVariable, text)
		}
		given = true
	}
	o.TriageAll = given && o.TriageTime == 0
	return nil
}

// poolSize returns the size of a policy for --pool-size.
func poolSize(n int) (int, error) {
	switch {
	case n < 0:
		return 0, exit.Usage("--pool-size %d: give a number of tuples, or 0 to keep all", n)
	case n == 0:
		return feature.Unbounded, nil
	case n == feature.DefaultPool:
		return 0, nil
	}
	return n, nil
}

// parseMaxBytes reads --max-bytes: a number, or a size as in a configuration. Its range is checked
// with the other options.
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

// configured takes from the configuration what the command line leaves open.
func (f *Options) configured() {
	o, file := &f.Campaign, f.Campaign.Config
	if len(f.Compare) == 0 {
		f.Compare = file.Compare.Layers.Names()
	}
	o.Seeds = append(o.Seeds, file.Input.Seeds...)
	if o.Dictionary == "" {
		o.Dictionary = file.Input.Dictionary
	}
	if o.Generator == "" && o.GrammarFile == "" { // one of these on the command line takes the place of both
		o.GrammarFile, o.Generator = file.Input.Grammar, file.Input.Generator
	}
	if !f.Given("max-bytes") {
		o.MaxBytes = file.Input.MaxBytes
	}
	o.Timeout = file.Limits.Timeout
	if o.Accepted = file.Compare.Accepted; o.Accepted == "" {
		o.Accepted = filepath.Join(file.Dir, accept.FileName)
	}
}

// Absolute is a path from dir, unless it is empty.
func Absolute(dir, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// summarize prints the summary of each campaign, with its folder.
func (f *Options) summarize(summaries []*finding.Summary, folders []string, several bool) error {
	told := false // what to type next
	together := finding.Together(summaries)
	order := make([]int, len(summaries))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { // a reader sees the end
		return cmp.Compare(min(1, summaries[i].Open()), min(1, summaries[j].Open()))
	})
	for _, i := range order {
		s := summaries[i]
		o := text.EndOptions{Width: terminal.Width(), Color: terminal.Color(), Verbose: f.Verbose, Folder: folders[i], Test: len(f.Campaign.Packages) > 0, Together: together, Several: several}
		if f.Campaign.Out != "" {
			o.Flags = "--campaign " + shell.Word(o.Folder) + " "
		}
		o.Brief, told = told, told || s.Open() > 0
		if err := text.End(os.Stderr, s, o); err != nil {
			return exit.Infra("writing the summary: %w", err)
		}
	}
	var err error
	if several && !f.Verbose {
		err = text.Notes(os.Stderr, summaries, terminal.Width())
	}
	if together != nil && err == nil {
		err = text.TellTogether(os.Stderr, together, terminal.Width(), f.Verbose)
	}
	if err != nil {
		return exit.Infra("writing the summary: %w", err)
	}
	if several && !told && len(summaries) > 0 {
		if err := text.GoesOn(os.Stderr, terminal.Width()); err != nil {
			return exit.Infra("writing the summary: %w", err)
		}
	}
	sayWaiting(summaries, os.Args[1:])
	if several && len(summaries) > 0 && f.Campaign.Mode != subject.Regress { // regress answers by itself
		fmt.Fprintf(os.Stderr, "\n%s\n", text.Answer(f.Campaign.Mode, summaries))
	}
	if !f.JSON {
		return nil
	}
	var data []byte
	if !several {
		data, err = summaries[0].Encode()
	} else {
		data, err = finding.EncodeAll(summaries, nil)
	}
	if err == nil {
		_, err = os.Stdout.Write(data)
	}
	return exit.Doing("writing the summary", err)
}
