package model

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/check"
	"parallax/cmd/internal/model/confirm"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/original"
	"parallax/cmd/internal/model/record"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/show/ui"
	"parallax/cmd/internal/subject/config"
)

// open has the engine installed.
func (f *checking) open(ctx context.Context, view ui.UI) (*extract.Engine, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil, exit.Infra("finding the folder for caches: %w: set XDG_CACHE_HOME", err)
	}
	env, err := extract.Environment(ctx, filepath.Join(dir, "parallax"), f.name, f.version, view.Step)
	switch {
	case errors.Is(err, extract.ErrUnknownEngine), errors.Is(err, extract.ErrNoVersion):
		return nil, exit.Usage("%w", err)
	case err != nil:
		return nil, exit.Infra("%w", err)
	}
	within, workers := f.ExtractTime, 2
	if extract.Values(f.name) { // several calls share it; the adapter itself ends each after some seconds of CPU
		within, workers = max(within, 5*time.Minute), 1
	}
	return extract.Open(env, extract.Options{Workers: workers, Timeout: within, Kept: buildcache.OpenResults("extractions")}), nil
}

// extract has the engine extract its models.
func (f *checking) extract(ctx context.Context, engine *extract.Engine, view ui.UI) ([]extract.Answer, error) {
	view.Step(fmt.Sprintf("starting %s %s", f.name, f.version))
	listed, err := engine.List(ctx)
	if err != nil {
		return nil, exit.Infra("%s does not list its models: %w", f.Engine, err)
	}
	chosen, err := f.choose(listed)
	if err != nil {
		return nil, err
	}
	if err := f.declaredOf(listed); err != nil {
		return nil, err
	}
	declared, err := f.declarations(chosen)
	if err != nil {
		return nil, err
	}
	f.listed = listed
	var requests []extract.Request
	for _, l := range chosen {
		d := declared[l.Function]
		if l.Reason != "" && d.Text == "" {
			f.leaveOut(l.Function, extract.Unsupported, l.Reason)
			continue
		}
		r := extract.Request{Function: l.Function, Prototype: d.Text, Held: d.Held, Mode: extract.Bytes, Sizes: extract.Sizes{Buffer: f.Elements}}
		if extract.Values(f.name) {
			r = extract.Request{Function: l.Function, Mode: extract.Takes}
		}
		requests = append(requests, r)
	}
	f.asked = len(chosen)
	done := 0
	answers, err := engine.Extract(ctx, requests, func(_ int, a extract.Answer) {
		done++
		view.Step(fmt.Sprintf("extracting models: %d of %d (%s)", done, len(requests), a.Function))
	})
	if err == nil && !extract.Values(f.name) {
		err = f.extractNull(ctx, engine, requests, answers, view)
	}
	if err != nil {
		return nil, exit.Infra("%s: %w", f.Engine, err)
	}
	return answers, nil
}

// extractNull has the engine extract its models of calls with null pointers, where C permits these,
// and adds them to the others. An engine that has none for such calls is not asked about them: they
// are in no call then.
func (f *checking) extractNull(ctx context.Context, engine *extract.Engine, requests []extract.Request, answers []extract.Answer, view ui.UI) error {
	var more []extract.Request
	var of []int
	for k := range answers {
		if answers[k].Status != extract.OK {
			continue
		}
		for _, i := range original.PermitsNull(answers[k].Function) {
			if i < len(answers[k].Arguments) && answers[k].Arguments[i].Kind != "scalar" {
				r := requests[k]
				r.Null = []int{i}
				more, of = append(more, r), append(of, k)
			}
		}
	}
	if len(more) == 0 {
		return nil
	}
	view.Step("extracting models of calls with null pointers")
	nulls, err := engine.Extract(ctx, more, nil)
	for n := range nulls {
		a, null := &answers[of[n]], &nulls[n]
		switch i := more[n].Null[0]; {
		case err != nil:
			return err
		case null.Status == extract.OK:
			a.AddNull(i, null)
		default:
			f.incomplete = append(f.incomplete, finding.Incomplete{Function: a.Function, Reason: fmt.Sprintf("the engine gives no model of calls in which arg_%d is null, and these are not made: %s: %s", i, null.Status, null.Reason)})
		}
	}
	return err
}

// declaredOf refuses scopes of functions that the engine does not have.
func (f *checking) declaredOf(listed []extract.Listed) error {
	if f.scopes == nil {
		return nil
	}
	var names []string
	for _, l := range listed {
		names = append(names, l.Function)
	}
	for _, s := range f.scopes.List {
		if !slices.Contains(names, s.Function) {
			return f.scopes.Fail(s.FunctionAt, "%s has no model of %s%s", f.Engine, s.Function, tomldoc.MeantOne([]string{s.Function}, names))
		}
	}
	return nil
}

// declarations are those that the user gives for functions, and parallax's own. The latter are for
// functions without a prototype of the engine, or with a variable number of arguments.
func (f *checking) declarations(chosen []extract.Listed) (map[string]extract.Declaration, error) {
	all := map[string]extract.Declaration{}
	own := extract.Declared(f.name)
	for _, l := range chosen {
		if d := own[l.Function]; d.Serves(l) {
			all[l.Function] = d
		}
	}
	for _, text := range f.Declared {
		name := extract.NameOf(text)
		switch {
		case name == "":
			return nil, exit.Usage("--prototype %q declares no function: write it as C does, such as 'int f(char *, int)'", text)
		case !slices.ContainsFunc(chosen, func(l extract.Listed) bool { return l.Function == name }):
			return nil, exit.Usage("--prototype %q declares %s, which is not among the functions that are checked", text, name)
		}
		all[name] = extract.Declaration{Text: text}
	}
	return all, nil
}

// choose are the functions that the user names, or all.
func (f *checking) choose(listed []extract.Listed) ([]extract.Listed, error) {
	if len(f.Functions) == 0 {
		return listed, nil
	}
	var chosen []extract.Listed
	var names []string
	for _, l := range listed {
		names = append(names, l.Function)
	}
	for _, name := range f.Functions {
		i := slices.Index(names, name)
		if name == "" {
			return nil, exit.Usage("--functions has an empty name: write names with one comma between them")
		}
		if i < 0 {
			return nil, exit.Usage("%s has no model of %s%s", f.Engine, name, tomldoc.MeantOne([]string{name}, names))
		}
		if !slices.ContainsFunc(chosen, func(l extract.Listed) bool { return l.Function == name }) {
			chosen = append(chosen, listed[i])
		}
	}
	return chosen, nil
}

// leaveOut records a function whose model the engine does not give.
func (f *checking) leaveOut(function string, status extract.Status, reason string) {
	f.left = append(f.left, finding.LeftOut{Function: function, Status: string(status), Reason: reason})
	f.notGiven = append(f.notGiven, function)
}

// prepare makes each model that was extracted a target.
func (f *checking) prepare(ctx context.Context, engine *extract.Engine, answers []extract.Answer, view ui.UI) error {
	for i := range answers {
		a := &answers[i]
		if a.Status != extract.OK {
			f.leaveOut(a.Function, a.Status, a.Reason)
			continue
		}
		f.extracted++
		if len(a.Failed) > 0 {
			f.incomplete = append(f.incomplete, finding.Incomplete{Function: a.Function, Reason: "the engine fails on some paths of its model: " + strings.Join(a.Failed, "; ")})
		}
		o := check.Options{Target: f.name + "-" + f.version + "-" + a.Function, Program: f.name}
		declared := f.scopes.Find(a.Function)
		if declared != nil {
			if _, err := scope.Declare(call.SignatureOf(a), declared.Holds); err != nil {
				return f.unfit(declared, err)
			}
			o.Scope.Declared, o.Scope.Source = declared.Holds, declared.Source
		}
		f.add(ctx, a.Function, &record.Record{Answer: *a}, o, len(answers) == 1, engine, confirm.Options{Engine: f.name + " " + f.version, Prototype: a.Prototype, Concrete: f.Confirm == "concrete"}, view)
		if declared != nil {
			f.computed(func(err error) error { return f.unfit(declared, err) })
		}
	}
	return nil
}

// unfit is the error of a scope that a file declares for an engine's model, by its place.
func (f *checking) unfit(s *config.DeclaredScope, err error) error {
	return f.scopes.Fail(s.HoldsAt, "the scope of %s: %w", s.Function, err)
}

// another is the version of the engine that --base names, with the functions that it lists.
// Mistakes in it show before anything is checked.
func (f *checking) another(ctx context.Context, view ui.UI) (*checking, error) {
	_, version, _ := strings.Cut(f.Base, "==")
	other := &checking{name: f.name, version: version}
	other.Campaign, other.Engine, other.Elements, other.ExtractTime = f.Campaign, f.Base, f.Elements, f.ExtractTime
	engine, err := other.open(ctx, view)
	if err != nil {
		return nil, err
	}
	defer engine.Close() // it is not needed while models are checked
	if other.listed, err = engine.List(ctx); err != nil {
		return nil, exit.Infra("%s does not list its models: %w", f.Base, err)
	}
	return other, nil
}

// compareVersions compares the models with those of another version of the engine. It has the
// models that are checked, and those that this version no longer gives.
func (f *checking) compareVersions(ctx context.Context, other *checking, view ui.UI) error {
	engine, err := other.open(ctx, view)
	if err != nil {
		return err
	}
	defer engine.Close()
	listed := other.listed
	known := extract.Declared(f.name)
	for _, text := range f.Declared {
		if known == nil {
			known = map[string]extract.Declaration{}
		}
		known[extract.NameOf(text)] = extract.Declaration{Text: text}
	}
	gone := f.missingModels(listed)
	for _, name := range f.named(listed) {
		i := slices.IndexFunc(listed, func(l extract.Listed) bool { return l.Function == name })
		switch {
		case i < 0:
			f.changes = append(f.changes, finding.ModelChange{Function: name, Reason: f.Base + " has no model of it"})
		case listed[i].Reason != "" && known[name].Text == "" && gone[name] == "":
			f.changes = append(f.changes, finding.ModelChange{Function: name, Reason: f.Base + ": " + listed[i].Reason})
		case listed[i].Reason == "" || known[name].Text != "":
			other.Functions = append(other.Functions, name)
		}
	}
	if len(other.Functions) == 0 {
		return nil
	}
	for _, text := range f.Declared {
		if slices.Contains(other.Functions, extract.NameOf(text)) {
			other.Declared = append(other.Declared, text)
		}
	}
	answers, err := other.extract(ctx, engine, view)
	if err != nil {
		return err
	}
	for i := range answers {
		a := &answers[i]
		at := slices.Index(f.checked(), a.Function)
		c := finding.ModelChange{Function: a.Function, Reason: fmt.Sprintf("%s: %s %s", f.Base, a.Status, a.Reason)}
		switch {
		case a.Status != extract.OK && at < 0: // neither has it
			continue
		case a.Status != extract.OK:
		case at < 0 && gone[a.Function] != "":
			c.Reason, c.Lost = fmt.Sprintf("%s has a model of it, and this version does not: %s", f.Base, gone[a.Function]), true
		case at < 0:
			why, ok := f.unchecked(a.Function)
			if !ok {
				continue
			}
			c.Reason = why
		default:
			view.Step("comparing the versions of " + a.Function)
			if extract.Values(f.name) {
				c, err = f.changedValues(ctx, other.version, engine, a, f.valueModels[at])
			} else {
				c, err = f.changed(ctx, a, f.models[at])
			}
			if err != nil {
				return err
			}
		}
		f.changes = append(f.changes, c)
	}
	return nil
}

// missingModels says why this version has no models of functions that another one lists: by its own
// list or by the extraction.
func (f *checking) missingModels(listed []extract.Listed) map[string]string {
	gone := map[string]string{}
	for _, l := range listed {
		if !slices.ContainsFunc(f.listed, func(own extract.Listed) bool { return own.Function == l.Function }) {
			gone[l.Function] = "it does not list it"
		}
	}
	for _, l := range f.left {
		if slices.Contains(f.notGiven, l.Function) {
			gone[l.Function] = l.Status + ": " + l.Reason
		}
	}
	return gone
}

// unchecked says why a model could not be compared that this version gives; false: it has no
// original, in either version.
func (f *checking) unchecked(function string) (why string, ok bool) {
	for _, l := range f.left {
		if l.Function == function {
			return l.Status + ": " + l.Reason, l.Status != finding.NoOriginal
		}
	}
	for i := range f.runs {
		if r := &f.runs[i]; r.Name == f.name+"-"+f.version+"-"+function && r.Err != nil {
			return "this version: " + r.Err.Error(), true
		}
	}
	return "this version was not checked", true
}

// named are the functions that were asked for: by name, or all of both versions.
func (f *checking) named(listed []extract.Listed) []string {
	if len(f.Functions) > 0 {
		return f.Functions
	}
	names := f.checked()
	for _, l := range listed {
		if !slices.Contains(names, l.Function) {
			names = append(names, l.Function)
		}
	}
	return names
}

// checked are the functions whose models were checked: of f.models, or of f.valueModels.
func (f *checking) checked() (names []string) {
	for _, m := range f.models {
		names = append(names, m.Record.Function)
	}
	for _, m := range f.valueModels {
		names = append(names, m.function.Function)
	}
	return names
}

// changed compares a version of a model with the one that is checked.
func (f *checking) changed(ctx context.Context, a *extract.Answer, head *check.Model) (finding.ModelChange, error) {
	dir, err := os.MkdirTemp("", "parallax-model-")
	if err != nil {
		return finding.ModelChange{}, exit.Infra("creating a folder for the other version: %w", err)
	}
	defer os.RemoveAll(dir)
	o := check.Options{Dir: dir, Target: "base", Program: "base", Scope: scope.Options{Samples: f.sampled(), Threshold: f.Threshold, Seed: f.Campaign.Seed, Compare: head.Scope.Compare}}
	base, err := check.Prepare(ctx, &record.Record{Answer: *a}, o)
	var none *original.NoneError
	var refused *check.Refused
	var contradiction *check.Contradiction
	switch {
	case errors.As(err, &none), errors.As(err, &refused), errors.As(err, &contradiction):
		return finding.ModelChange{Function: a.Function, Reason: err.Error()}, nil
	case err != nil:
		return finding.ModelChange{}, err
	}
	defer base.Close()
	return check.Versions(ctx, base, head)
}
