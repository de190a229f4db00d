// Package c runs C and C++ programs built by `parallax cc`. Each program has one persistent
// process. Inputs pass in batches through shared memory, with a futex on each side and without
// spinning. The other side is cbuild/clang/runtime.
//
// A program answers each input of a batch with its outcome, its output, its path length and hashes
// of its coverage. The counters themselves follow in memory, and are read on demand. When a process
// ends, the current input is known, and earlier answers stay valid.
//
// Executor is the program as package lockstep runs it, Program one running build, and Variants the
// builds of a program before they run.
//
// Invariants: no process, file or memory stays after Close. A program can damage its shared memory
// and thereby its own answers, but never this process.
package c

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
)

// Config describes a program and how to run it.
type Config struct {
	Name    string // of the program in its target
	Path    string // the executable
	Args    []string
	Env     program.Environ
	Dir     string // working folder; empty means a private one
	Limits  limits.Limits
	Sandbox confine.Options

	MaxInput int  // bytes of the longest input
	Order    bool // also record the order in which blocks are first executed
	// a declined input counts as rejected: versions of a harness that differ in declining disagree
	Declines bool
	Leaks    bool   // check for leaks after each input that freed less than it allocated
	Build    string // for messages: "", "operands" or "sanitize"
}

// Program is a running program, in one process after another. It belongs to one goroutine at a
// time.
type Program struct {
	c           Config
	sandbox     *confine.Sandbox
	p           *process
	dead        *process // a process whose memory results may reference
	regions     []Region
	counters    int
	can         uint32
	ran         int // inputs that the process has executed
	grows       bool
	leaksUnseen bool // leaks are not detected
	seed        uint64

	starts, leakChecks int   // numbers of processes and leak checks
	leaky              []int // inputs of the current call that may have leaked, in batches with a leak
	unchecked          []int // inputs in batches that ended before their leak check
	barren             int   // consecutive calls whose leaks no input showed alone
	joint              bool  // leak checks are off, because no input leaks alone
}

// Region holds the counters of one file, the executable or a shared library.
type Region struct {
	File     string
	First    int // number of the first
	Counters int
}

// Open starts the program and reads its abilities.
func Open(ctx context.Context, c Config) (*Program, error) {
	o := c.Sandbox
	o.Limits = c.Limits
	sandbox, err := confine.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	g := &Program{c: c, sandbox: sandbox}
	if err := g.ensure(ctx); err != nil {
		g.Close()
		return nil, err
	}
	return g, nil
}

// Close ends the program.
func (g *Program) Close() error {
	g.drop()
	if g.p != nil {
		g.p.close()
		g.p = nil
	}
	return g.sandbox.Close()
}

// Regions returns the ranges of the program's counters. Numbers between regions are unused.
func (g *Program) Regions() []Region { return g.regions }

// Counters returns the number of block numbers.
func (g *Program) Counters() int { return g.counters }

// Can reports whether the program has a custom mutator and a custom crossover.
func (g *Program) Can() (mutate, cross bool) { return g.can&canMutate != 0, g.can&canCross != 0 }

// Notes returns notes for the user.
func (g *Program) Notes() (notes []string) {
	notes = append(notes, g.sandbox.Notes()...)
	if g.grows {
		notes = append(notes, fmt.Sprintf("%s: its memory grows from input to input, and its process is replaced when it reaches the limit", g.c.Name))
	}
	if g.leaksUnseen {
		notes = append(notes, fmt.Sprintf("%s: leaks are not detected: LeakSanitizer needs ptrace, which is forbidden here (in a container: --cap-add=SYS_PTRACE)", g.c.Name))
	}
	if g.joint {
		notes = append(notes, fmt.Sprintf("%s: leaks are not looked for any more: they come from several inputs together, and no input leaks alone", g.c.Name))
	}
	if g.p != nil && g.p.mem.u32(atLate) > 0 {
		notes = append(notes, fmt.Sprintf("%s: shared libraries that it loads while it runs an input are not counted; load them in LLVMFuzzerInitialize", g.c.Name))
	}
	return notes
}

// Fresh makes the next input run in a new process.
func (g *Program) Fresh() {
	if g.p != nil && g.ran > 0 {
		g.drop()
		g.dead, g.p = g.p, nil
		g.dead.bury()
	}
}

func (g *Program) drop() {
	if g.dead != nil {
		g.dead.close()
		g.dead = nil
	}
}

// greeting is the minimum time limit for a program's start.
const greeting = 30 * time.Second

// ensure starts a process if there is none.
func (g *Program) ensure(ctx context.Context) error {
	if g.p != nil {
		return nil
	}
	flags := uint32(0)
	if g.c.Order {
		flags |= wantOrder
	}
	if g.c.Leaks {
		flags |= wantLeaks
	}
	p, err := start(g.sandbox, &g.c, g.c.Path, flags)
	if err != nil {
		return g.noStart(err)
	}
	ok, err := p.greet(ctx, max(greeting, 10*g.c.Limits.Timeout))
	if err != nil {
		p.close()
		return err
	}
	if !ok {
		defer p.close()
		return g.noGreeting(p)
	}
	regions, counters := p.mem.regions(p.maps)
	if g.regions != nil && counters != g.counters {
		p.close()
		return g.failure(fmt.Sprintf("it has %d counters in this process and had %d before", counters, g.counters),
			"It loads shared libraries now and then: load them all in LLVMFuzzerInitialize.")
	}
	g.p, g.regions, g.counters, g.can, g.ran = p, regions, counters, p.mem.u32(atCan), 0
	g.starts++
	return nil
}

func (m *memory) regions(maps []mapping) (all []Region, counters int) {
	first := 0
	for i := range min(int(m.u32(atRegions)), 64) {
		n := int(min(m.u64(atRegion+16*i), 1<<24)) // a program may write anything here
		f, _ := place(maps, m.u64(atRegion+16*i+8))
		first = (first + 7) &^ 7
		all = append(all, Region{File: f.File, First: first, Counters: n})
		first += n
	}
	return all, first
}

func (g *Program) failure(what, hint string) error {
	return &program.Failure{Program: g.c.Name, Code: exit.UsageCode, What: what, Hint: hint}
}

func (g *Program) noStart(err error) error {
	if errors.Is(err, confine.ErrGone) {
		return &program.Failure{Program: g.c.Name, Code: exit.InfraCode, What: err.Error()}
	}
	return g.failure(fmt.Sprintf("%s does not start: %v", g.c.Path, err), "")
}

// noGreeting explains why a started program was never ready.
func (g *Program) noGreeting(p *process) error {
	p.bury()
	text := p.tail.Text()
	said := ""
	if text != "" {
		said = "\n" + text
	}
	switch {
	case p.late:
		return g.failure(fmt.Sprintf("%s is not ready after %v", g.c.Path, max(greeting, 10*g.c.Limits.Timeout))+said,
			"LLVMFuzzerInitialize takes too long, or main is not that of parallax cc.")
	case p.status.OOM:
		return g.failure(fmt.Sprintf("%s needs more than %d MiB before the first input", g.c.Path, g.c.Limits.Memory>>20)+said, "Give it more with memory.")
	case p.status.Signal == 0 && p.status.Exit == 121:
		return g.failure(fmt.Sprintf("%s has no shared memory with parallax any more", g.c.Path),
			"A constructor or main has closed or replaced standard input, or there is no memory left.")
	case p.status.Signal == 0 && p.status.Exit == 120:
		return g.failure(fmt.Sprintf("%s was built by another version of parallax cc", g.c.Path), "Build it again.")
	}
	how := fmt.Sprintf("exit status %d", p.status.Exit)
	if p.status.Signal != 0 {
		how = "signal: " + p.status.Signal.String()
	}
	hint := "LLVMFuzzerInitialize, or what runs before it, ended it: run it by hand with a file."
	if strings.Contains(text, "libfaketime") {
		hint = "A pinned clock (environment.clock) does not go with AddressSanitizer in the program itself: build it without, or do without the clock."
	}
	return g.failure(fmt.Sprintf("%s ended before the first input (%s)", g.c.Path, how)+said, hint)
}

// noLeaks is the message of LeakSanitizer where it may not stop the program's threads. It then ends
// the process.
const noLeaks = "LeakSanitizer has encountered a fatal error"

// maxBarren is the number of consecutive processes that may end without a known culprit. The last
// are new ones with the same single input, which is then the culprit, whatever the program has
// written into its memory.
const maxBarren = 3

// wall returns the limit of wall time per input, where the configured limit is on processor time.
func (g *Program) wall() time.Duration {
	if g.c.Limits.Timeout <= 0 {
		return 0
	}
	return 4*g.c.Limits.Timeout + time.Second
}

// Batch is the number of inputs that a call of Run can have without being split.
const Batch = maxSlots

// Run executes inputs and fills results. It returns an error only when ctx ends or the program
// cannot be run at all.
func (g *Program) Run(ctx context.Context, inputs [][]byte, results []Result) error {
	g.leaky, g.unchecked = nil, nil
	if err := g.do(ctx, runInputs, inputs, 0, results); err != nil || len(inputs) == 1 {
		return err
	}
	if err := g.search(ctx, inputs, results); err != nil {
		return err
	}
	for i := range results {
		if results[i].Lost > 0 || results[i].End == nil && !results[i].Told { // the output did not fit with the others
			copyResults(results)
			if err := g.alone(ctx, runInputs, inputs[i], 0, &results[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// crossShare is the reciprocal of the share of batches that are crossed, where the program can
// cross and mutate.
const crossShare = 4

// Mutate makes the program's own mutator change inputs by a seed, to at most most bytes, or its
// crossover mix each with the next. Accepted results have the mutant as Output.
func (g *Program) Mutate(ctx context.Context, inputs [][]byte, seed uint64, most int, results []Result) error {
	if err := g.ensure(ctx); err != nil {
		return err
	}
	kind := uint32(mutateInputs)
	if mutate, cross := g.Can(); !mutate || cross && seed%crossShare == 0 {
		kind = crossInputs
	}
	g.seed = seed
	return g.do(ctx, kind, inputs, most, results)
}

func (g *Program) do(ctx context.Context, kind uint32, inputs [][]byte, most int, results []Result) error {
	// Results reference the memory of the process. Those of an earlier batch or an ended process
	// are copied.
	whole, owned := results, 0
	keep := func(n int) {
		copyResults(whole[owned:n])
		owned = n
	}
	// consecutive processes without a culprit, and the number of inputs to run alone since
	barren, single := 0, 0
	for len(inputs) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := g.ensure(ctx); err != nil {
			return err
		}
		n := g.p.mem.fits(inputs)
		if barren > 0 || single > 0 { // a single input is the only possible culprit
			n = 1
		}
		if kind != runInputs { // each result may be that long
			n = min(n, max(1, g.p.mem.out.size/max(most, 1)))
		}
		g.p.mem.put64(atSeed, g.seed+uint64(len(whole)-len(inputs)))
		looked := int(g.p.mem.u32(atLooks))
		g.p.request(kind, inputs[:n], most)
		ok, err := g.p.await(ctx, g.wall())
		if err != nil {
			g.p.close()
			g.p = nil
			return err
		}
		current := int(g.p.mem.u32(atCurrent))
		done, spoiled := n, !g.p.mem.intact(n)
		switch {
		case spoiled && n > 1:
			done = 0 // some input did it, and no answer counts
		case kind == runInputs:
			done = g.p.mem.answered(n)
		case !ok:
			done = min(current, n)
		}
		doubtful := n > 1 && (spoiled || ok && done < n)
		silent := ok && done < n && n == 1 // the process claims to be done without an answer
		ok = ok && done == n
		for i := range done {
			g.result(i, &results[i])
		}
		g.ran += done
		g.leakChecks += min(max(int(g.p.mem.u32(atLooks))-looked, 0), 1) // at most one per batch
		at := len(whole) - len(inputs)
		if ok {
			inputs, results = inputs[n:], results[n:]
			barren, single = 0, max(single-n, 0)
			// an input that leaks alone has ended the process
			leaks := kind == runInputs && n > 1 && g.p.mem.u32(atLeaked) != 0
			if leaks {
				g.leaky = append(g.leaky, g.p.mem.suspects(at, n)...)
			}
			if len(inputs) > 0 || leaks || spoiled {
				keep(at + n)
			}
			if leaks || spoiled {
				g.lost() // it would report the same leak again, or misread its next request
			}
			continue
		}
		if g.c.Leaks && strings.Contains(g.p.output(), noLeaks) {
			g.c.Leaks, g.leaksUnseen = false, true
			keep(at + done)
			g.lost()
			inputs, results = inputs[done:], results[done:]
			barren, single = 0, max(single-done, 0)
			continue
		}
		if kind == runInputs && n > 1 {
			g.unchecked = append(g.unchecked, g.p.mem.suspects(at, done)...)
		}
		phase := g.p.mem.u32(atPhase)
		underWay := current == done && (phase == running || phase == exited)
		if done > 0 {
			barren = 0
		}
		if doubtful || done == n || !underWay && !silent && !g.p.late && barren < maxBarren {
			// An earlier input left something behind, such as a thread, or the program has
			// overwritten its memory.
			keep(at + done)
			g.lost()
			inputs, results = inputs[done:], results[done:]
			single = max(single, n) - done
			barren++
			continue
		}
		end := g.p.autopsy(done, &g.c)
		if silent {
			end.Message = "the program claims to be done with an input, and says nothing of it"
		}
		g.result(done, &results[done])
		keep(at + done + 1)
		ran := g.ran
		g.lost()
		results[done].fail(end)
		if (end.Outcome == oracle.OOM || end.Leak) && ran > 0 { // earlier inputs may have used up the memory, or leaked
			if err := g.alone(ctx, kind, inputs[done], most, &results[done]); err != nil {
				return err
			}
			if end.Outcome == oracle.OOM && results[done].End == nil {
				g.grows = true
			}
		}
		inputs, results = inputs[done+1:], results[done+1:]
		barren, single = 0, max(single-done-1, 0)
	}
	return nil
}

// alone runs an input in a new process.
func (g *Program) alone(ctx context.Context, kind uint32, in []byte, most int, r *Result) error {
	one := make([]Result, 1)
	if err := g.do(ctx, kind, [][]byte{in}, most, one); err != nil {
		return err
	}
	copyResults(one)
	*r = one[0]
	return nil
}

// lost drops the process, and ends it if needed.
func (g *Program) lost() {
	g.p.close()
	g.p = nil
}

// fail turns the end of a process into the answer.
func (r *Result) fail(e *End) {
	r.Outcome, r.End, r.Message, r.Output = e.Outcome, e, e.Message, nil
}

// result reads an answer.
func (g *Program) result(i int, r *Result) {
	g.p.mem.result(i, g.counters, r)
	if r.Outcome == oracle.Declined && g.c.Declines {
		r.Outcome = oracle.Rejected
	}
}

// setHash joins the runtime's two hashes of a set of blocks.
func setHash(a, b uint64) uint64 { return a ^ bits.RotateLeft64(b, 32) }

// result reads an answer.
func (m *memory) result(i, counters int, r *Result) {
	s := slotAt(i)
	*r = Result{
		Code: int32(m.u32(s + 20)), Length: m.u64(s + 24), Set: setHash(m.u64(s+32), m.u64(s+40)), Counts: m.u64(s + 48),
		Blocks: int(m.u32(s + 56)), Lost: int(m.u32(s + 92)), counters: uint32(counters),
	}
	switch m.u32(s + 16) {
	case accepted:
		r.Outcome = oracle.Accepted
	case rejected:
		r.Outcome = oracle.Rejected
	case declined:
		r.Outcome = oracle.Declined
	default:
		r.Outcome = oracle.Crashed
	}
	if words := m.u32(s + 60); words != ^uint32(0) {
		at := m.u64(s + 64)
		r.hits, r.Told = m.slice(m.hits, at, 12*uint64(words)), true
		r.order = m.slice(m.hits, at+12*uint64(words), 4*uint64(m.u32(s+72)))
	}
	out, n := m.u64(s+80), uint64(m.u32(s+76))
	r.Output = m.slice(m.out, out, n)
	r.Message = string(m.slice(m.out, out+n, uint64(m.u32(s+88))))
}

// copyResults copies the memory that results reference, before it is reused.
func copyResults(results []Result) {
	for i := range results {
		r := &results[i]
		r.hits = append([]byte(nil), r.hits...)
		r.order = append([]byte(nil), r.order...)
		r.Output = append([]byte(nil), r.Output...)
	}
}
