// Package engine runs the fuzzing loop: choose a seed, mutate it, run every program on the mutant,
// observe, evaluate, keep or report. It owns the corpus in memory and the order of events, and no
// policy. Packages source, feature and oracle decide the next input, what counts as new, and what
// counts as a disagreement.
//
// The loop is NEZHA's Algorithm 1 (Petsios et al., S&P 2017) with one addition. A disagreement
// becomes a candidate only when it shows something that earlier ones did not (see Candidates).
//
// Invariants: with one engine, a random seed and the same programs, the sequence of inputs repeats
// exactly. Executing an input does not allocate unless the input is kept or reported. An Engine
// belongs to one goroutine at a time. A program may end that goroutine, and another one then
// continues: see Abort.
package engine

import (
	"bytes"
	"fmt"

	"parallax/internal/adapt"
	"parallax/internal/diversity"
	"parallax/internal/feature"
	"parallax/internal/impact"
	"parallax/internal/input"
	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/policy"
	"parallax/internal/schedule"
	"parallax/internal/source"
)

// Runner executes programs.
type Runner interface {
	// Begin announces the input of the next runs.
	Begin(flat []byte)
	// Run executes the input on a program, fills the trace and returns the observation.
	Run(program int, flat []byte, t *feature.Trace) oracle.Observation
}

// Config configures an engine.
type Config struct {
	policy.Setup
	Shape    input.Shape
	Programs int
	Names    []string      // of the programs; nil if they have none
	Blocks   int           // counters of one program
	Weights  [][]float64   // of blocks, for schedules that need them: see schedule.Environment
	Maps     []feature.Map // coverage, one map per program; nil means that New allocates them
	// Diversity holds the branch counts, as diversity.Split returns them. Nil means that New
	// allocates them.
	Diversity []diversity.Record
	// Claim claims a trace by its key. first reports that no other engine of the campaign has
	// counted it. valid reports that none has counted it for a valid input, if the key is of a
	// valid one. Nil means that there is no other engine. Traces whose hash begins with fewer zero
	// bits than level are not claimed any more.
	Claim func(key uint64, level uint8) (first, valid bool)
	// Determined is called when inputs begin to be determined (source.Step), and when that ends. It
	// may be nil.
	Determined func(bool)
	// Repair makes a mutant valid before it is executed, with the user's function. Its result
	// replaces the mutant, and nil leaves it unchanged. A nil Repair repairs nothing. It may end
	// the goroutine: see Unrepaired.
	Repair func(flat []byte) []byte
	// Drawn appends the tape that a generator drew for the input that has run last. That tape is
	// kept or reported. If it appends nothing, the input stays unchanged. Nil means that there is
	// no generator.
	Drawn func(b, flat []byte) []byte
	Tapes bool // inputs are encoded tapes
	// Guide makes a generator ask for choices while it draws, for an empty tape: see tape.Guide.
	// Nil means that this is impossible.
	Guide       func(choose func(site uint32, state, bound uint64) (value uint64, ok bool), chosen func(site uint32, state, value uint64))
	Comparisons source.Comparisons // for the cmplog source; nil means none
	// Sources are asked for inputs first, in order: a generator, for example.
	Sources []source.Source
	// Ignored reports whether a disagreement of programs that do not fail is intended. It may run
	// the programs. Nil means that none is.
	Ignored func(flat []byte) bool
	Now     func() int64 // nanoseconds, for schedules that need it; nil means the machine's clock
}

// Engine runs the loop. Its parts have their own state. The engine hands them the current input in
// a fixed order, and decides from their answers whether the input joins the corpus.
type Engine struct {
	cfg      Config
	runner   Runner
	sink     Sink
	rand     *mutate.Rand
	mut      *mutate.Mutator
	schedule schedule.Schedule
	shares   *adapt.Shares // nil unless the schedule needs yields

	execution  execution
	determined bool // last argument of Config.Determined
	clock      clock
	drawing    drawing
	repeat     repeat
	usual      schedule.UsualCost

	sources sources
	search  search
	length  *lengths
	numbers *magnitudes
	corpus  corpus

	coverage   *coverage
	novelty    *novelty
	candidates *Candidates
	behavior   behavior
	shown      []uint64 // see show
}

// New returns an engine with an empty corpus.
func New(cfg Config, runner Runner, sink Sink) (*Engine, error) {
	row, err := schedule.Find(cfg.Schedule)
	if err != nil {
		return nil, err
	}
	guidance, err := feature.Parse(cfg.Guidance)
	if err != nil {
		return nil, err
	}
	if cfg.Tapes {
		cfg.MaxBytes = max(cfg.MaxBytes, cfg.MaxTape)
	}
	mut, err := mutate.New(mutate.Config{Shape: cfg.Shape, Set: cfg.Mutators, Dictionary: cfg.Dict, MaxLen: cfg.MaxBytes})
	if err != nil {
		return nil, err
	}
	index := impact.NewIndex(&cfg.Impact, cfg.Blocks)
	if row.Needs&schedule.Impact != 0 && index == nil {
		return nil, fmt.Errorf("schedule %s goes by a change, and none is known", row.Name)
	}
	search, err := newSearch(&cfg, guidance)
	if err != nil {
		return nil, err
	}
	e := &Engine{
		cfg: cfg, runner: runner, sink: sink, mut: mut, search: search,
		rand:       mutate.NewRand(cfg.Seed, cfg.Stream),
		drawing:    drawing{drawn: cfg.Drawn, maxBytes: cfg.MaxBytes},
		length:     newLengths(cfg.MaxBytes),
		numbers:    newMagnitudes(cfg.Shape),
		coverage:   newCoverage(&cfg, guidance, index),
		candidates: NewCandidates(cfg.Programs, cfg.Blocks, cfg.Layers),
		behavior:   newBehavior(&cfg),
	}
	e.execution.init(cfg.Programs, cfg.Blocks)
	e.execution.shows = cfg.Shows
	e.novelty = newNovelty(&cfg, guidance, index, &e.execution.joint, &e.candidates.unique)
	if row.Needs&schedule.Clock != 0 {
		e.clock = newClock(cfg.Now)
	}
	environment := schedule.Environment{
		Programs: cfg.Programs, Blocks: cfg.Blocks, Weights: cfg.Weights, Domains: guidance, Impact: index, Now: e.clock.now,
		Budget:    schedule.Budget{Nanos: cfg.BudgetNanos, Inputs: cfg.BudgetInputs},
		HandsOver: cfg.Follows(policy.Responsibilities), ValidOnly: cfg.Follows(policy.ValidCoverage),
	}
	if row.Needs&schedule.Yields != 0 {
		e.shares = adapt.New(mutate.Weights(cfg.Mutators))
		e.novelty.shares = e.shares
		e.mut.Adapt(&e.shares.Operators)
		environment.Arms = &e.shares.Seeds
	}
	if e.schedule = row.New(environment); e.novelty.owners != nil {
		e.schedule = &cellSchedule{Schedule: e.schedule, owners: e.novelty.owners}
	}
	e.mut.SetMaxLen(e.length.now)
	for _, flat := range cfg.Deadly {
		e.numbers.costly(flat, e.mut.LimitMagnitude)
	}
	e.compose()
	return e, nil
}

// NeedsSets reports whether an engine with that guidance and schedule reads feature.Trace.Set of a
// single program.
func NeedsSets(guidance []string, name string) bool {
	row, err := schedule.Find(name)
	parsed, _ := feature.Parse(guidance)
	return err == nil && row.Needs&schedule.Sets != 0 || feature.NeedsOf(parsed)&feature.Sets != 0
}

// SetWords replaces the words from the programs' outputs, which mutants use besides the dictionary.
func (e *Engine) SetWords(words [][]byte) { e.mut.SetWords(words) }

// AllowAgain makes one more failure of a class, as in FailureClass, a candidate.
func (e *Engine) AllowAgain(class uint64) { e.candidates.AllowAgain(class) }

// MarkSeen marks a feature as seen in the domain with that number.
func (e *Engine) MarkSeen(domain int, hash uint64) {
	if domain == feature.TraceNumber {
		e.behavior.restore(hash)
	} else if d := e.novelty.domain(domain); d != nil {
		d.MarkSeen(hash)
	}
}

// Sample makes the domain with that number a sample of one feature in 2^level. Call it before
// MarkSeen of these features.
func (e *Engine) Sample(domain int, level uint8) {
	if d := e.novelty.domain(domain); d != nil {
		d.Sample(level)
	}
}

// MemoryBytes returns a bound of the engine's own memory: its sets and its corpus. It excludes
// shared memory, and memory whose size depends only on the programs.
func (e *Engine) MemoryBytes() int {
	// Slices grow, and outgrown ones stay until they are collected.
	return 2*e.corpus.bytes + e.novelty.bytes() + e.behavior.bytes() + e.candidates.bytes()
}

// Diversity returns the number of features seen in the domain with that number. For a sample it is
// an estimate.
func (e *Engine) Diversity(domain int) int {
	if d := e.novelty.domain(domain); d != nil {
		return d.Seen.Len()
	}
	return 0
}

// Corpus returns the number of inputs kept.
func (e *Engine) Corpus() int { return len(e.corpus.inputs) }

// Joint returns the last input's results. They are valid until the next input.
func (e *Engine) Joint() *feature.Joint { return &e.execution.joint }

// Seed executes an input of the user's.
func (e *Engine) Seed(flat []byte) { e.execute(flat, nil, seed) }

// execute executes a given input. known are the domains that an earlier process kept it for.
func (e *Engine) execute(flat []byte, known []string, o origin) {
	e.execution.load(flat)
	e.execution.step.Known = known
	e.execution.begin(o)
	e.start()
	e.Resume()
}

// Fuzz executes one mutant.
func (e *Engine) Fuzz() {
	e.mutate()
	e.Resume()
}

func (e *Engine) mutate() {
	e.sources.propose(e.execution.step)
	e.execution.begin(mutant)
	e.repair()
	e.start()
}

// repair calls the user's function to make the mutant valid.
func (e *Engine) repair() {
	x := &e.execution
	if e.cfg.Repair == nil || x.step.Fixed {
		return
	}
	x.repairing = true
	repaired := e.cfg.Repair(x.step.Flat)
	x.repairing = false
	e.applyRepair(x.step, repaired)
}

// applyRepair replaces the mutant by the repaired one.
func (e *Engine) applyRepair(s *source.Step, flat []byte) {
	if flat == nil || bytes.Equal(flat, s.Flat) || e.sources.deadly(flat) {
		return
	}
	s.Flat = append(s.Flat[:0], flat...)
	s.Ops = append(s.Ops, mutate.OpRepair)
}

// Unrepaired continues with the unrepaired mutant after the repair function has ended the
// goroutine. Call Resume next.
func (e *Engine) Unrepaired() {
	if e.execution.repairing {
		e.execution.repairing = false
		e.start()
	}
}

func (e *Engine) start() {
	s := e.execution.step
	if on := s.Determined; on != e.determined && e.cfg.Determined != nil {
		e.determined = on
		e.cfg.Determined(on)
	}
	e.runner.Begin(s.Flat)
	e.clock.start()
}

// Resume finishes the current step, if there is one. After Abort it runs the remaining programs.
func (e *Engine) Resume() {
	if !e.execution.pending {
		return
	}
	e.execution.run(e.runner)
	e.clock.stop(1)
	e.finish()
}

// Abort ends the current run with the given observation, after its goroutine has ended. The runner
// has filled the trace.
func (e *Engine) Abort(obs oracle.Observation) { e.execution.abort(obs) }
