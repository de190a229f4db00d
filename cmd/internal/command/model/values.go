package model

import (
	"context"
	"fmt"
	"path/filepath"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/model/campaignfiles"
	"parallax/cmd/internal/model/dynamic"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/show/ui"
	"parallax/cmd/internal/subject"
)

// valuesFuzzTime is the default of --fuzztime for engines whose models take values: a call takes
// ten milliseconds, and not microseconds.
const valuesFuzzTime = "2000x"

// ofC are flags that say something of C functions, and nothing of functions that take values.
var ofC = []string{"proofs", "confirm"}

// checkValues refuses flags that do not fit an engine whose models take values, and sets the
// defaults of the others.
func (f *checking) checkValues() error {
	for _, name := range ofC {
		if f.Given(name) {
			return exit.Usage("--%s is for models of C functions, and those of %s take values of Python: leave it out", name, f.name)
		}
	}
	if f.CompareBy != "" && f.CompareBy != "exact" && f.CompareBy != dynamic.Set {
		return exit.Usage("--compare-results %s is for results of C functions, and those of %s are values of Python: choose exact or set", f.CompareBy, f.name)
	}
	if !f.Given("samples") {
		f.Samples = dynamic.DefaultSamples
	}
	if !f.Given("fuzztime") {
		f.FuzzTime = valuesFuzzTime
	}
	return nil
}

// prepareValues makes a target of each function that the engine has a model of, as code that takes
// values.
func (f *checking) prepareValues(ctx context.Context, engine *extract.Engine, answers []extract.Answer, view ui.UI) error {
	for i := range answers {
		a := &answers[i]
		if a.Status != extract.OK {
			f.leaveOut(a.Function, a.Status, a.Reason)
			continue
		}
		function, err := dynamic.New(f.name, f.version, a, f.Elements)
		if err != nil {
			f.leaveOut(a.Function, extract.Unsupported, err.Error())
			continue
		}
		f.extracted++
		function.Compare = f.CompareBy
		declared := f.scopes.Find(a.Function)
		if declared != nil {
			function.Scope, function.Source = declared.Holds, declared.Source
			if _, err := dynamic.Declare(function); err != nil {
				return f.unfit(declared, err)
			}
		}
		f.addValues(ctx, engine, function, len(answers) == 1, view)
		if declared != nil {
			f.computed(func(err error) error { return f.unfit(declared, err) })
		}
	}
	return nil
}

// addValues makes a target of a function. Its scope is found when its turn comes.
func (f *checking) addValues(ctx context.Context, engine *extract.Engine, function *dynamic.Function, alone bool, view ui.UI) {
	name := f.name + "-" + f.version + "-" + function.Function
	run := fuzzing.Run{Name: name, Options: f.Campaign}
	run.Options.Out = f.folder(name, alone)
	run.Build = func(o *campaign.Options) (subject.Target, error) {
		view.Step("finding the scope of " + function.Function)
		sampling := dynamic.Options{Samples: f.Samples, Threshold: f.Threshold, Seed: f.Campaign.Seed}
		dir, err := state.ModelFolder(run.Options.Out)
		if err != nil {
			return nil, err
		}
		asker, err := dynamic.Within(function, engine)
		if err != nil {
			return nil, err
		}
		found, err := f.sample(ctx, function, function.Function, asker, dir, name, sampling)
		if err != nil {
			return nil, err
		}
		if f.Base != "" {
			f.valueModels = append(f.valueModels, valueModel{function, found})
		}
		fresh := func(context.Context) (dynamic.Asker, func(), error) {
			one := extract.Open(engine.Env, extract.Options{Workers: 1, Timeout: engine.Options.Timeout})
			asker, err := dynamic.Within(function, one)
			if err != nil {
				one.Close()
				return nil, nil, err
			}
			return asker, one.Close, nil
		}
		judge := dynamic.NewJudge(function, found.Scope, asker, fresh, sampling)
		f.valueJudges = append(f.valueJudges, judge)
		return f.judgedTarget(ctx, o, filepath.Join(dir, campaignfiles.Config), judge, view)
	}
	f.runs = append(f.runs, run)
}

// sample finds the scope of a model that takes values. Without anything to compare, the model is
// left out under a name.
func (f *checking) sample(ctx context.Context, function *dynamic.Function, named string, asker dynamic.Asker, dir, target string, o dynamic.Options) (*dynamic.Sampled, error) {
	found, err := dynamic.Prepare(ctx, function, asker, dir, target, o)
	if err == nil && len(found.Scope.Paths) == 0 {
		reason := fmt.Sprintf("none of %d calls of it that were sampled gives anything that can be compared", found.Scope.Samples)
		f.left = append(f.left, finding.LeftOut{Function: named, Status: string(extract.Nothing), Reason: reason})
		return nil, errLeftOut
	}
	return found, err
}

// valueModel is a model that takes values and was checked, with what was sampled of it.
type valueModel struct {
	function *dynamic.Function
	found    *dynamic.Sampled
}

// changedValues compares a version of a model that takes values with the one that was checked.
func (f *checking) changedValues(ctx context.Context, version string, engine *extract.Engine, a *extract.Answer, head valueModel) (finding.ModelChange, error) {
	base, err := dynamic.New(f.name, version, a, f.Elements)
	if err != nil {
		return finding.ModelChange{Function: a.Function, Reason: f.Base + ": " + err.Error()}, nil
	}
	base.Compare = head.function.Compare
	asker, err := dynamic.Within(base, engine)
	if err != nil {
		return finding.ModelChange{}, err
	}
	return dynamic.Versions(ctx, head.function, head.found, base, asker)
}
