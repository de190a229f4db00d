package lockstep

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"parallax/cmd/internal/execute"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/program"
	"parallax/internal/judge"
	"parallax/internal/wire"
)

// goWorker is a Go function in a worker process of its own.
type goWorker struct {
	name    string
	spec    execute.Spec
	program int
	text    bool
	first   uint32 // id of the build's first block

	worker *execute.Worker
	hello  wire.HelloMessage
	order  wire.ObserveMessage
	buf    []byte
}

// goBatch is how many inputs an order holds: enough that the two system calls of an order are little beside them.
const goBatch = 64

// start makes sure that there is a process.
func (g *goWorker) start() error {
	if g.worker != nil {
		return nil
	}
	w, err := execute.Start(g.spec)
	if err != nil {
		return &program.Failure{Program: g.name, Code: exit.InfraCode, What: err.Error()}
	}
	g.worker, g.hello = w, w.Hello
	return nil
}

func (g *goWorker) end() {
	if g.worker != nil {
		g.worker.Close()
		g.worker = nil
	}
}

func (g *goWorker) close()                 { g.end() }
func (g *goWorker) batch() int             { return goBatch }
func (g *goWorker) regions() []wire.Region { return nil }

// observe implements member. A worker that ends in the middle has told nothing of the inputs before: they are run again.
func (g *goWorker) observe(ctx context.Context, flats [][]byte, answers []answer) error {
	for barren := 0; len(flats) > 0; {
		death, at, err := g.try(ctx, flats, answers)
		switch {
		case err != nil:
			return err
		case death == nil:
			return nil
		case at < 0: // something that an earlier input left behind
			if barren++; barren > maxBarren {
				return &program.Failure{Program: g.name, Code: exit.InfraCode,
					What: fmt.Sprintf("its worker ends again and again outside of the function (%s)\n%s", death.Status, death.Text)}
			}
			continue
		}
		if at, err = g.guilty(ctx, flats[:at+1], death); err != nil {
			return err
		}
		if at > 0 {
			if err := g.observe(ctx, flats[:at], answers[:at]); err != nil {
				return err
			}
		}
		answers[at].die(death, g.spec)
		flats, answers, barren = flats[at+1:], answers[at+1:], 0
	}
	return nil
}

// maxBarren is how many processes in a row may end without an input that did it.
const maxBarren = 3

// try has the worker run inputs. If it ends, at is the input that it ran, -1 for none.
func (g *goWorker) try(ctx context.Context, flats [][]byte, answers []answer) (death *execute.Death, at int, err error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	if err := g.start(); err != nil {
		return nil, 0, err
	}
	w := g.worker
	w.Mem.Stat(wire.Inputs).Store(0)
	g.order = wire.ObserveMessage{Program: g.program, Text: g.text, Flats: flats}
	g.buf = g.order.Append(g.buf[:0])
	if w.Send(wire.Observe, g.buf) == nil {
		select {
		case m, ok := <-w.Replies:
			if ok && m.Kind == wire.Briefs {
				return nil, 0, g.take(m.Payload, answers)
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
	if at = int(w.Mem.Stat(wire.Inputs).Load()); !death.InFlight || at >= len(flats) {
		at = -1
	}
	g.end()
	return death, at, nil
}

// suspects is how many inputs may have left the goroutine behind that ended a process.
const suspects = 8

// guilty finds out which input ended a process, the last of them unless a goroutine that an earlier one left behind did it. Each
// suspect is run by itself.
func (g *goWorker) guilty(ctx context.Context, flats [][]byte, death *execute.Death) (int, error) {
	last := len(flats) - 1
	if death.Outcome != judge.Crashed || !leftBehind(death.Text) {
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

// leftBehind reports whether the goroutine that failed is not the one that runs programs: a worker's frames are below those.
func leftBehind(text []byte) bool {
	_, stack, ok := bytes.Cut(text, []byte("\ngoroutine "))
	stack, _, _ = bytes.Cut(stack, []byte("\n\n"))
	return ok && !bytes.Contains(stack, []byte("/internal/worker."))
}

// take reads what the worker tells.
func (g *goWorker) take(payload []byte, answers []answer) error {
	r := wire.NewReader(payload)
	for i := range answers {
		a := &answers[i]
		obs, text, err := wire.ReadBrief(r, &a.trace)
		if err != nil {
			return fmt.Errorf("the worker of %s: %w", g.name, err)
		}
		for k := range a.trace.Hits {
			a.trace.Hits[k] += g.first
		}
		a.outcome, a.class, a.value = obs.Outcome, obs.Class, obs.Value
		a.text, a.message, a.detail, a.ended = a.text[:0], "", "", false
		if obs.Outcome == judge.Accepted {
			a.text = append(a.text, text...)
		} else {
			a.message = string(text)
		}
	}
	return nil
}

// die makes the end of a worker the answer to an input.
func (a *answer) die(d *execute.Death, spec execute.Spec) {
	a.trace.Reset()
	a.outcome, a.class, a.value, a.text = d.Outcome, 0, 0, a.text[:0]
	a.ended, a.detail = true, string(d.Text)
	switch d.Outcome {
	case judge.Timeout:
		a.message = "still running after " + spec.Timeout.String()
	case judge.OOM:
		a.message = fmt.Sprintf("more than %d MiB in use", spec.Memory>>20)
	default:
		a.message = d.Status
	}
}

// detail implements member.
func (g *goWorker) detail(ctx context.Context, flats [][]byte, flags uint64, results []wire.RunResult) error {
	for barren := 0; len(flats) > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := g.start(); err != nil {
			return err
		}
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
		if len(all) > 0 { // answers may have been lost on the way: the next one is tried alone
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

// alone runs one input in a fresh process.
func (g *goWorker) alone(ctx context.Context, flat []byte, flags uint64) (wire.RunResult, error) {
	if err := g.start(); err != nil {
		return wire.RunResult{}, err
	}
	others := (uint64(1)<<len(g.hello.Programs) - 1) &^ (1 << g.program)
	stop := context.AfterFunc(ctx, g.worker.Kill)
	results, err := g.worker.Run(flat, flags&(1<<wire.SkipShift-1)|others<<wire.SkipShift)
	if !stop() {
		return wire.RunResult{}, ctx.Err()
	}
	var death *execute.Death
	if errors.As(err, &death) {
		g.end()
		var a answer
		a.die(death, g.spec)
		return a.failed(), nil
	}
	if err != nil {
		return wire.RunResult{}, err
	}
	g.shift(&results[g.program])
	return results[g.program], nil
}

// shift gives blocks the numbers that they have among all builds.
func (g *goWorker) shift(r *wire.RunResult) {
	for i := range r.Hits {
		r.Hits[i] += g.first
	}
	for i := range r.First {
		r.First[i] += g.first
	}
}

// failed is the answer as a result of a Run order, for outcomes that are no verdict.
func (a *answer) failed() wire.RunResult {
	return wire.RunResult{Outcome: uint64(a.outcome), Panic: a.message, Stack: a.detail, Ended: true}
}
