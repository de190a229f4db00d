// Package regress compares two versions of a program. It plans what a change reaches, and makes
// targets of both versions. Its last line sums up their results. cmd/parallax calls it;
// command/fuzzing runs the targets.
//
// The way of a change of Go code is this. Package revision provides both trees, and plan compares
// them, finds the harnesses that reach the change, and divides the budget. Package subject builds
// each harness in both trees as programs "new" and "old" in lockstep. Plan.Impact then finds the
// change points among the blocks of that build, for the schedules and for the share of the old
// version. Package findings gives each finding a status by the behavior of both versions.
//
// For a C project, package nativebuild builds both trees (native.go).
package regress

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/campaign/review"
	"parallax/cmd/internal/change/plan"
	"parallax/cmd/internal/change/revision"
	"parallax/cmd/internal/change/synthesis"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/flow/reach"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/show/ui"
	"parallax/cmd/internal/subject"
)

// Options are those of regress, as the user wrote them.
type Options struct {
	fuzzing.Options
	Base, Head  string
	NoBase      bool
	FailOn      string
	Function    string // of two published versions, or of a repository
	Harness     string // folder
	NoSynthesis bool
	Impact      string // how it is computed
	PlanTime    time.Duration
}

// Impacts are the ways to compute the impact, and DefaultImpact is the usual one.
var (
	Impacts       = reach.Directions
	DefaultImpact = reach.Directions[reach.Both]
)

// A comparison is a run of regress: its options, and the functions that it fuzzes without a
// FuzzXxx.
type comparison struct {
	Options
	direction reach.Direction
	synthesis *synthesis.Pair
	named     *synthesis.Function            // by --func
	picked    map[string]*synthesis.Function // that are fuzzed, by full name
}

// Run compares two versions.
func Run(o Options, args []string) error {
	f := &comparison{Options: o}
	return f.run(args)
}

// run is the command.
func (f *comparison) run(args []string) error {
	q := revision.Request{Base: f.Base, Head: f.Head}
	for _, arg := range args {
		switch {
		case !strings.HasSuffix(arg, ".toml"):
		case len(args) > 1:
			return exit.Usage("a configuration names the harness: give %s as the only argument, not as one of %d", arg, len(args))
		default:
			if err := f.failing(); err != nil {
				return err
			}
			return f.native(arg)
		}
	}
	err := f.Allowed()
	if err == nil {
		args, err = f.sort(args, &q)
	}
	if err == nil {
		err = f.checkFunctions(q.Modules[0] != "")
	}
	if err != nil {
		return err
	}
	ctx, kill, view, tool, err := f.Start()
	if err != nil {
		return err
	}
	defer view.Close()
	q.Dir, q.Parallax, q.Progress = f.Campaign.Dir, tool, view.Step
	if err := f.bounded(ctx, q); err != nil {
		view.Close()
		return fuzzing.UnlessInterrupted(ctx, err)
	}
	versions, err := revision.Resolve(ctx, q)
	if err != nil {
		view.Close()
		return fuzzing.UnlessInterrupted(ctx, err)
	}
	defer versions.Close()
	trees, module, err := f.trees(ctx, versions, q)
	if err != nil {
		view.Close()
		return fuzzing.UnlessInterrupted(ctx, err)
	}
	if trees != versions {
		defer trees.Close()
	}
	only := ""
	if f.Function != "" {
		if only, err = f.find(ctx, trees, tool, view); err != nil {
			view.Close()
			return fuzzing.UnlessInterrupted(ctx, err)
		}
	}
	p, err := plan.Make(ctx, plan.Request{
		Versions: trees, Module: module, Patterns: args, Match: f.Campaign.Match, Only: only, Tags: f.Campaign.Tags, Inputs: f.Campaign.Budget.Inputs, Parallax: tool, Progress: view.Step,
		Patience: f.PlanTime,
	})
	if err != nil {
		view.Close()
		if meant := revision.ExplainArguments(ctx, q.Dir, args); exit.Code(err) == exit.UsageCode && meant != nil {
			err = meant
		}
		return fuzzing.UnlessInterrupted(ctx, err)
	}
	if err := f.compiles(ctx, p, trees, args, tool, view); err != nil {
		view.Close()
		return fuzzing.UnlessInterrupted(ctx, err)
	}
	name(p.Harnesses)
	f.Campaign.Literals = p.Literals
	f.say(view, strings.Join(versions.Notes, "\n")) // after all mistakes in the command
	f.say(view, plan.Head(versions))
	if len(p.Points) > 0 {
		if err := f.functions(ctx, p, trees, tool, view); err != nil {
			view.Close()
			return fuzzing.UnlessInterrupted(ctx, err)
		}
	}
	if len(p.Harnesses) == 0 {
		view.Close()
		return f.nothing(trees, p)
	}
	f.say(view, p.Changed())
	f.say(view, p.Budget(f.whole(), f.share)+p.Doubts())
	if f.PlanOnly {
		view.Close()
		return f.planned(trees, p)
	}
	if err := subject.CheckGenerator(ctx, subject.Version{Dir: trees.Head.Home, Environ: trees.Head.Env}, &f.Campaign.Options, tool, view.Step); err != nil {
		view.Close()
		return fuzzing.UnlessInterrupted(ctx, err)
	}
	s := &session{f, ctx, p, trees, module, tool, view}
	f.Campaign.Stale = &review.Stale{}
	runs := s.pairs()
	defer func() {
		for i := range runs {
			if runs[i].Target != nil {
				runs[i].Target.Close()
			}
		}
	}()
	if published := q.Modules[0] != ""; f.Harness == "" && f.Function == "" && (published || !f.NoBase && !f.NoSynthesis) {
		if runs, err = s.ready(runs, published); err != nil {
			view.Close()
			return f.Delivered(runs, fuzzing.UnlessInterrupted(ctx, err))
		}
	}
	f.TakeTurns(ctx, kill, runs, view)
	notes, err := s.leave(runs)
	if err != nil {
		return f.Delivered(runs, err)
	}
	err = f.Conclude(runs, slices.Concat(notes, f.Campaign.Stale.Notes(), p.Notes, trees.Head.Notes, trees.Base.Notes))
	s.answer(runs)
	return err
}

// bounded is an error if nothing would end the run. A mistake in the versions is reported instead.
func (f *comparison) bounded(ctx context.Context, q revision.Request) error {
	err := f.Ends()
	if err == nil {
		return nil
	}
	q.Progress = func(string) {}
	versions, mistake := revision.Resolve(ctx, q)
	if mistake != nil {
		return mistake
	}
	versions.Close()
	return err
}

// compiles asks the go command whether the new version compiles, where nothing is to be built or a
// package with changes could not be read.
func (f *comparison) compiles(ctx context.Context, p *plan.Plan, versions *revision.Pair, patterns []string, tool string, view ui.UI) error {
	list := p.Unread()
	if len(list) == 0 && len(p.Harnesses) == 0 && len(p.Points)+len(p.Notes) > 0 {
		list = patterns
	}
	if len(list) == 0 {
		return nil
	}
	view.Step("checking that the new version compiles")
	head := &versions.Head
	args := []string{"list", "-export", "-test", "-f", "{{.ImportPath}}"}
	if f.Campaign.Tags != "" {
		args = append(args, "-tags="+f.Campaign.Tags)
	}
	_, errs, err := gocommand.Run(ctx, gocommand.Command{Dir: head.Home, Env: head.Env, Guard: tool, Args: append(append(args, "--"), list...)})
	var failed *exec.ExitError
	if !errors.As(err, &failed) || ctx.Err() != nil {
		return err
	}
	if problem := gocommand.DiskError(string(errs)); problem != nil {
		return problem
	}
	return exit.Build("the new version does not compile:\n%s", gocommand.Relevant(string(errs)))
}

// failing reads --fail-on, and --impact.
func (f *comparison) failing() error {
	switch f.FailOn {
	case "new":
	case "change":
		f.FailOnChange = true
	default:
		return exit.Usage("--fail-on %q: choose new or change", f.FailOn)
	}
	var ok bool
	if f.direction, ok = reach.Named(f.Impact); !ok {
		return exit.Usage("--impact %q: choose %s", f.Impact, strings.Join(reach.Directions, ", "))
	}
	return nil
}

// sort finds out what the arguments are.
func (f *comparison) sort(args []string, q *revision.Request) (packages []string, err error) {
	if err := f.failing(); err != nil {
		return nil, err
	}
	modules := 0
	for _, arg := range args {
		if strings.Contains(arg, "@") {
			modules++
		}
	}
	switch {
	case modules == 0:
		if len(args) == 0 {
			args = []string{"./..."}
		}
		f.Campaign.Packages = args
		return args, nil
	case modules != 2 || len(args) != 2:
		return nil, exit.Usage("two versions of a module are compared: write MODULE@OLD MODULE@NEW, as in example.com/mod@v1.2.0 example.com/mod@v1.3.0")
	case f.Base != "" || f.Head != "":
		return nil, exit.Usage("--base and --head are revisions of git, and the arguments are versions of a module: leave them out")
	}
	q.Modules = [2]string{args[0], args[1]}
	f.Campaign.Packages = []string{"./..."}
	if f.Harness != "" {
		return []string{"."}, nil
	}
	return nil, nil
}

// name calls harnesses as parallax fuzz calls them.
func name(list []plan.Harness) {
	count := map[string]int{}
	for i := range list {
		h := &list[i]
		h.Name = subject.TestName(h.Module, h.Package, h.Fuzz)
		count[h.Name]++
	}
	for i := range list {
		if h := &list[i]; count[h.Name] > 1 {
			h.Name = strings.ReplaceAll(h.Package, "/", "_") + "." + h.Fuzz
		}
	}
}

// say prints a text for the user, line by line. The plan is no status: --ui none, which shows none,
// leaves it.
func (f *comparison) say(view ui.UI, text string) {
	for line := range strings.Lines(text) {
		for _, line := range columns.Fold(strings.TrimRight(line, "\n"), terminal.Width()) {
			if f.UI == ui.None {
				fmt.Fprintln(os.Stderr, escape.Text(line))
			} else {
				view.Message(line)
			}
		}
	}
}

// whole is the budget of all harnesses together.
func (f *comparison) whole() string {
	b := &f.Campaign.Budget
	switch {
	case b.Inputs > 0:
		return units.Thousands(b.Inputs) + " inputs"
	case b.Time > 0:
		return b.Time.String()
	case b.CPU > 0:
		return b.CPU.String() + " of CPU time"
	}
	return ""
}

// budget is a harness's part of the budget.
func (f *comparison) budget(h *plan.Harness) campaign.Budget {
	b := f.Campaign.Budget
	if b.Inputs > 0 {
		b.Inputs = max(1, h.Inputs)
	}
	part := func(d time.Duration) time.Duration {
		if d > 0 {
			d = max(time.Millisecond, time.Duration(h.Part*float64(d)).Round(time.Millisecond))
		}
		return d
	}
	b.Time, b.CPU = part(b.Time), part(b.CPU)
	return b
}

// fuzztimeOf is a budget as --fuzztime takes it, "" for none.
func fuzztimeOf(b campaign.Budget) string {
	switch {
	case b.Inputs > 0:
		return fmt.Sprintf("%dx", b.Inputs)
	case b.Time > 0:
		return b.Time.String()
	case b.CPU > 0:
		return b.CPU.String()
	}
	return ""
}

// share returns the words of the plan for a harness's part.
func (f *comparison) share(h *plan.Harness) string {
	text := fmt.Sprintf("%3.0f %%", 100*h.Part)
	if w := fuzztimeOf(f.budget(h)); w != "" {
		text += "  " + w
	}
	return text
}

// A session is a comparison with its plan and its versions.
type session struct {
	*comparison
	ctx      context.Context
	plan     *plan.Plan
	versions *revision.Pair
	module   string // that was changed, where it is not that of the folders
	tool     string
	view     ui.UI
}

// shares are the harnesses of a plan with what each has of the budget.
func (f *comparison) shares(p *plan.Plan) (list []finding.Harness) {
	for i := range p.Harnesses {
		h := &p.Harnesses[i]
		list = append(list, finding.Harness{Name: h.Name, Budget: fuzztimeOf(f.budget(h)), Reaches: len(h.Reaches)})
	}
	return list
}

// pairs are the harnesses of a plan, each to be built of both versions.
func (s *session) pairs() []fuzzing.Run {
	f, p := s.comparison, s.plan
	shares := f.shares(p)
	var places []string
	for i := range p.Points {
		places = append(places, p.Points[i].Where())
	}
	runs := make([]fuzzing.Run, len(p.Harnesses))
	for i := range runs {
		h := &p.Harnesses[i]
		o := f.Campaign
		o.Budget, o.Harnesses, o.Altered, o.Places, o.Tree = f.budget(h), shares, changed(p), places, s.versions.Head.Home
		o.Packages = []string{h.Package}
		for at := range p.Points {
			o.Reasons = append(o.Reasons, p.Reason(at, h))
		}
		runs[i] = fuzzing.Run{Name: h.Name, Options: o}
		if h.Function && s.Function == "" {
			runs[i].Turn = func(kill <-chan struct{}) { s.turn(kill, runs, i) }
		}
		runs[i].Build = func(o *campaign.Options) (subject.Target, error) {
			if h.Function {
				return s.both(h, o)
			}
			return s.pair(h, o)
		}
	}
	return runs
}

// changed are the functions with change points, for the summary.
func changed(p *plan.Plan) (list []finding.Changed) {
	for _, fn := range p.Functions() {
		list = append(list, finding.Changed{Name: fn.Name, Location: fn.Where, Kinds: fn.Kinds})
	}
	return list
}
