package fuzzing

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/change/git"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/regress"
	"parallax/cmd/internal/show/text"
	"parallax/cmd/internal/show/ui"
	"parallax/cmd/internal/subject"
)

// Fuzz fuzzes the FuzzXxx of packages, or C and C++ harnesses.
func Fuzz(f *Options, args []string) error {
	if harnesses, err := areHarnesses(args); harnesses || err != nil {
		if err == nil {
			err = fuzzHarnesses(f, args)
		}
		return err
	}
	f.Campaign.Packages = args
	if len(args) == 0 {
		f.Campaign.Packages = []string{"."}
	}
	return runTests(f)
}

// slice is how long a target is fuzzed at a time when there is no limit and there are others. It
// doubles up to maxSlice, so that what starting costs does not count.
const (
	slice    = 10 * time.Second
	maxSlice = 10 * time.Minute
)

// runTests fuzzes the FuzzXxx of packages.
func runTests(f *Options) error {
	ctx, kill, view, tool, err := f.Start()
	if err != nil {
		return err
	}
	defer view.Close()
	tests, err := subject.ListFuzz(ctx, &f.Campaign.Options, tool, view.Step)
	if err != nil {
		view.Close()
		return UnlessInterrupted(ctx, err)
	}
	defer tests.Close()
	runs := make([]Run, len(tests.Tests))
	for i, t := range tests.Tests {
		runs[i] = Run{Name: t.Name, Options: f.Campaign}
		runs[i].Build = func(o *campaign.Options) (subject.Target, error) { return tests.Build(ctx, t, &o.Options, view.Step) }
	}
	f.TakeTurns(ctx, kill, runs, view)
	return f.Conclude(runs, tests.Notes)
}

// TakeTurns fuzzes targets, each for the whole budget, or in turns if there is none.
func (f *Options) TakeTurns(ctx context.Context, kill <-chan struct{}, runs []Run, view ui.UI) {
	for i := range runs {
		if len(runs) > 1 && f.Campaign.Out != "" {
			runs[i].Options.Out = filepath.Join(f.Campaign.Out, runs[i].Name)
		}
	}
	ending := &campaign.Ending{}
	turns := f.Campaign.Budget == (campaign.Budget{}) && !f.Campaign.NoFuzz && len(runs) > 1
	for turn := slice; ctx.Err() == nil; turn = min(2*turn, maxSlice) {
		left := 0
		for i := range runs {
			r := &runs[i]
			if r.Err != nil || ctx.Err() != nil {
				continue
			}
			if turns {
				r.Options.Budget.Time = turn
			}
			ending.Targets = len(runs) - i
			r.Options.Ending = ending
			if len(runs) > 1 {
				r.place = fmt.Sprintf("%s (%d of %d)", r.Name, i+1, len(runs))
			}
			if turns || r.Turn == nil {
				r.Fuzz(ctx, kill, view)
			} else {
				r.Turn(kill)
			}
			if !turns && r.Done != nil {
				r.Done()
			}
			left++
		}
		if !turns || left == 0 {
			break
		}
	}
	view.Close()
}

// A Run is a target of a command, and the result of fuzzing it.
type Run struct {
	Name    string
	Build   func(*campaign.Options) (subject.Target, error)
	Options campaign.Options
	Target  subject.Target
	Summary *finding.Summary
	Err     error
	Skipped bool   // it skips itself, as go test lets it
	Done    func() // called when its turn is over and no other comes; may be nil
	place   string // among several, shown once it is built

	Turn func(kill <-chan struct{}) // replaces run where there is a budget; may be nil
}

// Fuzz builds the target unless it is built, and fuzzes it.
func (r *Run) Fuzz(ctx context.Context, kill <-chan struct{}, view ui.UI) {
	if r.Target == nil {
		t, err := r.Build(&r.Options)
		if err != nil {
			if ctx.Err() == nil {
				r.Err = err
			}
			return
		}
		r.Target = t
	}
	if r.place != "" {
		view.Message(r.place)
	}
	r.Options.Describe, r.Options.Sources, r.Options.Revision = text.Markdown, text.RecordSources, revisionOf(ctx, r.Options.Dir)
	s, err := campaign.Run(ctx, kill, r.Target, r.Options, view, time.Now)
	if s != nil {
		r.Summary = s
	}
	r.Err = err
}

// gitTime bounds the question for a revision.
const gitTime = 10 * time.Second

// revisionOf returns a function that asks git for the commit of a folder. It also answers when the
// run was interrupted.
func revisionOf(ctx context.Context, dir string) func() string {
	return func() string {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), gitTime)
		defer cancel()
		return git.Revision(ctx, dir)
	}
}

// leftOut notes the tests that skip themselves, as go test lets them, if others were fuzzed.
func leftOut(runs []Run, fuzzed bool) (notes []string) {
	for i := range runs {
		var skipped *subject.Skipped
		if fuzzed && errors.As(runs[i].Err, &skipped) {
			notes = append(notes, "left out: "+skipped.Error())
			runs[i].Err, runs[i].Skipped = nil, true
		}
	}
	return notes
}

// open counts the findings that make the run fail.
func (f *Options) open(s *finding.Summary) int {
	n := s.Open()
	for i := range s.Findings.Buckets {
		b := s.Findings.Buckets[i]
		if status := regress.Status(b.Status); f.FailOnChange && status == regress.StatusChanged {
			if b.Status = ""; b.Open() {
				n++
			}
		}
	}
	return n
}

// Conclude prints the results of runs, and returns the error of the command. A target that could
// not be fuzzed counts more than findings of others: the run has not done what was asked.
func (f *Options) Conclude(runs []Run, notes []string) error {
	var summaries []*finding.Summary
	var folders []string
	open := 0
	for _, r := range runs {
		if r.Summary != nil {
			summaries = append(summaries, r.Summary)
			folders = append(folders, archive.Shown(&r.Options.Options, r.Target))
			open += f.open(r.Summary)
		}
	}
	finding.Relate(summaries)
	var missed []string
	for _, r := range runs {
		if r.Summary == nil && r.Err == nil && !r.Skipped {
			missed = append(missed, r.Name)
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
		last.Notes = append(last.Notes, finding.Once(notes)...)
	}
	var err error
	if len(summaries) > 0 || len(runs) > 1 {
		err = f.summarize(summaries, folders, len(runs) > 1)
	}
	err = f.Delivered(runs, err)
	var all []error
	for _, r := range runs {
		said := func(err error) bool { return err.Error() == r.Err.Error() }
		if r.Err == nil || slices.ContainsFunc(all, said) { // a package that does not build, for each of its tests
			continue
		}
		all = append(all, r.Err)
		if err == nil || exit.Code(r.Err) != exit.InfraCode && exit.Code(err) == exit.InfraCode {
			err = r.Err
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
	return Verdict(err, open)
}
