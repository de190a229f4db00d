package model

import (
	"context"
	"fmt"
	"path/filepath"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/model/campaignfiles"
	"parallax/cmd/internal/model/dynamic"
	"parallax/cmd/internal/model/language"
	"parallax/cmd/internal/show/ui"
	"parallax/cmd/internal/subject"
	"parallax/cmd/internal/subject/config"
)

// A solver takes some hundredths of a second for a call of a formula whose result only it can say.
// Such formulas get as few calls as engines of values.
const relationalSamples, relationalInputs = dynamic.DefaultSamples, 2000

// limitBudget makes the budget one for a model that a solver has to be asked about, unless the user
// says what it is.
func (f *checking) limitBudget(o *campaign.Options) {
	if budget := &o.Budget; budget.Inputs > relationalInputs && !f.Given("fuzztime") {
		budget.Inputs = relationalInputs
	}
}

// described asks languages for the functions of a configuration that they are the originals of, and
// refuses those that do not fit.
func described(ctx context.Context, file *config.Models) error {
	for _, l := range language.Table {
		var models []*config.Model
		var names []string
		for i := range file.List {
			if m := &file.List[i]; m.Beside != nil && m.Beside.Language == l.Name {
				models, names = append(models, m), append(names, m.Beside.Function)
			}
		}
		if len(models) == 0 {
			continue
		}
		version, list, err := l.Describe(ctx, names)
		if err != nil {
			return err
		}
		for i, m := range models {
			if err := l.Fits(m.Beside, list[i], version); err != nil {
				return file.Fail(m.TermAt[l.Name], "%w", err)
			}
			m.Beside.Version = version
		}
	}
	return nil
}

// addBeside makes a target of a model that is a formula, next to a function of another language.
// Its scope is found when its turn comes.
func (f *checking) addBeside(ctx context.Context, file *config.Models, m *config.Model, view ui.UI) {
	name := targetName(file, m)
	function := *m.Beside
	function.Elements = f.Elements
	l := language.Find(function.Language)
	run := fuzzing.Run{Name: name, Options: f.Campaign, Done: f.release}
	run.Options.Accepted = filepath.Join(f.Campaign.Dir, accept.FileName)
	run.Options.Out = f.folder(name, file.Alone())
	f.extracted++
	run.Build = func(o *campaign.Options) (subject.Target, error) {
		view.Step("finding the scope of " + m.Function)
		dir, err := state.ModelFolder(o.Out)
		if err != nil {
			return nil, err
		}
		if dir, err = filepath.Abs(dir); err != nil {
			return nil, exit.Infra("%w", err)
		}
		if err := l.Write(dir); err != nil {
			return nil, err
		}
		driver := language.Driver(&function, dir, f.tool, "")
		open := func(ctx context.Context) (*language.Asker, error) { return language.Open(ctx, &function, driver) }
		asker, err := open(ctx)
		if err != nil {
			return nil, err
		}
		f.needed = append(f.needed, asker.Close)
		sampling := dynamic.Options{Samples: f.Samples, Threshold: f.Threshold, Seed: f.Campaign.Seed}
		if !asker.Ground() {
			sampling.Samples = min(sampling.Samples, relationalSamples)
			f.limitBudget(o)
		}
		found, err := f.sample(ctx, &function, m.Function, asker, dir, name, sampling)
		if err != nil {
			return nil, err
		}
		if found.Scope.Drops() {
			f.left = append(f.left, finding.LeftOut{Function: m.Function, Status: finding.Contradiction, Reason: fmt.Sprintf("the model has no path for any of %d calls that were sampled", found.Scope.Samples)})
			return nil, errLeftOut
		}
		judge := dynamic.NewJudge(&function, found.Scope, asker, func(ctx context.Context) (dynamic.Asker, func(), error) {
			one, err := open(ctx)
			if err != nil {
				return nil, nil, err
			}
			return one, one.Close, nil
		}, sampling)
		f.valueJudges = append(f.valueJudges, judge)
		return f.judgedTarget(ctx, o, filepath.Join(dir, campaignfiles.Config), judge, view)
	}
	f.runs = append(f.runs, run)
	f.computed(func(err error) error { return file.Fail(m.TermAt["scope"], "the scope of %s: %w", m.Function, err) })
}
