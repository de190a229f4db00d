// Package engine is the loop: choose a seed, mutate it, run every program on the mutant, observe, evaluate, keep or
// report. It owns the corpus in memory and the order of events, and no policy: which input comes next, what counts as new
// and what counts as a disagreement belong to packages source, feature and oracle.
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
	// Begin announces the input that the next runs execute.
	Begin(flat []byte)
	// Run executes the input on a program, fills the trace and returns what the program did.
	Run(program int, flat []byte, t *feature.Trace) oracle.Observation
}

// Config is what an engine works with: what it was told, and what runs beside it.
type Config struct {
	policy.Setup
	Shape    input.Shape
	Programs int
	Names    []string      // of the programs; nil if nothing is told of one by its name
	Blocks   int           // counters a program can hit
	Weights  [][]float64   // of blocks, for schedules that want them: see schedule.Environment
	Maps     []feature.Map // coverage, one map a program; nil: allocated here
	// Diversity is what is counted of branches, as diversity.Split has it; nil: allocated here.
	Diversity []diversity.Record
	// Claim takes a trace by its key, and reports whether no other engine of the campaign has counted it, and whether none has as one of a valid
	// input, if the key says that it is; nil: there is no other. Traces whose hash begins with fewer zero bits than level are not asked for any more.
	Claim func(key uint64, level uint8) (first, valid bool)
	// Determined is told when inputs begin to be determined (source.Step), and when that ends; nil: nobody is.
	Determined func(bool)
	// Repair makes a mutant valid, as far as the user knows how, before it is executed: what it returns takes the mutant's
	// place, nil leaves it. Nil: nothing is repaired. It may end the goroutine: see Unrepaired.
	Repair func(flat []byte) []byte
	// Drawn appends the tape that a generator drew of an input, the one that has run last: what is kept or reported is what was drawn. Where
	// it appends nothing, inputs stay as they are. Nil: there is no generator.
	Drawn func(b, flat []byte) []byte
	Tapes bool // inputs are encoded tapes
	// Guide has a generator ask for choices while it draws, where the input is a tape without any: see tape.Guide. Nil: it cannot.
	Guide       func(choose func(site uint32, state, bound uint64) (value uint64, ok bool), chosen func(site uint32, state, value uint64))
	Comparisons source.Comparisons // for the cmplog source; nil: there is none
	// Sources are asked for inputs before any other, in order: a generator, for example.
	Sources []source.Source
	// Ignored tells whether a disagreement on an input, of programs that do not fail, is intended; nil: none is. It may run the programs.
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
	shares   *adapt.Shares // nil unless the schedule wants to know what inputs yield
	now      func() int64  // nil unless the schedule wants to know

	sources  source.Source
	trim     *source.Trim
	cmplog   *source.CmpLog   // nil: there is none
	operands *source.Operands // the same for tapes
	draws    bool             // a share of the inputs is drawn from nothing beside mutants: estimators take these
	form     *grammar.Form    // makes texts of tapes; nil: there is no grammar
	custom   bool             // the next mutants are made by the program's own mutator

	corpus   source.Corpus
	kept     int           // bytes of the corpus, with what schedules remember of it
	maps     []feature.Map // what any input reached: the measure
	known    []feature.Map // what inputs reached that can be kept: novelty. An earlier process's is rebuilt by its corpus
	seen     digests       // of traces that known holds
	covers   []string      // the domains that guide by coverage: none or one
	guided   []string      // all domains that guide
	keeps    bool          // something guides
	adapts   bool          // domains keep less that lately yielded little
	guidance []string
	domains  []*feature.Novelty // all that are measured
	measured []*feature.Novelty // those of them with features of each input
	oracle   *feature.Novelty   // discrepancies; nil with a single program
	change   *impact.Index      // nil: none is known
	reached  []uint32           // room for what an input is the first to execute of it
	rarity   *feature.Rarity
	heirs    *heirs          // nil unless a domain with heirs guides
	search   *feature.Domain // the guidance with a Search; nil: none
	shapes   structures      // of the inputs that such a guidance keeps
	short    *shortest       // nil: nothing is kept for being short
	valid    []bool          // whether a program accepts them, of the corpus
	cands    *Candidates
	joint    feature.Joint
	length   *lengths
	repeat   repeat
	places   []diversity.Assemblage // the branches of all programs together and, if there are several, of each behind it
	recent   []uint64               // see recently

	// The step under way.
	step      *source.Step
	own       source.Step // that of inputs that run one at a time
	next      int         // the program to run next; Programs when none is left
	origin    origin
	newIn     []string
	blocks    int     // that it was the first to reach, and counts of hits
	species   species // of its disagreement
	cell      uint64  // see place
	placed    bool
	first     []source.Pair // that the input was the first to reach, of a single program
	note      func(id uint32, bucket byte)
	place     func() uint64
	pending   bool
	repairing bool // the mutant is being repaired
	settled   bool // the input under way is what a generator drew
	large     bool // what it drew is longer than inputs may be
	confined  bool // large inputs are no seeds
	batched   bool // the inputs under way are a batch, and have run
	tape      []byte
	telling   bool // what Config.Determined was told last
	started   int64
	nanos     int64 // that the programs took
	usual     schedule.UsualCost
}

type origin int

const (
	mutant   origin = iota
	seed            // counted, evaluated and kept as any input; kept anyhow when nothing guides
	replayed        // executed to rebuild what is known: not counted, not reported, kept
	imported        // found by another worker: kept if new here
	again           // executed a second time: see repeat
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
	e.places = newPlaces(&cfg)
	e.note = func(id uint32, bucket byte) { e.first = append(e.first, source.Pair{ID: id, Bucket: bucket}) }
	e.place = e.cellOf
	e.guidance = guidance
	if e.search = feature.SearchOf(guidance); e.search != nil && !cfg.Tapes && cfg.Grammar == "" {
		return nil, fmt.Errorf("guidance %s goes by the choices of a generator or grammar, and there is none", e.search.Name)
	}
	if e.search != nil && e.search.Search.Guides && cfg.Guide == nil {
		return nil, fmt.Errorf("guidance %s makes the choices of a generator while it draws, and this one cannot be asked", e.search.Name)
	}
	e.guide(guidance, index)
	if e.heirs != nil {
		e.schedule = &succession{Schedule: e.schedule, heirs: e.heirs}
	}
	if err := e.speak(cfg.Grammar); err != nil {
		return nil, err
	}
	e.shapes.form = e.form
	e.compose()
	return e, nil
}

// speak has inputs made of a grammar, if there is one.
func (e *Engine) speak(text string) error {
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

// NeedsSets reports whether an engine with that guidance and schedule reads feature.Trace.Set of a single program.
func NeedsSets(guidance []string, name string) bool {
	row, err := schedule.Find(name)
	parsed, _ := feature.Parse(guidance)
	return err == nil && row.Needs&schedule.Sets != 0 || feature.NeedsOf(parsed)&feature.Sets != 0
}

// guide sets up the domains, those that guide and those that are measured whatever guides.
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
			e.heirs = newHeirs(e.cfg.Programs)
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

// Hear replaces the words that the programs have said, which mutants are made of beside the dictionary.
func (e *Engine) Hear(words [][]byte) { e.mut.SetWords(words) }

// Owe makes one more failure of a class, as FailureClass has it, a candidate.
func (e *Engine) Owe(class uint64) { e.cands.Owe(class) }

// Know marks a feature as seen, in the domain with that number.
func (e *Engine) Know(domain int, hash uint64) {
	if domain == feature.TraceNumber {
		e.knowTrace(hash)
	} else if n := e.domain(domain); n != nil {
		n.MarkSeen(hash)
	}
}

// Sample has the engine know one feature in 2^level of the domain with that number. It comes before these features.
func (e *Engine) Sample(domain int, level uint8) {
	if n := e.domain(domain); n != nil {
		n.Sample(level)
	}
}

// Held bounds the bytes that the engine holds for itself: what it has seen, and its corpus. What lies in memory that is shared, or is of
// the same size in each campaign of the programs, is not part of it.
func (e *Engine) Held() int {
	n := 2 * e.kept // slices grow, and what they have outgrown stays until it is collected
	for _, d := range e.domains {
		n += d.Bytes()
	}
	for i := range e.places {
		n += e.places[i].Traces.Bytes()
	}
	return n + e.cands.bytes()
}

// Diversity returns the number of features seen in the domain with that number, an estimate where they are a sample.
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

// cellOf is the cell of the input under way, the same for all domains and looked up once.
func (e *Engine) cellOf() uint64 {
	if !e.placed {
		e.cell, e.placed = e.rarity.Cell(&e.joint), true
	}
	return e.cell
}

// Corpus returns the number of inputs kept.
func (e *Engine) Corpus() int { return len(e.corpus) }

// Joint returns what the last input did. It is valid until the next one.
func (e *Engine) Joint() *feature.Joint { return &e.joint }

// Seed executes an input that the user gave.
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

// repair has the user's function make the mutant valid.
func (e *Engine) repair() {
	if e.cfg.Repair == nil || e.step.Fixed {
		return
	}
	e.repairing = true
	repaired := e.cfg.Repair(e.step.Flat)
	e.repairing = false
	e.repaired(e.step, repaired)
}

// repaired puts a repaired mutant in the place of the mutant.
func (e *Engine) repaired(s *source.Step, flat []byte) {
	if flat == nil || bytes.Equal(flat, s.Flat) || e.cmplog != nil && e.cmplog.Deadly(flat) {
		return
	}
	s.Flat = append(s.Flat[:0], flat...)
	s.Ops = append(s.Ops, mutate.OpRepair)
}

// Unrepaired goes on with the mutant as it is when the function that repairs it has ended the goroutine. Resume follows.
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
	if on := e.step.Determined; on != e.telling && e.cfg.Determined != nil {
		e.telling = on
		e.cfg.Determined(on)
	}
	e.runner.Begin(e.step.Flat)
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
		e.joint.Obs[p] = e.runner.Run(p, e.step.Flat, &e.joint.Traces[p])
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
func (e *Engine) Abort(obs oracle.Observation) {
	if e.pending && e.next < e.cfg.Programs {
		e.joint.Obs[e.next] = obs
		e.next++
	}
}
