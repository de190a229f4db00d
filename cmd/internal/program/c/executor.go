package c

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/cbuild/clang"
	"parallax/cmd/internal/program"
	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Executor runs a C or C++ program: the fuzzed build, and the build with sanitizers for a share of
// the inputs.
type Executor struct {
	name         string
	n            *Variants
	run          *Program
	sanitized    *Program // the build with sanitizers, once needed
	first        uint32   // number of its first block
	results      []Result
	pending      []pending
	sample       sample
	frames       *symbols
	mutatorError string // the problem of the program's own mutator

	sanitizerError string // why the build with sanitizers is not used any more
	later          pendingBuilds
	waiting        pendingInputs
}

var (
	_ program.Tracer   = (*Executor)(nil)
	_ program.Blocks   = (*Executor)(nil)
	_ program.Detailer = (*Executor)(nil)
	_ program.Noter    = (*Executor)(nil)
	_ program.Mutator  = (*Executor)(nil)
	_ program.CmpLog   = (*Executor)(nil)
)

// pending fills a trace with the blocks of a result on demand.
type pending struct {
	r     *Result
	first uint32
}

// Fill implements feature.Lazy.
func (p *pending) Fill(t *feature.Trace) { p.r.Trace(t, p.first) }

func openVariants(ctx context.Context, o program.Opening, settings json.RawMessage) (program.Executor, error) {
	n := &Variants{}
	if err := json.Unmarshal(settings, n); err != nil {
		return nil, err
	}
	n.MaxInput = o.MaxInput
	(&pendingBuilds{n: n}).poll()
	if o.Ordered {
		n.Order = n.Ordered
	}
	g, err := openBuild(ctx, o.Name, n)
	if n.Order && o.Counters != nil && ctx.Err() == nil {
		// If the build with the order has other blocks, the program itself runs.
		if err == nil {
			if slices.EqualFunc(g.Regions(), o.Counters, func(r program.Region, counters int) bool { return r.Counters == counters }) {
				return g, nil
			}
			g.Close()
		}
		n.Order = false // there is no such build
		g, err = openBuild(ctx, o.Name, n)
	}
	if err != nil {
		return nil, err // a nil *Executor is not a nil program.Executor
	}
	return g, nil
}

func openBuild(ctx context.Context, name string, n *Variants) (*Executor, error) {
	c := n.Config
	c.Name, c.Leaks = name, n.Sanitize == "" // the user's build may have sanitizers
	if n.Order {
		c.Path, c.Build = n.CmpLog, "operands"
	}
	p, err := Open(ctx, c)
	if err != nil {
		return nil, err
	}
	return &Executor{name: name, n: n, run: p, frames: newSymbols(), later: pendingBuilds{n: n}}, nil
}

// Batch implements program.Executor.
func (g *Executor) Batch() int { return Batch }

// Features implements program.Executor: the features are blocks.
func (g *Executor) Features() int { return 0 }

// Close implements program.Executor.
func (g *Executor) Close() error {
	g.frames.close()
	g.run.Close()
	if g.sanitized != nil {
		g.sanitized.Close()
	}
	return nil
}

// Regions implements program.Blocks.
func (g *Executor) Regions() []program.Region {
	all := g.run.Regions()
	var regions []program.Region
	for i, r := range all {
		end := g.run.Counters()
		if i+1 < len(all) {
			end = all[i+1].First // a few numbers between regions are unused
		}
		regions = append(regions, program.Region{Name: r.File, Counters: end - r.First})
	}
	return regions
}

// Number implements program.Tracer.
func (g *Executor) Number(first uint32) { g.first = first }

// Execute implements program.Executor.
func (g *Executor) Execute(ctx context.Context, flats [][]byte, answers []program.Observation) error {
	for len(g.results) < len(flats) {
		g.results = append(g.results, Result{})
		g.pending = append(g.pending, pending{})
	}
	results := g.results[:len(flats)]
	began := time.Now()
	if err := g.run.Run(ctx, flats, results); err != nil {
		return err
	}
	if g.n.Clocked {
		g.sample.measured(time.Since(began), 0)
	}
	for i := range results {
		r, a := &results[i], &answers[i]
		g.pending[i] = pending{r, g.first}
		g.fill(r, a)
		t := &a.Trace
		t.Length, t.Set, t.Order, t.Digest, t.First = r.Length, r.Set, 0, r.Counts, t.First[:0]
		t.Exact = r.exact()
		if t.Lazy = &g.pending[i]; !r.Told {
			t.Digest = 0
		}
		if g.n.Order { // guidance needs it
			t.Need()
		}
	}
	return g.inspect(ctx, flats, answers)
}

// fill fills an observation from a result.
func (g *Executor) fill(r *Result, a *program.Observation) {
	a.Outcome, a.Class, a.Digest, a.Place, a.Detail, a.Ended = r.Outcome, 0, 0, 0, "", r.End != nil
	a.Value, a.Message = append(a.Value[:0], r.Output...), r.Message
	switch {
	case r.Lost > 0:
		a.Outcome, a.Message, a.Value = oracle.Crashed, fmt.Sprintf("output flood: more than %d bytes", g.n.Limits.Output), a.Value[:0]
	case r.End != nil:
		a.Detail = g.frames.stack(r.End)
	case r.Outcome == oracle.Rejected && r.Message == "":
		a.Message = fmt.Sprintf("returned %d", r.Code)
	}
}

// inspect runs a share of the inputs in the build with sanitizers. It skips inputs that ended the
// other build's process.
func (g *Executor) inspect(ctx context.Context, flats [][]byte, answers []program.Observation) error {
	if g.n.Sanitize == "" {
		return nil
	}
	there := g.later.available(clang.Sanitize)
	if g.n.Sanitize == "" { // the build could not be made
		g.waiting = pendingInputs{}
		return nil
	}
	var inputs [][]byte
	var at []int
	for i := range flats {
		r := &g.results[i]
		if r.End != nil {
			continue
		}
		wanted, fresh := g.sample.wants(r.Set, r.Length)
		if !there {
			if wanted && g.waiting.add(flats[i], fresh) { // the set of an input that is not kept will come up again
				g.sample.pay(r.Set, r.Length)
			}
			continue
		}
		if wanted {
			g.sample.pay(r.Set, r.Length)
		}
		if wanted || g.waiting.recalled[string(flats[i])] {
			inputs, at = append(inputs, flats[i]), append(at, i)
		}
	}
	g.waiting.recalled = nil
	if !there {
		return nil
	}
	starts, looks := g.sanitizerCost()
	began := time.Now()
	results, err := g.runSanitized(ctx, inputs)
	if g.n.Clocked {
		g.sample.measured(0, time.Since(began))
	}
	started, looked := g.sanitizerCost()
	g.sample.charge(started-starts, looked-looks)
	for k := range results {
		if r := &results[k]; r.End != nil && r.Outcome == oracle.Crashed {
			g.fill(r, &answers[at[k]])
		}
	}
	return err
}

// sanitizerCost returns the cost of the build with sanitizers besides blocks: processes started and
// leak checks.
func (g *Executor) sanitizerCost() (starts, looks int) {
	if g.sanitized == nil {
		return 0, 0
	}
	return g.sanitized.starts, g.sanitized.leakChecks
}

// Limits of the build with sanitizers, as factors of the other's, for shadow memory and quarantine,
// and for its checks.
const (
	sanitizedMemory = 3
	sanitizedTime   = 5
)

// runSanitized runs inputs in the build with sanitizers.
func (g *Executor) runSanitized(ctx context.Context, inputs [][]byte) ([]Result, error) {
	if len(inputs) == 0 {
		return nil, nil
	}
	if g.sanitized == nil {
		c := g.n.Config
		c.Name, c.Path, c.Build, c.Leaks, c.Order = g.name, g.n.Sanitize, "sanitize", true, false
		c.Env = slices.DeleteFunc(slices.Clone(c.Env), FakesTime) // its clock is not pinned
		c.Limits.Memory *= sanitizedMemory
		c.Limits.Timeout *= sanitizedTime
		p, err := Open(ctx, c)
		if err != nil {
			return nil, g.dropSanitizers(ctx, err)
		}
		g.sanitized = p
	}
	results := make([]Result, len(inputs))
	if err := g.sanitized.Run(ctx, inputs, results); err != nil {
		return nil, g.dropSanitizers(ctx, err)
	}
	return results, nil
}

// dropSanitizers stops using the build with sanitizers if err says that it cannot start, initially
// or later. It returns all other errors.
func (g *Executor) dropSanitizers(ctx context.Context, err error) error {
	var failed *program.Failure
	if !errors.As(err, &failed) || ctx.Err() != nil {
		return err
	}
	if g.sanitized != nil {
		g.sanitized.Close()
		g.sanitized = nil
	}
	g.n.Sanitize = ""
	first, _, _ := strings.Cut(failed.What, "\n")
	g.sanitizerError = g.name + ": nothing is checked by sanitizers: " + first
	return nil
}

// Detail implements program.Detailer. If details are requested, each input also runs in the build
// with sanitizers, which may explain a crash better, or crash alone. Requests for blocks alone, as
// for hundreds of neighbors of a disagreement, skip that run.
func (g *Executor) Detail(ctx context.Context, flats [][]byte, flags uint64, told []wire.RunResult) error {
	results := make([]Result, len(flats))
	if err := g.run.Run(ctx, flats, results); err != nil {
		return err
	}
	var a program.Observation
	for i := range results {
		r := &results[i]
		g.fill(r, &a)
		told[i] = a.Result(flags)
		if flags&wire.WantHits != 0 {
			var t feature.Trace
			r.Trace(&t, g.first)
			told[i].Hits, told[i].First, told[i].Length, told[i].Set = t.Hits, t.First, r.Length, r.Set
			if flags&wire.WantCounts != 0 {
				told[i].Counts = t.Counts
			}
		}
	}
	if !g.later.available(clang.Sanitize) || flags&wire.WantDetail == 0 || flags&wire.Plain != 0 {
		return nil
	}
	closer, err := g.runSanitized(ctx, flats)
	if err != nil {
		return err
	}
	for i := range closer {
		c := &closer[i]
		ended := c.End != nil && c.Outcome == oracle.Crashed
		switch {
		case ended && oracle.Outcome(told[i].Outcome) <= oracle.Crashed:
			hits, counts, first := told[i].Hits, told[i].Counts, told[i].First
			g.fill(c, &a)
			told[i] = a.Result(flags)
			told[i].Hits, told[i].Counts, told[i].First = hits, counts, first
		case !ended && results[i].End != nil && results[i].Outcome == oracle.Crashed:
			told[i].Stack = strings.TrimRight(told[i].Stack, "\n") + "\n\nThe build with sanitizers does not end on this input.\n"
		}
	}
	return nil
}

// Mutates implements program.Mutator.
func (g *Executor) Mutates() bool {
	mutate, cross := g.run.Can()
	return mutate || cross
}

// Mutate implements program.Mutator by the program's own mutator. If that ends the process, there
// is no mutant, and a note.
func (g *Executor) Mutate(ctx context.Context, flats [][]byte, seed uint64, most int) ([][]byte, error) {
	results := make([]Result, len(flats))
	if err := g.run.Mutate(ctx, flats, seed, most, results); err != nil {
		return nil, err
	}
	mutants := make([][]byte, len(flats))
	for i := range results {
		r := &results[i]
		if r.End != nil {
			g.mutatorError = g.name + ": its own mutator ends the process (" + r.Message + "); such inputs stay as they are"
		} else if r.Outcome == oracle.Accepted {
			mutants[i] = append([]byte{}, r.Output...)
		}
	}
	return mutants, nil
}

// Notes implements program.Noter.
func (g *Executor) Notes() []string {
	all := g.run.Notes()
	if g.sanitized != nil {
		all = append(all, g.sanitized.Notes()...)
	}
	for _, note := range []string{g.mutatorError, g.sanitizerError} {
		if note != "" {
			all = append(all, note)
		}
	}
	return all
}
