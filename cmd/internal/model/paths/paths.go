// Package paths says what can be proved, without sampling, of the paths of an original against a model: for each path with condition pc and outcome
// out, model M and comparator ~,
//
//	A = sat(pc and M and ret ~ out)   D = sat(pc and M and not ret ~ out)   R = sat(pc and M)   N = sat(pc and not M)
//
// A without D: the model is right on the path, for the inputs that it does not drop, which N has. A and D: suspect. Only D: not modeled, or wholly
// wrong. Not R: the model drops the path. (These are the project's own; SEDiff compares formulas, section 3.2.2, which Path.Match does.)
//
// Paths are those that llvmir lists within the paper's limits, those of calls that the caller has, and those of inputs that the solver finds to take none
// of these, until there are no such inputs. Each is followed by llvmir.Symbolic on the model's own terms, so that one question has both sides. A listed path
// that no input takes is left out. Answers come from z3, with limits of processor time; unknown is an answer. Each input that the solver gives is
// run by the original and computed by the model before it is believed.
//
// What package scope decides by samples, it decides by these where they are known. The inputs found are seeds of the campaign.
package paths

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"syscall"
	"time"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/llvmir"
	"parallax/cmd/internal/model/original"
	"parallax/cmd/internal/model/smt"
	"parallax/cmd/internal/model/smt/solver"
)

// Question is how long a solver for Find may take for one question: solver.Options.Timeout.
const Question = 2 * time.Second

// Options are limits. Zeros mean the defaults.
type Options struct {
	Budget   time.Duration // of processor time, the solver's included: ten seconds. What is not asked by then is Unknown
	Listed   int           // paths that are looked at: 300. Where the listing has more, it is not gone through: most of them no input takes
	Asked    int           // questions to the solver. 0: as the budget allows, which a busy machine spends sooner
	Branches int           // questions for inputs that take each branch of the model: 64
	Formulas int           // that Published gives for a result: 200
	Matching bool          // Path.Match alone is wanted: nothing is asked about the model
	Causes   bool          // Path.Causes are wanted

	// Calls are calls whose paths are looked at too, behind those that are listed.
	Calls []call.Call

	// Limits are those of the listing. Turns of loops are as many as buffers have elements, or fewer where that makes too many paths.
	Limits llvmir.Limits

	// Used is the processor time used so far, by the solver and by who calls Find. Default: that of the solver's process and the thread.
	Used func() time.Duration
}

// Verdict is a solver's answer to one of the questions.
type Verdict struct {
	solver.Answer
	Reason  string   // of Unknown
	Witness *Witness // of Sat, for A, D and N
}

// Witness is an input for which the answer holds. Original and model were run on it.
type Witness struct {
	Call call.Call
	Kind formula.Kind // what the model says of it: Returned, or Unconstrained where both A and D hold for it; Dropped for N
}

// Path is a path of the original.
type Path struct {
	Name   string
	Blocks []int
	Key    uint64 // original.Run.Path
	Lines  []llvmir.Place
	Traced bool   // it was not in the listing, or the listing was too long: a call takes it
	Beyond string // why it could not be followed, and nothing below is known; or ""

	Condition []*smt.Term // on the arguments; what C defines is apart
	Defined   []*smt.Term
	Output    *formula.Effect

	Input   call.Call // takes the path; nil where the solver does not know one
	A, D, R Verdict
	N       Verdict  // unknown for a model that only a solver can compute
	Causes  []string // rules of matching without which it does not match, or why it does not; if Options.Causes
	Match   bool     // some formula of the model's result is the path's, as the paper matches them
	Seconds float64
}

// Result is what was found of a function.
type Result struct {
	Paths []*Path
	Seeds []call.Call // inputs for each path, each answer, and each branch of the model; the original defines all of them
	Left  Left

	Formulas int     // of the model's results, by the paper
	Cut      bool    // there are more than Options.Formulas of some result
	Seconds  float64 // of processor time
}

// Left is what the limits left out.
type Left struct {
	Listing    string // llvmir.Enumeration in words
	Complete   bool   // each input that C defines takes one of the paths, by the solver or by the listing
	Null       bool   // some argument may be null: such calls are not looked at, and Complete is about the others
	Infeasible int    // listed paths that no input takes
	Undefined  int    // listed paths on which C leaves everything undefined
	Unasked    int    // listed paths for which there was no time
	Doubtful   int    // inputs of the solver that did not do what they should: defects of one side
	Branches   int    // branches of the model for which there was no time, or no answer
}

// finder is Find at work.
type finder struct {
	ctx      context.Context
	o        *original.Original
	m        *formula.Model
	by       call.Comparator
	solver   *solver.Solver
	options  Options
	started  time.Duration
	asked    int // questions
	symbolic *llvmir.Symbolic
	args     []llvmir.Argument
	terms    []formula.Argument
	buffers  []int       // the argument of each buffer, or -1
	inputs   []input     // what is free
	pre      []*smt.Term // what is assumed of arguments
	sides    []side
	known    map[string]bool // names of paths that were looked at
	covered  []*smt.Term     // that no path of those takes an input
	partly   bool            // something is covered that is on no path of those
	normal   *normalizer
	dead     map[string]bool // beginnings of conditions that no input meets
	seen     map[string]bool // seeds by their inputs
	result   *Result
}

// side is one path of the model on the arguments.
type side struct {
	path       *formula.Path
	assertions []*smt.Term
	holds      *smt.Term // that it has an execution, over the inputs alone; nil where that is not a term
	effect     *formula.Effect
	matches    []matcher // by rules
}

// Find looks at the paths of a function. o and m are of one signature. Without a solver on the machine the error is an exit.Error.
func Find(ctx context.Context, o *original.Original, m *formula.Model, by call.Comparator, s *solver.Solver, options Options) (*Result, error) {
	runtime.LockOSThread() // the processor time is the thread's
	defer runtime.UnlockOSThread()
	defer func(fold bool) { m.Context.Fold = fold }(m.Context.Fold)
	m.Context.Fold = true
	for _, d := range []struct {
		limit *int
		n     int
	}{{&options.Listed, 300}, {&options.Branches, 64}, {&options.Formulas, 200}} {
		if *d.limit == 0 {
			*d.limit = d.n
		}
	}
	if options.Budget == 0 {
		options.Budget = 10 * time.Second
	}
	if options.Used == nil {
		options.Used = func() time.Duration { return s.CPU() + thread() }
	}
	f := &finder{ctx: ctx, o: o, m: m, by: by, solver: s, options: options, known: map[string]bool{}, normal: newNormalizer(), dead: map[string]bool{}, seen: map[string]bool{}, result: &Result{}}
	f.started = options.Used()
	if err := f.arguments(); err != nil {
		return nil, err
	}
	if err := f.model(); err != nil {
		return nil, err
	}
	steps := []func() error{f.listed, f.traced, f.rest, f.branches}
	if options.Matching {
		steps = steps[:3]
	}
	for _, do := range steps {
		if err := do(); err != nil {
			return nil, err
		}
	}
	f.result.Seconds = (options.Used() - f.started).Seconds()
	return f.result, nil
}

// thread is the processor time of the calling thread.
func thread() time.Duration {
	const rusageThread = 1 // RUSAGE_THREAD of Linux, which package syscall lacks
	var u syscall.Rusage
	if syscall.Getrusage(rusageThread, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// over reports whether a part of the budget is used.
func (f *finder) over(part float64) bool {
	if n := f.options.Asked; n > 0 && float64(f.asked) >= float64(n)*part {
		return true
	}
	return f.options.Used()-f.started >= time.Duration(float64(f.options.Budget)*part)
}

// Paths have four fifths of the budget, so that some is left for the model's branches.
const pathsPart = 0.8

// listed looks at the paths that are listed.
func (f *finder) listed() error {
	e, err := f.list()
	if err != nil {
		return err
	}
	f.result.Left.Listing, f.result.Left.Complete = e.String(), e.Complete()
	if e.Found > f.options.Listed || e.Unfinished {
		return nil
	}
	for i := range e.Paths {
		if f.over(pathsPart) {
			f.result.Left.Unasked += len(e.Paths) - i
			return nil
		}
		if err := f.path(&e.Paths[i], nil); err != nil {
			return err
		}
	}
	return nil
}

// list lists paths: with as many turns of loops as the longest buffer has elements if there are not too many paths, or else fewer.
func (f *finder) list() (*llvmir.Enumeration, error) {
	l := f.options.Limits
	l.Paths = f.options.Listed
	if l.Work == 0 {
		l.Work = 200_000 // a tenth of a second
	}
	if l.Unroll != 0 {
		return f.o.Module.Paths(f.o.Function, l)
	}
	l.Unroll = 1
	for i := range f.o.Signature.Arguments {
		if a := &f.o.Signature.Arguments[i]; a.Kind == "string" || a.Kind == "bytes" {
			l.Unroll = max(l.Unroll, a.Bytes/max(a.Bits/8, 1))
		}
	}
	for {
		e, err := f.o.Module.Paths(f.o.Function, l)
		if err != nil || l.Unroll == 1 || e.Found <= f.options.Listed && !e.Unfinished {
			return e, err
		}
		l.Unroll = min(l.Unroll-1, llvmir.DefaultUnroll)
	}
}

// traced looks at the paths of calls.
func (f *finder) traced() error {
	for _, c := range f.options.Calls {
		if f.over(pathsPart) || len(f.result.Paths) >= f.options.Listed {
			return nil
		}
		if err := f.trace(c); err != nil {
			return err
		}
	}
	return nil
}

// trace looks at the path of a call, if it is a new one.
func (f *finder) trace(c call.Call) error {
	for i := range f.o.Signature.Arguments {
		if f.o.Signature.Arguments[i].Nullable && c[i].Data == nil {
			return nil
		}
	}
	run, err := f.o.Run(c)
	if err != nil || run.Undefined != "" {
		return err
	}
	p, err := f.o.Module.PathOf(f.o.Function, run.Trace)
	if err != nil || f.known[p.Name] {
		return err
	}
	return f.path(p, c)
}

// path looks at one path. c takes it, or is nil where no call is known that does.
func (f *finder) path(way *llvmir.Path, c call.Call) error {
	before := f.options.Used()
	f.known[way.Name] = true
	p := &Path{Name: way.Name, Blocks: way.Blocks, Key: original.Key(way.Blocks), Lines: f.o.Module.Lines(way), Traced: c != nil, Input: c}
	x, err := f.symbolic.Execute(way, f.args...)
	var beyond *llvmir.Beyond
	var impossible *llvmir.Impossible
	var undefined *llvmir.Undefined
	switch {
	case errors.As(err, &impossible):
		f.result.Left.Infeasible++
		return nil
	case errors.As(err, &undefined):
		f.result.Left.Undefined++
		return nil
	case errors.As(err, &beyond):
		p.Beyond = beyond.Error()
		if c != nil { // other inputs that come there are not asked for
			f.covered = append(f.covered, f.m.Context.Not(f.m.Context.And(beyond.Condition...)))
			f.partly = true
		}
	case err != nil:
		return err
	default:
		p.Condition, p.Defined = x.Condition, x.Defined
		if p.Output, p.Beyond, err = f.output(x); err != nil {
			return err
		}
	}
	if p.Beyond == "" {
		feasible, err := f.ask(p)
		if err != nil || !feasible {
			return err
		}
		f.covered = append(f.covered, f.m.Context.Not(f.m.Context.And(p.Condition...)))
		if p.Match, err = f.matches(x, p.Output, 0); err != nil {
			return err
		}
		if f.options.Causes {
			if p.Causes, err = f.causes(x, p); err != nil {
				return err
			}
		}
	} else {
		if c != nil {
			f.seed(c)
		}
		p.unknown(p.Beyond)
	}
	p.Seconds = (f.options.Used() - before).Seconds()
	f.result.Paths = append(f.result.Paths, p)
	return nil
}

// unknown has all answers unknown.
func (p *Path) unknown(reason string) {
	for _, v := range []*Verdict{&p.A, &p.D, &p.R, &p.N} {
		v.Reason = reason
	}
}

// seed keeps an input that the original defines.
func (f *finder) seed(c call.Call) {
	if flat := string(f.o.Signature.Encode(c)); !f.seen[flat] {
		f.seen[flat] = true
		f.result.Seeds = append(f.result.Seeds, c)
	}
}

// Verdicts count answers.
type Verdicts map[[3]solver.Answer]int

// Verdicts counts the paths by their answers to A, D and R.
func (r *Result) Verdicts() Verdicts {
	counts := Verdicts{}
	for _, p := range r.Paths {
		counts[[3]solver.Answer{p.A.Answer, p.D.Answer, p.R.Answer}]++
	}
	return counts
}

// Keys are the paths by their sets of steps, in the order in which they were found.
func (r *Result) Keys() (keys []uint64, of map[uint64][]*Path) {
	of = map[uint64][]*Path{}
	for _, p := range r.Paths {
		if !slices.Contains(keys, p.Key) {
			keys = append(keys, p.Key)
		}
		of[p.Key] = append(of[p.Key], p)
	}
	return keys, of
}
