// Package triage turns a candidate, an input that may be a finding, into a finding with a cause.
// The campaign calls it for every candidate, the minimize and replay commands for one finding.
//
// Triager.Triage handles one Aspect of a candidate: the failure of a program, or a layer on which
// the programs disagree. It returns a Result.
//
//  1. It confirms the candidate: a Replayer executes the input again in fresh processes. If the
//     results differ from run to run, the candidate is Wavering.
//  2. It locates the cause: of the Neighbors, some disagree like the input. Blocks that separate
//     them from the others are ranked by Ochiai's coefficient (Locate).
//  3. It minimizes the input while outcomes, classes and deciding blocks stay.
//  4. It names the bucket by the deciding blocks, the changed lines or the stack of a crash.
//
// A result depends on the candidate and the programs only. Triage uses no random numbers and no
// clock. Its budgets count executed inputs and blocks.
package triage

import (
	"bytes"
	"cmp"
	"context"
	"parallax/cmd/internal/finding"
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

// Budgets count inputs.
const (
	neighborBudget = 240
	glanceBudget   = 60 // to test whether the bucket is saturated
	minimizeBudget = 1200
	maxRounds      = 4  // of minimizing and locating a candidate
	separateRounds = 2  // the same for programs in separate processes
	deadlyBudget   = 48 // if every run that reproduces ends a process
	// minimizeBlocks bounds the blocks executed while an input is minimized.
	minimizeBlocks = 1 << 29
	settleLimit    = wire.Slots
)

// Result is a confirmed candidate with its cause. Package findings makes its record.
type Result struct {
	deadly    bool   // each run ends a process
	Kind      string // discrepancy, change, crash, timeout, oom
	Layer     oracle.Layers
	Dear      oracle.Measures // in the layer of cost: the measure in its name
	Flat      []byte
	Minimized []byte
	Raw       []wire.RunResult // of the original input, without detail
	Results   []wire.RunResult // of the minimized input, with detail
	Deciding  []int            // block ids; None means that none decides
	Ranked    [][]Direction    // by program: the blocks that separate disagreeing inputs, best first
	Holes     []minimize.Hole  // parts of Minimized that may be replaced
	Program   int              // of a failure: the program that fails
	Crash     oracle.Crash
	Bucket    string
	Variant   string           // of the bucket: by deciding places and errors
	Symptoms  *causes.Symptoms // of a minimized disagreement; nil if no coverage is known
	Before    string           // the bucket that the input would have had before minimizing
	Combined  string           // Before of the input with combined causes from which it was taken; empty means none
	Place     string           // of a crash: its place, without the message
	Shared    int              // number of the bucket shared by messages of its place; 0 means its own
	Own       string           // the bucket of its message alone
	Whole     string           // of a failure: the bucket of all messages of its place
	Placed    bool             // Bucket is Whole
	flags     uint64           // flags of runs that show it
	enough    bool             // its bucket is saturated, so it was not minimized
	Runs      int              // executed inputs

	// Unfinished marks a finding whose triage was cut short. Once filed, it is the candidate's key.
	Unfinished string
}

// Triager triages candidates of one target.
type Triager struct {
	Spec   execute.Spec
	Target string
	Code   string // identity of the programs (subject.Facts.CodeID)
	Shape  input.Shape
	Names  []string // of the programs
	Layers oracle.Layers
	Space  *flow.Space // the programs' blocks
	// Ordered returns the worker that records the order of blocks, with which disagreements are
	// located. If it is nil or fails, blocks of equal score are in source order.
	Ordered func(ctx context.Context) (execute.Spec, error)
	// Known is the campaign's knowledge of findings. Nil means that nothing is known.
	Known Known
	// Computed is the set of places with computed messages.
	Computed Places
	// Versions means a new and an old version, whose failures differ from failures of both.
	Versions bool
	// Plain are ordinary inputs: seeds. Their differences show everywhere.
	Plain [][]byte
	// Grammar is the grammar of inputs. Nil means none.
	Grammar *grammar.Form
	// Steadiness returns the steadiness of the programs. Nil means that it is unknown.
	Steadiness func() finding.Steadiness
	// Unchanged means that a known finding shows what it showed when it was found.
	Unchanged bool
	// Stop reports that the user wants no further minimizing. Nil means never.
	Stop func() bool

	// Traits decide about costs. For programs in separate processes, one replayer locates and
	// minimizes all discrepancies, since starting all programs takes longest. Close ends it.
	Traits subject.Traits

	kept     *Replayer
	places   located             // of the current candidate
	usual    map[string]bool     // variants that Plain shows
	blocks   uint64              // replaces minimizeBlocks if not 0
	cut      bool                // Stop cut the current candidate short
	steadily *finding.Steadiness // of the current candidate
}

// Known is a campaign's knowledge of findings. It decides how much work a candidate gets.
type Known interface {
	// Saturated reports that a bucket needs no more inputs: its candidates are not minimized.
	Saturated(bucket string) bool
	// AnySaturated reports whether any bucket is saturated.
	AnySaturated() bool
	// AcceptedVariant reports whether a variant is an accepted difference. If only values are
	// known, minimizing must not lead to such a variant.
	AcceptedVariant(variant string) bool
	// Shared returns the number of the bucket shared by further messages of a place, or 0 if the
	// message keeps its own. located means that the place is a line.
	Shared(place, own string, located bool) int
}

// Places is a set of places in programs.
type Places interface {
	Has(place string) bool
	Add(place string)
}

// places is the set of one triager.
type places map[string]bool

func (p places) Has(place string) bool { return p[place] }
func (p places) Add(place string)      { p[place] = true }

func (j *Triager) saturated(bucket string) bool { return j.Known != nil && j.Known.Saturated(bucket) }

// New returns a triager for a target's candidates.
func New(t subject.Target, spec execute.Spec, layers oracle.Layers) *Triager {
	f := t.About()
	return &Triager{
		Spec: spec, Target: f.Name, Code: f.CodeID, Shape: f.Shape, Names: f.Names, Layers: layers, Space: f.Space, Traits: f.Traits, Versions: f.Versions && len(f.Names) == 2, Computed: places{},
		Ordered: func(ctx context.Context) (execute.Spec, error) { return t.Ordered(ctx, spec) },
	}
}

// Triage triages a candidate. A nil finding means that the candidate is flaky, and wavered
// describes how. When ctx ends, Triage returns its error.
func (j *Triager) Triage(ctx context.Context, c finding.Candidate) (f *Result, wavered Wavering, err error) {
	j.steadily, j.places = c.Steady, located{}
	if c.Code != j.Code { // other or unknown programs showed it
		c.Seen = nil // observations of other programs
	}
	before := 0 // runs in the kept processes
	if j.kept != nil {
		before = j.kept.Runs
	}
	if f, err := j.triageSaturated(ctx, c); f != nil || err != nil {
		return f, Wavering{}, err
	}
	s := j.Replayer()
	s.Ctx = ctx
	j.cut = false
	defer func() {
		if f != nil && ctx.Err() != nil {
			j.nameUnfinished(s, f)
		} else if f != nil && j.cut {
			f.Unfinished = "cut"
		}
	}()
	s.disagreement(c.Layer != 0)
	defer s.Close()
	f, wavered, err = j.confirm(s, c)
	if f == nil || err != nil {
		wavered.Gone = wavered.Gone && c.Code != j.Code
		return nil, wavered, err
	}
	elsewhere := 0 // runs in the kept processes
	if Disagrees(f.Kind) {
		f.deadly = f.deadly && j.dispensable(f) == 0
		// Each run of a failure may cost a process. A disagreement is repeated before costly work.
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
		between := [][]byte{c.Flat}
		if c.Parent != nil {
			between = append(between, c.Parent)
		}
		if wavered, err = j.steady(s, f, between); err != nil {
			return f, Wavering{}, err
		} else if wavered != (Wavering{}) {
			wavered.addMessage(f.Results)
			return nil, wavered, nil
		}
		if !j.shows(f) {
			return nil, Wavering{Why: WhyNothing}, nil
		}
	}
	f.Runs = s.Runs + elsewhere
	// Minimizing under an ended context is incomplete.
	return f, Wavering{}, ctx.Err()
}

// nameUnfinished names the bucket of a finding from incomplete triage. Between versions, the name
// includes the target: several targets show findings with one look and different causes.
func (j *Triager) nameUnfinished(s *Replayer, f *Result) {
	f.Unfinished = "cut"
	if f.Results == nil || f.enough || !j.shows(f) {
		f.Minimized, f.Results = f.Flat, f.Raw
	}
	if len(f.Deciding) != len(j.Names) {
		f.Deciding = notLocated(len(j.Names)).Deciding
	}
	switch {
	case f.Bucket != "":
	case !Disagrees(f.Kind):
		j.name(s, f, f.Results, f.Minimized)
	default:
		f.Bucket = cmp.Or(f.Before, j.bucket(f.Results, f.Layer, notLocated(len(f.Results)), f.Minimized))
		if j.Versions {
			f.Bucket = causes.BucketID("unfinished", j.Target, f.Bucket)
		}
		f.Variant = f.Bucket
	}
}

// shows reports whether the recorded results show the finding.
func (j *Triager) shows(f *Result) bool {
	if Disagrees(f.Kind) {
		return disagreeing(j.Layers, f.Results)&f.Layer != 0 && f.dear(j.Layers, f.Results)
	}
	return Kind(&f.Results[f.Program]) == f.Kind
}

// recordOrder switches a replayer to the worker that records the order of blocks, if there is one.
func (j *Triager) recordOrder(ctx context.Context, s *Replayer) error {
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
	return nil // the ordinary worker remains
}

// Replayer returns a replayer on the target's programs.
func (j *Triager) Replayer() *Replayer {
	return &Replayer{Spec: j.Spec, Programs: len(j.Names), Shape: j.Shape, Space: j.Space, Traits: j.Traits}
}

// discrepancy locates and minimizes a disagreement. Bystanders are left out at first, since their
// runs may cost a process. If they have a part on the smaller input, or on one like it, the work
// continues from there. So both lead to the same finding.
func (j *Triager) discrepancy(s *Replayer, c finding.Candidate, f *Result) error {
	out, flat, raw := j.dispensable(f), f.Flat, f.Raw
	all := s.leave(out)
	f.Raw = without(raw, out)
	err := j.reduceWhole(s, c, f)
	all()
	if out == 0 {
		return err
	}
	now := raw
	if err == nil && !bytes.Equal(f.Flat, flat) { // triage took one of several causes
		now, err = s.Run(f.Flat, wire.WantDetail)
	}
	if err != nil { // the results lack programs
		f.Flat, f.Raw, f.Results = flat, raw, nil
		return err
	}
	f.Raw = now
	if f.Results == nil { // the bucket is saturated
		return nil
	}
	results, err := s.Run(f.Minimized, wire.WantDetail)
	switch {
	case err != nil:
		f.Results = nil
		return err
	case disagreeing(j.Layers, results)&f.Layer == 0: // all programs together disagree otherwise
		f.Minimized, f.Results, f.Holes = f.Flat, f.Raw, nil
		return nil
	}
	smaller := *f
	smaller.Flat, smaller.Raw, smaller.Results = f.Minimized, results, nil // recorded results lack programs
	if bystanders(j.Layers, f.Layer, results) == out {
		found, err := j.involve(s, &smaller, out)
		if err != nil {
			f.Results = nil
			return err
		}
		if !found {
			f.Results = results
			return nil
		}
	}
	if err = j.discrepancy(s, finding.Candidate{Flat: smaller.Flat, Layer: f.Layer}, &smaller); err == nil && smaller.Results != nil {
		smaller.Flat, smaller.Raw, smaller.Before, smaller.Combined = f.Flat, now, f.Before, f.Combined
		*f = smaller
	} else if f.Results = nil; err == nil { // the bucket is saturated
		f.Bucket, f.Before, f.enough = smaller.Bucket, smaller.Before, smaller.enough
	}
	return err
}

// involve searches a neighbor with the same disagreement of more programs, and takes its input.
func (j *Triager) involve(s *Replayer, f *Result, out uint64) (found bool, err error) {
	if out&^failing(f.Raw) == 0 { // all of them fail, and each run may cost a process
		return false, nil
	}
	want := j.cause(without(f.Raw, out), f.Layer, f.Flat)
	var neighbor []byte
	err = s.RunAll(s.neighbors(j.Shape, f.Flat, nil, j.budget(glanceBudget)), wire.WantHits, func(flat []byte, results []wire.RunResult) bool {
		left := bystanders(j.Layers, f.Layer, results)
		if disagreeing(j.Layers, results)&f.Layer == 0 || left == out || left&^out != 0 || !want.shown(without(results, out)) {
			return true
		}
		neighbor = slices.Clone(flat)
		return false
	})
	if neighbor == nil || err != nil {
		return false, err
	}
	results, err := s.Run(neighbor, wire.WantDetail)
	if err != nil || disagreeing(j.Layers, results)&f.Layer == 0 || bystanders(j.Layers, f.Layer, results)&^out != 0 {
		return false, err
	}
	f.Flat, f.Raw = neighbor, results
	return true, nil
}

// reduceWhole locates and minimizes until the input stays the same. Neighbors of a small input show
// best which blocks decide, and that may allow a smaller one.
func (j *Triager) reduceWhole(s *Replayer, c finding.Candidate, f *Result) error {
	want := j.cause(f.Raw, f.Layer, f.Flat)
	var at *Located
	for _, budget := range []int{glanceBudget, neighborBudget} {
		var err error
		if at, err = j.locateOnce(s, f.Flat, c, want, budget); err != nil {
			return err
		}
		f.Before = j.bucketBefore(f.Raw, f.Layer, at, f.Flat)
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
		part, place, err := j.adopt(s, &one, small)
		if err != nil {
			return err
		}
		if place.Accepted == 0 {
			continue // this is not one reason either
		}
		*f = one
		if want, at, err = j.settle(s, f, part, place, rounds); err != nil {
			return err
		}
		break
	}
	one, err := j.singleCause(s, f, at)
	combined := cmp.Or(f.Combined, f.Before)
	if one == nil && err == nil {
		one, err = j.acceptedPart(s, f, want)
		combined = f.Combined // similar candidates still get all the work
	}
	if one != nil || err != nil {
		if err != nil {
			return err
		}
		one.Raw, one.Results, one.Runs, one.Combined = one.Results, nil, f.Runs, combined
		*f = *one
		return j.discrepancy(s, finding.Candidate{Flat: f.Flat, Layer: f.Layer}, f)
	}
	want = want.withPlaces(at)
	j.holes(s, f, want.flags(), want.wanted(), want.shown)
	j.attribute(f, at)
	return nil
}

// settle minimizes and locates until the input stays the same.
func (j *Triager) settle(s *Replayer, f *Result, want *cause, at *Located, rounds int) (*cause, *Located, error) {
	for round := range rounds {
		keep := want.forMinimizing(at)
		small := j.shrink(s, f.Minimized, j.budget(minimizeBudget), keep.flags(), keep.wanted(), keep.shown)
		same := bytes.Equal(small, f.Minimized)
		if same && round > 0 {
			break
		}
		var err error
		if want, at, err = j.adopt(s, f, small); err != nil {
			return nil, nil, err
		}
		if same {
			break
		}
	}
	return want, at, nil
}

// adopt makes an input with the disagreement the minimized one, and locates it.
func (j *Triager) adopt(s *Replayer, f *Result, small []byte) (want *cause, at *Located, err error) {
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

// shrink minimizes flat while its results stay the same, with budgets of inputs and of blocks.
func (j *Triager) shrink(s *Replayer, flat []byte, budget int, flags uint64, want []wire.Wanted, same func([]wire.RunResult) bool) []byte {
	s.enough = s.Executed + cmp.Or(j.blocks, minimizeBlocks)
	defer func() { s.enough = 0 }()
	small, _, _ := j.search(s, flat, budget, flags, want, same, nil)
	return small
}
