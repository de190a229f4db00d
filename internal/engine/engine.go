// Package engine is the loop: choose a seed, mutate it, run every program on the mutant, observe, judge, keep or
// report. It owns the corpus in memory and the order of events, and no policy: what is chosen, how it is mutated, what
// counts as new and what counts as a disagreement belong to schedule, mutate, feature and judge.
//
// The loop is NEZHA's Algorithm 1 (Petsios et al., S&P 2017) with one addition: a disagreement becomes a candidate
// only when it shows something that earlier ones did not (see Candidates).
//
// Invariants: with one engine, a seed and the same programs, the sequence of inputs repeats exactly. Executing an input
// allocates nothing unless it is kept or reported. An Engine belongs to one goroutine at a time, but the goroutine
// may die in the middle of a program and another may go on: see Abort.
package engine

import (
	"bytes"
	"time"

	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/judge"
	"parallax/internal/mutate"
	"parallax/internal/schedule"
)

// Runner executes programs.
type Runner interface {
	// Begin announces the input that the next runs execute.
	Begin(flat []byte)
	// Run executes the input on a program, fills the trace and returns what the program did.
	Run(program int, flat []byte, t *feature.Trace) judge.Observation
}

// Sink receives events in the order in which they happen. It must not keep the slices it is given.
type Sink interface {
	// Novel is a tuple seen for the first time in a domain.
	Novel(domain int, hash uint64)
	// Kept is an input that joins the corpus.
	Kept(item Item)
	// Provisional is an input that would join the corpus, and is being made smaller: Kept follows with the smaller one,
	// unless the process ends before.
	Provisional(item Item)
	// Candidate is an input that may be a finding.
	Candidate(item Item, layer judge.Layers, obs []judge.Observation)
	// Ran closes an input that counts, a seed or a mutant.
	Ran(r Report)
}

// Item is an input with its provenance.
type Item struct {
	Flat   []byte
	Parent []byte // the seed it was mutated from, nil for a seed
	Ops    []mutate.Op
	New    []string // the domains in which it was new
}

// Report is what became of an input.
type Report struct {
	Ops      []mutate.Op
	Kept     bool
	Disagree bool
}

// Config is the policy of an engine.
type Config struct {
	Shape     input.Shape
	Programs  int
	Blocks    int // counters a program can hit
	Guidance  []string
	Reference int // the program that guidance reference compares with
	Free      int // see feature.Pool; 0 means feature.DefaultFree
	Layers    judge.Layers
	Schedule  string
	Mutators  string
	MaxLen    int // bytes an argument may have
	Dict      [][]byte
	Seed      uint64
	Stream    uint64        // differs between workers of a campaign
	Maps      []feature.Map // coverage, one map a program; nil: allocated here
	Changed   bool          // the programs are not those that the replayed inputs were kept with
	Avoid     [][]byte      // inputs that ended processes: not to be made again
	Setback   int           // processes that mutants of the operand stage have ended
	// Patching is told when the operand stage begins to make mutants, and when it ends; nil: nobody is.
	Patching func(bool)
	NoTrim   bool // inputs are kept as they are found
	// Repair makes a mutant valid, as far as the user knows how, before it is executed: what it returns takes the mutant's
	// place, nil leaves it. Nil: nothing is repaired. It may end the goroutine: see Unrepaired.
	Repair   func(flat []byte) []byte
	Operands Operands // nil: none
	// Ignored tells whether a disagreement on an input is intended; nil: none is. It may run the programs.
	Ignored func(flat []byte) bool
	Now     func() int64 // nanoseconds, read only for schedules that want to know; nil: the machine's clock
}

// Engine runs the loop.
type Engine struct {
	cfg      Config
	runner   Runner
	sink     Sink
	rand     *mutate.Rand
	mut      *mutate.Mutator
	schedule schedule.Schedule
	now      func() int64 // nil unless the schedule wants to know

	corpus [][]byte
	maps   []feature.Map // what any input reached: the measure
	known  []feature.Map // what inputs reached that can be kept: novelty. An earlier process's is rebuilt by its corpus
	bare   bool          // the next mutant is its parent as it is: someone else changes it
	seen   digests       // of traces that known holds
	covers bool          // coverage guides
	keeps  bool          // something guides
	tuples []*feature.Tuples
	rarity *feature.Rarity
	cands  *Candidates
	joint  feature.Joint
	length *lengths
	solve  *operands
	trim   trim

	// The step under way.
	flat    []byte
	next    int // the program to run next; Programs when none is left
	ops     []mutate.Op
	parent  int
	origin  origin
	newIn   []string
	cell    uint64 // see place
	placed  bool
	fresh   []pair // that the input was the first to reach, of a single program
	note    func(id uint32, bucket byte)
	pending bool
	mending bool // the mutant is being repaired
	mended  []mutate.Op
	patched bool  // the mutant replaces an operand
	telling bool  // what Config.Patching was told last
	started int64 // when the first program was run
	nanos   int64 // that the programs took
}

type origin int

const (
	mutant   origin = iota
	seed            // counted, judged and kept as any input; kept anyhow when nothing guides
	replayed        // executed to rebuild what is known: not counted, not reported, kept
	imported        // found by another worker: kept if new here
)

// Domains lists the sets that are measured whatever guides, in the order of Sink.Novel's index: the joint domains of
// the paper, and its unique discrepancies.
var Domains = []string{feature.PathCoarse, feature.PathFine, feature.Output, "discrepancy"}

const discrepancies = 3

// New returns an engine with an empty corpus.
func New(cfg Config, runner Runner, sink Sink) (*Engine, error) {
	sched, err := schedule.New(cfg.Schedule)
	if err != nil {
		return nil, err
	}
	guidance, err := feature.Parse(cfg.Guidance)
	if err != nil {
		return nil, err
	}
	lengths := newLengths(cfg.MaxLen)
	mut, err := mutate.New(mutate.Config{Shape: cfg.Shape, Set: cfg.Mutators, Dictionary: cfg.Dict, MaxLen: cfg.MaxLen})
	if err != nil {
		return nil, err
	}
	e := &Engine{
		cfg: cfg, runner: runner, sink: sink, schedule: sched, mut: mut,
		rand:   mutate.NewRand(cfg.Seed, cfg.Stream),
		rarity: feature.NewRarity(cfg.Programs, cfg.Blocks),
		cands:  NewCandidates(cfg.Programs, cfg.Blocks, cfg.Layers),
		maps:   cfg.Maps,
		length: lengths,
		next:   cfg.Programs,
	}
	e.mut.SetMaxLen(lengths.now)
	if schedule.ReadsClock(sched) {
		if e.now = cfg.Now; e.now == nil {
			start := time.Now()
			e.now = func() int64 { return int64(time.Since(start)) }
		}
	}
	for len(e.maps) < cfg.Programs {
		e.maps = append(e.maps, make(feature.Map, cfg.Blocks))
	}
	for p := 0; p < cfg.Programs; p++ { // Go 1.21 knows no other way
		e.known = append(e.known, make(feature.Map, cfg.Blocks))
	}
	e.joint.Obs = make([]judge.Observation, cfg.Programs)
	e.joint.Traces = make([]feature.Trace, cfg.Programs)
	for i := range e.joint.Traces {
		e.joint.Traces[i] = feature.NewTrace(cfg.Blocks)
	}
	e.note = func(id uint32, bucket byte) { e.fresh = append(e.fresh, pair{id, bucket}) }
	e.guide(guidance)
	e.solve = newOperands(&e.cfg)
	return e, nil
}

// guide sets up the domains. The three of the paper are always measured, unless there is one program only: joint
// behaviour needs two.
func (e *Engine) guide(guidance []string) {
	if e.cfg.Programs > 1 {
		e.tuples = []*feature.Tuples{
			{Name: feature.PathCoarse, Hash: feature.CoarseTuple},
			{Name: feature.PathFine, Hash: feature.FineTuple},
			{Name: feature.Output, Hash: feature.OutputTuple},
		}
	}
	for _, g := range guidance {
		if e.cfg.Programs == 1 && g != feature.Coverage && g != feature.Random {
			continue
		}
		pool := &feature.Pool{Free: e.cfg.Free}
		if pool.Free == 0 {
			pool.Free = feature.DefaultFree
		}
		e.keeps = e.keeps || g != feature.Random
		switch g {
		case feature.Coverage:
			e.covers = true
		case feature.PathCoarse:
			e.tuples[0].Pool = pool
		case feature.PathFine:
			e.tuples[1].Pool = pool
		case feature.Output:
			e.tuples[2].Pool = pool
		case feature.Reference:
			e.tuples = append(e.tuples, &feature.Tuples{Name: g, Hash: feature.ReferenceTuple(e.cfg.Reference), Pool: pool})
		case feature.PublishedCoarse:
			e.tuples = append(e.tuples, &feature.Tuples{Name: g, Hash: feature.PublishedCoarseTuple, Pool: pool})
		case feature.PublishedFine:
			e.tuples = append(e.tuples, &feature.Tuples{Name: g, Hash: feature.PublishedFineTuple, Pool: pool})
		}
	}
}

// Know marks a tuple of a domain as seen.
func (e *Engine) Know(domain int, hash uint64) {
	switch {
	case domain == discrepancies:
		e.cands.unique.Add(hash)
	case domain < len(e.tuples):
		d := e.tuples[domain]
		if d.Seen.Add(hash) && d.Pool != nil {
			d.Pool.Know()
		}
	}
}

// recall rebuilds what the pools knew when an input of the corpus was kept. Without it, a campaign that is resumed, or whose
// worker is replaced, would keep as much again as a new one.
func (e *Engine) recall() {
	for _, d := range e.tuples {
		if d.Pool != nil {
			d.Pool.Occupy(e.place())
		}
	}
}

// place is the cell of the input under way, the same for all domains and looked up once.
func (e *Engine) place() uint64 {
	if !e.placed {
		e.cell, e.placed = e.rarity.Cell(&e.joint), true
	}
	return e.cell
}

// Corpus returns the number of inputs kept.
func (e *Engine) Corpus() int { return len(e.corpus) }

// Diversity returns the number of tuples seen in a domain.
func (e *Engine) Diversity(domain int) int {
	switch {
	case domain == discrepancies:
		return e.cands.unique.Len()
	case domain >= len(e.tuples):
		return 0
	}
	return e.tuples[domain].Seen.Len()
}

// Joint returns what the last input did. It is valid until the next one.
func (e *Engine) Joint() *feature.Joint { return &e.joint }

// Seed executes an input that the user gave, or, as a replay, one that an earlier run kept. Replayed inputs are not
// counted, not reported, and kept.
func (e *Engine) Seed(flat []byte, replay bool) {
	o := seed
	if replay {
		o = replayed
	}
	e.begin(flat, o)
	e.Resume()
}

// Import executes an input that another worker kept.
func (e *Engine) Import(flat []byte) {
	e.begin(flat, imported)
	e.Resume()
}

// Fuzz executes one mutant.
func (e *Engine) Fuzz() {
	e.mutate()
	e.Resume()
}

func (e *Engine) mutate() {
	e.propose()
	e.pending, e.next = true, 0
	e.repair()
	e.start()
}

// propose makes the next mutant in e.flat.
func (e *Engine) propose() {
	e.origin, e.patched = mutant, false
	if e.trim.on {
		e.flat = e.trim.propose(e.cfg.Shape, e.flat)
		e.parent, e.ops, e.patched = e.trim.parent, trimOps, true
		return
	}
	if len(e.corpus) == 0 {
		e.parent = -1
		e.flat = e.mut.Fresh(e.rand, e.flat)
	} else if e.solve.turn() && e.replace() {
		e.patched, e.ops = true, operandOps
		return
	} else {
		e.parent = e.schedule.Next(e.rand)
		if e.bare {
			e.flat = append(e.flat[:0], e.corpus[e.parent]...)
			e.ops = customOps
			return
		}
		other := e.corpus[e.rand.Intn(len(e.corpus))]
		e.flat = e.mut.Mutate(e.rand, e.flat, e.corpus[e.parent], other)
	}
	e.ops = e.mut.Operators()
}

// repair has the user's function make the mutant valid. The result of trimming is what it was when it covered what it is
// kept for, and stays so.
func (e *Engine) repair() {
	if e.cfg.Repair == nil || e.trim.on && e.trim.last {
		return
	}
	e.mending = true
	repaired := e.cfg.Repair(e.flat)
	e.mending = false
	e.mend(repaired)
}

// mend puts a repaired mutant in the place of the mutant under way.
func (e *Engine) mend(repaired []byte) {
	if repaired == nil || bytes.Equal(repaired, e.flat) || e.solve.avoid[string(repaired)] {
		return
	}
	e.flat = append(e.flat[:0], repaired...)
	e.mended = append(append(e.mended[:0], e.ops...), mutate.OpRepair)
	e.ops = e.mended
}

// Unrepaired goes on with the mutant as it is when the function that repairs it has ended the goroutine. Resume follows.
func (e *Engine) Unrepaired() {
	if e.mending {
		e.mending = false
		e.start()
	}
}

func (e *Engine) begin(flat []byte, o origin) {
	e.pending, e.origin, e.next = true, o, 0
	e.patched = false
	e.flat = append(e.flat[:0], flat...)
	e.ops, e.parent = nil, -1
	e.start()
}

func (e *Engine) start() {
	if e.patched != e.telling && e.cfg.Patching != nil {
		e.telling = e.patched
		e.cfg.Patching(e.patched)
	}
	e.runner.Begin(e.flat)
	if e.now != nil {
		e.started = e.now()
	}
}

// Resume finishes the step under way, if there is one: after Abort it runs the remaining programs.
func (e *Engine) Resume() {
	if !e.pending {
		return
	}
	for e.next < e.cfg.Programs {
		p := e.next
		e.joint.Obs[p] = e.runner.Run(p, e.flat, &e.joint.Traces[p])
		e.next++
	}
	if e.now != nil {
		e.nanos = e.now() - e.started
	}
	e.pending = false
	e.finish()
}

// Abort ends the run under way with the given observation, when the goroutine that ran it is gone. The runner has
// filled the trace.
func (e *Engine) Abort(obs judge.Observation) {
	if e.pending && e.next < e.cfg.Programs {
		e.joint.Obs[e.next] = obs
		e.next++
	}
}
