// Package gofunc is the kind "go": functions in workers that package gobuild builds and package
// execute runs. Package lockstep opens them. One build serves all functions of a target that can
// share a binary.
//
// Each program has a worker process of its own, even if several share a binary, so that they run in
// parallel. The end of a worker costs only the input that caused it.
package gofunc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Worker describes the worker of a function.
type Worker struct {
	Name    string // of the program in its target
	Limits  limits.Limits
	Build   int // its number in the target: programs of one build have the same blocks
	Program int // the function's index in the build
	Binary  string
	Args    []string
	Dir     string
	Env     []string
	Mode    string // of a test binary: diff or fuzz; empty for a worker of functions

	Confined execute.Confinement
}

// Default limits.
const (
	defaultTimeout = 2 * time.Second
	defaultMemory  = 2 << 30
)

// Shown implements program.Prepared. It is empty, because a function has a name.
func (w *Worker) Shown() string { return "" }

// Line implements program.Prepared.
func (w *Worker) Line() string { return "" }

// HasCmpLog implements program.CmpLogged. The second build appears later.
func (w *Worker) HasCmpLog() bool { return true }

// Executor is a Go function in a worker process of its own.
type Executor struct {
	name    string
	spec    execute.Spec
	build   int
	program int
	text    bool
	first   uint32 // number of the build's first block

	worker   *execute.Worker
	hello    wire.HelloMessage
	patience timePolicy
	order    wire.ObserveMessage
	buf      []byte
}

var (
	_ program.Tracer   = (*Executor)(nil)
	_ program.Blocks   = (*Executor)(nil)
	_ program.Starter  = (*Executor)(nil)
	_ program.Detailer = (*Executor)(nil)
	_ program.Noter    = (*Executor)(nil)
)

// batch is the number of inputs per order. It makes the two system calls of an order negligible.
const batch = 64

func open(_ context.Context, o program.Opening, settings json.RawMessage) (program.Executor, error) {
	var w Worker
	if err := json.Unmarshal(settings, &w); err != nil {
		return nil, err
	}
	g := &Executor{
		name: o.Name, build: w.Build, program: w.Program, text: o.Text,
		spec: execute.Spec{
			Binary: w.Binary, Args: w.Args, Dir: w.Dir, Env: w.Env, Mode: w.Mode, Test: w.Mode != "", Confined: w.Confined,
			MaxFlat: o.MaxInput, Timeout: o.Limits.Timeout, Memory: o.Limits.Memory,
		},
	}
	if g.spec.Timeout == 0 {
		g.spec.Timeout = defaultTimeout
	}
	if g.spec.Memory == 0 {
		g.spec.Memory = defaultMemory
	}
	g.patience.full = g.spec.Timeout
	if err := g.start(); err != nil {
		return nil, err
	}
	if g.program >= len(g.hello.Programs) {
		g.end()
		return nil, fmt.Errorf("the worker of %s holds %d programs", g.name, len(g.hello.Programs))
	}
	return g, nil
}

// start starts the worker if there is none.
func (g *Executor) start() error {
	if g.worker != nil {
		return nil
	}
	w, err := execute.Start(g.spec)
	if err != nil {
		return &program.Failure{Program: g.name, Code: exit.InfraCode, What: err.Error()}
	}
	g.worker, g.hello = w, w.Hello
	if w.Hello.Refused != "" {
		g.end()
		return &program.Failure{Program: g.name, Code: exit.UsageCode, What: w.Hello.Refused}
	}
	return nil
}

func (g *Executor) end() {
	if g.worker != nil {
		g.worker.Close()
		g.worker = nil
	}
}

// Process returns the running worker, or nil, for tests of other packages.
func (g *Executor) Process() *execute.Worker { return g.worker }

// Close implements program.Executor.
func (g *Executor) Close() error {
	g.end()
	return nil
}

// Batch implements program.Executor.
func (g *Executor) Batch() int { return batch }

// Features implements program.Executor: the features are blocks.
func (g *Executor) Features() int { return 0 }

// Regions implements program.Blocks.
func (g *Executor) Regions() (regions []program.Region) {
	for _, r := range g.hello.Regions {
		regions = append(regions, program.Region{Shared: Region(g.build), Name: r.Package, Counters: r.Counters})
	}
	return regions
}

// Notes implements program.Noter.
func (g *Executor) Notes() []string { return g.patience.notes(g.name) }

// Number implements program.Tracer.
func (g *Executor) Number(first uint32) { g.first = first }

// Tapes implements program.Taped.
func (g *Executor) Tapes() bool { return g.hello.Tapes }

// Before implements program.Starter.
func (g *Executor) Before() []uint32 {
	list := make([]uint32, len(g.hello.Before))
	for i, id := range g.hello.Before {
		list[i] = g.first + id
	}
	return list
}

// Execute implements program.Executor. If a worker ends in the middle, it has reported nothing
// about earlier inputs: they run again.
func (g *Executor) Execute(ctx context.Context, flats [][]byte, answers []program.Observation) error {
	for barren := 0; len(flats) > 0; {
		hurry := g.patience.hurry()
		death, at, err := g.runBatch(ctx, flats, answers, hurry)
		switch {
		case err != nil:
			return err
		case death == nil:
			return nil
		case at < 0: // an earlier input left something behind
			if barren++; barren > maxBarren {
				return &program.Failure{Program: g.name, Code: exit.InfraCode,
					What: fmt.Sprintf("its worker ends repeatedly outside the function (%s)\n%s", death.Status, death.Text)}
			}
			continue
		}
		ran := at
		if at, err = g.findCulprit(ctx, flats[:at+1], death); err != nil {
			return err
		}
		if at != ran { // the blocks are those of another input
			death.Hits, death.Counts = nil, nil
		}
		if at > 0 {
			if err := g.Execute(ctx, flats[:at], answers[:at]); err != nil {
				return err
			}
		}
		if death.Outcome == oracle.Timeout {
			if death, err = g.recheckHang(ctx, flats[at:at+1], answers[at:at+1], death, hurry > 0); err != nil {
				return err
			}
		}
		if death != nil {
			g.recordDeath(&answers[at], death)
		}
		flats, answers, barren = flats[at+1:], answers[at+1:], 0
	}
	return nil
}

// recheckHang decides about an input that exceeded its limit. An abandoned one may be checked with
// the whole limit. The death is nil if the input ends within it.
func (g *Executor) recheckHang(ctx context.Context, flat [][]byte, answer []program.Observation, death *execute.Death, hurried bool) (*execute.Death, error) {
	switch {
	case !hurried:
		g.patience.hung++
		return death, nil
	case !g.patience.checks(flat[0]):
		return death, nil
	}
	again, at, err := g.runBatch(ctx, flat, answer, 0)
	switch {
	case err != nil:
		return nil, err
	case again != nil && at < 0: // ended from outside
		return death, nil
	case again == nil || again.Outcome != oracle.Timeout:
		g.patience.slow = true
	}
	return again, nil
}

// maxBarren is the number of consecutive processes that may end without a known culprit.
const maxBarren = 3

// runBatch runs inputs in the worker, each with at most hurry of CPU time. Zero means the whole
// limit. If the worker ends, at is the index of the current input, or -1.
func (g *Executor) runBatch(ctx context.Context, flats [][]byte, answers []program.Observation, hurry time.Duration) (death *execute.Death, at int, err error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	if err := g.start(); err != nil {
		return nil, 0, err
	}
	w := g.worker
	w.Hurry(hurry)
	g.order = wire.ObserveMessage{Program: g.program, Text: g.text, Flats: flats}
	g.buf = g.order.Append(g.buf[:0])
	if w.Send(wire.Observe, g.buf) == nil {
		select {
		case m, ok := <-w.Replies:
			if ok && m.Kind == wire.Briefs {
				return nil, 0, g.readAnswers(m.Payload, answers)
			}
			if ok {
				return nil, 0, fmt.Errorf("the worker of %s answered with message %d", g.name, m.Kind)
			}
		case <-ctx.Done():
			g.end()
			return nil, 0, ctx.Err()
		}
	}
	<-w.Dead
	death = w.Death()
	at = culprit(w.Mem, death, flats)
	g.end()
	return death, at, nil
}

// culprit returns the index of the input that ended a worker, or -1. If a program has overwritten
// the count, the input's bytes decide.
func culprit(mem *wire.Memory, d *execute.Death, flats [][]byte) int {
	var counts wire.Counts
	if !d.InFlight {
		return -1
	}
	at := -1
	if mem.Counts(&counts) && counts.Stats[wire.Inputs] < uint64(len(flats)) {
		at = int(counts.Stats[wire.Inputs])
	}
	if d.Harmed() && len(d.Recent) > 0 && (at < 0 || !bytes.Equal(flats[at], d.Recent[0])) {
		at = slices.IndexFunc(flats, func(flat []byte) bool { return bytes.Equal(flat, d.Recent[0]) })
	}
	return at
}

// suspects is the number of inputs that may have left the failing goroutine behind: on a busy
// machine many run before it fails.
const suspects = 32

// findCulprit returns the index of the input that ended a process: the last, unless an earlier one
// left the failing goroutine behind. It runs each suspect alone.
func (g *Executor) findCulprit(ctx context.Context, flats [][]byte, death *execute.Death) (int, error) {
	last := len(flats) - 1
	if death.Outcome != oracle.Crashed || !execute.LeftBehind(death.Text) && !death.Foreign {
		return last, nil
	}
	for at := last; at >= 0 && at > last-suspects; at-- {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		g.end()
		one, err := g.alone(ctx, flats[at], wire.Settle)
		if err != nil {
			return 0, err
		}
		if one.Ended {
			return at, nil
		}
	}
	g.end()
	return last, nil
}

// readAnswers reads the worker's answers.
func (g *Executor) readAnswers(payload []byte, answers []program.Observation) error {
	r := wire.NewReader(payload)
	for i := range answers {
		a := &answers[i]
		obs, text, err := wire.ReadBrief(r, &a.Trace)
		if err != nil {
			return fmt.Errorf("the worker of %s: %w", g.name, err)
		}
		for k := range a.Trace.Hits {
			a.Trace.Hits[k] += g.first
		}
		a.Outcome, a.Class, a.Digest, a.Parts, a.Place = obs.Outcome, obs.Class, obs.Value, obs.Parts, obs.Place
		a.Value, a.Message, a.Detail, a.Ended = a.Value[:0], "", "", false
		if obs.Outcome == oracle.Accepted {
			a.Value = append(a.Value, text...)
		} else {
			a.Message = string(text)
		}
	}
	return nil
}

// recordDeath turns the end of a worker into the answer to an input.
func (g *Executor) recordDeath(a *program.Observation, d *execute.Death) {
	spec := &g.spec
	a.Trace.Reset()
	for i, id := range d.Hits {
		a.Trace.Hits, a.Trace.Counts = append(a.Trace.Hits, g.first+id), append(a.Trace.Counts, d.Counts[i])
		a.Trace.Length += uint64(d.Counts[i])
	}
	a.Trace.Seal()
	a.Outcome, a.Class, a.Digest, a.Parts, a.Place, a.Value = d.Outcome, 0, 0, oracle.Parts{}, 0, a.Value[:0]
	a.Ended, a.Detail = true, string(d.Text)
	switch d.Outcome {
	case oracle.Timeout:
		a.Message = "still running after " + spec.Timeout.String()
	case oracle.OOM:
		a.Message = fmt.Sprintf("more than %d MiB in use", spec.Memory>>20)
	default:
		a.Message = d.Status
	}
	switch {
	case d.Harmed() && d.Outcome == oracle.Timeout:
		a.Message = d.Harm() + ", and is " + a.Message
	case d.Harmed():
		a.Message = d.Harm()
	}
}

// Detail implements program.Detailer.
func (g *Executor) Detail(ctx context.Context, flats [][]byte, flags uint64, results []wire.RunResult) error {
	for barren := 0; len(flats) > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := g.start(); err != nil {
			return err
		}
		g.worker.Hurry(0)
		others := (uint64(1)<<len(g.hello.Programs) - 1) &^ (1 << g.program)
		stop := context.AfterFunc(ctx, g.worker.Kill)
		all, err := g.worker.RunAll(flats, flags&(1<<wire.SkipShift-1)|others<<wire.SkipShift)
		if !stop() {
			return ctx.Err()
		}
		for i := range all {
			results[i] = all[i][g.program]
			g.shift(&results[i])
		}
		flats, results = flats[len(all):], results[len(all):]
		if len(all) > 0 {
			barren = 0
		}
		var death *execute.Death
		if !errors.As(err, &death) {
			if err != nil {
				return err
			}
			continue
		}
		g.end()
		if len(all) > 0 { // answers may be lost: the next input is tried alone
			continue
		}
		if death.InFlight || barren >= maxBarren {
			one, err := g.alone(ctx, flats[0], flags)
			if err != nil {
				return err
			}
			results[0] = one
			flats, results, barren = flats[1:], results[1:], 0
			continue
		}
		barren++
	}
	return nil
}

// alone runs one input in a new process.
func (g *Executor) alone(ctx context.Context, flat []byte, flags uint64) (wire.RunResult, error) {
	if err := g.start(); err != nil {
		return wire.RunResult{}, err
	}
	g.worker.Hurry(0)
	others := (uint64(1)<<len(g.hello.Programs) - 1) &^ (1 << g.program)
	stop := context.AfterFunc(ctx, g.worker.Kill)
	results, err := g.worker.Run(flat, flags&(1<<wire.SkipShift-1)|others<<wire.SkipShift)
	if !stop() {
		return wire.RunResult{}, ctx.Err()
	}
	var death *execute.Death
	if errors.As(err, &death) {
		g.end()
		var a program.Observation
		g.recordDeath(&a, death)
		r := a.Result(0)
		if flags&wire.WantHits != 0 {
			r.Hits = a.Trace.Hits
			if flags&wire.WantCounts != 0 {
				r.Counts = a.Trace.Counts
			}
		}
		return r, nil
	}
	if err != nil {
		return wire.RunResult{}, err
	}
	g.shift(&results[g.program])
	return results[g.program], nil
}

// shift renumbers blocks from this build to all builds.
func (g *Executor) shift(r *wire.RunResult) {
	for i := range r.Hits {
		r.Hits[i] += g.first
	}
	for i := range r.First {
		r.First[i] += g.first
	}
}
