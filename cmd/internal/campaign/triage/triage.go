// Package triage turns a candidate into a finding: it executes the input again in a fresh process, looks for the
// blocks that decide, makes the input smaller while outcomes, classes and deciding blocks stay, and names the bucket.
// The campaign calls it for every candidate, the minimize and replay commands for one finding.
//
// A finding depends on the candidate and the programs only: it draws no random numbers and looks at no clock, and its
// budgets are executions, of inputs and of blocks.
package triage

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"parallax/cmd/internal/base/minimize"
	"parallax/cmd/internal/finding/causes"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/subject"
	"parallax/internal/grammar"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Budgets in inputs.
const (
	neighborBudget = 240
	glanceBudget   = 60 // to see whether the bucket has enough inputs
	minimizeBudget = 1200
	maxRounds      = 4  // of minimizing and locating a candidate
	separateRounds = 2  // the same of programs that each run in a process of their own
	deadlyBudget   = 48 // when every run that reproduces ends a process
	// Blocks that programs may execute while an input is made smaller: a run of a slow one costs as much as thousands of others.
	minimizeBlocks = 1 << 29
	settleLimit    = wire.Slots
)

// Candidate is an input that may be a finding.
type Candidate struct {
	Flat      []byte        `json:"flat"`
	Parent    []byte        `json:"parent,omitempty"`
	Operators []string      `json:"operators,omitempty"`
	Layer     oracle.Layers `json:"layer"`             // of the disagreement that it is a candidate for; 0: it is one for a failure
	Failing   int           `json:"failing,omitempty"` // 1 + the program whose failure it is a candidate for; 0: it is not known which fails
	Inputs    uint64        `json:"inputs"`            // inputs the campaign had counted
	// What the fuzzing worker saw, which a fresh process must see again.
	Seen []oracle.Observation `json:"seen,omitempty"`
	// The inputs before one that ended its worker, latest first, for the culprit may be one of them.
	Before [][]byte       `json:"before,omitempty"`
	Deadly bool           `json:"deadly,omitempty"`
	Ended  oracle.Outcome `json:"ended,omitempty"` // how its worker ended
	Said   string         `json:"said,omitempty"`  // the message of that
	Fresh  bool           `json:"-"`               // something of it is the first of its kind: another like it may not come
	Worker int            `json:"-"`               // 1 + the index of the worker of this run that saw it; 0: none did
	Death  string         `json:"-"`               // what the death looks like, for who counts those that look alike
	// How steady the programs were seen to be up to this input, where the verdict must not depend on when it is reached; nil: what is known
	// by then counts.
	Steady *Steadiness `json:"steady,omitempty"`
	Code   string      `json:"code,omitempty"` // of the programs that showed it (subject.Facts.CodeID)
}

// Finding is a confirmed candidate.
type Finding struct {
	deadly    bool   // its input ended a process each time, so that each run costs one
	Kind      string // discrepancy, change, crash, timeout, oom
	Layer     oracle.Layers
	Dear      oracle.Measures // in the layer of cost: by which measure it is called
	Flat      []byte
	Minimized []byte
	Raw       []wire.RunResult // of the input as it was found, without detail
	Results   []wire.RunResult // of the minimized input, with detail
	Deciding  []int            // block ids, None where nothing decides
	Ranked    [][]Place        // for each program, the blocks that separate disagreeing inputs best, best first
	Holes     []minimize.Hole  // of Minimized: what may stand there instead
	Program   int              // of a crash: the program that crashed
	Crash     oracle.Crash
	Bucket    string
	Variant   string           // of the bucket: by the places that decide and the errors
	Symptoms  *causes.Symptoms // of a minimized disagreement; nil where nothing is known of what programs do
	Before    string           // what the input looked like before it was minimized
	Combined  string           // what the input looked like that it was taken from, since that combined causes; \"\": it is the input that was found
	Place     string           // of a crash: where it happened, without its message
	Shared    int              // which of the buckets that messages of one place share has it; 0: it has its own
	Own       string           // the bucket of its message alone
	Placed    bool             // its bucket is that of its place, whatever the message
	flags     uint64           // with which it shows
	enough    bool             // its bucket needs no more inputs: nothing else was looked at
	Runs      int              // inputs executed to get here

	// Unfinished says that triage ended before it had done all. It is the candidate's hash, once it is filed.
	Unfinished string
}

// Triager triages candidates of one target.
type Triager struct {
	Spec   execute.Spec
	Code   string // identity of the programs (subject.Facts.CodeID)
	Shape  input.Shape
	Names  []string // of the programs
	Layers oracle.Layers
	Space  *flow.Space // the programs' blocks
	// Ordered returns the worker that records the order in which blocks are executed; disagreements are located with it. Nil, or
	// an error: the ordinary one is used, and blocks of equal score are ordered as they stand in the source.
	Ordered func(ctx context.Context) (execute.Spec, error)
	// Known is what the campaign has found so far; nil: nothing, and every candidate gets all the work.
	Known Known
	// Computed are the places whose messages hold what was computed from the input.
	Computed Places
	// Versions says that the programs are a new version and an old one: a failure of one of them is another finding than one of both.
	Versions bool
	// Plain are ordinary inputs: seeds. A difference that they show is taken to show everywhere.
	Plain [][]byte
	// Grammar is that of which inputs were made, and smaller ones are; nil: there is none.
	Grammar *grammar.Form
	// Steadiness is how steady the programs were seen to be; nil: nothing is known.
	Steadiness func() Steadiness
	// Stop reports that the user does not want to wait for a smaller input any longer; nil: never.
	Stop func() bool

	// Traits are what decides about costs. Where programs have separate processes, one replayer locates and minimizes discrepancies,
	// one after another: starting all programs anew for each takes longer than the rest, and candidates are confirmed in fresh
	// processes all the same. Close ends it.
	Traits subject.Traits

	kept     *Replayer
	places   located         // of the candidate at hand
	usual    map[string]bool // variants that Plain shows
	blocks   uint64          // minimizeBlocks; 0: as many
	cut      bool            // something was left out of the candidate at hand, since Stop said so
	steadily *Steadiness     // of the candidate that is being triaged
}

// Known is what a campaign has found so far. It decides how much work a candidate gets.
type Known interface {
	// Saturated reports that a bucket needs no more inputs: a candidate that belongs there is not minimized.
	Saturated(bucket string) bool
	// AnySaturated reports whether there is such a bucket.
	AnySaturated() bool
	// AcceptedVariant reports whether a variant is that of an accepted difference. Where only values are known, an input that shows one
	// of these and something else is not made smaller until it shows the accepted difference alone.
	AcceptedVariant(variant string) bool
	// Shared reports in which of the buckets that further messages of a place share a message is, whose own bucket is given. 0 is in none
	// of them: the message has its own bucket. Located says that the place is a line, and not just a way to end.
	Shared(place, own string, located bool) int
}

// Places are a set of places in programs.
type Places interface {
	Has(place string) bool
	Add(place string)
}

// places is a set that belongs to one triager.
type places map[string]bool

func (p places) Has(place string) bool { return p[place] }
func (p places) Add(place string)      { p[place] = true }

func (j *Triager) saturated(bucket string) bool { return j.Known != nil && j.Known.Saturated(bucket) }

// New returns the triager of a target's candidates.
func New(t subject.Target, spec execute.Spec, layers oracle.Layers) *Triager {
	f := t.About()
	return &Triager{
		Spec: spec, Code: f.CodeID, Shape: f.Shape, Names: f.Names, Layers: layers, Space: f.Space, Traits: f.Traits, Versions: f.Versions && len(f.Names) == 2, Computed: places{},
		Ordered: func(ctx context.Context) (execute.Spec, error) { return t.Ordered(ctx, spec) },
	}
}

// Triage looks into a candidate. The finding is nil when the candidate is flaky: it does not always show. Then it returns how the programs
// wavered. When ctx ends, so does the work, with its error.
func (j *Triager) Triage(ctx context.Context, c Candidate) (f *Finding, wavered Wavering, err error) {
	j.steadily, j.places = c.Steady, located{}
	if j.older(&c) {
		c.Seen = nil // by other programs
	}
	before := 0 // runs in the processes that are kept
	if j.kept != nil {
		before = j.kept.Runs
	}
	if f, err := j.known(ctx, c); f != nil || err != nil {
		return f, Wavering{}, err
	}
	s := j.Replayer()
	s.Ctx = ctx
	j.cut = false
	defer func() {
		if f != nil && ctx.Err() != nil {
			j.asFar(s, f)
		} else if f != nil && j.cut {
			f.Unfinished = "cut"
		}
	}()
	s.disagreement(c.Layer != 0)
	defer s.Close()
	f, wavered, err = j.confirm(s, c)
	if f == nil || err != nil {
		wavered.Gone = wavered.Gone && j.older(&c)
		return nil, wavered, err
	}
	elsewhere := 0 // runs in the processes that are kept
	if Disagrees(f.Kind) {
		f.deadly = f.deadly && j.beside(f) == 0
		// Each run of a failure may cost a process; a disagreement is run again before much is spent on it.
		if wavered, err = j.repeat(s, f, j.Runs(f.Kind)-2); err != nil {
			return f, Wavering{}, err
		} else if wavered != (Wavering{}) {
			return nil, wavered, nil
		}
		at, err := j.locator(ctx, s)
		if err != nil {
			return f, Wavering{}, err
		}
		if err = j.discrepancy(at, c, f); err != nil {
			at.Fresh()
			return f, Wavering{}, err
		}
		if at != s {
			elsewhere = at.Runs - before
		}
	} else if err = j.crash(s, f); err != nil {
		return f, Wavering{}, err
	}
	if f.Results != nil && !f.enough {
		if wavered, err = j.steady(s, f, between(c)); err != nil {
			return f, Wavering{}, err
		} else if wavered != (Wavering{}) {
			wavered.tell(f.Results)
			return nil, wavered, nil
		}
		if !j.shows(f) {
			return nil, Wavering{Why: WhyNothing}, nil
		}
	}
	f.Runs = s.Runs + elsewhere
	// What was minimized under a context that ended is not what it would have been.
	return f, Wavering{}, ctx.Err()
}

// older reports whether the programs have changed since they showed a candidate, or nothing is known of that.
func (j *Triager) older(c *Candidate) bool { return c.Code != j.Code }

// asFar names the bucket of a finding by what is known of it.
func (j *Triager) asFar(s *Replayer, f *Finding) {
	f.Unfinished = "cut"
	if f.Results == nil || f.enough || !j.shows(f) {
		f.Minimized, f.Results = f.Flat, f.Raw
	}
	if len(f.Deciding) != len(j.Names) {
		f.Deciding = nowhere(len(j.Names)).Deciding
	}
	switch {
	case f.Bucket != "":
	case !Disagrees(f.Kind):
		j.name(s, f, f.Results, f.Minimized)
	default:
		f.Bucket = cmp.Or(f.Before, j.bucket(f.Results, f.Layer, make([]*Place, len(f.Results)), f.Minimized))
		f.Variant = f.Bucket
	}
}

// between are inputs to run between those of a finding.
func between(c Candidate) [][]byte {
	if c.Parent == nil {
		return [][]byte{c.Flat}
	}
	return [][]byte{c.Flat, c.Parent}
}

// shows reports whether the results on record are what the finding says.
func (j *Triager) shows(f *Finding) bool {
	if Disagrees(f.Kind) {
		return disagreeing(j.Layers, f.Results)&f.Layer != 0 && f.dear(j.Layers, f.Results)
	}
	return Kind(&f.Results[f.Program]) == f.Kind
}

// order has a replayer go on with the worker that records the order of blocks.
func (j *Triager) order(ctx context.Context, s *Replayer) error {
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

// Replayer returns a replayer on the target's programs.
func (j *Triager) Replayer() *Replayer {
	return &Replayer{Spec: j.Spec, Programs: len(j.Names), Shape: j.Shape, Space: j.Space, Traits: j.Traits}
}

// Discrepancy is the kind of finding in which programs disagree.
const Discrepancy = "discrepancy"

// discrepancy locates and minimizes a disagreement. Programs that have no part in it are left out meanwhile: a run of one that fails may cost
// a process. On the smaller input, or on one like it, they may have a part. Then the work goes on from there: the finding is the same one
// that inputs show on which they have.
func (j *Triager) discrepancy(s *Replayer, c Candidate, f *Finding) error {
	out, flat, raw := j.beside(f), f.Flat, f.Raw
	all := s.leave(out)
	f.Raw = without(raw, out)
	err := j.reduceWhole(s, c, f)
	all()
	if out == 0 {
		return err
	}
	now := raw
	if err == nil && !bytes.Equal(f.Flat, flat) { // one of several causes was taken
		now, err = s.Run(f.Flat, wire.WantDetail)
	}
	if err != nil { // what is known lacks programs
		f.Flat, f.Raw, f.Results = flat, raw, nil
		return err
	}
	f.Raw = now
	if f.Results == nil { // nothing else was looked at
		return nil
	}
	results, err := s.Run(f.Minimized, wire.WantDetail)
	switch {
	case err != nil:
		f.Results = nil
		return err
	case disagreeing(j.Layers, results)&f.Layer == 0: // with those programs there is another one
		return j.unminimized(f)
	}
	smaller := *f
	smaller.Flat, smaller.Raw, smaller.Results = f.Minimized, results, nil // those on record lack programs
	if bystanders(j.Layers, f.Layer, results) == out {
		found, err := j.joined(s, &smaller, out)
		if err != nil {
			f.Results = nil
			return err
		}
		if !found {
			f.Results = results
			return nil
		}
	}
	if err = j.discrepancy(s, Candidate{Flat: smaller.Flat, Layer: f.Layer}, &smaller); err == nil && smaller.Results != nil {
		smaller.Flat, smaller.Raw, smaller.Before, smaller.Combined = f.Flat, now, f.Before, f.Combined
		*f = smaller
	} else if f.Results = nil; err == nil { // its bucket needs no more inputs
		f.Bucket, f.Before, f.enough = smaller.Bucket, smaller.Before, smaller.enough
	}
	return err
}

// joined looks among the relatives of a finding's input for one that shows the same disagreement, and in which more programs take part than
// those that are not left out. It makes that the finding's input, and reports whether there is one.
func (j *Triager) joined(s *Replayer, f *Finding, out uint64) (found bool, err error) {
	if out&^failing(f.Raw) == 0 { // all fail: each run may cost a process
		return false, nil
	}
	want := j.cause(without(f.Raw, out), f.Layer, f.Flat)
	var relative []byte
	err = s.RunAll(s.relatives(j.Shape, f.Flat, nil, j.budget(glanceBudget)), wire.WantHits, func(flat []byte, results []wire.RunResult) bool {
		left := bystanders(j.Layers, f.Layer, results)
		if disagreeing(j.Layers, results)&f.Layer == 0 || left == out || left&^out != 0 || !want.shown(without(results, out)) {
			return true
		}
		relative = slices.Clone(flat)
		return false
	})
	if relative == nil || err != nil {
		return false, err
	}
	results, err := s.Run(relative, wire.WantDetail)
	if err != nil || disagreeing(j.Layers, results)&f.Layer == 0 || bystanders(j.Layers, f.Layer, results)&^out != 0 {
		return false, err
	}
	f.Flat, f.Raw = relative, results
	return true, nil
}

// unminimized takes the input of a finding back as it was found.
func (j *Triager) unminimized(f *Finding) error {
	f.Minimized, f.Results, f.Holes = f.Flat, f.Raw, nil
	return nil
}

// reduceWhole locates, minimizes and locates again, until the input stays as it is: what decides is told best by the
// neighbors of a small input, and may let it become smaller still.
func (j *Triager) reduceWhole(s *Replayer, c Candidate, f *Finding) error {
	want := j.cause(f.Raw, f.Layer, f.Flat)
	var at *Located
	for _, budget := range []int{glanceBudget, neighborBudget} {
		var err error
		if at, err = j.locateOnce(s, f.Flat, c, want, budget); err != nil {
			return err
		}
		f.Before = j.before(f.Raw, f.Layer, at, f.Flat)
		f.Minimized, f.Deciding, f.Ranked = f.Flat, at.Deciding, at.Ranked
		if j.saturated(f.Before) {
			f.Bucket = f.Before
			return nil
		}
	}
	rounds := maxRounds
	if j.Traits.SeparateProcesses {
		rounds = separateRounds
	}
	var err error
	f.Results = f.Raw
	if want, at, err = j.settle(s, f, want, at, rounds); err != nil {
		return err
	}
	parts := want.parts(at)
	for _, keep := range parts {
		small := j.shrink(s, f.Minimized, j.budget(minimizeBudget/len(parts)), keep.flags(), keep.wanted(), keep.shown)
		if bytes.Equal(small, f.Minimized) {
			continue
		}
		one := *f
		part, place, err := j.take(s, &one, small)
		if err != nil {
			return err
		}
		if place.Accepted == 0 {
			continue // this is not one reason, either
		}
		*f = one
		if want, at, err = j.settle(s, f, part, place, rounds); err != nil {
			return err
		}
		break
	}
	one, err := j.one(s, f, at)
	combined := cmp.Or(f.Combined, f.Before)
	if one == nil && err == nil {
		one, err = j.apart(s, f, want)
		combined = f.Combined // others that look like it are looked at
	}
	if one != nil || err != nil {
		if err != nil {
			return err
		}
		one.Raw, one.Results, one.Runs, one.Combined = one.Results, nil, f.Runs, combined
		*f = *one
		return j.discrepancy(s, Candidate{Flat: f.Flat, Layer: f.Layer}, f)
	}
	want = want.located(at)
	j.holes(s, f, want.flags(), want.wanted(), want.shown)
	j.attribute(f, at)
	return nil
}

// settle makes the input of a finding smaller, and locates again, until it stays as it is.
func (j *Triager) settle(s *Replayer, f *Finding, want *cause, at *Located, rounds int) (*cause, *Located, error) {
	for round := range rounds {
		keep := want.whole(at)
		small := j.shrink(s, f.Minimized, j.budget(minimizeBudget), keep.flags(), keep.wanted(), keep.shown)
		same := bytes.Equal(small, f.Minimized)
		if same && round > 0 {
			break
		}
		var err error
		if want, at, err = j.take(s, f, small); err != nil {
			return nil, nil, err
		}
		if same {
			break
		}
	}
	return want, at, nil
}

// take makes an input that shows the disagreement the minimized one, and locates it.
func (j *Triager) take(s *Replayer, f *Finding, small []byte) (want *cause, at *Located, err error) {
	if f.Results, err = s.Run(small, wire.WantDetail); err != nil {
		return nil, nil, err
	}
	want = j.cause(f.Results, f.Layer, small)
	if at, err = Locate(s, j.Layers, j.Shape, small, nil, j.budget(neighborBudget), want.shown); err != nil {
		return nil, nil, err
	}
	f.Minimized, f.Deciding, f.Ranked = small, at.Deciding, at.Ranked
	return want, at, nil
}

// shrink minimizes flat while its results stay the same, with a budget of inputs, and one of the blocks that they execute.
func (j *Triager) shrink(s *Replayer, flat []byte, budget int, flags uint64, want []wire.Wanted, same func([]wire.RunResult) bool) []byte {
	s.enough = s.Executed + cmp.Or(j.blocks, minimizeBlocks)
	defer func() { s.enough = 0 }()
	small, _, _ := j.search(s, flat, budget, flags, want, same, nil)
	return small
}
