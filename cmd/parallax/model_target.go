package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"parallax/cmd/internal/accept"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/config"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/extract"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/check"
	"parallax/cmd/internal/model/confirm"
	"parallax/cmd/internal/model/original"
	"parallax/cmd/internal/model/record"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/model/sequence"
	"parallax/cmd/internal/report"
	"parallax/cmd/internal/smt"
	"parallax/cmd/internal/state"
	"parallax/cmd/internal/target"
	"parallax/cmd/internal/triage"
	"parallax/cmd/internal/ui"
)

// configure makes targets of the models of a configuration.
func (f *modelFlags) configure(ctx context.Context, file *config.Models, view ui.UI) error {
	f.asked = len(file.List)
	for i := range file.List {
		m := &file.List[i]
		if m.Go != nil {
			f.addGo(ctx, file, m, view)
			continue
		}
		view.Step("reading the model of " + m.Function)
		user := check.User{
			Dir: file.Dir, Signature: m.Signature, SMT: m.SMT, Arguments: m.Arguments, Result: m.Result, Files: m.Files, Function: m.ModelFunction,
			Speech: m.Speech, Originals: m.Originals, OriginalFunction: m.OriginalFunction, Flags: m.Flags,
		}
		r, err := user.Record(ctx)
		if err != nil {
			return err
		}
		f.extracted++
		o := check.Options{Target: file.Name + "-" + m.Function, Program: "model"}
		if len(file.List) == 1 {
			o.Target = file.Name
		}
		o.Scope.Compare, o.Scope.Declared = m.Compare, m.Scope
		if err := f.add(ctx, r, o, len(file.List) == 1, nil, confirm.Options{Prototype: m.Prototype}, view); err != nil {
			var wrong *smt.SyntaxError
			if errors.As(err, &wrong) {
				return file.Fail(m.At, "the scope of %s: %w", m.Function, err)
			}
			return err
		}
	}
	return nil
}

// addGo makes a target of a model in Go.
func (f *modelFlags) addGo(ctx context.Context, file *config.Models, m *config.Model, view ui.UI) {
	name := file.Name + "-" + m.Function
	if len(file.List) == 1 {
		name = file.Name
	}
	run := testRun{name: name, options: f.options}
	o := &run.options.Options
	o.Dir, o.Accepted = file.Dir, filepath.Join(f.options.Dir, accept.FileName)
	if g := m.Go; g.Type {
		s := sequence.Model{Original: g.Original, Model: g.Model}
		s.Methods, s.Names, s.NotImplemented, s.Errors, s.Box = g.Methods, g.Names, g.Unsupported, g.Errors, g.Box
		s.Options(o)
	} else {
		o.Functions = []string{g.Original, g.Model}
	}
	o.Mode = target.Model
	if o.Out == "" {
		o.Out = filepath.Join(f.options.Dir, state.Home, name)
	} else if len(file.List) > 1 {
		o.Out = filepath.Join(o.Out, name)
	}
	f.extracted++
	run.build = func(o *campaign.Options) (target.Target, error) {
		tool, err := os.Executable()
		if err != nil {
			return nil, exit.Infra("finding the parallax executable: %w", err)
		}
		t, err := target.Build(ctx, &o.Options, tool, view.Step)
		if err != nil {
			return nil, err
		}
		t.About().Name = name // two models may have one pair of functions
		if !m.Go.Type {       // what of a type is not meant is said by its errors
			o.Confirm = f.agreed(ctx, t, o)
		}
		return t, nil
	}
	f.runs = append(f.runs, run)
}

// leastRuns is how many inputs have to take a path before it is out of scope.
const leastRuns = 8

// agreed says of a finding of models that are code whether the path that its input takes in the original is one that the model is meant for: one on
// which both mostly agree.
func (f *modelFlags) agreed(ctx context.Context, t target.Target, o *campaign.Options) func(*triage.Finding) (kind, why string) {
	return func(found *triage.Finding) (kind, why string) {
		runs, agree, err := triage.New(t, t.Spec(&o.Options), o.Layers).Agreement(ctx, found.Minimized)
		if err != nil || runs < leastRuns || float64(agree) >= f.threshold*float64(runs) {
			return "", ""
		}
		return "wrong value", fmt.Sprintf("out of scope: on %d of %d like inputs that take the same path of the original, both agree", agree, runs)
	}
}

// add finds the scope of a model, and makes it a target.
func (f *modelFlags) add(ctx context.Context, r *record.Record, o check.Options, alone bool, engine confirm.Asker, confirming confirm.Options, view ui.UI) error {
	view.Step("finding the scope of " + r.Function)
	out := f.options.Out
	if out == "" {
		out = filepath.Join(f.options.Dir, state.Home, o.Target)
	} else if !alone {
		out = filepath.Join(out, o.Target)
	}
	o.Dir, o.Prove = filepath.Join(out, state.ModelDir), f.proofs
	o.Scope.Samples, o.Scope.Threshold, o.Scope.Seed = f.samples, f.threshold, f.options.Seed
	if f.compareBy != "" {
		o.Scope.Compare = call.Comparator(f.compareBy)
	}
	m, err := check.Prepare(ctx, r, o)
	var none *original.NoneError
	var refused *check.Refused
	switch {
	case errors.As(err, &none):
		f.left = append(f.left, report.LeftOut{Function: r.Function, Status: report.NoOriginal, Reason: none.Why})
		return nil
	case errors.As(err, &refused):
		f.left = append(f.left, report.LeftOut{Function: r.Function, Status: string(extract.Unsupported), Reason: refused.Err.Error()})
		return nil
	case err != nil:
		return err
	}
	if len(m.Scope.Paths) == 0 {
		reason := fmt.Sprintf("C defines none of the %d calls of it that were sampled, or they do not end", m.Scope.Undefined)
		f.left = append(f.left, report.LeftOut{Function: r.Function, Status: string(scope.Unspecified), Reason: reason})
		m.Close()
		return nil
	}
	tool, err := os.Executable()
	if err != nil {
		return exit.Infra("finding the parallax executable: %w", err)
	}
	judge := m.Judge(engine, confirming)
	f.models, f.judges = append(f.models, m), append(f.judges, judge)
	run := testRun{name: o.Target, options: f.options}
	run.options.Out = out
	run.options.Confirm = func(found *triage.Finding) (kind, why string) {
		if why = judge.Why(ctx, found.Bucket, found.Minimized); why != "" {
			kind = report.Unconfirmed
		}
		return kind, why
	}
	run.build = func(o *campaign.Options) (target.Target, error) {
		file, err := config.Load(m.Config)
		if err != nil {
			return nil, err
		}
		o.Config = file
		o.Seeds = append(slices.Clone(f.options.Seeds), file.Input.Seeds...)
		return target.Build(ctx, &o.Options, tool, view.Step)
	}
	f.runs = append(f.runs, run)
	return nil
}
