// Package model checks models of functions against their originals. It asks engines and
// configurations for models, and makes a target of each. The scope of a model decides which
// findings are filed. The package prints the results of all. cmd/parallax calls it; command/fuzzing
// runs the targets.
//
//	engine.go      models of a symbolic-execution engine, in the form of SMT-LIB scripts
//	values.go      models of an engine that runs on values of a language
//	beside.go      formulas that are compared with functions of another language
//	target.go      models that are code: two functions, two types, or two drivers
//	meant.go       which deviations of such code are findings
//	code.go        the scope of such code, measured after the campaign
//	operations.go  the operations of models that are types
//
// For a script, packages below model do the work. extract obtains the script, and formula computes
// it. record finds the original, and llvmir runs it. paths and scope decide which paths count, and
// check writes the configuration. From there on it is a lockstep target like others. confirm checks
// each finding before it is filed.
package model

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

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/check"
	"parallax/cmd/internal/model/dynamic"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/model/smt/solver"
	"parallax/cmd/internal/show/text"
	"parallax/cmd/internal/subject"
	"parallax/cmd/internal/subject/config"
)

// Options are those of model, as the user wrote them.
type Options struct {
	fuzzing.Options
	Engine      string
	Base        string // another version of it
	Functions   []string
	Declared    []string // C declarations of functions
	CompareBy   string
	Elements    int
	Samples     int
	Threshold   float64
	Proofs      int
	Confirm     string
	ExtractTime time.Duration
	Explain     bool
	FailOn      string
	ScopeFile   string
}

// A checking is a run of model: its options, what is known of the models, and what came of them.
type checking struct {
	Options
	name, version string         // of the engine
	tool          string         // the parallax executable
	configured    string         // the name of the configuration; empty means that an engine's models are checked
	scopes        *config.Scopes // the declared scopes of the engine's models; nil means none
	listed        []extract.Listed
	notGiven      []string // functions without a model of the engine
	left          []finding.LeftOut
	incomplete    []finding.Incomplete
	models        []*check.Model
	valueModels   []valueModel // those that take values
	names         []string     // of these
	judges        []*check.Judge
	valueJudges   []*dynamic.Judge // of models that take values
	judged        map[subject.Target]judge
	needed        []func()      // what ends what the model needs that is being checked
	unable        error         // why the scope of a finding could not be found
	codes         []codeModel   // models that are code
	decided       []judgedInput // inputs of these
	looked        []looked      // of models that are code, in the order in which they were found
	changes       []finding.ModelChange
	runs          []fuzzing.Run
	asked         int
	extracted     int
}

// Run checks models against their originals.
func Run(o Options, args []string) error {
	f := &checking{Options: o, judged: map[subject.Target]judge{}}
	return f.run(args)
}

// Defaults of options.
const (
	DefaultElements  = extract.DefaultBuffer
	DefaultSamples   = scope.DefaultSamples
	DefaultThreshold = scope.DefaultThreshold
	DefaultProofs    = check.DefaultProve
)

// Engines lists the names of the engines, for the user.
func Engines() string { return strings.Join(extract.Engines(), ", ") }

// versions has an earlier version of each engine, as examples.
var versions = map[string]string{"angr": "angr==9.2.68", "crosshair": "crosshair==0.0.111"}

// run is the command.
func (f *checking) run(args []string) error {
	switch {
	case len(args) > 0 && f.Engine != "":
		return exit.Usage("--engine and %s: a configuration names its models itself. Leave one out", args[0])
	case len(args) == 0 && f.Engine == "":
		return exit.Usage("what is to be checked? Name an engine, such as --engine angr==9.2.213 --functions strchr, or a configuration (parallax help model.md)")
	case len(args) > 0 && len(f.Declared) > 0:
		return exit.Usage("--prototype is for the models of an engine, and the argument is a configuration, which has the key prototype: leave it out")
	case len(f.Functions) == 0 && f.Given("functions"): // an empty variable of a shell
		return exit.Usage("--functions names no function: name some, or leave it out to check all models")
	}
	if f.Threshold <= 0 || f.Threshold > 1 {
		return exit.Usage("--threshold %g: give a share above 0, up to 1", f.Threshold)
	}
	if f.Confirm != "concrete" && f.Confirm != "symbolic" {
		return exit.Usage("--confirm %q: choose concrete or symbolic", f.Confirm)
	}
	if f.Samples < 1 || f.Elements < 1 || f.Elements > 64 {
		return exit.Usage("--samples has to be at least 1, and --elements 1 to 64")
	}
	f.name, f.version, _ = strings.Cut(f.Engine, "==")
	values := extract.Values(f.name)
	switch known := slices.Contains(call.Comparators, call.Comparator(f.CompareBy)); {
	case f.CompareBy == "" || known:
	case f.CompareBy != dynamic.Set:
		return exit.Usage("--compare-results %q: choose exact, sign, truth, offset, none or, for values of Python, set", f.CompareBy)
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
	if f.Base != "" && f.Engine != "" {
		name, version, ok := strings.Cut(f.Base, "==")
		if engine, _, _ := strings.Cut(f.Engine, "=="); !ok || version == "" || name != engine {
			return exit.Usage("--base %q: name another version of the engine, such as %s", f.Base, cmp.Or(versions[engine], "angr==9.2.68"))
		}
	}
	if f.FailOn != "findings" && f.FailOn != "worse" {
		return exit.Usage("--fail-on %q: choose findings or worse", f.FailOn)
	}
	if f.FailOn == "worse" && f.Base == "" {
		return exit.Usage("--fail-on worse: worse than which version? Name it with --base")
	}
	var configured *config.Models
	if f.Engine == "" {
		var err error
		if configured, err = config.LoadModels(args[0]); err != nil {
			return err
		}
		if len(f.Functions) > 0 {
			if err := configured.Choose(f.Functions); err != nil {
				return err
			}
		}
	} else {
		if f.name == "" || f.version == "" {
			return exit.Usage("--engine %q names no version: write it as pip does, such as angr==9.2.213", f.Engine)
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
		if f.scopes, err = config.LoadScopes(f.ScopeFile); err != nil {
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
	var err error
	if f.tool, err = os.Executable(); err != nil {
		return exit.Infra("finding the parallax executable: %w", err)
	}
	ctx, kill, interrupt := terminal.Interrupts()
	view := f.View(interrupt)
	defer view.Close()
	var other *checking // the version that --base names
	if f.Base != "" {
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
	if f.Base != "" && ctx.Err() == nil {
		again := f.View(interrupt)
		err = f.compareVersions(ctx, other, again)
		again.Close()
		if ctx.Err() != nil {
			fmt.Fprintln(os.Stderr, "parallax: interrupted: the versions were not compared to the end")
			err = nil
		}
	}
	return f.conclude(ctx, err)
}

// needed says what confirms findings and is not there: solvers and, for models of C functions, a
// compiler.
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
func (f *checking) close() {
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

// release ends what a model needed while it was checked. It is called after each, so that solvers
// and drivers of many do not pile up.
func (f *checking) release() {
	for _, end := range f.needed {
		end()
	}
	f.needed = nil
}

// conclude prints the results of all models.
func (f *checking) conclude(ctx context.Context, err error) error {
	code := f.describe(ctx)
	whole := &finding.Scope{Outside: map[string]int{}}
	var summaries []*finding.Summary
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
			if r.Err != nil && f.Engine == "" { // it could not be built or prepared
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
		failed = append(failed, exit.Infra("%s answered none of %d calls that it was asked to confirm, so nothing could be found: the last one %s", f.Engine, asked, why))
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
	if f.Explain {
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
		os.Stderr.WriteString(text.ExplainLeftOut(f.left))
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

// worse is how many models became worse or were lost since the version that --base names, if that
// makes the command fail.
func (f *checking) worse() (n int) {
	for _, c := range f.changes {
		if f.FailOn == "worse" && (c.Worse > 0 || c.Lost) {
			n++
		}
	}
	return n
}

// foremost is the error that decides the exit code, behind the others: the first one that the user
// can put right, or the first.
func foremost(errs []error) (others []error, first error) {
	if len(errs) == 0 {
		return nil, nil
	}
	at := max(slices.IndexFunc(errs, func(err error) bool { return exit.Code(err) != exit.InfraCode }), 0)
	return slices.Delete(slices.Clone(errs), at, at+1), errs[at]
}

// target is the name that a function's campaign has, or would have.
func (f *checking) target(function string) string {
	if len(f.runs) > 0 {
		return f.runs[0].Name
	}
	if f.configured != "" {
		return f.configured
	}
	return f.name + "-" + f.version + "-" + function
}

// show writes the summaries: each with findings whole, and a line for the others.
func (f *checking) show(summaries []*finding.Summary, folders []string, whole *finding.Scope) error {
	single := len(summaries) == 1 && f.asked == 1
	told := false
	var quiet []*finding.Summary
	for i, s := range summaries {
		if !single && len(s.Findings.Buckets) == 0 {
			quiet = append(quiet, s)
			continue
		}
		o := text.EndOptions{Width: terminal.Width(), Color: terminal.Color(), Verbose: f.Verbose, Folder: folders[i], Flags: "--campaign " + shell.Word(folders[i]) + " ", Brief: told}
		told = true
		if err := text.End(os.Stderr, s, o); err != nil {
			return exit.Infra("writing the summary: %w", err)
		}
	}
	switch {
	case f.asked == 1 && len(summaries) == 0 && len(whole.LeftOut)+len(whole.Changes)+len(whole.Incomplete) == 0: // the error says all
	case !single:
		os.Stderr.WriteString(text.Models(quiet, whole, f.Engine != ""))
	default:
		if summaries[0].Scope != nil {
			summaries[0].Scope.Changes, summaries[0].Scope.Incomplete = whole.Changes, whole.Incomplete
		}
		os.Stderr.WriteString(text.Unmeant(summaries[0]))
		os.Stderr.WriteString(text.Changes(whole.Changes))
		os.Stderr.WriteString(text.Parts(whole.Incomplete))
		os.Stderr.WriteString(text.Nevers(whole.Never))
		os.Stderr.WriteString(text.NotAnsweredOf(whole.Unanswered))
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
		data, err = finding.EncodeLeftOut(f.target(whole.LeftOut[0].Function), []string{"original", cmp.Or(f.name, "model")}, whole)
	default:
		data, err = finding.EncodeAll(summaries, whole)
	}
	if err == nil {
		_, err = os.Stdout.Write(data)
	}
	return exit.Doing("writing the summary", err)
}
