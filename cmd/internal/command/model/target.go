package model

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/check"
	"parallax/cmd/internal/model/confirm"
	"parallax/cmd/internal/model/csource"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/original"
	"parallax/cmd/internal/model/record"
	"parallax/cmd/internal/model/scope"
	modelverdict "parallax/cmd/internal/model/verdict"
	"parallax/cmd/internal/show/ui"
	"parallax/cmd/internal/subject"
	"parallax/cmd/internal/subject/config"
	"parallax/cmd/internal/subject/sequence"
)

// configure makes targets of the models of a configuration.
func (f *checking) configure(ctx context.Context, file *config.Models, view ui.UI) error {
	f.asked, f.configured = len(file.List), file.Name
	if err := described(ctx, file); err != nil {
		return err
	}
	for i := range file.List {
		m := &file.List[i]
		if m.Go != nil {
			f.addGo(ctx, file, m, view)
			continue
		}
		if m.Node != nil {
			f.addNode(ctx, file, m, view)
			continue
		}
		if m.Beside != nil {
			f.addBeside(ctx, file, m, view)
			continue
		}
		view.Step("reading the model of " + m.Function)
		user := check.User{
			Dir: file.Dir, Signature: m.Signature, SMT: m.SMT, Arguments: m.Arguments, Result: m.Result, Files: m.Files, Function: m.ModelFunction,
			Speech: m.Speech, Originals: m.Originals, OriginalFunction: m.OriginalFunction, Flags: m.Flags,
		}
		r, err := user.Record(ctx)
		var speech *csource.SpeechError
		if errors.As(err, &speech) {
			return file.Fail(m.SpeechAt[speech.Key], "%w", err)
		}
		o := check.Options{Target: targetName(file, m), Program: "model"}
		var refused *check.Refused
		switch {
		case errors.As(err, &refused):
			f.left = append(f.left, finding.LeftOut{Function: m.Function, Status: string(extract.Unsupported), Reason: refused.Err.Error()})
			continue
		case err != nil && exit.Code(err) == exit.BuildCode && len(file.List) > 1: // the others are checked
			f.extracted++ // until its turn comes
			f.runs = append(f.runs, fuzzing.Run{Name: o.Target, Options: f.Campaign, Build: func(*campaign.Options) (subject.Target, error) { return nil, err }})
			continue
		case err != nil:
			return err
		}
		f.extracted++
		o.Scope.Compare, o.Scope.Declared = m.Compare, m.Scope
		if m.Scope != "" {
			if _, err := scope.Declare(m.Signature, m.Scope); err != nil {
				return file.Fail(m.ScopeAt, "the scope of %s: %w", m.Function, err)
			}
		}
		f.add(ctx, m.Function, r, o, file.Alone(), nil, confirm.Options{Prototype: m.Prototype}, view)
		f.computed(func(err error) error { return file.Fail(m.ScopeAt, "the scope of %s: %w", m.Function, err) })
	}
	return nil
}

// computed has the last target report a declared scope that cannot be computed for a call, at the
// place where the user has written it.
func (f *checking) computed(fail func(error) error) {
	run := &f.runs[len(f.runs)-1]
	build := run.Build
	run.Build = func(o *campaign.Options) (subject.Target, error) {
		t, err := build(o)
		var failed *scope.EvaluationError
		if errors.As(err, &failed) {
			err = fail(failed)
		}
		return t, err
	}
}

// targetName returns the name of a model's target: that of the file, with the function unless the
// file has one model.
func targetName(file *config.Models, m *config.Model) string {
	if file.Alone() {
		return file.Name
	}
	return file.Name + "-" + m.Function
}

// newRun returns the run of a model in code of a configuration.
func (f *checking) newRun(file *config.Models, m *config.Model) fuzzing.Run {
	run := fuzzing.Run{Name: targetName(file, m), Options: f.Campaign}
	o := &run.Options.Options
	o.Dir, o.Accepted = file.Dir, filepath.Join(f.Campaign.Dir, accept.FileName)
	o.Mode = subject.Model
	o.Out = f.folder(run.Name, file.Alone())
	f.extracted++
	return run
}

// addGo makes a target of a model in Go.
func (f *checking) addGo(ctx context.Context, file *config.Models, m *config.Model, view ui.UI) {
	run := f.newRun(file, m)
	o := &run.Options.Options
	if g := m.Go; g.Type {
		s := sequence.Model{Original: g.Original, Model: g.Model}
		s.Methods, s.Names, s.NotImplemented, s.Errors, s.Box, s.Service = g.Methods, g.Names, g.Unsupported, g.Errors, g.Box, g.Service
		s.Options(o)
	} else {
		o.Functions = []string{g.Original, g.Model}
		if len(g.Unsupported) > 0 || g.Scope != "" || g.Compare != "" {
			o.Partial = &gobuild.Partial{NotImplemented: g.Unsupported, Scope: g.Scope, Compare: g.Compare}
		}
		if !g.BoxGiven { // the user has not said that it may run here
			o.Harmless = g.Original
		}
	}
	o.Mode = subject.Model // not that of a comparison of sequences
	run.Build = func(o *campaign.Options) (subject.Target, error) {
		if g := m.Go; g.Type && !g.BoxGiven {
			if why := actsOnMachine(ctx, f.tool, file.Dir, g.Original); why != "" {
				o.Sequence.Box = true
				view.Message(fmt.Sprintf("%s runs in a box, since %s (box = false runs it outside)", g.Original, why))
			}
		}
		t, err := subject.Build(ctx, &o.Options, f.tool, view.Step)
		if err != nil {
			return nil, err
		}
		about := t.About()
		about.Name = run.Name // two models may have one pair of functions
		if m.Go.BoxGiven && !m.Go.Box {
			about.Plan.Notes = append(about.Plan.Notes, fmt.Sprintf("%s is not confined, as box = false says: it has the network and the files of your user", m.Go.Original))
		}
		o.Confirm = confirmed(ctx, t, o, f.meant(ctx, t, o, m.Go.Type || m.Go.Declared, false))
		return t, nil
	}
	f.codes = append(f.codes, codeModel{run: len(f.runs), types: m.Go.Type, declared: declaredBy(m.Go.Declared, m.Go.Scope)})
	f.runs = append(f.runs, run)
}

// addNode makes a target of a model in JavaScript.
func (f *checking) addNode(ctx context.Context, file *config.Models, m *config.Model, view ui.UI) {
	run := f.newRun(file, m)
	run.Build = func(o *campaign.Options) (subject.Target, error) {
		dir, err := state.ModelFolder(o.Out)
		if err != nil {
			return nil, err
		}
		path, err := m.Node.Write(dir, run.Name)
		if err != nil {
			return nil, err
		}
		if o.Config, err = config.Load(path); err != nil {
			return nil, err
		}
		o.GrammarFile = o.Config.Input.Grammar
		if err := o.ReadGrammar(o.GrammarFile); err != nil {
			return nil, err
		}
		t, err := subject.Build(ctx, &o.Options, f.tool, view.Step)
		if err != nil {
			return nil, m.Node.Explain(err)
		}
		o.Confirm = confirmed(ctx, t, o, f.meant(ctx, t, o, m.Node.Declared, true))
		return t, nil
	}
	f.codes = append(f.codes, codeModel{run: len(f.runs), cells: true, declared: declaredBy(m.Node.Declared, m.Node.Scope.Shown())})
	f.runs = append(f.runs, run)
}

// actsOnMachine returns the reason why an original may act on the machine. It returns "" if the
// imports of its package show none.
func actsOnMachine(ctx context.Context, tool, dir, name string) string {
	f, err := funcname.Parse(name)
	if err != nil {
		return "" // the build says what is wrong with it
	}
	if f.Version != "" {
		return "nothing is known of that version of its package yet"
	}
	var env gocommand.Env
	all, err := env.List(ctx, gocommand.Command{Dir: dir, Guard: tool}, "-deps", "--", f.Package)
	if err != nil {
		return "its package cannot be listed"
	}
	g := gocommand.NewGraph(all)
	if p := g.Written(f.Package); p != nil {
		if p.Error != nil && len(p.GoFiles)+len(p.CgoFiles) == 0 {
			return "" // the build says that there is no such package, and why
		}
		return g.Acts(p)
	}
	return "its package cannot be found"
}

// folder is the campaign's of a target.
func (f *checking) folder(name string, alone bool) string {
	switch {
	case f.Campaign.Out == "":
		return filepath.Join(f.Campaign.Dir, state.Home, name)
	case alone:
		return f.Campaign.Out
	}
	return filepath.Join(f.Campaign.Out, name)
}

// add makes a target of a model. Its scope is found when its turn comes.
func (f *checking) add(ctx context.Context, name string, r *record.Record, o check.Options, alone bool, engine confirm.Asker, confirming confirm.Options, view ui.UI) {
	out := f.folder(o.Target, alone)
	o.Dir, o.Prove, o.Explain = filepath.Join(out, state.ModelDir), f.Proofs, f.Explain
	o.Scope.Samples, o.Scope.Threshold, o.Scope.Seed = f.sampled(), f.Threshold, f.Campaign.Seed
	if f.CompareBy != "" {
		o.Scope.Compare = call.Comparator(f.CompareBy)
	}
	run := fuzzing.Run{Name: o.Target, Options: f.Campaign, Done: f.release}
	run.Options.Out = out
	run.Build = func(options *campaign.Options) (subject.Target, error) {
		m, err := f.model(ctx, name, r, o, view)
		if err != nil {
			return nil, err
		}
		if m.NeedsSolver() {
			f.limitBudget(options)
		}
		judge := m.Judge(engine, confirming)
		f.models, f.names, f.judges, f.needed = append(f.models, m), append(f.names, name), append(f.judges, judge), append(f.needed, judge.Close)
		if f.Base == "" { // else it is compared with another version
			f.needed = append(f.needed, m.Close)
		}
		if confirming.Concrete {
			options.ConfirmedBy = f.Confirm
		}
		return f.judgedTarget(ctx, options, m.Config, judge, view)
	}
	f.runs = append(f.runs, run)
}

// judge returns why an input of a bucket is no finding, or "" to accept it.
type judge interface {
	Veto(ctx context.Context, bucket string, flat []byte) (string, error)
	Unanswered() []finding.Unanswered
}

// judgedTarget returns the target of a configuration. A judge looks at its findings before they are
// filed.
func (f *checking) judgedTarget(ctx context.Context, o *campaign.Options, file string, by judge, view ui.UI) (t subject.Target, err error) {
	if o.Config, err = config.Load(file); err != nil {
		return nil, err
	}
	o.Seeds = append(slices.Clone(f.Campaign.Seeds), o.Config.Input.Seeds...)
	if t, err = subject.Build(ctx, &o.Options, f.tool, view.Step); err != nil {
		return nil, err
	}
	f.judged[t] = by
	o.Confirm = confirmed(ctx, t, o, func(bucket string, flat []byte) (kind, why string, err error) {
		why, err = by.Veto(ctx, bucket, flat)
		return modelverdict.Kind(why), why, err
	})
	return t, nil
}

// look says why an input of a bucket is no finding, and how it is counted; "", "": it is one.
type look = func(bucket string, flat []byte) (kind, why string, err error)

// confirmed looks at findings before they are filed.
func confirmed(ctx context.Context, t subject.Target, o *campaign.Options, at look) func(*triage.Result) (kind, why string, err error) {
	return func(found *triage.Result) (kind, why string, err error) {
		return triage.New(t, t.Spec(&o.Options), o.Layers).Confirmed(ctx, found, at)
	}
}

// errLeftOut is of a model that cannot be checked. Why is among those that are left out.
var errLeftOut = errors.New("left out")

// sampled returns the number of calls that the user wants to sample. It returns 0 for the number
// of the model's kind.
func (f *checking) sampled() int {
	if f.Given("samples") {
		return f.Samples
	}
	return 0
}

// sampling reports how far the sampling of a model's calls is, every few seconds.
type sampling struct {
	step      func(string)
	text      string // of the step
	now       func() time.Time
	told      time.Time // the last time, or when the first call was made
	any       bool      // a number was reported
	done, all int
}

// before is called before each call, with the number of those before and of all.
func (s *sampling) before(done, all int) {
	s.done, s.all = done+1, all
	switch now := s.now(); {
	case s.told.IsZero(): // what came before may have taken long
		s.told = now
	case now.Sub(s.told) >= 5*time.Second:
		s.told, s.any = now, true
		s.step(fmt.Sprintf("%s: %d of %d calls sampled", s.text, done, all))
	}
}

// end prints the last number if earlier numbers were printed.
func (s *sampling) end() {
	if s.any {
		s.step(fmt.Sprintf("%s: %d of %d calls sampled", s.text, s.done, s.all))
	}
}

// model finds the scope of a model.
func (f *checking) model(ctx context.Context, name string, r *record.Record, o check.Options, view ui.UI) (*check.Model, error) {
	sampled := sampling{step: view.Step, text: "finding the scope of " + name, now: time.Now}
	o.Scope.Progress = sampled.before
	view.Step(sampled.text)
	leave := func(status, reason string) error {
		f.left = append(f.left, finding.LeftOut{Function: name, Status: status, Reason: reason})
		if f.Engine == "" && status == string(extract.Unsupported) {
			f.extracted--
		}
		return errLeftOut
	}
	m, err := check.Prepare(ctx, r, o)
	if err == nil {
		sampled.end()
	}
	var none *original.NoneError
	var refused *check.Refused
	var contradiction *check.Contradiction
	switch {
	case errors.As(err, &none):
		return nil, leave(finding.NoOriginal, none.Why)
	case errors.As(err, &contradiction):
		return nil, leave(finding.Contradiction, contradiction.Error())
	case errors.As(err, &refused):
		return nil, leave(string(extract.Unsupported), refused.Err.Error())
	case err != nil:
		return nil, err
	case len(m.Scope.Paths) == 0 && m.Scope.Undefined == 0 && m.Scope.Declared != "":
		m.Close()
		return nil, leave(finding.NothingMeant, fmt.Sprintf("the declared scope has none of the %d calls of it that were sampled", m.Scope.Samples))
	case len(m.Scope.Paths) == 0:
		m.Close()
		return nil, leave(string(scope.Unspecified), fmt.Sprintf("C defines none of the %d calls of it that were sampled, or they do not end", m.Scope.Undefined))
	}
	return m, nil
}
