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
	"errors"
	"fmt"
	"slices"
	"time"

	"parallax/internal/adapt"
	"parallax/internal/diversity"
	"parallax/internal/feature"
	"parallax/internal/grammar"
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

// Engine runs the loop.
type Engine struct {
	cfg      Config
	runner   Runner
	sink     Sink
	rand     *mutate.Rand
	mut      *mutate.Mutator
	schedule schedule.Schedule
	shares   *adapt.Shares // nil unless the schedule needs yields
	now      func() int64  // nil unless the schedule needs the clock

	sources  source.Source
	trim     *source.Trim
	cmplog   *source.CmpLog   // nil means none
	operands *source.Operands // cmplog source for tapes
	draws    bool             // some inputs are fresh besides mutants, and estimators use them
	form     *grammar.Form    // makes texts of tapes; nil means that there is no grammar
	custom   bool             // the program's own mutator makes the next mutants

	corpus      source.Corpus
	kept        int           // bytes of the corpus and of the schedule's data about it
	maps        []feature.Map // coverage of all inputs, for reports
	known       []feature.Map // coverage of inputs that can be kept, for novelty; replays rebuild an earlier process's
	seen        digests       // of traces that known includes
	covers      []string      // guiding coverage domains: none or one
	guided      []string      // all guiding domains
	keeps       bool          // some domain guides
	adapts      bool          // domains with recent low yield keep less
	guidance    []string
	domains     []*feature.Novelty // all measured domains
	measured    []*feature.Novelty // those of them with features per input
	oracle      *feature.Novelty   // discrepancies; nil with a single program
	change      *impact.Index      // nil means that no change is known
	reached     []uint32           // buffer for newly executed changed blocks
	rarity      *feature.Rarity
	owners      *cellOwners     // nil unless a domain with CellOwners guides
	search      *feature.Domain // guidance with a Search; nil means none
	shapes      structures      // of the inputs that such a guidance keeps
	short       *shortest       // nil means that no input is kept for being short
	valid       []bool          // per corpus input: a program accepts it
	cands       *Candidates
	joint       feature.Joint
	length      *lengths
	repeat      repeat
	assemblages []diversity.Assemblage // of all programs together and, if there are several, of each
	recent      []uint64               // see seenRecently

	// The current step.
	step       *source.Step
	own        source.Step // for inputs that run one at a time
	next       int         // next program to run; Programs if none is left
	origin     origin
	newIn      []string
	blocks     int     // number of new blocks and hit-count buckets
	species    species // of its disagreement
	cell       uint64  // see place
	placed     bool
	first      []source.Pair // new blocks and buckets, for a single program
	note       func(id uint32, bucket byte)
	place      func() uint64
	pending    bool
	repairing  bool // the mutant is being repaired
	settled    bool // the current input is the drawn tape
	large      bool // the drawn tape is longer than inputs may be
	confined   bool // large inputs are not seeds
	batched    bool // the current inputs are a batch and have run
	tape       []byte
	determined bool // last argument of Config.Determined
	started    int64
	nanos      int64 // execution time of the programs
	usual      schedule.UsualCost
}

type origin int

const (
	mutant   origin = iota
	seed            // counted, evaluated and kept as any input; always kept when nothing guides
	replayed        // executed to rebuild the state: not counted, not reported, kept
	imported        // found by another worker: kept if new here
	repeated        // executed a second time: see repeat
)

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
	e := &Engine{
		cfg: cfg, runner: runner, sink: sink, mut: mut,
		rand:   mutate.NewRand(cfg.Seed, cfg.Stream),
		rarity: feature.NewRarity(cfg.Programs, cfg.Blocks),
		cands:  NewCandidates(cfg.Programs, cfg.Blocks, cfg.Layers),
		maps:   cfg.Maps,
		length: newLengths(cfg.MaxBytes),
		next:   cfg.Programs,
	}
	index := impact.NewIndex(&cfg.Impact, cfg.Blocks)
	if row.Needs&schedule.Impact != 0 && index == nil {
		return nil, fmt.Errorf("schedule %s goes by a change, and none is known", row.Name)
	}
	if row.Needs&schedule.Clock != 0 {
		if e.now = cfg.Now; e.now == nil {
			start := time.Now()
			e.now = func() int64 { return int64(time.Since(start)) }
		}
	}
	e.change = index
	environment := schedule.Environment{
		Programs: cfg.Programs, Blocks: cfg.Blocks, Weights: cfg.Weights, Domains: guidance, Impact: index, Now: e.now,
	}
	if row.Needs&schedule.Yields != 0 {
		e.shares = adapt.New(mutate.Weights())
		e.mut.Adapt(&e.shares.Operators)
		environment.Arms = &e.shares.Seeds
	}
	e.schedule = row.New(environment)
	e.step = &e.own
	e.mut.SetMaxLen(e.length.now)
	for len(e.maps) < cfg.Programs {
		e.maps = append(e.maps, make(feature.Map, cfg.Blocks))
	}
	for p := 0; p < cfg.Programs; p++ { // Go 1.21 knows no other way
		e.known = append(e.known, make(feature.Map, cfg.Blocks))
	}
	e.joint.Obs = make([]oracle.Observation, cfg.Programs)
	e.joint.Traces = make([]feature.Trace, cfg.Programs)
	for i := range e.joint.Traces {
		e.joint.Traces[i] = feature.NewTrace(cfg.Blocks)
	}
	e.assemblages = newAssemblages(&cfg)
	e.note = func(id uint32, bucket byte) { e.first = append(e.first, source.Pair{ID: id, Bucket: bucket}) }
	e.place = e.currentCell
	e.guidance = guidance
	if e.search = feature.SearchOf(guidance); e.search != nil && !cfg.Tapes && cfg.Grammar == "" {
		return nil, fmt.Errorf("guidance %s goes by the choices of a generator or grammar, and there is none", e.search.Name)
	}
	if e.search != nil && e.search.Search.Guides && cfg.Guide == nil {
		return nil, fmt.Errorf("guidance %s makes the choices of a generator while it draws, and this one cannot be asked", e.search.Name)
	}
	e.guide(guidance, index)
	if e.owners != nil {
		e.schedule = &cellSchedule{Schedule: e.schedule, owners: e.owners}
	}
	if err := e.setGrammar(cfg.Grammar); err != nil {
		return nil, err
	}
	e.shapes.form = e.form
	e.compose()
	return e, nil
}

// setGrammar makes inputs texts of a grammar, if there is one.
func (e *Engine) setGrammar(text string) error {
	switch {
	case text == "":
		return nil
	case e.cfg.Tapes:
		return errors.New("inputs are drawn by a generator: a grammar cannot make them")
	case !e.cfg.Shape.Raw():
		return fmt.Errorf("a grammar makes one text, and an input is %s", e.cfg.Shape)
	}
	g, err := grammar.Parse("grammar", text)
	if err != nil {
		return err
	}
	if e.form, err = g.Fitting(e.cfg.MaxBytes); err != nil {
		return err
	}
	return nil
}

// NeedsSets reports whether an engine with that guidance and schedule reads feature.Trace.Set of a
// single program.
func NeedsSets(guidance []string, name string) bool {
	row, err := schedule.Find(name)
	parsed, _ := feature.Parse(guidance)
	return err == nil && row.Needs&schedule.Sets != 0 || feature.NeedsOf(parsed)&feature.Sets != 0
}

// guide sets up the guiding domains, and those that are always measured.
func (e *Engine) guide(guidance []string, index *impact.Index) {
	s := feature.Setting{Programs: e.cfg.Programs, Blocks: e.cfg.Blocks, Reference: max(0, slices.Index(e.cfg.Names, e.cfg.Reference))}
	if index != nil {
		s.Segments = index.Features
	}
	s.Layers, s.Costs = e.cfg.Layers, e.cfg.Layers&oracle.CostLayer != 0
	for _, d := range feature.Table {
		guides := slices.Contains(guidance, d.Name) && d.Fits(e.cfg.Programs)
		e.adapts = e.adapts || guides && d.Adapts
		e.keeps = e.keeps || guides && !d.KeepsOnlySeeds && !d.Adapts
		if guides {
			e.guided = append(e.guided, d.Name)
		}
		if guides && d.Blocks {
			e.covers = append(e.covers, d.Name)
		}
		if guides && d.CellOwners {
			e.owners = newCellOwners(e.cfg.Programs)
		}
		if !d.Measured(e.cfg.Programs, guides) || d.Measure == nil && !d.Oracle {
			continue
		}
		n := feature.NewNovelty(d, s, guides, e.cfg.PoolSize)
		e.domains = append(e.domains, n)
		if d.Oracle {
			e.oracle = n
			n.Seen = &e.cands.unique
		} else {
			e.measured = append(e.measured, n)
		}
	}
}

// SetWords replaces the words from the programs' outputs, which mutants use besides the dictionary.
func (e *Engine) SetWords(words [][]byte) { e.mut.SetWords(words) }

// AllowAgain makes one more failure of a class, as in FailureClass, a candidate.
func (e *Engine) AllowAgain(class uint64) { e.cands.AllowAgain(class) }

// MarkSeen marks a feature as seen in the domain with that number.
func (e *Engine) MarkSeen(domain int, hash uint64) {
	if domain == feature.TraceNumber {
		e.restoreTrace(hash)
	} else if n := e.domain(domain); n != nil {
		n.MarkSeen(hash)
	}
}

// Sample makes the domain with that number a sample of one feature in 2^level. Call it before
// MarkSeen of these features.
func (e *Engine) Sample(domain int, level uint8) {
	if n := e.domain(domain); n != nil {
		n.Sample(level)
	}
}

// MemoryBytes returns a bound of the engine's own memory: its sets and its corpus. It excludes
// shared memory, and memory whose size depends only on the programs.
func (e *Engine) MemoryBytes() int {
	n := 2 * e.kept // slices grow, and outgrown ones stay until they are collected
	for _, d := range e.domains {
		n += d.Bytes()
	}
	for i := range e.assemblages {
		n += e.assemblages[i].Traces.Bytes()
	}
	return n + e.cands.bytes()
}

// Diversity returns the number of features seen in the domain with that number. For a sample it is
// an estimate.
func (e *Engine) Diversity(domain int) int {
	if n := e.domain(domain); n != nil {
		return n.Seen.Len()
	}
	return 0
}

func (e *Engine) domain(number int) *feature.Novelty {
	for _, n := range e.domains {
		if n.Number == number && number >= 0 {
			return n
		}
	}
	return nil
}

// currentCell returns the cell of the current input. It is equal for all domains and computed once.
func (e *Engine) currentCell() uint64 {
	if !e.placed {
		e.cell, e.placed = e.rarity.Cell(&e.joint), true
	}
	return e.cell
}

// Corpus returns the number of inputs kept.
func (e *Engine) Corpus() int { return len(e.corpus) }

// Joint returns the last input's results. They are valid until the next input.
func (e *Engine) Joint() *feature.Joint { return &e.joint }

// Seed executes an input of the user's.
func (e *Engine) Seed(flat []byte) {
	e.begin(flat, seed)
	e.Resume()
}

// Fuzz executes one mutant.
func (e *Engine) Fuzz() {
	e.mutate()
	e.Resume()
}

func (e *Engine) mutate() {
	e.origin = mutant
	e.propose(e.step)
	e.pending, e.next = true, 0
	e.repair()
	e.start()
}

// repair calls the user's function to make the mutant valid.
func (e *Engine) repair() {
	if e.cfg.Repair == nil || e.step.Fixed {
		return
	}
	e.repairing = true
	repaired := e.cfg.Repair(e.step.Flat)
	e.repairing = false
	e.applyRepair(e.step, repaired)
}

// applyRepair replaces the mutant by the repaired one.
func (e *Engine) applyRepair(s *source.Step, flat []byte) {
	if flat == nil || bytes.Equal(flat, s.Flat) || e.cmplog != nil && e.cmplog.Deadly(flat) {
		return
	}
	s.Flat = append(s.Flat[:0], flat...)
	s.Ops = append(s.Ops, mutate.OpRepair)
}

// Unrepaired continues with the unrepaired mutant after the repair function has ended the
// goroutine. Call Resume next.
func (e *Engine) Unrepaired() {
	if e.repairing {
		e.repairing = false
		e.start()
	}
}

func (e *Engine) begin(flat []byte, o origin) {
	e.pending, e.origin, e.next = true, o, 0
	e.step.Reset()
	e.step.Flat = append(e.step.Flat[:0], flat...)
	e.start()
}

func (e *Engine) start() {
	if on := e.step.Determined; on != e.determined && e.cfg.Determined != nil {
		e.determined = on
		e.cfg.Determined(on)
	}
	e.runner.Begin(e.step.Flat)
	if e.now != nil {
		e.started = e.now()
	}
}

// Resume finishes the current step, if there is one. After Abort it runs the remaining programs.
func (e *Engine) Resume() {
	if !e.pending {
		return
	}
	for e.next < e.cfg.Programs {
		p := e.next
		e.joint.Obs[p] = e.runner.Run(p, e.step.Flat, &e.joint.Traces[p])
		e.next++
	}
	if e.now != nil {
		e.nanos = e.now() - e.started
	}
	e.pending = false
	e.finish()
}

// Abort ends the current run with the given observation, after its goroutine has ended. The runner
// has filled the trace.
func (e *Engine) Abort(obs oracle.Observation) {
	if e.pending && e.next < e.cfg.Programs {
		e.joint.Obs[e.next] = obs
		e.next++
	}
}
