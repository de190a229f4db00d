// Package triage turns a candidate into a judged finding: it executes the input again in a fresh process, looks for the
// blocks that decide, makes the input smaller while outcomes, classes and deciding blocks stay, and names the bucket.
// The campaign calls it for every candidate, the minimize and replay commands for one finding.
//
// A judgement depends on the candidate and the programs only: it draws no random numbers and looks at no clock, and its
// budgets are executions.
package triage

import (
	"bytes"
	"context"
	"slices"
	"strconv"

	"parallax/cmd/internal/execute"
	"parallax/internal/input"
	"parallax/internal/judge"
	"parallax/internal/minimize"
	"parallax/internal/wire"
)

// Budgets in inputs.
const (
	neighbourBudget = 240
	glanceBudget    = 60 // to see whether the bucket has enough inputs
	minimizeBudget  = 1200
	maxRounds       = 4  // of minimising and locating a candidate
	deadlyBudget    = 48 // when every run that reproduces ends a process
	settleLimit     = wire.Slots
)

// Candidate is an input that may be a finding.
type Candidate struct {
	Flat      []byte       `json:"flat"`
	Parent    []byte       `json:"parent,omitempty"`
	Operators []string     `json:"operators,omitempty"`
	Layer     judge.Layers `json:"layer"`
	Inputs    uint64       `json:"inputs"` // inputs the campaign had counted
	// What the fuzzing worker saw, which a fresh process must see again.
	Seen []judge.Observation `json:"seen,omitempty"`
	// Of an input that ended its worker: the inputs before it, latest first, for the culprit may be one of them.
	Before [][]byte `json:"before,omitempty"`
	Deadly bool     `json:"deadly,omitempty"`
}

// Finding is a judged candidate.
type Finding struct {
	Kind      string // discrepancy, crash, timeout, oom
	Layer     judge.Layers
	Flat      []byte
	Minimized []byte
	Raw       []wire.RunResult // of the input as it was found, without detail
	Results   []wire.RunResult // of the minimised input, with detail
	Deciding  []int            // block ids, None where nothing decides
	Ranked    [][]Place        // for each program, the blocks that separate disagreeing inputs best, best first
	Holes     []minimize.Hole  // of Minimized: what may stand there instead
	Program   int              // of a crash: the program that crashed
	Crash     judge.Crash
	Bucket    string
	Before    string // the bucket that the input would have had before it was minimised
	place     string
	Runs      int // inputs executed to get here
}

// Judge judges candidates of one target.
type Judge struct {
	Spec   execute.Spec
	Shape  input.Shape
	Names  []string // of the programs
	Layers judge.Layers
	Own    func(function string) bool
	Place  func(block int) string // a block's name that survives edits elsewhere: package, function, ordinal
	Succs  func(block int) []int  // blocks that can follow a block in its function; nil: not known
	Twin   func(block int) int    // a number that corresponding blocks of versions of one function share; nil: the block itself
	Change func(block int) string // file and line of what differs in a block between versions; empty: nothing; nil: nothing is known
	Branch func(block int) int    // a number that both ways of a branch share; nil: the block itself
	At     func(block int) string // file and line of the branch that leads to a block; nil: not known
	Line   func(judge.Frame) (int, bool)
	Helper func(judge.Frame) bool
	// Ordered returns the worker that records the order in which blocks are executed; disagreements are located with it. Nil, or
	// an error: the ordinary one is used, and blocks of equal score are ordered as they stand in the source.
	Ordered func(ctx context.Context) (execute.Spec, error)
	// Crowded reports that so many messages come from a place that they tell no causes apart; nil: never.
	Crowded func(place string) bool
	// Enough reports that a bucket needs no more inputs: a candidate that belongs there is not minimised.
	Enough func(bucket string) bool
	// Stop reports that the user does not want to wait for a smaller input any longer; nil: never.
	Stop func() bool

	// Blind are the programs of which it is not known what they execute, such as commands; nil: none.
	Blind []bool
	// Cheap are the programs whose process ends with each input anyway: a crash costs no more than another run.
	Cheap []bool
	// Slow divides the budgets, where an input takes a process or a request; 0 is 1.
	Slow int
	// Warm has one session locate and minimise discrepancies, one after another: starting all programs anew for each takes
	// longer than the rest, and candidates are confirmed in fresh processes all the same. Close ends it.
	Warm bool

	kept     *Session
	computed map[string]bool // places whose messages hold what was computed from the input
}

// Judge judges a candidate. It returns nil when the candidate does not show again: it is flaky. When ctx ends, so does the
// judging, with its error.
func (j *Judge) Judge(ctx context.Context, c Candidate) (*Finding, error) {
	if f, err := j.known(ctx, c); f != nil || err != nil {
		return f, err
	}
	s := j.Session()
	s.Ctx = ctx
	defer s.Close()
	f, err := j.confirm(s, c)
	if f == nil || err != nil {
		return nil, err
	}
	f.Runs = s.Runs
	if f.Kind == Discrepancy {
		at, err := j.locator(ctx, s)
		if err != nil {
			return nil, err
		}
		before := at.Runs
		if err = j.discrepancy(at, c, f); err != nil {
			at.Fresh()
			return f, err
		}
		f.Runs += at.Runs - before
	} else {
		err = j.crash(s, f)
		f.Runs = s.Runs
	}
	if err == nil {
		err = ctx.Err() // what was minimised under a context that ended is not what it would have been
	}
	return f, err
}

// order has a session go on with the worker that records the order of blocks.
func (j *Judge) order(ctx context.Context, s *Session) error {
	if j.Ordered == nil {
		return nil
	}
	spec, err := j.Ordered(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		s.Fresh()
		s.Spec = spec
	}
	return nil // without it the ordinary one does
}

// Session returns a session on the target's programs.
func (j *Judge) Session() *Session {
	s := &Session{Spec: j.Spec, Programs: len(j.Names), Shape: j.Shape, Own: j.Own, Line: j.Line, Helper: j.Helper}
	s.Blind, s.Cheap = j.Blind, j.Cheap
	s.Flow = Flow{Succs: j.Succs, Twin: j.Twin, Line: j.At, Change: j.Change}
	if j.Own != nil && j.Place != nil {
		s.Flow.Own = func(block int) bool { return j.Own(j.Place(block)) }
	}
	return s
}

// Discrepancy is the kind of finding in which programs disagree.
const Discrepancy = "discrepancy"

// confirm executes the candidate twice in a fresh process. With what the fuzzing worker saw these are three runs in two
// processes.
func (j *Judge) confirm(s *Session, c Candidate) (*Finding, error) {
	if c.Deadly {
		return j.culprit(s, c)
	}
	flags := uint64(wire.WantDetail)
	for {
		s.Fresh()
		first, again, err := twice(s, c.Flat, flags)
		if err != nil {
			return nil, err
		}
		if alike(c.Layer, Observations(first), Observations(again)) && repeats(c.Layer, c.Seen, Observations(first)) {
			return j.classify(&Finding{Flat: c.Flat, Layer: c.Layer}, first, c.Layer), nil
		}
		// Beside a conductor a goroutine that is left behind ends a program's process, and not this one: give it time to.
		if flags&wire.Settle != 0 || !j.Warm || !slices.ContainsFunc(c.Seen, func(o judge.Observation) bool { return o.Outcome == judge.Crashed }) {
			return nil, nil
		}
		flags |= wire.Settle
	}
}

// twice runs an input two times.
func twice(s *Session, flat []byte, flags uint64) (first, again []wire.RunResult, err error) {
	if first, err = s.Run(flat, flags); err == nil {
		again, err = s.Run(flat, flags)
	}
	return first, again, err
}

// classify completes a finding from results that repeat; nil if they show nothing.
func (j *Judge) classify(f *Finding, results []wire.RunResult, layer judge.Layers) *Finding {
	f.Raw = results
	if p, failed := Failed(results); failed {
		f.Kind, f.Program, f.Layer = Kind(&results[p]), p, 0
		return f
	}
	f.Layer = Layer(j.Layers, results)
	if f.Layer == 0 || layer != 0 && f.Layer != layer {
		return nil
	}
	f.Kind = Discrepancy
	return f
}

// culprit finds which of the latest inputs ends a process by itself. A goroutine that outlives its input may kill the
// worker some inputs later.
func (j *Judge) culprit(s *Session, c Candidate) (*Finding, error) {
	inputs := append([][]byte{c.Flat}, c.Before...)
	for i, flat := range inputs {
		if i == settleLimit {
			break
		}
		s.Fresh()
		results, err := s.Run(flat, wire.WantDetail|wire.Settle)
		if err != nil {
			return nil, err
		}
		if _, failed := Failed(results); failed {
			return j.classify(&Finding{Flat: flat}, results, 0), nil
		}
	}
	return nil, nil
}

// alike reports whether two executions of an input showed the same outcomes and, but for limits, classes, and where values are
// what disagrees, the same values.
func alike(layer judge.Layers, a, b []judge.Observation) bool {
	return slices.EqualFunc(a, b, func(x, y judge.Observation) bool {
		if x.Outcome != y.Outcome {
			return false
		}
		// Where a run was when it had no more time or memory is another place each time.
		return x.Outcome > judge.Crashed || x.Class == y.Class && (layer != judge.ValueLayer || x.Value == y.Value)
	})
}

// repeats reports whether a fresh process showed what the fuzzing worker saw. The class of a failure is told differently
// there, so its outcome counts.
func repeats(layer judge.Layers, seen, fresh []judge.Observation) bool {
	if len(seen) == 0 {
		return true
	}
	seen = slices.Clone(seen)
	for p := range seen {
		if p < len(fresh) && seen[p].Outcome >= judge.Crashed {
			seen[p].Class = fresh[p].Class
		}
	}
	return alike(layer, seen, fresh)
}

// discrepancy locates, minimises and locates again, until the input stays as it is: what decides is told best by the
// neighbours of a small input, and may let it become smaller still.
func (j *Judge) discrepancy(s *Session, c Candidate, f *Finding) error {
	want := j.cause(f.Raw, f.Layer, f.Flat)
	var extra [][]byte
	if c.Parent != nil {
		extra = [][]byte{c.Parent}
	}
	var at *Located
	for _, budget := range []int{glanceBudget, neighbourBudget} {
		var err error
		if at, err = Locate(s, j.Layers, j.Shape, f.Flat, extra, j.budget(budget), want.shown); err != nil {
			return err
		}
		f.Before = j.bucket(f.Raw, f.Layer, at.Best, f.Flat)
		f.Minimized, f.Deciding, f.Ranked = f.Flat, at.Deciding, at.Ranked
		if j.Enough != nil && j.Enough(f.Before) {
			f.Bucket = f.Before
			return nil
		}
	}
	var err error
	for range maxRounds {
		want.deciding = f.Deciding
		small := j.shrink(s, f.Minimized, j.budget(minimizeBudget), wire.WantHits, want.shown)
		want.deciding = nil
		if at, err = Locate(s, j.Layers, j.Shape, small, nil, j.budget(neighbourBudget), want.shown); err != nil {
			return err
		}
		f.Deciding, f.Ranked = at.Deciding, at.Ranked
		same := bytes.Equal(small, f.Minimized)
		f.Minimized = small
		if same {
			break
		}
	}
	if f.Results, err = s.Run(f.Minimized, wire.WantDetail); err != nil {
		return err
	}
	want.deciding = f.Deciding
	j.holes(s, f, want.shown)
	f.Bucket = j.bucket(f.Results, f.Layer, at.Best, f.Minimized)
	return nil
}

// crash names the bucket by the crash and minimises within it.
func (j *Judge) crash(s *Session, f *Finding) error {
	r := f.Raw[f.Program]
	j.name(s, f, r, f.Flat)
	if err := j.compute(s, f); err != nil {
		return err
	}
	f.Before, f.Minimized, f.Results = f.Bucket, f.Flat, f.Raw
	f.Deciding = make([]int, len(j.Names))
	for p := range f.Deciding {
		f.Deciding[p] = None
	}
	if f.Kind != judge.KindCrash && f.Kind != judge.KindFailure || j.Enough != nil && j.Enough(f.Bucket) {
		return nil // every try of what runs into a limit would cost the whole limit
	}
	deaths := s.Deaths
	budget, flags := j.budget(minimizeBudget), uint64(wire.WantDetail)
	at, err := s.Run(f.Flat, flags)
	if err != nil {
		return err
	}
	if at[f.Program].Class != r.Class { // a goroutine that was left behind needs time to fail
		flags |= wire.Settle
		s.Fresh()
	}
	if s.Deaths > deaths || flags&wire.Settle != 0 {
		budget = deadlyBudget
	}
	same := func(results []wire.RunResult) bool {
		return results[f.Program].Outcome == r.Outcome && results[f.Program].Class == r.Class
	}
	there := func(results []wire.RunResult) bool {
		got := &results[f.Program]
		return got.Failure == r.Failure && got.Outcome == r.Outcome && s.place(s.crash(got, f.Flat)) == f.place
	}
	if j.computed[f.place] {
		same = there
	}
	f.Minimized = j.shrink(s, f.Flat, budget, flags, same)
	if f.Kind == judge.KindFailure && bytes.Equal(f.Minimized, f.Flat) {
		// Messages of failed tests often hold what the test computed, so that a smaller input has another one. Then the
		// place must stay. A message that stays keeps causes apart which one line reports.
		same = there
		f.Minimized = j.shrink(s, f.Flat, budget, flags, same)
	}
	results, err := s.Run(f.Minimized, flags)
	if err == nil && same(results) {
		f.Results = results
		j.name(s, f, results[f.Program], f.Minimized)
		if s.Deaths == deaths && flags&wire.Settle == 0 { // else each try costs a process
			j.holes(s, f, same)
		}
	} else {
		f.Minimized = f.Flat
	}
	return err
}

// name reads a crash from a result and names its bucket.
func (j *Judge) name(s *Session, f *Finding, r wire.RunResult, flat []byte) {
	f.Crash = s.crash(&r, flat)
	f.place = s.place(f.Crash)
	key := s.key(f.Crash)
	if j.computed[f.place] || j.Crowded != nil && j.Crowded(f.place) {
		key = f.place
	}
	f.Bucket = judge.BucketID(f.Kind, j.Names[f.Program], key)
}

const (
	computedBudget = 64 // neighbours that are executed to see whether their messages differ
	// So many messages, and three quarters of all, must differ. A line that reports errors of all kinds has fewer kinds.
	computedMin = 6
)

// compute finds out whether the message of a failure holds what was computed from the input, in ways that no rule takes out,
// as in `got %s, want %s`: then hardly two inputs that fail in one place have the same one, and the place names the bucket.
func (j *Judge) compute(s *Session, f *Finding) error {
	r := &f.Raw[f.Program]
	if f.Kind != judge.KindFailure || j.computed[f.place] || j.Enough != nil && j.Enough(f.Bucket) {
		return nil
	}
	keys, total, deaths := map[string]bool{}, 0, s.Deaths
	for _, flat := range s.repaired(Neighbours(j.Shape, f.Flat, computedBudget), f.Flat) {
		results, err := s.Run(flat, wire.WantDetail)
		if err != nil {
			return err
		}
		if s.Deaths-deaths > maxDeaths {
			return nil
		}
		got := &results[f.Program]
		if !got.Failure || got.Outcome != r.Outcome {
			continue
		}
		if c := s.crash(got, flat); s.place(c) == f.place {
			keys[s.key(c)] = true
			total++
		}
	}
	if len(keys) < computedMin || 4*len(keys) < 3*total {
		return nil
	}
	if j.computed == nil {
		j.computed = map[string]bool{}
	}
	j.computed[f.place] = true
	j.name(s, f, *r, f.Flat)
	return nil
}

// Place is where a crash happened, without its message.
func (f *Finding) Place() string { return f.place }

// shrink minimises flat while its results stay the same.
func (j *Judge) shrink(s *Session, flat []byte, budget int, flags uint64, same func([]wire.RunResult) bool) []byte {
	small, _, _ := j.search(s, flat, budget, flags, same, nil)
	return small
}

// bucket names the cause of a discrepancy: the layer, and for each program its outcome and the branch that decides. Where values
// disagree, which programs agree belongs to it, and where errors do, their classes.
func (j *Judge) bucket(results []wire.RunResult, layer judge.Layers, best []*Place, flat []byte) string {
	parts := []string{Discrepancy, layer.String()}
	tell := tellers(results, layer, best, j.blind)
	for p, r := range results {
		place := ""
		switch {
		case j.blind(p) && judge.Outcome(r.Outcome) == judge.Rejected:
			place, _ = j.class(r, flat)
		case tell[p]:
			place = j.branch(*best[p])
		}
		parts = append(parts, j.Names[p], judge.Outcome(r.Outcome).String(), place)
		if layer == judge.ClassLayer {
			class, _ := j.class(r, flat)
			parts = append(parts, class)
		}
		for q := range results[:p] {
			if layer == judge.ValueLayer {
				same := results[q].Value == r.Value
				parts = append(parts, strconv.FormatBool(same))
				if accepted := judge.Accepted; !same && j.blind(p) && j.blind(q) && r.Outcome == uint64(accepted) && results[q].Outcome == uint64(accepted) {
					parts = append(parts, valueDifference(results[q].Rendered, r.Rendered))
				}
			}
		}
	}
	return judge.BucketID(parts...)
}

// How much of the best program's score the place of a program must have to belong to a bucket's name. What separates inputs less
// well is often only the way on which a small input happens to come to the place that matters.
const (
	tellingReject = 0.8 // of programs that reject
	tellingValue  = 0.95
)

// tellers are the programs whose places name a bucket. Where one program accepts what another rejects, the check that rejects tells:
// of who accepts, everything that comes after it separates as well. A check at which all kinds of inputs end does not: then places
// that separate better tell, too.
func tellers(results []wire.RunResult, layer judge.Layers, best []*Place, blind func(program int) bool) []bool {
	tell := make([]bool, len(results))
	score := func(p int) float64 {
		if p < len(best) && best[p] != nil {
			return best[p].Score
		}
		return 0
	}
	rejects := func(p int) bool {
		return layer == judge.VerdictLayer && judge.Outcome(results[p].Outcome) == judge.Rejected
	}
	highest, rejecting := 0.0, 0.0
	for p := range tell {
		highest = max(highest, score(p))
		if rejects(p) {
			rejecting = max(rejecting, score(p))
		}
	}
	checks := rejecting > 0 && rejecting >= tellingReject*highest
	for p := range tell {
		checks = checks || rejects(p) && blind(p) // what it says tells
	}
	for p := range tell {
		tell[p] = score(p) > 0 && (rejects(p) && score(p) >= tellingReject*rejecting || !checks && score(p) >= tellingValue*highest)
	}
	return tell
}

// branch names the branch at a place, whichever way the input went there.
func (j *Judge) branch(p Place) string {
	block := p.Block
	if j.Branch != nil {
		block = j.Branch(block)
	}
	return j.Place(block)
}
