package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/check"
	"parallax/cmd/internal/model/dynamic"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/model/smt/solver"
	"parallax/cmd/internal/subject"
	"parallax/cmd/internal/subject/config"
)

// modelFlags are what only model has.
type modelFlags struct {
	fuzzing.Options
	engine    string
	base      string // another version of it
	functions []string
	declared  []string // C declarations of functions
	compareBy string
	elements  int
	samples   int
	threshold float64
	proofs    int
	confirm   string
	extractIn time.Duration
	explain   bool
	failOn    string
	scopeFile string

	name, version string         // of the engine
	configured    string         // the name of the configuration; "": an engine's models are checked
	scopes        *config.Scopes // what is declared of the engine's models; nil: nothing
	listed        []extract.Listed
	notGiven      []string // functions of which the engine gives no model
	left          []report.LeftOut
	incomplete    []report.Incomplete
	models        []*check.Model
	valueModels   []valueModel // those that take values
	names         []string     // of these
	judges        []*check.Judge
	valueJudges   []*dynamic.Judge // of models that take values
	judged        map[subject.Target]judge
	needed        []func()      // what ends what the model needs that is being checked
	unable        error         // why the scope of a finding could not be looked at
	codes         []codeModel   // models that are code
	decided       []judgedInput // inputs of these
	looked        []looked      // of models that are code, in the order in which they were found
	changes       []report.ModelChange
	runs          []fuzzing.Run
	asked         int
	extracted     int
}

func modelCommand() *cobra.Command {
	f := &modelFlags{judged: map[subject.Target]judge{}, Options: fuzzing.Options{Campaign: campaign.Options{Options: subject.Options{Mode: subject.Model}}}}
	c := &cobra.Command{
		Use:   "model {--engine NAME==VERSION [--functions F,...] | CONFIG.toml}",
		Short: "Check models of functions against their originals, within the models' scope",
		Long: `model takes the models of functions that a symbolic-execution engine has. It finds the part of each function that the
model is meant for (its scope), and fuzzes the original there. It reports calls within the scope on which the model and the
original differ:

  parallax model --engine angr==9.2.213 --functions strchr,strncpy,atoi
  parallax model --engine angr==9.2.213

The engine is installed into parallax's cache, each version in an environment of its own. Without --functions, all models that
the engine lists and that parallax can call are checked. Differences outside of the scope are counted by kind, and are no
findings: models are partial on purpose. --explain lists the paths of each original: in scope or not, and why.

A finding is filed when two solvers, this machine's C library and the engine's own run of the call confirm it. parallax help
model.md has more.

The engine crosshair has models of the methods and operators of Python's str, int and bytes, which are compared with CPython:

  parallax model --engine crosshair==0.0.112 --functions str.title,int.__pow__

A configuration has models of other kinds: in SMT-LIB, C, Go, JavaScript, and formulas for PHP's functions (parallax help
model.md).

Exit code 1 means that there are findings; --fail-on worse counts models that became worse since --base, too.`,
		Example: "  parallax model --engine angr==9.2.213 --functions strchr,atoi\n  parallax model --engine crosshair==0.0.112 --functions str.title\n  parallax model parallax.toml",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(c *cobra.Command, args []string) error { return f.run(args) },
	}
	register(c, &f.Options)
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
	fs.StringVar(&f.base, "base", "", "the old version: of the engine, such as angr==9.2.68, to say which models became better or worse since then")
	fs.StringSliceVar(&f.functions, "functions", nil, "functions whose models are checked, or names of models of a configuration (default all)")
	fs.StringArrayVar(&f.declared, "prototype", nil, "the C declaration of a function that the engine has no prototype of, such as 'int f(char *, int)'; may be repeated")
	fs.StringVar(&f.compareBy, "compare-results", "", "how results are compared: exact, sign, truth, offset, none (default by the function in C); for Python's methods exact, or set for lists in any order")
	fs.IntVar(&f.elements, "elements", extract.DefaultBuffer, "elements of each buffer, without the zero at the end of a string")
	fs.IntVar(&f.samples, "samples", scope.DefaultSamples, "calls by which the scope of a function is found (600 where a solver has to be asked about each)")
	fs.Float64Var(&f.threshold, "threshold", scope.DefaultThreshold, "share of calls on which a path has to agree to be in scope")
	fs.StringVar(&f.scopeFile, "scope", "", "a file of what the engine's models are meant for, by its documents: [[scope]] with function, holds and source (parallax help model.md)")
	fs.IntVar(&f.proofs, "proofs", check.DefaultProve, "questions for a solver about the paths of each original, to prove more than the samples show; 0 is none")
	fs.DurationVar(&f.extractIn, "extract-timeout", time.Minute, "time limit for the extraction of one model")
	fs.StringVar(&f.confirm, "confirm", "concrete", "how the engine confirms findings: concrete, its answer to the call's own values; symbolic, or its answer with symbols that are held to these values")
	choices(c, "confirm", false, "concrete", "symbolic")
	fs.StringVar(&f.failOn, "fail-on", "findings", "what makes the command fail: findings, or worse for models that became worse or were lost since --base, too")
	choices(c, "fail-on", false, "findings", "worse")
	fs.BoolVar(&f.explain, "explain", false, "list the paths of each original: in scope or not, and why")
	mustComplete(c, "engine", cobra.NoFileCompletions)
	mustComplete(c, "functions", cobra.NoFileCompletions)
	mustComplete(c, "prototype", cobra.NoFileCompletions)
	return c
}

// versions has an earlier version of each engine, as examples.
var versions = map[string]string{"angr": "angr==9.2.68", "crosshair": "crosshair==0.0.111"}

// run is the command.
func (f *modelFlags) run(args []string) error {
	switch {
	case len(args) > 0 && f.engine != "":
		return exit.Usage("--engine and %s: a configuration names its models itself. Leave one out", args[0])
	case len(args) == 0 && f.engine == "":
		return exit.Usage("what is to be checked? Name an engine, such as --engine angr==9.2.213 --functions strchr, or a configuration (parallax help model.md)")
	case len(args) > 0 && len(f.declared) > 0:
		return exit.Usage("--prototype is for the models of an engine, and the argument is a configuration, which has the key prototype: leave it out")
	case len(f.functions) == 0 && f.Given("functions"): // an empty variable of a shell
		return exit.Usage("--functions names no function: name some, or leave it out to check all models")
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
	f.name, f.version, _ = strings.Cut(f.engine, "==")
	values := extract.Values(f.name)
	switch known := slices.Contains(call.Comparators, call.Comparator(f.compareBy)); {
	case f.compareBy == "" || known:
	case f.compareBy != dynamic.Set:
		return exit.Usage("--compare-results %q: choose exact, sign, truth, offset, none or, for values of Python, set", f.compareBy)
	case !values:
		return exit.Usage("--compare-results set: a result of a C function is a number or a pointer, which has no order to leave out: choose exact, sign, truth, offset or none")
	}
	if values {
		if err := f.checkValues(); err != nil {
			return err
		}
	}
	if err := f.Complete(); err != nil {
		return err
	}
	if f.base != "" && f.engine != "" {
		name, version, ok := strings.Cut(f.base, "==")
		if engine, _, _ := strings.Cut(f.engine, "=="); !ok || version == "" || name != engine {
			return exit.Usage("--base %q: name another version of the engine, such as %s", f.base, cmp.Or(versions[engine], "angr==9.2.68"))
		}
	}
	if f.failOn != "findings" && f.failOn != "worse" {
		return exit.Usage("--fail-on %q: choose findings or worse", f.failOn)
	}
	if f.failOn == "worse" && f.base == "" {
		return exit.Usage("--fail-on worse: worse than which version? Name it with --base")
	}
	var configured *config.Models
	if f.engine == "" {
		var err error
		if configured, err = config.LoadModels(args[0]); err != nil {
			return err
		}
		if len(f.functions) > 0 {
			if err := configured.Choose(f.functions); err != nil {
				return err
			}
		}
	} else {
		if f.name == "" || f.version == "" {
			return exit.Usage("--engine %q names no version: write it as pip does, such as angr==9.2.213", f.engine)
		}
		if !slices.Contains(extract.Engines(), f.name) {
			return exit.Usage("unknown engine %q: parallax knows %s", f.name, strings.Join(extract.Engines(), ", "))
		}
	}
	if err := unheard(f.Given, kindsOf(f.name, configured)); err != nil {
		return err
	}
	if f.Given("scope") {
		var err error
		if f.scopes, err = config.LoadScopes(f.scopeFile); err != nil {
			return err
		}
	}
	inC := func(m config.Model) bool { return m.Go == nil && m.Node == nil && m.Beside == nil }
	beside := func(m config.Model) bool { return m.Beside != nil }
	if ofC := configured == nil && !values || configured != nil && slices.ContainsFunc(configured.List, inC); ofC || configured != nil && slices.ContainsFunc(configured.List, beside) {
		if err := needed(ofC); err != nil {
			return err
		}
	}
	ctx, kill, interrupt := terminal.Interrupts()
	view := f.View(interrupt)
	defer view.Close()
	var err error
	var other *modelFlags // the version that --base names
	if f.base != "" {
		other, err = f.another(ctx, view)
	}
	if err != nil {
		view.Close()
		return fuzzing.UnlessInterrupted(ctx, err)
	}
	if configured != nil {
		err = f.configure(ctx, configured, view)
	} else {
		var engine *extract.Engine
		if engine, err = f.open(ctx, view); err == nil {
			defer engine.Close()
			var answers []extract.Answer
			switch answers, err = f.extract(ctx, engine, view); {
			case err != nil:
			case values:
				err = f.prepareValues(ctx, engine, answers, view)
			default:
				err = f.prepare(ctx, engine, answers, view)
			}
		}
	}
	if err != nil {
		view.Close()
		return fuzzing.UnlessInterrupted(ctx, err)
	}
	defer f.close()
	f.TakeTurns(ctx, kill, f.runs, view)
	if f.base != "" && ctx.Err() == nil {
		again := f.View(interrupt)
		err = f.compareVersions(ctx, other, again)
		again.Close()
		if ctx.Err() != nil {
			fmt.Fprintln(os.Stderr, "parallax: interrupted: the versions were not compared to the end")
			err = nil
		}
	}
	return f.told(ctx, err)
}

// needed says what confirms findings and is not there: solvers and, for models of C functions, a compiler.
func needed(ofC bool) error {
	for _, p := range []solver.Program{solver.Z3, solver.CVC5} {
		if _, err := exec.LookPath(p.Name); err != nil {
			return exit.Infra("findings are confirmed by the solvers z3 and cvc5, and %s is not there: %s", p.Name, p.Install)
		}
	}
	if _, err := exec.LookPath("cc"); ofC && err != nil {
		return exit.Infra("findings are confirmed by this machine's C library, by a program in C, and there is no C compiler: apt-get install gcc")
	}
	return nil
}

// close ends what was started for the models.
func (f *modelFlags) close() {
	f.release()
	for _, r := range f.runs {
		if r.Target != nil {
			r.Target.Close()
		}
	}
	for _, m := range f.models {
		m.Close()
	}
}

// release ends what a model needed while it was checked. It is called after each, so that solvers and drivers of many do not pile up.
func (f *modelFlags) release() {
	for _, end := range f.needed {
		end()
	}
	f.needed = nil
}

// told tells what came of all models.
func (f *modelFlags) told(ctx context.Context, err error) error {
	code := f.describe(ctx)
	whole := &report.Scope{Outside: map[string]int{}}
	var summaries []*report.Summary
	var folders, missed []string
	var failed []error
	if err != nil {
		failed = append(failed, err)
	}
	open := 0
	for i := range f.runs {
		r := &f.runs[i]
		if errors.Is(r.Err, errLeftOut) {
			r.Err, r.Skipped = nil, true
		}
		switch {
		case r.Err != nil && len(f.runs) > 1: // several may be of one package that does not compile
			if same := slices.IndexFunc(f.runs[:i], func(o fuzzing.Run) bool { return o.Err != nil && o.Err.Error() == r.Err.Error() }); same < 0 {
				names := r.Name
				for _, other := range f.runs[i+1:] {
					if other.Err != nil && other.Err.Error() == r.Err.Error() {
						names += ", " + other.Name
					}
				}
				failed = append(failed, fmt.Errorf("%s: %w", names, r.Err))
			}
		case r.Err != nil:
			failed = append(failed, r.Err)
		}
		if r.Summary == nil {
			if r.Err == nil && !r.Skipped { // the run was interrupted
				missed = append(missed, r.Name)
			}
			if r.Err != nil && f.engine == "" { // it could not be built or prepared
				f.extracted--
			}
			continue
		}
		summaries = append(summaries, r.Summary)
		folders = append(folders, archive.Shown(&r.Options.Options, r.Target))
		open += r.Summary.Open()
		if r.Summary.Scope != nil {
			if by := f.judged[r.Target]; by != nil {
				r.Summary.Scope.Unanswered = by.Unanswered()
			}
			whole.Add(r.Summary.Scope)
		}
	}
	asked, silent, why := 0, 0, ""
	for i, j := range f.judges {
		if j.Err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", f.names[i], j.Err))
		}
		if a, s, last := j.Silent(); a > 0 {
			asked, silent, why = asked+a, silent+s, cmp.Or(last, why)
		}
	}
	if silent > 0 && silent == asked {
		failed = append(failed, exit.Infra("%s answered none of %d calls that it was asked to confirm, so nothing could be found: the last one %s", f.engine, asked, why))
	}
	for _, j := range f.valueJudges {
		if j.Err != nil {
			failed = append(failed, exit.Infra("%w", j.Err))
		}
	}
	if f.unable != nil {
		failed = append(failed, exit.Infra("looking for the scope of a finding: %w", f.unable))
	}
	others, err := foremost(failed)
	for _, other := range others {
		terminal.Say("%v", strings.TrimRight(other.Error(), "\n"))
	}
	whole.Models, whole.Extracted, whole.LeftOut, whole.Changes = f.asked, f.extracted, f.left, f.changes
	whole.Incomplete = f.incomplete
	if f.explain {
		for i, m := range f.models {
			if f.names[i] != m.Record.Function { // one of several models of a function
				fmt.Fprintf(os.Stderr, "\n%s:\n", f.names[i])
			}
			os.Stderr.WriteString(m.Scope.Explain())
			os.Stderr.WriteString(f.judges[i].Explain())
		}
		for _, j := range f.valueJudges {
			os.Stderr.WriteString(j.Explain())
		}
		os.Stderr.WriteString(f.explainLooked())
		os.Stderr.WriteString(code)
		os.Stderr.WriteString(report.ExplainLeftOut(f.left))
	}
	if shown := f.show(summaries, folders, whole); shown != nil && err == nil {
		err = shown
	}
	err = f.Delivered(slices.DeleteFunc(slices.Clone(f.runs), func(r fuzzing.Run) bool { return r.Skipped }), err)
	if err == nil && ctx.Err() != nil {
		if len(summaries) == 0 {
			fmt.Fprintln(os.Stderr, "parallax: interrupted: nothing was checked")
		} else if len(missed) > 0 {
			terminal.Say("interrupted: not checked: %v", strings.Join(missed, ", "))
		}
	}
	return fuzzing.Verdict(err, open+f.worse())
}

// worse is how many models became worse or were lost since the version that --base names, if that makes the command fail.
func (f *modelFlags) worse() (n int) {
	for _, c := range f.changes {
		if f.failOn == "worse" && (c.Worse > 0 || c.Lost) {
			n++
		}
	}
	return n
}

// foremost is the error that decides the exit code, behind the others: the first one that the user can put right, or the first.
func foremost(errs []error) (others []error, first error) {
	if len(errs) == 0 {
		return nil, nil
	}
	at := max(slices.IndexFunc(errs, func(err error) bool { return exit.Code(err) != exit.InfraCode }), 0)
	return slices.Delete(slices.Clone(errs), at, at+1), errs[at]
}

// target is the name that a function's campaign has, or would have.
func (f *modelFlags) target(function string) string {
	if len(f.runs) > 0 {
		return f.runs[0].Name
	}
	if f.configured != "" {
		return f.configured
	}
	return f.name + "-" + f.version + "-" + function
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
		o := report.EndOptions{Width: terminal.Width(), Color: terminal.Color(), Verbose: f.Verbose, Folder: folders[i], Flags: "--campaign " + shell.Word(folders[i]) + " ", Brief: told}
		told = true
		if err := report.End(os.Stderr, s, o); err != nil {
			return exit.Infra("writing the summary: %w", err)
		}
	}
	switch {
	case f.asked == 1 && len(summaries) == 0 && len(whole.LeftOut)+len(whole.Changes)+len(whole.Incomplete) == 0: // the error says all
	case !single:
		os.Stderr.WriteString(report.Models(quiet, whole, f.engine != ""))
	default:
		if summaries[0].Scope != nil {
			summaries[0].Scope.Changes, summaries[0].Scope.Incomplete = whole.Changes, whole.Incomplete
		}
		os.Stderr.WriteString(report.Unmeant(summaries[0]))
		os.Stderr.WriteString(report.Changes(whole.Changes))
		os.Stderr.WriteString(report.Parts(whole.Incomplete))
		os.Stderr.WriteString(report.Nevers(whole.Never))
		os.Stderr.WriteString(report.NotAnsweredOf(whole.Unanswered))
	}
	if !f.JSON {
		return nil
	}
	var data []byte
	var err error
	switch {
	case single:
		data, err = summaries[0].Encode()
	case len(summaries) == 0 && f.asked == 1 && len(whole.LeftOut) == 1:
		data, err = report.EncodeLeftOut(f.target(whole.LeftOut[0].Function), []string{"original", cmp.Or(f.name, "model")}, whole)
	default:
		data, err = report.EncodeAll(summaries, whole)
	}
	if err == nil {
		_, err = os.Stdout.Write(data)
	}
	if err != nil {
		return exit.Infra("writing the summary: %w", err)
	}
	return nil
}
