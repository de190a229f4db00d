package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/accept"
	"parallax/cmd/internal/archive"
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
	"parallax/cmd/internal/smt/solver"
	"parallax/cmd/internal/state"
	"parallax/cmd/internal/target"
	"parallax/cmd/internal/target/cache"
	"parallax/cmd/internal/triage"
	"parallax/cmd/internal/ui"
)

// modelFlags are what only model has.
type modelFlags struct {
	campaignFlags
	engine    string
	base      string // another version of it
	functions []string
	compareBy string
	elements  int
	samples   int
	threshold float64
	proofs    int
	confirm   string
	extractIn time.Duration
	explain   bool

	name, version string // of the engine
	left          []report.LeftOut
	models        []*check.Model
	judges        []*check.Judge
	changes       []report.ModelChange
	runs          []testRun
	asked         int
	extracted     int
}

func modelCommand() *cobra.Command {
	f := &modelFlags{campaignFlags: campaignFlags{options: campaign.Options{Options: target.Options{Mode: target.Model}}}}
	c := &cobra.Command{
		Use:   "model {--engine NAME==VERSION [--functions F,...] | CONFIG.toml}",
		Short: "Check models of functions against their originals, within the models' scope",
		Long: `model takes what a symbolic-execution engine believes of C functions, finds the part of each function that the model is meant for (its
scope), and fuzzes the original there. It reports calls within the scope on which the model and the original differ:

  parallax model --engine angr==9.2.213 --functions strchr,strncpy,atoi
  parallax model --engine angr==9.2.213

The engine is installed into parallax's cache, each version in an environment of its own. Without --functions, all models that the engine
lists and that parallax can call are checked. What differs outside of the scope is counted by kind, and is no finding: models are partial on
purpose. --explain lists the paths of each original: in scope or not, and why.

A finding is filed when two solvers, the C library of this machine and the engine's own run of the call confirm it. docs/model.md has more.

Exit code 1 means that there are findings.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(args) },
	}
	f.register(c)
	fs := c.Flags()
	for _, name := range []string{"fuzz", "go-cache", "dict", "grammar", "grammar-operands", "repair", "max-bytes", "timeout", "memory", "instrument", "tags",
		"no-cmplog", "without", "compare", "pool-size", "ordered-traces", "mutators"} {
		if fs.Lookup(name) != nil {
			fs.MarkHidden(name)
		}
	}
	for name, value := range map[string]string{"fuzztime": "20000x", "parallel": "1"} {
		fl := fs.Lookup(name)
		fl.DefValue = value
		fl.Value.Set(value)
	}
	fs.StringVar(&f.engine, "engine", "", "the engine and its version, such as angr==9.2.213: "+strings.Join(extract.Engines(), ", "))
	fs.StringVar(&f.base, "base", "", "another version of the engine, such as angr==9.2.68: say which models became better or worse since then")
	fs.StringSliceVar(&f.functions, "functions", nil, "functions whose models are checked (default all that the engine lists)")
	fs.StringVar(&f.compareBy, "compare-results", "", "how results are compared: exact, sign, truth, offset, none (default what C says of the function)")
	fs.IntVar(&f.elements, "elements", extract.DefaultBuffer, "elements of each buffer, without the zero at the end of a string")
	fs.IntVar(&f.samples, "samples", scope.DefaultSamples, "calls by which the scope of a function is found")
	fs.Float64Var(&f.threshold, "threshold", scope.DefaultThreshold, "share of calls on which a path has to agree to be in scope")
	fs.IntVar(&f.proofs, "proofs", check.DefaultProve, "questions for a solver about the paths of each original, to prove what it can beside the samples; 0 is none")
	fs.DurationVar(&f.extractIn, "extract-timeout", time.Minute, "time limit for the extraction of one model")
	fs.StringVar(&f.confirm, "confirm", "concrete", "how the engine confirms findings: concrete, its answer to the call's own values; symbolic, or its answer with symbols that are held to these values")
	choices(c, "confirm", false, "concrete", "symbolic")
	fs.BoolVar(&f.explain, "explain", false, "list the paths of each original: in scope or not, and why")
	mustComplete(c, "engine", cobra.NoFileCompletions)
	mustComplete(c, "functions", cobra.NoFileCompletions)
	return c
}

// run is the command.
func (f *modelFlags) run(args []string) error {
	switch {
	case len(args) > 0 && f.engine != "":
		return exit.Usage("--engine and %s: a configuration names its models itself. Leave one out", args[0])
	case len(args) == 0 && f.engine == "":
		return exit.Usage("what is to be checked? Name an engine, such as --engine angr==9.2.213 --functions strchr, or a configuration (docs/model.md)")
	case len(args) > 0 && len(f.functions) > 0:
		return exit.Usage("--functions chooses among the models of an engine, and the argument is a configuration: leave it out")
	}
	if f.threshold <= 0 || f.threshold > 1 {
		return exit.Usage("--threshold %g: give a share above 0, up to 1", f.threshold)
	}
	if f.confirm != "concrete" && f.confirm != "symbolic" {
		return exit.Usage("--confirm %q: choose concrete or symbolic", f.confirm)
	}
	if f.samples < 1 || f.elements < 1 || f.elements > 64 {
		return exit.Usage("--samples has to be at least 1, and --elements 1 to 64")
	}
	if f.compareBy != "" && !slices.Contains(call.Comparators, call.Comparator(f.compareBy)) {
		return exit.Usage("--compare-results %q: choose exact, sign, truth, offset or none", f.compareBy)
	}
	if err := f.complete(); err != nil {
		return err
	}
	if f.base != "" {
		name, version, ok := strings.Cut(f.base, "==")
		if engine, _, _ := strings.Cut(f.engine, "=="); !ok || version == "" || name != engine {
			return exit.Usage("--base %q: name another version of the engine, such as %s==9.2.68", f.base, cmp.Or(engine, "angr"))
		}
	}
	var configured *config.Models
	if f.engine == "" {
		var err error
		if configured, err = config.LoadModels(args[0]); err != nil {
			return err
		}
	} else {
		var ok bool
		if f.name, f.version, ok = strings.Cut(f.engine, "=="); !ok || f.name == "" || f.version == "" {
			return exit.Usage("--engine %q names no version: write it as pip does, such as angr==9.2.213", f.engine)
		}
	}
	if configured == nil || slices.ContainsFunc(configured.List, func(m config.Model) bool { return m.Go == nil }) {
		if err := needed(); err != nil {
			return err
		}
	}
	ctx, kill, interrupt := interrupts()
	view := ui.New(os.Stderr, f.ui, interrupt)
	defer view.Close()
	var err error
	if configured != nil {
		err = f.configure(ctx, configured, view)
	} else {
		var engine *extract.Engine
		if engine, err = f.open(ctx, view); err == nil {
			defer engine.Close()
			var answers []extract.Answer
			if answers, err = f.extract(ctx, engine, view); err == nil {
				err = f.prepare(ctx, engine, answers, view)
			}
			if err == nil && f.base != "" {
				err = f.compareVersions(ctx, view)
			}
		}
	}
	if err != nil {
		view.Close()
		return unlessInterrupted(ctx, err)
	}
	f.takeTurns(ctx, kill, f.runs, view)
	return f.told(ctx)
}

// needed says what confirms findings and is not there.
func needed() error {
	for _, p := range []solver.Program{solver.Z3, solver.CVC5} {
		if _, err := exec.LookPath(p.Name); err != nil {
			return exit.Infra("findings are confirmed by the solvers z3 and cvc5, and %s is not there: %s", p.Name, p.Install)
		}
	}
	if _, err := exec.LookPath("cc"); err != nil {
		return exit.Infra("findings are confirmed by this machine's C library, by a program in C, and there is no C compiler: apt-get install gcc")
	}
	return nil
}

// open has the engine installed.
func (f *modelFlags) open(ctx context.Context, view ui.UI) (*extract.Engine, error) {
	if !slices.Contains(extract.Engines(), f.name) {
		return nil, exit.Usage("unknown engine %q: parallax knows %s", f.name, strings.Join(extract.Engines(), ", "))
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil, exit.Infra("finding the folder for caches: %w: set XDG_CACHE_HOME", err)
	}
	env, err := extract.Environment(ctx, filepath.Join(dir, "parallax"), f.name, f.version, view.Step)
	switch {
	case errors.Is(err, extract.ErrUnknownEngine):
		return nil, exit.Usage("%w", err)
	case err != nil:
		return nil, exit.Infra("%w", err)
	}
	return extract.Open(env, extract.Options{Workers: 2, Timeout: f.extractIn, Kept: cache.OpenKept("extractions")}), nil
}

// extract has the engine tell its models.
func (f *modelFlags) extract(ctx context.Context, engine *extract.Engine, view ui.UI) ([]extract.Answer, error) {
	view.Step(fmt.Sprintf("starting %s %s", f.name, f.version))
	listed, err := engine.List(ctx)
	if err != nil {
		return nil, exit.Infra("%s does not list its models: %w", f.engine, err)
	}
	chosen, err := f.choose(listed)
	if err != nil {
		return nil, err
	}
	var requests []extract.Request
	for _, l := range chosen {
		if l.Reason != "" {
			f.left = append(f.left, report.LeftOut{Function: l.Function, Status: string(extract.Unsupported), Reason: l.Reason})
			continue
		}
		requests = append(requests, extract.Request{Function: l.Function, Mode: extract.Bytes, Sizes: extract.Sizes{Buffer: f.elements}})
	}
	f.asked = len(chosen)
	done := 0
	answers, err := engine.Extract(ctx, requests, func(_ int, a extract.Answer) {
		done++
		view.Step(fmt.Sprintf("extracting models: %d of %d (%s)", done, len(requests), a.Function))
	})
	if err != nil {
		return nil, exit.Infra("%s: %w", f.engine, err)
	}
	return answers, nil
}

// compareVersions says what became of the models since another version of the engine.
func (f *modelFlags) compareVersions(ctx context.Context, view ui.UI) error {
	_, version, _ := strings.Cut(f.base, "==")
	other := &modelFlags{campaignFlags: campaignFlags{options: f.options}, engine: f.base, name: f.name, version: version, elements: f.elements, extractIn: f.extractIn}
	for _, m := range f.models {
		other.functions = append(other.functions, m.Record.Function)
	}
	if len(other.functions) == 0 {
		return nil
	}
	engine, err := other.open(ctx, view)
	if err != nil {
		return err
	}
	defer engine.Close()
	listed, err := engine.List(ctx)
	if err != nil {
		return exit.Infra("%s does not list its models: %w", f.base, err)
	}
	other.functions = slices.DeleteFunc(other.functions, func(name string) bool {
		has := slices.ContainsFunc(listed, func(l extract.Listed) bool { return l.Function == name })
		if !has {
			f.changes = append(f.changes, report.ModelChange{Function: name, Reason: f.base + " has no model of it"})
		}
		return !has
	})
	answers, err := other.extract(ctx, engine, view)
	if err != nil {
		return err
	}
	for i := range answers {
		a := &answers[i]
		head := f.models[slices.IndexFunc(f.models, func(m *check.Model) bool { return m.Record.Function == a.Function })]
		c := report.ModelChange{Function: a.Function, Reason: fmt.Sprintf("%s: %s %s", f.base, a.Status, a.Reason)}
		if a.Status == extract.OK {
			view.Step("comparing the versions of " + a.Function)
			c, err = f.changed(ctx, a, head)
			if err != nil {
				return err
			}
		}
		f.changes = append(f.changes, c)
	}
	return nil
}

// changed compares a version of a model with the one that is checked.
func (f *modelFlags) changed(ctx context.Context, a *extract.Answer, head *check.Model) (report.ModelChange, error) {
	dir, err := os.MkdirTemp("", "parallax-model-")
	if err != nil {
		return report.ModelChange{}, exit.Infra("creating a folder for the other version: %w", err)
	}
	defer os.RemoveAll(dir)
	o := check.Options{Dir: dir, Target: "base", Program: "base", Scope: scope.Options{Samples: f.samples, Threshold: f.threshold, Seed: f.options.Seed, Compare: head.Scope.Compare}}
	base, err := check.Prepare(ctx, &record.Record{Answer: *a}, o)
	var none *original.NoneError
	var refused *check.Refused
	switch {
	case errors.As(err, &none), errors.As(err, &refused):
		return report.ModelChange{Function: a.Function, Reason: err.Error()}, nil
	case err != nil:
		return report.ModelChange{}, err
	}
	defer base.Close()
	return check.Versions(ctx, base, head)
}

// choose are the functions that the user names, or all.
func (f *modelFlags) choose(listed []extract.Listed) ([]extract.Listed, error) {
	if len(f.functions) == 0 {
		return listed, nil
	}
	var chosen []extract.Listed
	var names []string
	for _, l := range listed {
		names = append(names, l.Function)
	}
	for _, name := range f.functions {
		i := slices.Index(names, name)
		if i < 0 {
			return nil, exit.Usage("%s has no model of %s%s", f.engine, name, meantOne([]string{name}, names))
		}
		if !slices.ContainsFunc(chosen, func(l extract.Listed) bool { return l.Function == name }) {
			chosen = append(chosen, listed[i])
		}
	}
	return chosen, nil
}

// prepare finds the scope of each model, and makes it a target.
func (f *modelFlags) prepare(ctx context.Context, engine *extract.Engine, answers []extract.Answer, view ui.UI) error {
	ready := 0
	for i := range answers {
		if answers[i].Status == extract.OK {
			ready++
		}
	}
	f.extracted = ready
	for i := range answers {
		a := &answers[i]
		if a.Status != extract.OK {
			f.left = append(f.left, report.LeftOut{Function: a.Function, Status: string(a.Status), Reason: a.Reason})
			continue
		}
		o := check.Options{Target: f.name + "-" + f.version + "-" + a.Function, Program: f.name}
		err := f.add(ctx, &record.Record{Answer: *a}, o, len(answers) == 1, engine, confirm.Options{Engine: f.name + " " + f.version, Prototype: a.Prototype, Symbolic: f.confirm == "symbolic"}, view)
		if err != nil {
			return err
		}
	}
	return nil
}

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
		if err == nil && !m.Go.Type { // what of a type is not meant is said by its errors
			o.Confirm = f.agreed(ctx, t, o)
		}
		return t, err
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
		return target.Build(ctx, &o.Options, tool, view.Step)
	}
	f.runs = append(f.runs, run)
	return nil
}

// told tells what came of all models.
func (f *modelFlags) told(ctx context.Context) error {
	whole := &report.Scope{Outside: map[string]int{}}
	var summaries []*report.Summary
	var folders []string
	open := 0
	var err error
	for i := range f.runs {
		r := &f.runs[i]
		if r.err != nil && (err == nil || exit.Code(err) == exit.InfraCode) {
			err = r.err
		}
		if r.summary == nil {
			continue
		}
		summaries = append(summaries, r.summary)
		folders = append(folders, archive.Shown(&r.options.Options, r.target))
		open += r.summary.Open()
		if r.summary.Scope != nil {
			whole.Add(r.summary.Scope)
		}
		r.target.Close()
	}
	for i, j := range f.judges {
		if j.Err != nil && err == nil {
			err = j.Err
		}
		j.Close()
		f.models[i].Close()
	}
	whole.Models, whole.Extracted, whole.LeftOut, whole.Changes = f.asked, f.extracted, f.left, f.changes
	if f.explain {
		for i, m := range f.models {
			os.Stderr.WriteString(m.Scope.Explain())
			os.Stderr.WriteString(f.judges[i].Explain())
		}
	}
	if shown := f.show(summaries, folders, whole); shown != nil && err == nil {
		err = shown
	}
	err = f.delivered(f.runs, err)
	if len(summaries) == 0 && err == nil && ctx.Err() != nil {
		fmt.Fprintln(os.Stderr, "parallax: interrupted: nothing was checked")
	}
	return verdict(err, open)
}

// show writes the summaries: each with findings whole, and a line for the others.
func (f *modelFlags) show(summaries []*report.Summary, folders []string, whole *report.Scope) error {
	single := len(summaries) == 1 && f.asked == 1
	told := false
	var quiet []*report.Summary
	for i, s := range summaries {
		if !single && len(s.Findings.Buckets) == 0 {
			quiet = append(quiet, s)
			continue
		}
		o := report.EndOptions{Width: width(), Color: color(), Folder: folders[i], Flags: "--out " + folders[i] + " ", Brief: told}
		told = true
		if err := report.End(os.Stderr, s, o); err != nil {
			return exit.Infra("writing the summary: %w", err)
		}
	}
	if !single {
		os.Stderr.WriteString(report.Models(quiet, whole))
	} else {
		if summaries[0].Scope != nil {
			summaries[0].Scope.Changes = whole.Changes
		}
		os.Stderr.WriteString(report.Changes(whole.Changes))
		for _, l := range whole.LeftOut {
			fmt.Fprintf(os.Stderr, "left out: %s: %s: %s\n", l.Function, l.Status, report.Escape(l.Reason))
		}
	}
	if !f.json {
		return nil
	}
	var data []byte
	var err error
	if single {
		data, err = summaries[0].Encode()
	} else {
		data, err = report.EncodeModels(summaries, whole)
	}
	if err == nil {
		_, err = os.Stdout.Write(data)
	}
	if err != nil {
		return exit.Infra("writing the summary: %w", err)
	}
	return nil
}
