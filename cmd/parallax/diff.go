package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/report"
	"parallax/cmd/internal/ui"
	"parallax/internal/judge"
	"parallax/internal/schedule"
)

// diffFlags are the flags of diff as they are written.
type diffFlags struct {
	fuzztime string
	memory   string
	compare  []string
	json     bool
	ui       string
	options  campaign.Options
}

func diffCommand() *cobra.Command {
	var f diffFlags
	c := &cobra.Command{
		Use:   "diff FUNC FUNC [FUNC...]",
		Short: "Fuzz functions against each other and report where they disagree",
		Long: `diff runs functions with the same parameters on the same inputs and reports inputs on which they disagree: one accepts
what another rejects, or both accept and return different values.

A function is named by its import path and name, with a version for a module that the current one does not require:

  parallax diff encoding/json.Valid github.com/goccy/go-json.Valid@v0.10.5
  parallax diff ./semver.Parse golang.org/x/mod/semver.IsValid
  parallax diff 'net/netip.(*Addr).UnmarshalText' 'net.(*IP).UnmarshalText'

Parameters may be any of Go's fuzzing types ([]byte, string, bool, integers, floats); []byte and string are the same
thing to different programs. A last result of type error or bool decides between accepted and rejected; other results are values.

The campaign lives in a folder (--out) and is resumed by the same command. Exit code 1 means that there are findings.`,
		Args: atLeast(1, "two functions or more"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		},
		RunE: func(c *cobra.Command, args []string) error { return diff(&f, args) },
	}
	o := &f.options
	fs := c.Flags()
	fs.StringVar(&f.fuzztime, "fuzztime", "0", "time to fuzz, or a number of inputs: 30s, 10000x; 0 goes on until ^C")
	fs.IntVar(&o.Parallel, "parallel", runtime.NumCPU(), "fuzzing workers; with 1, a seed and a budget of inputs a campaign repeats exactly")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of randomness")
	fs.StringVar(&o.Out, "out", "", "the campaign's folder (default .parallax/<target>)")
	fs.StringArrayVar(&o.Seeds, "seeds", nil, "inputs to begin with, may be repeated: a file, or a folder of raw files or go test fuzz v1, of libFuzzer or AFL")
	fs.StringVar(&o.Dictionary, "dict", "", "dictionary of tokens, in the format of AFL and libFuzzer")
	fs.StringSliceVar(&o.Guidance, "guidance", []string{"ensemble"}, "what makes an input worth keeping: coverage, path-coarse, path-fine, output, reference, nezha-coarse, nezha-fine, a union of them, random, or ensemble")
	fs.StringVar(&o.Reference, "reference", "", "the program that guidance reference compares with (default the first)")
	fs.IntVar(&o.Free, "free", 0, "new tuples that each domain keeps before it becomes choosy (default 256)")
	fs.StringVar(&o.Schedule, "schedule", "uniform", "which seed is mutated next: "+strings.Join(schedule.Names, ", "))
	fs.StringVar(&o.Mutators, "mutators", "full", "set of mutation operators: full, nezha")
	fs.StringSliceVar(&f.compare, "compare", []string{"verdict", "value"}, "layers compared: verdict, value, class")
	fs.IntVar(&o.MaxBytes, "max-bytes", 4096, "largest argument in bytes")
	fs.DurationVar(&o.Timeout, "timeout", 2*time.Second, "time that a program may take for an input")
	fs.StringVar(&f.memory, "memory", "2GiB", "memory that a worker may use")
	fs.StringSliceVar(&o.Instrument, "instrument", nil, "further packages to instrument, such as strconv")
	fs.StringVar(&f.ui, "ui", "auto", "status: auto, line, full, none")
	fs.BoolVar(&f.json, "json", false, "write the summary as JSON to standard output")
	choices(c, "guidance", true, "ensemble", "coverage", "path-coarse", "path-fine", "output", "reference", "nezha-coarse", "nezha-fine", "random")
	choices(c, "schedule", false, schedule.Names...)
	choices(c, "mutators", false, "full", "nezha")
	choices(c, "compare", true, "verdict", "value", "class")
	choices(c, "ui", false, ui.Auto, ui.Line, ui.Full, ui.None)
	mustComplete(c, "out", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
	return c
}

// complete completes and checks the options.
func (f *diffFlags) complete(args []string) error {
	o := &f.options
	o.Functions = args
	var err error
	if o.Budget, err = campaign.ParseBudget(f.fuzztime); err != nil {
		return err
	}
	if o.Memory, err = campaign.ParseMemory(f.memory); err != nil {
		return err
	}
	if o.Layers, err = judge.ParseLayers(f.compare); err != nil {
		return exit.Usage("--compare: %w", err)
	}
	switch f.ui {
	case ui.Auto, ui.Line, ui.Full, ui.None:
	default:
		return exit.Usage("--ui %q: choose auto, line, full or none", f.ui)
	}
	if o.Dir, err = os.Getwd(); err != nil {
		return exit.Infra("finding the current folder: %w", err)
	}
	paths := []*string{&o.Out, &o.Dictionary}
	for i := range o.Seeds {
		paths = append(paths, &o.Seeds[i])
	}
	for _, p := range paths {
		if *p != "" && !filepath.IsAbs(*p) {
			*p = filepath.Join(o.Dir, *p)
		}
	}
	return o.Check()
}

func diff(f *diffFlags, args []string) error {
	if err := f.complete(args); err != nil {
		return err
	}
	tool, err := os.Executable()
	if err != nil {
		return exit.Infra("finding the parallax executable: %w", err)
	}
	ctx, kill, interrupt := interrupts()
	view := ui.New(os.Stderr, f.ui, interrupt)
	defer view.Close()
	target, err := campaign.BuildTarget(ctx, &f.options, tool, view.Step)
	if err != nil {
		view.Close()
		if ctx.Err() != nil {
			fmt.Fprintln(os.Stderr, "parallax: interrupted while building: nothing was fuzzed")
			return nil
		}
		return err
	}
	defer target.Close()
	custom := f.options.Out != ""
	summary, err := campaign.Run(ctx, kill, target, f.options, view, time.Now)
	view.Close()
	if summary == nil {
		return err
	}
	if shown := tell(summary, f, target, custom); shown != nil && err == nil {
		err = shown
	}
	if code := exit.Code(err); summary.Open() > 0 && (code == exit.OK || code == exit.InfraCode) {
		if err != nil {
			fmt.Fprintln(os.Stderr, "parallax:", err)
		}
		return found
	}
	return err
}

// tell shows what the campaign came to.
func tell(s *report.Summary, f *diffFlags, t *campaign.Target, custom bool) error {
	o := report.EndOptions{Width: width(), Color: color(), Folder: campaign.Shown(&f.options, t)}
	if custom {
		o.Flags = "--out " + campaign.QuoteArg(o.Folder) + " "
	}
	if err := report.End(os.Stderr, s, o); err != nil {
		return exit.Infra("writing the summary: %w", err)
	}
	if !f.json {
		return nil
	}
	data, err := s.Encode()
	if err == nil {
		_, err = os.Stdout.Write(data)
	}
	if err != nil {
		return exit.Infra("writing the summary: %w", err)
	}
	return nil
}

// interrupts turns signals into a context that ends with the first of them and a channel that is closed by the second.
func interrupts() (ctx context.Context, kill <-chan struct{}, interrupt func()) {
	ctx, cancel := context.WithCancel(context.Background())
	second := make(chan struct{})
	var mu sync.Mutex
	count := 0
	interrupt = func() {
		mu.Lock()
		defer mu.Unlock()
		switch count++; count {
		case 1:
			cancel()
		case 2:
			close(second)
		}
	}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		for range signals {
			interrupt()
		}
	}()
	return ctx, second, interrupt
}

func width() int {
	if w, _, err := term.GetSize(os.Stderr.Fd()); err == nil && w > 0 {
		return w
	}
	return 100
}

func color() bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(os.Stderr.Fd())
}
