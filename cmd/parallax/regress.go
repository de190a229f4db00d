package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/change/plan"
	"parallax/cmd/internal/change/revision"
	"parallax/cmd/internal/change/synthesis"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/flow/reach"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/show/ui"
	"parallax/cmd/internal/subject"
)

// regressFlags are what only regress has.
type regressFlags struct {
	fuzzing.Options
	base, head  string
	noBase      bool
	failOn      string
	function    string // of two published versions, or of a repository
	harness     string // folder
	noSynthesis bool
	impact      string // how it is computed
	planTime    time.Duration

	direction reach.Direction
	synthesis *synthesis.Pair
	named     *synthesis.Function            // by --func
	picked    map[string]*synthesis.Function // that are fuzzed, by full name
}

func regressCommand() *cobra.Command {
	f := &regressFlags{Options: fuzzing.Options{Campaign: campaign.Options{Options: subject.Options{Mode: subject.Regress}}}}
	c := &cobra.Command{
		Use:   "regress {[PACKAGE...] [--base REV] | MOD@A MOD@B | CONFIG.toml [--base REV]}",
		Short: "Fuzz the code that a change reaches, in the old and the new version",
		Long: `regress compares two versions of a program, finds the changed code and the FuzzXxx that reach it, and spends the budget
on these. It runs both versions on the same inputs, and reports

  new       failures that the old version does not have
  changed   inputs on which both go on and do different things
  old       failures that both have
  fixed     failures that only the old version has

  parallax regress ./... --fuzztime 5m
  parallax regress ./parse --base v1.2.0 --fuzztime 100000x --seed 1

The old version is --base, any revision of git. Without it, it is the merge base with the main branch, and on that branch the
last commit before the change. The new version is the work tree, or --head. Neither the work tree nor .git is touched.

Two published versions of a module:

  parallax regress github.com/tidwall/gjson@v1.2.1 github.com/tidwall/gjson@v1.3.0

A C or C++ project, whose parallax.toml says how a version is built, in [regress]:

  parallax regress parallax.toml --base v1.2.0

Exported functions that both versions have are fuzzed for changed code that no seed of a FuzzXxx executes. They have no network,
and write only in a folder of their own. --no-synthesis leaves them out. The last line of a run counts new failures, changes of
behavior, targets that could not be judged, and the change points that were executed.

Exit code 1 means that there are new failures; --fail-on change counts changed behavior too. parallax help regress.md has more.`,
		Example: "  parallax regress ./... --base v1.2.0 --fuzztime 5m\n  parallax regress ./parse --base main --fail-on change -t 1m\n  parallax regress github.com/tidwall/gjson@v1.2.1 github.com/tidwall/gjson@v1.3.0 -t 1m",
		RunE:    func(c *cobra.Command, args []string) error { return f.run(args) },
	}
	register(c, &f.Options)
	fs := c.Flags()
	fs.StringVar(&f.base, "base", "", "the old version: a revision of git (default the merge base with the main branch)")
	fs.StringVar(&f.head, "head", "", "the new version, a revision of git (default the work tree)")
	fs.BoolVar(&f.noBase, "no-base", false, "do not run the old version: the new one is fuzzed alone, and every failure is new")
	fs.StringVar(&f.failOn, "fail-on", "new", "what makes the command fail: new findings, or change for changed behavior too")
	fs.StringVar(&f.function, "func", "", "fuzz this function, a path from the module's root such as LoadBytes or jws.Parse, and no FuzzXxx")
	fs.StringVar(&f.harness, "harness", "", "with two versions of a module, the folder of FuzzXxx in a module that requires it")
	fs.BoolVar(&f.noSynthesis, "no-synthesis", false, "fuzz FuzzXxx alone, and no exported functions for what no FuzzXxx executes or can judge")
	mustComplete(c, "func", cobra.NoFileCompletions)
	allows(c, &f.Options)
	fs.StringVar(&f.impact, "impact", reach.Directions[reach.Both], "which blocks count as impacted: both, those that reach the change (forward) or are reached from it (backward, backward-up); for experiments (parallax help schedules)")
	fs.DurationVar(&f.planTime, "plan-time", 20*time.Second, "how long to read which functions call which; then names of functions decide what reaches the change (0: as long as it takes)")
	fs.BoolVar(&f.PlanOnly, "plan", false, "say what was changed and what would be fuzzed, and fuzz nothing")
	choices(c, "fail-on", false, "new", "change")
	choices(c, "impact", false, reach.Directions...)
	mustComplete(c, "base", cobra.NoFileCompletions)
	mustComplete(c, "head", cobra.NoFileCompletions)
	return c
}

// run is the command.
func (f *regressFlags) run(args []string) error {
	q := revision.Request{Base: f.base, Head: f.head}
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
	if err := f.Complete(); err != nil {
		return err
	}
	tool, err := os.Executable()
	if err != nil {
		return exit.Infra("finding the parallax executable: %w", err)
	}
	ctx, kill, interrupt := terminal.Interrupts()
	view := f.View(interrupt)
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
	if f.function != "" {
		if only, err = f.find(ctx, trees, tool, view); err != nil {
			view.Close()
			return fuzzing.UnlessInterrupted(ctx, err)
		}
	}
	p, err := plan.Make(ctx, plan.Request{
		Versions: trees, Module: module, Patterns: args, Match: f.Campaign.Match, Only: only, Tags: f.Campaign.Tags, Inputs: f.Campaign.Budget.Inputs, Parallax: tool, Progress: view.Step,
		Patience: f.planTime,
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
	f.Campaign.Stale = &campaign.Stale{}
	runs := s.pairs()
	defer func() {
		for i := range runs {
			if runs[i].Target != nil {
				runs[i].Target.Close()
			}
		}
	}()
	if published := q.Modules[0] != ""; f.harness == "" && f.function == "" && (published || !f.noBase && !f.noSynthesis) {
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
func (f *regressFlags) bounded(ctx context.Context, q revision.Request) error {
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

// compiles asks the go command whether the new version compiles, where nothing is to be built or a package with changes could not be read.
func (f *regressFlags) compiles(ctx context.Context, p *plan.Plan, versions *revision.Pair, patterns []string, tool string, view ui.UI) error {
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
func (f *regressFlags) failing() error {
	switch f.failOn {
	case "new":
	case "change":
		f.FailOnChange = true
	default:
		return exit.Usage("--fail-on %q: choose new or change", f.failOn)
	}
	var ok bool
	if f.direction, ok = reach.Named(f.impact); !ok {
		return exit.Usage("--impact %q: choose %s", f.impact, strings.Join(reach.Directions, ", "))
	}
	return nil
}

// sort tells what the arguments are.
func (f *regressFlags) sort(args []string, q *revision.Request) (packages []string, err error) {
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
	case f.base != "" || f.head != "":
		return nil, exit.Usage("--base and --head are revisions of git, and the arguments are versions of a module: leave them out")
	}
	q.Modules = [2]string{args[0], args[1]}
	f.Campaign.Packages = []string{"./..."}
	if f.harness != "" {
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

// say tells a text to the user, line by line. The plan is no status: --ui none, which shows none, leaves it.
func (f *regressFlags) say(view ui.UI, text string) {
	for line := range strings.Lines(text) {
		for _, line := range report.Fold(strings.TrimRight(line, "\n"), terminal.Width()) {
			if f.UI == ui.None {
				fmt.Fprintln(os.Stderr, escape.Text(line))
			} else {
				view.Message(line)
			}
		}
	}
}

// whole is the budget of all harnesses together.
func (f *regressFlags) whole() string {
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
func (f *regressFlags) budget(h *plan.Harness) campaign.Budget {
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

// share is what the plan says of a harness's part.
func (f *regressFlags) share(h *plan.Harness) string {
	text := fmt.Sprintf("%3.0f %%", 100*h.Part)
	if w := fuzztimeOf(f.budget(h)); w != "" {
		text += "  " + w
	}
	return text
}

// session is what one command compares.
type session struct {
	*regressFlags
	ctx      context.Context
	plan     *plan.Plan
	versions *revision.Pair
	module   string // that was changed, where it is not that of the folders
	tool     string
	view     ui.UI
}

// shares are the harnesses of a plan with what each has of the budget.
func (f *regressFlags) shares(p *plan.Plan) (list []report.Harness) {
	for i := range p.Harnesses {
		h := &p.Harnesses[i]
		list = append(list, report.Harness{Name: h.Name, Budget: fuzztimeOf(f.budget(h)), Reaches: len(h.Reaches)})
	}
	return list
}

// pairs are the harnesses of a plan, each to be built of both versions.
func (s *session) pairs() []fuzzing.Run {
	f, p := s.regressFlags, s.plan
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
		if h.Function && s.function == "" {
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
func changed(p *plan.Plan) (list []report.Changed) {
	for _, fn := range p.Functions() {
		list = append(list, report.Changed{Name: fn.Name, Location: fn.Where, Kinds: fn.Kinds})
	}
	return list
}
