package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/finding/regress"
	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/show/ui"
	"parallax/cmd/internal/subject"
)

func fuzzCommand() *cobra.Command {
	f := campaignFlags{options: campaign.Options{Options: subject.Options{Mode: subject.Fuzz}}}
	c := &cobra.Command{
		Use:   "fuzz {[PACKAGE...] | HARNESS...}",
		Short: "Fuzz existing FuzzXxx, or C and C++ harnesses, unchanged",
		Long: `fuzz runs every func FuzzXxx(f *testing.F) of the packages, as go test -fuzz does, but faster and without its limits.
It runs several targets and packages, goes on after the first failure, and groups failures by cause.

  parallax fuzz ./... --fuzztime 1m
  parallax fuzz ./parse --fuzz FuzzHeader --fuzztime 1000000x --parallel 1 --seed 1

Seeds come from f.Add and testdata/fuzz. Each target has its own campaign (.parallax/<target>), which the same command resumes.
parallax export writes findings to testdata/fuzz, where go test runs them.

parallax cc or parallax c++ links a C or C++ harness (LLVMFuzzerTestOneInput). With its path, fuzz reports crashes, errors that
sanitizers detect, leaks, and inputs that take too much time or memory (parallax help c):

  parallax fuzz ./fuzz_parse --seeds corpus --dict xml.dict

Exit code 1 means that there are findings.`,
		Example: "  parallax fuzz ./... --fuzztime 1m\n  parallax fuzz ./parse --fuzz FuzzHeader --fuzztime 100000x\n  parallax fuzz ./harness --seeds corpus --dict xml.dict -t 1m",
		RunE: func(c *cobra.Command, args []string) error {
			if harnesses, err := areHarnesses(args); harnesses || err != nil {
				if err == nil {
					err = fuzzHarnesses(&f, args)
				}
				return err
			}
			f.options.Packages = args
			if len(args) == 0 {
				f.options.Packages = []string{"."}
			}
			return runTests(&f)
		},
	}
	f.register(c)
	return c
}

// slice is how long a target is fuzzed at a time when there is no limit and there are others. It doubles up to maxSlice, so
// that what starting costs does not count.
const (
	slice    = 10 * time.Second
	maxSlice = 10 * time.Minute
)

// runTests fuzzes the FuzzXxx of packages.
func runTests(f *campaignFlags) error {
	if err := f.complete(); err != nil {
		return err
	}
	tool, err := os.Executable()
	if err != nil {
		return exit.Infra("finding the parallax executable: %w", err)
	}
	ctx, kill, interrupt := terminal.Interrupts()
	view := f.view(interrupt)
	defer view.Close()
	tests, err := subject.ListFuzz(ctx, &f.options.Options, tool, view.Step)
	if err != nil {
		view.Close()
		return unlessInterrupted(ctx, err)
	}
	defer tests.Close()
	runs := make([]testRun, len(tests.Tests))
	for i, t := range tests.Tests {
		runs[i] = testRun{name: t.Name, options: f.options}
		runs[i].build = func(o *campaign.Options) (subject.Target, error) { return tests.Build(ctx, t, &o.Options, view.Step) }
	}
	f.takeTurns(ctx, kill, runs, view)
	return f.conclude(runs, tests.Notes)
}

// takeTurns fuzzes targets, each for the whole budget, or in turns if there is none.
func (f *campaignFlags) takeTurns(ctx context.Context, kill <-chan struct{}, runs []testRun, view ui.UI) {
	for i := range runs {
		if len(runs) > 1 && f.options.Out != "" {
			runs[i].options.Out = filepath.Join(f.options.Out, runs[i].name)
		}
	}
	ending := &campaign.Ending{}
	turns := f.options.Budget == (campaign.Budget{}) && len(runs) > 1
	for turn := slice; ctx.Err() == nil; turn = min(2*turn, maxSlice) {
		left := 0
		for i := range runs {
			r := &runs[i]
			if r.err != nil || ctx.Err() != nil {
				continue
			}
			if turns {
				r.options.Budget.Time = turn
			}
			ending.Targets = len(runs) - i
			r.options.Ending = ending
			if len(runs) > 1 {
				r.place = fmt.Sprintf("%s (%d of %d)", r.name, i+1, len(runs))
			}
			if turns || r.turn == nil {
				r.run(ctx, kill, view)
			} else {
				r.turn(kill)
			}
			if !turns && r.done != nil {
				r.done()
			}
			left++
		}
		if !turns || left == 0 {
			break
		}
	}
	view.Close()
}

// testRun is a FuzzXxx or a harness and what became of it.
type testRun struct {
	name    string
	build   func(*campaign.Options) (subject.Target, error)
	options campaign.Options
	target  subject.Target
	summary *report.Summary
	err     error
	skipped bool   // it skips itself, as go test lets it
	done    func() // called when its turn is over and no other comes; may be nil
	place   string // among several, shown once it is built

	turn func(kill <-chan struct{}) // replaces run where there is a budget; may be nil
}

func (r *testRun) run(ctx context.Context, kill <-chan struct{}, view ui.UI) {
	if r.target == nil {
		t, err := r.build(&r.options)
		if err != nil {
			if ctx.Err() == nil {
				r.err = err
			}
			return
		}
		r.target = t
	}
	if r.place != "" {
		view.Message(r.place)
	}
	s, err := campaign.Run(ctx, kill, r.target, r.options, view, time.Now)
	if s != nil {
		r.summary = s
	}
	r.err = err
}

// leftOut notes the tests that skip themselves, as go test lets them, if others were fuzzed.
func leftOut(runs []testRun, fuzzed bool) (notes []string) {
	for i := range runs {
		var skipped *subject.Skipped
		if fuzzed && errors.As(runs[i].err, &skipped) {
			notes = append(notes, "left out: "+skipped.Error())
			runs[i].err, runs[i].skipped = nil, true
		}
	}
	return notes
}

// open counts the findings that make the run fail.
func (f *campaignFlags) open(s *report.Summary) int {
	n := s.Open()
	for i := range s.Findings.Buckets {
		b := s.Findings.Buckets[i]
		if status := regress.Status(b.Status); f.failOnChange && status == regress.StatusChanged {
			if b.Status = ""; b.Open() {
				n++
			}
		}
	}
	return n
}

// conclude prints the results of the runs. An obstacle to fuzzing a target counts more than findings of others: the run
// has not done what was asked.
func (f *campaignFlags) conclude(runs []testRun, notes []string) error {
	var summaries []*report.Summary
	var folders []string
	open := 0
	for _, r := range runs {
		if r.summary != nil {
			summaries = append(summaries, r.summary)
			folders = append(folders, archive.Shown(&r.options.Options, r.target))
			open += f.open(r.summary)
		}
	}
	var missed []string
	for _, r := range runs {
		if r.summary == nil && r.err == nil && !r.skipped {
			missed = append(missed, r.name)
		}
	}
	if len(missed) > 0 && len(summaries) > 0 {
		notes = append(notes, "not fuzzed, because the run was interrupted: "+strings.Join(missed, ", "))
	}
	notes = append(notes, leftOut(runs, len(summaries) > 0)...)
	for _, s := range summaries { // what is said of one target is not said again of all
		notes = slices.DeleteFunc(notes, func(n string) bool { return slices.Contains(s.Notes, n) })
	}
	if len(summaries) > 0 && len(notes) > 0 {
		last := summaries[len(summaries)-1]
		last.Notes = append(last.Notes, report.Once(notes)...)
	}
	var err error
	if len(summaries) > 0 || len(runs) > 1 {
		err = f.tell(summaries, folders, len(runs) > 1)
	}
	err = f.delivered(runs, err)
	var all []error
	for _, r := range runs {
		said := func(err error) bool { return err.Error() == r.err.Error() }
		if r.err == nil || slices.ContainsFunc(all, said) { // a package that does not build, for each of its tests
			continue
		}
		all = append(all, r.err)
		if err == nil || exit.Code(r.err) != exit.InfraCode && exit.Code(err) == exit.InfraCode {
			err = r.err
		}
	}
	if len(all) > 1 {
		err = &exit.Error{Code: exit.Code(err), Err: errors.Join(all...)}
	}
	if len(summaries) == 0 && err == nil {
		text := "parallax: interrupted while building: nothing was fuzzed"
		if len(missed) > 1 {
			text += ": " + strings.Join(missed, ", ")
		}
		fmt.Fprintln(os.Stderr, escape.Text(text))
	}
	return verdict(err, open)
}
