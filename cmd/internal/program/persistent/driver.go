// Package persistent runs programs in other languages through a driver: a process that answers one
// input after another on its standard output, as docs/reference/driver-protocol.md says. drivers/
// has drivers to start from.
//
// A driver that dies, hangs or floods costs its process and no more: what it did is the observation
// of the input that was next to be answered, and a fresh process goes on with the rest. The inputs
// that were answered before in the same batch run again, each alone, in case an answer was left
// out. What is not the protocol is no observation: it is tried once more in a fresh process, and
// then it is a *program.Failure that quotes what came.
//
// Processes run in a sandbox of package confine, which bounds what they use and is the end of all
// that they start.
package persistent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/program"
)

// Config says what to run.
type Config struct {
	Name    string   // of the program, in the target
	Args    []string // the driver's command line
	Env     []string // but for TMPDIR and HOME, which are a private folder of each process unless they are given
	Dir     string   // its working folder; "" is a private one
	Limits  limits.Limits
	Sandbox confine.Options // where it runs; Limits replaces those in it
	Ahead   int             // requests that are sent before their answers are read; 0 is 32
	Call    string          // inputs are JSON lists of the arguments of a function of this name; "": they are what they are
	Method  bool            // the first argument of Call is what it is a method of
	Blocks  string          // the file that is to hold the table of its blocks, if it has one; "": none
}

// batch is how many inputs are worth giving at once: enough that the pipes never run dry between
// two batches.
const batch = 64

// Executor implements program.Executor.
type Executor struct {
	c           Config
	openSandbox func(context.Context, Config) (sandbox, error)
	sandbox     sandbox  // nil until the next process needs one
	proc        *process // nil until the next input needs one
	features    int
	table       []byte // of its blocks; nil: features have no place

	startLimit time.Duration // instead of the usual one, in tests

	// A driver that cannot run anything is told from inputs that are bad for it: see barren.
	good       []byte // a small input that was answered once
	known      bool   // there is one
	barren     int    // fresh processes in a row that answered nothing, each of another input
	barrenLast []byte

	again      bool // the next input is run again: its first run broke the protocol, or had too little memory
	void       int  // answers without numbers that came before trouble, which may be those of other inputs: see singly
	guilty     bool // the last run ended with an input that has no answer
	violations int  // that did not happen again, with fewer than forgiven answers after each
	since      int  // answers after the last violation

	// Ends of processes between inputs, which are no input's.
	suspect   *suspicion // one that the input that is run again may have been innocent of
	idle      int        // those that were, with fewer than forgiven answers after each
	sinceIdle int        // answers after the last
	notes     []string
}

// forgiven answers in a row make a violation that did not repeat forgotten, and patience of them
// without that are a broken driver: a print of a library in a rare case is to be tolerated in a
// long campaign, one in every batch is not.
const forgiven, patience = 10000, 8

// Open starts the driver and reads its greeting. When ctx ends, so does what Open has begun, and no
// more.
func Open(ctx context.Context, c Config) (*Executor, error) {
	return open(ctx, c, openSandbox)
}

func open(ctx context.Context, c Config, openSandbox func(context.Context, Config) (sandbox, error)) (*Executor, error) {
	if c.Ahead <= 0 {
		c.Ahead = 32
	}
	e := &Executor{c: c, openSandbox: openSandbox}
	p, err := e.fresh(ctx)
	if err != nil {
		e.closeSandbox()
		return nil, err
	}
	e.proc, e.features, e.table = p, p.hello.features, p.hello.table
	return e, nil
}

// Features implements program.Executor.
func (e *Executor) Features() int { return e.features }

// Batch implements program.Executor.
func (e *Executor) Batch() int { return batch }

// Close implements program.Executor.
func (e *Executor) Close() error {
	e.retire()
	return e.closeSandbox()
}

func (e *Executor) closeSandbox() error {
	if e.sandbox == nil {
		return nil
	}
	err := e.sandbox.Close()
	e.sandbox = nil
	return err
}

// Execute implements program.Executor.
func (e *Executor) Execute(ctx context.Context, inputs [][]byte, obs []program.Observation) error {
	e.again, e.suspect, e.void = false, nil, 0
	for len(inputs) > 0 {
		n, err := e.run(ctx, inputs, obs)
		if void := e.void; err == nil && void > 0 {
			n, err = e.singly(ctx, inputs[:void], obs, n)
		}
		if err != nil {
			return err
		}
		inputs, obs = inputs[n:], obs[n:]
	}
	return nil
}

// singly runs inputs again, each alone, whose answers came before trouble with the process and do
// not name their requests: if the driver left one out, those after it were taken for answers to the
// inputs before them, and the trouble for that of a wrong input. Singly returns decided if every
// input has its answer: then what is known of the input with the trouble holds, and a fresh process
// goes on. Otherwise it returns how many inputs it ran, of which the last is guilty.
func (e *Executor) singly(ctx context.Context, inputs [][]byte, obs []program.Observation, decided int) (int, error) {
	again := e.again
	e.again, e.void = false, 0
	for i := range inputs {
		for done := 0; done == 0; {
			n, err := e.run(ctx, inputs[i:i+1], obs[i:i+1])
			if err != nil {
				return i, err
			}
			done = n
		}
		if e.guilty {
			return i + 1, nil
		}
	}
	e.again = again
	e.retire()
	return decided, nil
}

// retire ends the process, if there is one.
func (e *Executor) retire() {
	if e.proc != nil {
		e.proc.leave()
		e.proc = nil
	}
}

// startUp is how long a fresh process may take until its greeting.
func (e *Executor) startUp() time.Duration {
	if e.startLimit > 0 {
		return e.startLimit
	}
	return max(20*time.Second, 10*e.c.Limits.Timeout)
}

// fresh starts a process and reads its greeting.
func (e *Executor) fresh(ctx context.Context) (*process, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if e.sandbox == nil {
		b, err := e.openSandbox(ctx, e.c)
		if err != nil {
			return nil, e.asError(fmt.Errorf("making a sandbox for the driver: %w", err))
		}
		e.sandbox = b
	}
	p, err := start(e.sandbox, e.c)
	if errors.Is(err, confine.ErrGone) {
		e.closeSandbox() // the next process gets a new one
	}
	if err != nil {
		return nil, e.noStart(err)
	}
	if err := p.greet(ctx, e.startUp()); err != nil {
		return nil, e.noGreeting(ctx, p, err)
	}
	return p, nil
}

// process is the one that runs, or a fresh one. That one was started before, so a machine that is
// short of something for a moment gets a second chance.
func (e *Executor) process(ctx context.Context) (*process, error) {
	if e.proc != nil {
		return e.proc, nil
	}
	p, err := e.fresh(ctx)
	if err != nil && ctx.Err() == nil {
		p, err = e.fresh(ctx)
	}
	if err != nil {
		return nil, err
	}
	if p.hello.features != e.features {
		p.leave()
		return nil, e.failure(fmt.Sprintf("its greeting said features=%d, and says features=%d in another process", e.features, p.hello.features),
			"A driver always has the same number of features.")
	}
	e.proc = p
	return p, nil
}

// run runs inputs on one process for as long as that lasts, and returns how many observations there
// are: all, or those up to and with the one whose run ended the process, or without it if it is to
// be run again.
func (e *Executor) run(ctx context.Context, inputs [][]byte, obs []program.Observation) (int, error) {
	e.guilty = false
	p, err := e.process(ctx)
	if err != nil {
		return 0, err
	}
	stop := context.AfterFunc(ctx, p.interrupt)
	done, err := e.exchange(p, inputs, obs)
	interrupted := !stop()
	switch {
	case interrupted:
		p.bury(0)
		e.proc = nil
		return done, ctx.Err()
	case err != nil:
		e.proc = nil
		if !p.hello.numbers {
			e.void = done
		}
		n, err := e.trouble(ctx, p, inputs, obs, done, err)
		e.guilty = n > done
		return n, err
	}
	return done, nil
}

// exchange sends inputs ahead and reads their answers, and returns how many came before an error.
func (e *Executor) exchange(p *process, inputs [][]byte, obs []program.Observation) (int, error) {
	if came := p.answers.unasked(); len(came) > 0 {
		return 0, &violation{What: "it wrote more answers than it had requests, or prints on standard output", Came: came, Unasked: true}
	}
	if p.over() {
		return 0, errIdle
	}
	limit := e.c.Limits.Timeout
	// Requests go in chunks of half of what may be ahead: the second is under way while the first
	// is answered.
	chunk := max(e.c.Ahead/2, 1)
	sent := 0
	more := func() {
		n := min(sent+chunk, len(inputs))
		if n > sent {
			p.send(inputs[sent:n])
			sent = n
		}
	}
	more()
	for i := range inputs {
		if i%chunk == 0 {
			if err := p.flushed(1, limit); err != nil {
				return i, err
			}
			more()
		}
		o := &obs[i]
		o.Reset()
		p.answers.await(limit)
		if err := p.answers.next(o, e.c.Limits.Output); err != nil {
			return i, err
		}
		e.answered(p, inputs[i])
		if s := e.suspect; s != nil {
			e.suspect = nil
			if err := e.between(s); err != nil {
				return i, err
			}
		}
	}
	return len(inputs), p.flushed(0, limit)
}

// answered keeps account of an answer.
func (e *Executor) answered(p *process, input []byte) {
	p.answered++
	e.again, e.barren = false, 0
	if !e.known && len(input) <= 4096 {
		e.known, e.good = true, append([]byte{}, input...)
	}
	if e.since++; e.since == forgiven {
		e.violations = 0
	}
	if e.sinceIdle++; e.sinceIdle == forgiven {
		e.idle = 0
	}
}

// asError makes an error of what failed in parallax itself or the machine.
func (e *Executor) asError(err error) error {
	var f *program.Failure
	if errors.As(err, &f) {
		return err
	}
	return &program.Failure{Program: e.c.Name, Code: exit.InfraCode, What: err.Error()}
}

// Notes are what this machine does not permit and what became of drivers between inputs, for the
// user.
func (e *Executor) Notes() []string {
	if b, ok := e.sandbox.(sandboxed); ok {
		return append(slices.Clone(b.Sandbox.Notes()), e.notes...)
	}
	return slices.Clone(e.notes)
}
