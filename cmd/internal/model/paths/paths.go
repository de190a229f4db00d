// Package paths proves facts about the paths of an original and its model, without sampling. For
// each path with condition pc and outcome out, model M and comparator ~, it decides
//
//	A = sat(pc and M and ret ~ out)   D = sat(pc and M and not ret ~ out)   R = sat(pc and M)   N = sat(pc and not M)
//
// A without D means that the model is right on the path, for the inputs that it does not drop (N).
// A and D mean that it is suspect. Only D means that the path is not modeled, or entirely wrong.
// Not R means that the model drops the path. These questions are parallax's own. SEDiff compares
// formulas instead (section 3.2.2), which Path.Match implements.
//
// The paths have three sources. These are the enumeration of llvmir within the paper's limits, the
// caller's calls, and the solver. The solver finds inputs outside of all known paths, until none is
// left. llvmir.Symbolic executes each path on the model's own terms, so one question covers both
// sides. An enumerated path that no input takes is left out. z3 answers within limits of processor
// time, and its answer may be unknown. Each input from the solver is run by the original and
// computed by the model before it is accepted.
//
// Package scope prefers these proofs to its samples. The inputs become seeds of the campaign.
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

// Question limits the time of a solver for Find per question. See solver.Options.Timeout.
const Question = 2 * time.Second

// Options holds limits. Zero values mean the defaults.
type Options struct {
	// processor time, the solver's included; default ten seconds. Later questions are Unknown.
	Budget time.Duration
	// paths to examine; default 300. A longer enumeration is skipped, since most of its paths are
	// infeasible.
	Listed int
	// questions to the solver. 0 means as many as the budget allows, which depends on the machine's
	// load.
	Asked    int
	Branches int  // questions for inputs that take each branch of the model; default 64
	Formulas int  // formulas of a result from Published; default 200
	Matching bool // compute only Path.Match, without questions about the model
	Causes   bool // compute Path.Causes

	// Calls lists calls whose paths are examined after the enumeration.
	Calls []call.Call

	// Limits bounds the enumeration. By default, loops run as often as buffers have elements, or
	// less if that gives too many paths.
	Limits llvmir.Limits

	// Used returns the processor time used so far by the solver and the caller. Nil means the time
	// of the solver's process and of this thread.
	Used func() time.Duration
}

// Verdict is a solver's answer to one of the questions.
type Verdict struct {
	solver.Answer
	Reason  string   // for Unknown
	Witness *Witness // for Sat in A, D and N
}

// Witness is an input for which the answer holds. Original and model were run on it.
type Witness struct {
	Call call.Call
	// the model's answer: Returned, Unconstrained if A and D both hold, or Dropped for N
	Kind formula.Kind
}

// Path is a path of the original.
type Path struct {
	Name   string
	Blocks []int
	Key    uint64 // as in original.Run.Path
	Lines  []llvmir.SourceLine
	Traced bool   // a call takes it, and the enumeration lacks it or was too long
	Beyond string // why the path could not be followed, so the fields below are empty; or ""

	Condition []*smt.Term // conditions on the arguments, without those of definedness
	Defined   []*smt.Term
	Output    *formula.Effect

	Input   call.Call // takes the path; nil if the solver knows none
	A, D, R Verdict
	N       Verdict  // unknown if only a solver can compute the model
	Causes  []string // relaxations that the match needs, or why there is none; see Options.Causes
	// some formula of the model's result equals the path's, as the paper matches them
	Match   bool
	Seconds float64
}

// Result holds the findings about a function.
type Result struct {
	Paths []*Path
	// inputs for each path, answer and branch of the model; the original defines all of them
	Seeds []call.Call
	Left  Left

	Formulas int     // number of formulas of the model's results, as the paper counts them
	Cut      bool    // some result has more than Options.Formulas
	Seconds  float64 // processor time
}

// Left counts what the limits left out.
type Left struct {
	Listing string // text of llvmir.Enumeration
	// each defined input takes one of the paths, as the solver or the enumeration shows
	Complete bool
	// some argument may be null; such calls are not examined, and Complete excludes them
	Null       bool
	Infeasible int // enumerated paths that no input takes
	Undefined  int // enumerated paths on which C defines nothing
	Unasked    int // enumerated paths that the limits excluded
	Doubtful   int // inputs of the solver that did not behave as claimed: defects of one side
	Branches   int // branches of the model without an answer
}

// finder holds the state of Find.
type finder struct {
	ctx      context.Context
	o        *original.Original
	m        *formula.Model
	by       call.Comparator
	solver   *solver.Solver
	options  Options
	started  time.Duration
	asked    int // number of questions
	symbolic *llvmir.Symbolic
	args     []llvmir.Argument
	terms    []formula.Argument
	buffers  []int       // argument of each buffer, or -1
	inputs   []input     // unknowns
	pre      []*smt.Term // assumptions about arguments
	sides    []side
	known    map[string]bool // names of examined paths
	covered  []*smt.Term     // conditions that exclude the examined paths
	partly   bool            // covered excludes inputs on none of these paths
	normal   *normalizer
	dead     map[string]bool // infeasible prefixes of conditions
	seen     map[string]bool // seeds by their inputs
	result   *Result
}

// side is one path of the model on the arguments.
type side struct {
	path       *formula.Path
	assertions []*smt.Term
	// satisfied if the path has an execution, over the inputs alone; nil if no term expresses that
	holds   *smt.Term
	effect  *formula.Effect
	matches []matcher // by rules
}

// Find examines the paths of a function. o and m must have the same signature. The error is an
// exit.Error if the machine has no solver.
func Find(ctx context.Context, o *original.Original, m *formula.Model, by call.Comparator, s *solver.Solver, options Options) (*Result, error) {
	runtime.LockOSThread() // the processor time is counted per thread
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
	if err := try(f.find); err != nil {
		return nil, err
	}
	f.result.Seconds = (options.Used() - f.started).Seconds()
	return f.result, nil
}

// find is Find without the preparations.
func (f *finder) find() {
	f.arguments()
	f.model()
	f.listed()
	f.traced()
	f.rest()
	if !f.options.Matching {
		f.branches()
	}
}

// stop is the panic that ends a search. Function try turns it into an error.
type stop struct{ error }

// try runs a part of a search, and returns the error that ended it.
func try(part func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stop:
			err = r.error
		default:
			panic(r)
		}
	}()
	part()
	return nil
}

// stopOn ends the search if there is an error.
func stopOn(err error) {
	if err != nil {
		panic(stop{err})
	}
}

// must returns a value, or ends the search if there is an error.
func must[T any](v T, err error) T {
	stopOn(err)
	return v
}

// thread returns the processor time of the calling thread.
func thread() time.Duration {
	const rusageThread = 1 // RUSAGE_THREAD of Linux, which package syscall lacks
	var u syscall.Rusage
	if syscall.Getrusage(rusageThread, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// over reports whether a part of the budget is spent.
func (f *finder) over(part float64) bool {
	if n := f.options.Asked; n > 0 && float64(f.asked) >= float64(n)*part {
		return true
	}
	return f.options.Used()-f.started >= time.Duration(float64(f.options.Budget)*part)
}

// pathsPart is the part of the budget for paths. The rest is for the model's branches.
const pathsPart = 0.8

// listed examines the enumerated paths.
func (f *finder) listed() {
	e := f.list()
	f.result.Left.Listing, f.result.Left.Complete = e.String(), e.Complete()
	if e.Found > f.options.Listed || e.Unfinished {
		return
	}
	for i := range e.Paths {
		if f.over(pathsPart) {
			f.result.Left.Unasked += len(e.Paths) - i
			return
		}
		f.path(&e.Paths[i], nil)
	}
}

// list enumerates paths. Loops run as often as the longest buffer has elements, or less if that
// gives too many paths.
func (f *finder) list() *llvmir.Enumeration {
	l := f.options.Limits
	l.Paths = f.options.Listed
	if l.Work == 0 {
		l.Work = 200_000 // a tenth of a second
	}
	if l.Unroll != 0 {
		return must(f.o.Module.Paths(f.o.Function, l))
	}
	l.Unroll = 1
	for i := range f.o.Signature.Arguments {
		if a := &f.o.Signature.Arguments[i]; a.Kind == "string" || a.Kind == "bytes" {
			l.Unroll = max(l.Unroll, a.Bytes/max(a.Bits/8, 1))
		}
	}
	for {
		e := must(f.o.Module.Paths(f.o.Function, l))
		if l.Unroll == 1 || e.Found <= f.options.Listed && !e.Unfinished {
			return e
		}
		l.Unroll = min(l.Unroll-1, llvmir.DefaultUnroll)
	}
}

// traced examines the paths of the caller's calls.
func (f *finder) traced() {
	for _, c := range f.options.Calls {
		if f.over(pathsPart) || len(f.result.Paths) >= f.options.Listed {
			return
		}
		f.trace(c)
	}
}

// trace examines the path of a call, if it is new.
func (f *finder) trace(c call.Call) {
	for i := range f.o.Signature.Arguments {
		if f.o.Signature.Arguments[i].Nullable && c[i].Data == nil {
			return
		}
	}
	run := must(f.o.Run(c))
	if run.Undefined != "" {
		return
	}
	if p := must(f.o.Module.PathOf(f.o.Function, run.Trace)); !f.known[p.Name] {
		f.path(p, c)
	}
}

// path examines one path. c is a call that takes it, or nil if none is known.
func (f *finder) path(way *llvmir.Path, c call.Call) {
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
		return
	case errors.As(err, &undefined):
		f.result.Left.Undefined++
		return
	case errors.As(err, &beyond):
		p.Beyond = beyond.Error()
		if c != nil { // other inputs that end there are not searched for
			f.covered = append(f.covered, f.m.Context.Not(f.m.Context.And(beyond.Condition...)))
			f.partly = true
		}
	default:
		stopOn(err)
		p.Condition, p.Defined = x.Condition, x.Defined
		p.Output, p.Beyond = f.output(x)
	}
	if p.Beyond == "" {
		if !f.ask(p) {
			return
		}
		f.covered = append(f.covered, f.m.Context.Not(f.m.Context.And(p.Condition...)))
		p.Match = f.matches(x, p.Output, 0)
		if f.options.Causes {
			p.Causes = f.causes(x, p)
		}
	} else {
		if c != nil {
			f.seed(c)
		}
		p.unknown(p.Beyond)
	}
	p.Seconds = (f.options.Used() - before).Seconds()
	f.result.Paths = append(f.result.Paths, p)
}

// unknown sets all answers to unknown.
func (p *Path) unknown(reason string) {
	for _, v := range []*Verdict{&p.A, &p.D, &p.R, &p.N} {
		v.Reason = reason
	}
}

// seed adds an input that the original defines to the seeds.
func (f *finder) seed(c call.Call) {
	if flat := string(f.o.Signature.Encode(c)); !f.seen[flat] {
		f.seen[flat] = true
		f.result.Seeds = append(f.result.Seeds, c)
	}
}

// Keys groups the paths by their sets of steps, in the order of discovery.
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
