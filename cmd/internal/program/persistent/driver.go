// Package persistent runs programs in other languages through a driver. This process answers one
// input after another on its standard output, by the protocol in docs/reference/driver-protocol.md.
// drivers/ has drivers to start from.
//
// A driver that dies, hangs or floods costs only its process. Its end is the observation of the
// next unanswered input, and a new process continues. Answered inputs of the same batch run again,
// each alone, in case an answer was left out. Output that violates the protocol is not an
// observation: the input is tried once more in a new process. A second violation is a
// *program.Failure that quotes the output.
//
// Processes run in a sandbox of package confine, which limits them and ends all their descendants.
//
// A driver may count blocks itself, as those for Python and Node do. It then sends a table of its
// blocks after the greeting (table.go). The table goes into a file, from which the supervisor reads
// it. Localization and reports treat these blocks like those of Go and C.
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

// Config describes a driver.
type Config struct {
	Name    string          // of the program, in the target
	Args    []string        // the driver's command line
	Env     program.Environ // except TMPDIR and HOME, which default to a private folder of each process
	Dir     string          // working folder; empty means a private one
	Limits  limits.Limits
	Sandbox confine.Options // Limits replaces its limits
	Ahead   int             // requests sent before their answers are read; 0 means 32
	// inputs are JSON lists of arguments of this function; empty means that they are not calls
	Call   string
	Method bool   // the first argument of Call is its receiver
	Blocks string // file for the table of its blocks; empty means none
}

// batch is a number of inputs that keeps the pipes full between two batches.
const batch = 64

// Executor implements program.Executor.
type Executor struct {
	c           Config
	openSandbox func(context.Context, Config) (sandbox, error)
	sandbox     sandbox  // nil until the next process needs one
	proc        *process // nil until the next input needs one
	features    int
	table       []byte // of its blocks; nil if features have no place in a source

	startLimit time.Duration // replaces the usual one, in tests

	// Fields to distinguish a broken driver from inputs that are bad for it: see fruitless.
	good       []byte // a small input with an answer
	hasGood    bool   // good is set
	barren     int    // consecutive new processes without an answer, each for another input
	barrenLast []byte

	retry bool // the next input is run again, after a violation or a lack of memory
	// answers without numbers before trouble, which may belong to other inputs: see singly
	unnumbered     int
	guilty         bool // the last run ended with an input without an answer
	violations     int  // violations that did not repeat, with fewer than forgiven answers after each
	sinceViolation int  // answers since the last violation

	// Ends of processes between inputs, for which no input is blamed.
	suspect   *suspicion // an end for which the repeated input may not be to blame
	idle      int        // such ends, with fewer than forgiven answers after each
	sinceIdle int        // answers since the last
	notes     []string
}

// After forgiven answers without another, violations that did not repeat are dropped. patience of
// them mean a broken driver. A library that rarely prints is tolerable in a long campaign, but not
// one that prints in every batch.
const forgiven, patience = 10000, 8

// Open starts the driver and reads its greeting. ctx limits the start only.
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
	e.retry, e.suspect, e.unnumbered = false, nil, 0
	for len(inputs) > 0 {
		n, err := e.run(ctx, inputs, obs)
		if void := e.unnumbered; err == nil && void > 0 {
			n, err = e.singly(ctx, inputs[:void], obs, n)
		}
		if err != nil {
			return err
		}
		inputs, obs = inputs[n:], obs[n:]
	}
	return nil
}

// singly reruns inputs alone whose answers came before trouble and have no request numbers. If the
// driver left an answer out, later ones were attributed to the inputs before, and the trouble to a
// wrong input. If every input has its answer, singly returns decided: the result of the input with
// the trouble holds, and a new process continues. Otherwise it returns the number of inputs that it
// ran; the last is guilty.
func (e *Executor) singly(ctx context.Context, inputs [][]byte, obs []program.Observation, decided int) (int, error) {
	again := e.retry
	e.retry, e.unnumbered = false, 0
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
	e.retry = again
	e.retire()
	return decided, nil
}

// retire ends the process, if there is one.
func (e *Executor) retire() {
	if e.proc != nil {
		e.proc.close()
		e.proc = nil
	}
}

// startUp returns the time limit of a new process until its greeting.
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
		if ctx.Err() != nil { // an interrupt is no failure of the sandbox
			if err == nil {
				e.sandbox = b
			}
			return nil, ctx.Err()
		}
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

// process returns the running process, or a new one. It tries twice, because the machine may be
// short of a resource for a moment.
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
		p.close()
		return nil, e.failure(fmt.Sprintf("its greeting said features=%d, and says features=%d in another process", e.features, p.hello.features),
			"A driver always has the same number of features.")
	}
	e.proc = p
	return p, nil
}

// run runs inputs on one process while it lasts, and returns the number of observations. If an
// input ended the process, later inputs have none. Neither has that input itself if it is to be run
// again.
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
			e.unnumbered = done
		}
		n, err := e.trouble(ctx, p, inputs, obs, done, err)
		e.guilty = n > done
		return n, err
	}
	return done, nil
}

// exchange sends inputs ahead and reads their answers. It returns the number of answers before an
// error.
func (e *Executor) exchange(p *process, inputs [][]byte, obs []program.Observation) (int, error) {
	if came := p.answers.unsolicited(); len(came) > 0 {
		return 0, &violation{What: "it wrote more answers than it had requests, or prints on standard output", Received: came, Unsolicited: true}
	}
	if p.over() {
		return 0, errIdle
	}
	limit := e.c.Limits.Timeout
	// Requests go in chunks of half of Ahead: the second is sent while the first is answered.
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

// answered counts an answer.
func (e *Executor) answered(p *process, input []byte) {
	p.answered++
	e.retry, e.barren = false, 0
	if !e.hasGood && len(input) <= 4096 {
		e.hasGood, e.good = true, append([]byte{}, input...)
	}
	if e.sinceViolation++; e.sinceViolation == forgiven {
		e.violations = 0
	}
	if e.sinceIdle++; e.sinceIdle == forgiven {
		e.idle = 0
	}
}

// asError turns an error of parallax or the machine into a Failure.
func (e *Executor) asError(err error) error {
	var f *program.Failure
	if errors.As(err, &f) {
		return err
	}
	return &program.Failure{Program: e.c.Name, Code: exit.InfraCode, What: err.Error()}
}

// Notes returns notes for the user about missing protection, and drivers that ended between inputs.
func (e *Executor) Notes() []string {
	if b, ok := e.sandbox.(sandboxed); ok {
		return append(slices.Clone(b.Sandbox.Notes()), e.notes...)
	}
	return slices.Clone(e.notes)
}
