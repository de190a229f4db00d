package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/original"
	"parallax/cmd/internal/model/scope"
	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// probe runs the original and the model for an engine, like the program kinds "original" and
// "model", and records reports and model coverage. It is an engine.Runner.
type probe struct {
	ctx    context.Context
	s      *subject
	row    *row
	steps  []original.Step // of paths in scope, by the row
	scope  *scope.Scope    // scope of the row by agreement; nil if it uses none
	around map[uint64]bool // later decisions about paths that samples did not reach
	budget int
	trial  int

	// The current input.
	call   call.Call
	run    original.Run
	asked  bool // the model will run
	counts []byte
	known  [2]feature.Map // blocks that inputs executed, if the model only runs on new ones

	executions int // of the original
	questions  int // runs of the model
	seen       map[string]bool
	reports    []finding
	details    map[string]*report
	measured   [2]measure // model coverage, by the paper's scope and by ours
	points     []point
	err        error
}

// finding is a report with its time.
type finding struct {
	ID string `json:"id"`
	At int    `json:"at"` // executions before it
}

// report is a deviation on one trace.
type report struct {
	Path     scope.Key  `json:"path"`
	Kind     scope.Kind `json:"kind"`
	Call     string     `json:"call"`
	Original string     `json:"original"`
	Model    string     `json:"model,omitempty"`
}

// point is model coverage after some executions: steps by the paper's scope, and by ours.
type point struct {
	At        int `json:"at"`
	Published int `json:"published"`
	Agreement int `json:"agreement"`
}

// measure tracks the covered steps of a scope.
type measure struct {
	steps []original.Step
	taken []bool
	n     int
}

func (m *measure) mark(trace []int) {
	step := original.Step{From: -1}
	for _, step.To = range trace {
		if k, there := slices.BinarySearchFunc(m.steps, step, original.Step.Compare); there && !m.taken[k] {
			m.taken[k] = true
			m.n++
		}
		step.From = step.To
	}
}

func newProbe(ctx context.Context, s *subject, r *row, budget int) *probe {
	p := &probe{ctx: ctx, s: s, row: r, budget: budget, around: map[uint64]bool{}, seen: map[string]bool{}, details: map[string]*report{}}
	for i, steps := range [][]original.Step{s.scopes.Published, s.scopes.Agreement} {
		p.measured[i] = measure{steps: steps, taken: make([]bool, len(steps))}
	}
	if r.scope == matching {
		p.steps = s.scopes.Published
	}
	return p
}

// blocks returns the maximum number of features of a program.
func (p *probe) blocks() int { return max(len(p.s.blocks), len(p.steps), 1) }

// start allocates counters once scope and steps are known.
func (p *probe) start() {
	p.counts = make([]byte, p.blocks())
	for i := range p.known {
		p.known[i] = make(feature.Map, p.blocks())
	}
}

// Begin implements engine.Runner.
func (p *probe) Begin([]byte) {}

// Run implements engine.Runner.
func (p *probe) Run(program int, flat []byte, t *feature.Trace) oracle.Observation {
	if program == 0 {
		return p.runOriginal(flat, t)
	}
	return p.runModel(t)
}

func (p *probe) runOriginal(flat []byte, t *feature.Trace) oracle.Observation {
	p.call = p.s.sig.Decode(flat)
	run, err := p.s.original.Run(p.call)
	if err != nil {
		p.err = err
		return oracle.Observation{Outcome: oracle.Declined}
	}
	p.run = run
	p.executed(run.Trace)
	for _, n := range run.Trace {
		if k, there := p.s.blocks[n]; there && p.counts[k] < 255 {
			p.counts[k]++
		}
	}
	p.fill(t)
	t.Length = uint64(len(run.Trace))
	p.asked = p.row.asks || p.known[0].Add(t) > 0
	if run.Undefined != "" {
		return oracle.Observation{Outcome: oracle.Declined}
	}
	return p.accepted(p.s.sig.Text(p.call, &run.Effect, p.s.by))
}

func (p *probe) accepted(text string) oracle.Observation {
	return oracle.Observation{Outcome: oracle.Accepted, Value: hashed(text)}
}

// executed counts a run of the original.
func (p *probe) executed(trace []int) {
	for i := range p.measured {
		p.measured[i].mark(trace)
	}
	p.executions++
	for len(p.points) < len(checkpoints) && p.executions >= checkpoints[len(p.points)] && checkpoints[len(p.points)] <= p.budget {
		p.point(checkpoints[len(p.points)])
	}
}

func (p *probe) point(at int) {
	p.points = append(p.points, point{at, p.measured[0].n, p.measured[1].n})
}

// checkpoints lists the numbers of executions at which model coverage is recorded.
var checkpoints = []int{10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000}

// fill moves the counters to a trace.
func (p *probe) fill(t *feature.Trace) {
	t.Reset()
	for k, n := range p.counts {
		if n > 0 {
			t.Hits, t.Counts = append(t.Hits, uint32(k)), append(t.Counts, n)
			t.Length += uint64(n)
			p.counts[k] = 0
		}
	}
	t.Seal()
}

// inScope reports whether the path of the current call is in scope, as far as known, and whether
// its steps are model coverage.
func (p *probe) inScope() (in, covers bool) {
	switch p.row.scope {
	case nothing:
		return true, false
	case matching: // edges of the model are instrumented for all paths; the checker decides by path
		e := p.s.scopes.find(p.run.Path)
		return e != nil && e.Published, true
	}
	e := p.scope.Find(p.run.Path)
	in = e == nil || e.InScope // nil: decided when the model deviates
	return in, in
}

func (p *probe) runModel(t *feature.Trace) oracle.Observation {
	t.Reset()
	if p.err != nil || p.run.Undefined != "" {
		return oracle.Observation{Outcome: oracle.Declined}
	}
	in, covers := p.inScope()
	if covers {
		step := original.Step{From: -1}
		for _, step.To = range p.run.Trace {
			if k, there := slices.BinarySearchFunc(p.steps, step, original.Step.Compare); there && p.counts[k] < 255 {
				p.counts[k]++
			}
			step.From = step.To
		}
		p.fill(t)
		p.asked = p.known[1].Add(t) > 0 || p.asked
	}
	said := p.s.sig.Text(p.call, &p.run.Effect, p.s.by)
	switch {
	case !in:
		return oracle.Observation{Outcome: oracle.Declined}
	case !p.asked:
		return p.accepted(said) // the input is not kept, so the model need not run
	}
	p.questions++
	answer, err := p.s.evaluate(p.ctx, p.call)
	if err != nil {
		p.err = err
		return oracle.Observation{Outcome: oracle.Declined}
	}
	kind := scope.Compare(p.s.sig, p.s.by, p.call, &p.run, &answer)
	switch kind {
	case scope.Agrees:
		return p.accepted(said)
	case scope.Wrong:
		text := p.s.sig.Text(p.call, &answer.Effect, p.s.by)
		p.report(kind, said, text)
		return p.accepted(text)
	case scope.Dropped:
		p.report(kind, said, "")
		return oracle.Observation{Outcome: oracle.Rejected}
	}
	return oracle.Observation{Outcome: oracle.Declined} // the model makes no wrong claim
}

// report records a deviation in scope, if it is the first of its kind on its trace. The run is
// invalid afterwards.
func (p *probe) report(kind scope.Kind, does, says string) {
	key, id := p.run.Path, traced(p.s.function, p.run.Trace, kind)
	if p.seen[id] {
		return
	}
	if p.scope != nil && p.scope.Find(key) == nil && !p.decide(key) {
		return
	}
	p.seen[id] = true
	p.reports = append(p.reports, finding{id, p.executions})
	p.details[id] = &report{Path: scope.Key(key), Kind: kind, Call: p.s.sig.Quote(p.call), Original: does, Model: says}
}

// decide decides about a path that no sample took, like parallax model.
func (p *probe) decide(key uint64) bool {
	in, known := p.around[key]
	if known {
		return in
	}
	found, err := scope.Around(p.ctx, p.s.original, p.counted, p.call, scope.Options{Seed: p.scopeSeed(), Proofs: p.s.scopes.proofs(), Beside: p.scope, Branch: p.s.model.Branch})
	if err != nil {
		p.err = err
		return false
	}
	in = found != nil && found.InScope
	p.around[key] = in
	return in
}

// traced hashes a trace of a function and the kind of the deviation.
func traced(function string, trace []int, kind scope.Kind) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %s", function, kind)
	for _, n := range trace {
		h.Write([]byte{byte(n), byte(n >> 8), byte(n >> 16)})
	}
	return fmt.Sprintf("%010x", h.Sum64()>>24)
}

func hashed(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64() | 1
}
