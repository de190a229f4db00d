package regress

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/campaign/calls"
	"parallax/cmd/internal/change/nativebuild"
	"parallax/cmd/internal/change/plan"
	"parallax/cmd/internal/change/revision"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/flow/reach"
	"parallax/cmd/internal/show/ui"
	"parallax/cmd/internal/subject"
	"parallax/cmd/internal/subject/config"
)

// A C or C++ project: the change is in block tables, so that both versions are built before there
// is a plan. There is one harness.

// native is regress with a configuration.
func (f *comparison) native(path string) error {
	if f.Fuzz != "" {
		return exit.Usage("--fuzz chooses among the FuzzXxx of packages, and the argument is a configuration: leave it out")
	}
	file, err := config.Load(path)
	if err != nil {
		return err
	}
	if file.Regress == nil {
		return exit.Usage(`%s has no [regress], which says how a version is built: add it, as in
  [regress]
  build = ["make", "fuzz"]
  binary = "fuzz_parse"`, path)
	}
	f.Campaign.Config = file
	ctx, kill, view, tool, err := f.Start()
	if err != nil {
		return err
	}
	defer view.Close()
	r := &nativeRun{comparison: f, file: file, tool: tool, view: view}
	defer r.close()
	if err := r.prepare(ctx); err != nil {
		view.Close()
		return fuzzing.UnlessInterrupted(ctx, err)
	}
	if len(r.plan.Points) == 0 {
		view.Close()
		return f.nothing(r.versions, r.plan)
	}
	f.say(view, r.plan.Changed())
	if f.PlanOnly {
		view.Close()
		return f.unfuzzed(r.versions, r.plan, &finding.Change{Points: len(r.plan.Points), Functions: changed(r.plan), Harnesses: r.options.Harnesses})
	}
	run := fuzzing.Run{Name: r.target.Name, Options: r.options, Target: r.target}
	run.Fuzz(ctx, kill, view)
	view.Close()
	return f.Conclude([]fuzzing.Run{run}, slices.Concat(r.plan.Notes, r.versions.Head.Notes, r.versions.Base.Notes))
}

// nativeRun is a comparison of two versions of a C project.
type nativeRun struct {
	*comparison
	file *config.File
	tool string
	view ui.UI

	versions *revision.Pair
	built    *nativebuild.Pair
	target   *subject.Lockstep
	options  campaign.Options
	plan     *plan.Plan
}

func (r *nativeRun) close() {
	if r.target != nil {
		r.target.Close()
	}
	if r.built != nil {
		r.built.Close()
	}
	if r.versions != nil {
		r.versions.Close()
	}
}

// prepare builds both versions and finds the change in them.
func (r *nativeRun) prepare(ctx context.Context) (err error) {
	q := revision.Request{Dir: r.file.Dir, Base: r.Base, Head: r.Head, Native: true, Parallax: r.tool, Progress: r.view.Step}
	if err := r.bounded(ctx, q); err != nil {
		return err
	}
	r.versions, err = revision.Resolve(ctx, q)
	if err != nil {
		return err
	}
	r.say(r.view, strings.Join(r.versions.Notes, "\n"))
	r.say(r.view, plan.Head(r.versions))
	request := nativebuild.NewRequest(r.file, &r.versions.Head, &r.versions.Base, r.tool, r.view.Step, os.LookupEnv)
	request.Alone = r.NoBase
	r.built, err = nativebuild.Build(ctx, request)
	var old *subject.OldError
	if errors.As(err, &old) {
		return &exit.Error{Code: exit.BuildCode, Err: fmt.Errorf("%w\nUse --no-base to fuzz the new version alone", err)}
	}
	if err != nil {
		return err
	}
	r.options = r.comparison.Campaign
	o := &r.options
	o.Config, o.Beside, o.Clocked = r.file.Versions(r.built.Built()...), true, !o.Repeats()
	any, err := subject.Build(ctx, &o.Options, r.tool, r.view.Step)
	if err != nil {
		return err
	}
	r.target = any.(*subject.Lockstep) // a configuration is run in lockstep
	if len(r.target.Names) < 2 {
		o.Guidance = Alone(o.Guidance)
	}
	return r.change(ctx)
}

// change finds what was changed, and what of the harness it reaches.
func (r *nativeRun) change(ctx context.Context) error {
	r.view.Step("comparing the versions")
	if err := calls.See(ctx, r.target, &r.options.Options, nil); err != nil {
		return err
	}
	found, blocks, err := r.built.Changes(ctx, r.target.Space)
	if err != nil {
		return err
	}
	r.plan = plan.ForHarness(found, func(file string) string {
		home := r.built.Home(file)
		return finding.Relative(r.versions.Head.Home, finding.Relative(r.options.Dir, home)) // the new version may be a commit
	})
	r.plan.Notes = append(r.plan.Notes, r.built.Notes...)
	o := &r.options
	for i := range r.plan.Points {
		o.Places = append(o.Places, r.plan.Points[i].Where())
	}
	o.Harnesses = []finding.Harness{{Name: r.target.Name, Budget: fuzztimeOf(o.Budget), Reaches: len(r.plan.Points)}}
	o.Tree, o.Altered = r.built.New.Dir, changed(r.plan)
	o.Impact = reach.Analyze(reach.Request{Space: r.target.Space, Program: 0, Points: blocks, Direction: r.direction})
	r.target.Space.Know(r.plan.EditsAt(r.target.Space, blocks))
	return follow(r.target, r.plan, o.Impact)
}
