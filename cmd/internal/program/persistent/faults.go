package persistent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
)

// trouble turns the end of a process into the observation of inputs[at]. It returns the number of
// observations.
func (e *Executor) trouble(ctx context.Context, p *process, inputs [][]byte, obs []program.Observation, at int, cause error) (int, error) {
	wait := time.Duration(0)
	if cause == errClosed {
		wait = grace
	}
	how, alive := p.bury(wait)
	if how.Err != nil {
		// The result of the run is unknown. Another sandbox is tried once.
		if !e.retry {
			e.retry, e.unnumbered = true, 0
			return at, nil
		}
		return at, e.asError(fmt.Errorf("waiting for the driver: %w", how.Err))
	}
	if cause == errClosed && alive {
		cause = &violation{What: "it closed its standard output and went on running"}
	}
	if cause == errIdle && how.OOM && p.answered > 0 {
		return at, nil // memory that grew, as below
	}
	if cause == errIdle {
		return at, e.between(&suspicion{how, driverOutput(p.tail)})
	}
	var failure *program.Failure
	if errors.As(cause, &failure) {
		return at, cause
	}
	var broken *violation
	if errors.As(cause, &broken) {
		// After the last answer: it was written before the request was read, so it is not an
		// answer.
		return min(at, len(inputs)-1), e.broken(p, broken)
	}
	if how.OOM && p.answered > 0 && !e.retry {
		// Memory that grew from input to input is not due to this one.
		e.retry = true
		return at, nil
	}
	if cause == errClosed && at == 0 && p.answered > 0 && !e.retry {
		// The process may have been ending when the first request came. Then a new process answers.
		e.retry, e.suspect = true, &suspicion{how, driverOutput(p.tail)}
		return at, nil
	}
	e.retry, e.suspect = false, nil
	o := &obs[at]
	o.Reset()
	var flooded flood
	switch {
	case errors.As(cause, &flooded):
		o.Outcome, o.Message = oracle.Crashed, flooded.Error()
	case cause == errLate:
		o.Outcome, o.Message = oracle.Timeout, fmt.Sprintf("no answer within %v", e.c.Limits.Timeout)
	case cause == errClosed:
		e.death(o, how)
	default:
		return at, e.asError(fmt.Errorf("reading what the driver wrote: %w", cause))
	}
	o.Detail = p.tail.Text()
	if p.answered > 0 || flooded > 0 {
		e.barren = 0
		return at + 1, nil
	}
	return at + 1, e.fruitless(ctx, inputs[at], o)
}

// death describes a process that ended during an input.
func (e *Executor) death(o *program.Observation, how confine.Status) {
	o.Outcome = oracle.Crashed
	switch {
	case how.OOM:
		o.Outcome, o.Message = oracle.OOM, fmt.Sprintf("more than %d MiB of memory", e.c.Limits.Memory>>20)
	case how.Forked:
		o.Message = fmt.Sprintf("more than %d processes", e.c.Limits.Processes)
	default:
		o.Message = ending(how)
	}
}

// ending describes the end of a process in a few words.
func ending(how confine.Status) string {
	if how.Signal != 0 {
		return "signal: " + how.Signal.String()
	}
	return fmt.Sprintf("exit status %d", how.Exit)
}

// suspicion is an end that may have happened between inputs.
type suspicion struct {
	how    confine.Status
	output string
}

// between counts a process that ended between inputs. A few are tolerated, because no input is
// lost.
func (e *Executor) between(s *suspicion) error {
	if note := fmt.Sprintf("program %s: its driver ended between inputs: %s", e.c.Name, endText(s.how)); len(e.notes) < 10 && !slices.Contains(e.notes, note) {
		e.notes = append(e.notes, note)
	}
	e.sinceIdle = 0
	if e.idle++; e.idle < patience {
		return nil
	}
	e.idle = 0
	return e.failure("its driver ends between inputs: "+endText(s.how)+s.output,
		"A driver goes on until its standard input ends: parallax help driver-protocol.")
}

// endText is ending, including actions of the sandbox.
func endText(how confine.Status) string {
	switch {
	case how.OOM:
		return "out of memory"
	case how.Forked:
		return "more processes than allowed"
	}
	return ending(how)
}

// broken handles a violation of the protocol. It is tolerated if it does not repeat when a new
// process runs the same input.
func (e *Executor) broken(p *process, v *violation) error {
	if e.suspect != nil { // it is run again for another reason
		e.retry, e.suspect = false, nil
	}
	e.violations++
	e.sinceViolation = 0
	if !e.retry && !v.Unsolicited && e.violations < patience {
		e.retry = true
		return nil
	}
	e.retry = false
	hint := "Only answers go to standard output; print everything else to standard error: parallax help driver-protocol."
	if v.Order {
		hint = "A driver answers each request once, in their order: parallax help driver-protocol."
	}
	return e.failure("the driver breaks the protocol: "+v.Error()+driverOutput(p.tail), hint)
}

// fruitless counts new processes that ended before any answer. Two in a row, for different inputs,
// may be two bad inputs or a broken driver, so a known good input is run in between.
func (e *Executor) fruitless(ctx context.Context, input []byte, o *program.Observation) error {
	if e.barren > 0 && bytes.Equal(input, e.barrenLast) {
		return nil
	}
	e.barren, e.barrenLast = e.barren+1, bytes.Clone(input)
	if e.barren < 2 {
		return nil
	}
	p, err := e.process(ctx)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, p.interrupt)
	p.send([][]byte{e.good}) // empty if no input was ever answered
	p.answers.await(e.startUp())
	var probe program.Observation
	err = p.answers.next(&probe, e.c.Limits.Output)
	if err == nil {
		err = p.flushed(0, e.startUp())
	}
	if !stop() {
		p.bury(0)
		e.proc = nil
		return ctx.Err()
	}
	if err == nil {
		e.answered(p, e.good)
		return nil
	}
	e.proc = nil
	how, alive := p.bury(grace)
	what := "did not answer: " + err.Error()
	if err == errClosed && !alive {
		what = "ended: " + ending(how)
	}
	which := "an empty input"
	if e.hasGood {
		which = "an input that it had answered before"
	}
	return e.failure(fmt.Sprintf("the driver does not answer: new processes gave no answer to two inputs (%s), and with %s the driver %s%s",
		o.Message, which, what, driverOutput(p.tail)), "Run it by hand: parallax help writing-a-driver says how.")
}

// noGreeting explains why a process did not start.
func (e *Executor) noGreeting(ctx context.Context, p *process, cause error) error {
	wait := time.Duration(0)
	if cause == errClosed {
		wait = grace
	}
	how, alive := p.bury(wait)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var v *violation
	what, hint := "", ""
	switch {
	case errors.As(cause, &v):
		what = v.Error()
		hint = "A driver's first line is \"" + greeting + "\", and all else that is printed goes to standard error: parallax help driver-protocol."
		if strings.Contains(string(v.Received), "[warning]") {
			hint += "\nThe Java machine prints warnings on standard output: start it with java -XX:-UsePerfData -XX:+DisplayVMOutputToStderr."
		}
	case cause == errLate:
		what = fmt.Sprintf("no greeting came within %v", e.startUp())
		hint = "A driver writes the line \"" + greeting + "\" when it is ready, and flushes it."
	case how.Err != nil:
		return e.asError(fmt.Errorf("waiting for the driver: %w", how.Err))
	case cause == errClosed && alive:
		what = "it closed its standard output before its greeting"
	case cause == errClosed && how.OOM:
		what = fmt.Sprintf("it used more than %d MiB of memory before its greeting", e.c.Limits.Memory>>20)
	case cause == errClosed && how.Forked:
		what = fmt.Sprintf("it started more than %d processes before its greeting", e.c.Limits.Processes)
	case cause == errClosed:
		what = "it ended before its greeting: " + ending(how)
	default:
		return e.asError(fmt.Errorf("reading the driver's greeting: %w", cause))
	}
	return e.failure(fmt.Sprintf("the driver %s does not start: %s%s", shellLine(e.c.Args), what, driverOutput(p.tail)), hint)
}

// driverOutput returns the output of a driver for an error.
func driverOutput(t *program.Tail) string {
	text := strings.TrimSpace(t.Text())
	if text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	// Some languages print the reason first, and others last.
	const first, last = 8, 12
	if len(lines) > first+last {
		lines = slices.Concat(lines[:first], []string{"..."}, lines[len(lines)-last:])
	}
	return "\nIt printed:\n    " + strings.Join(lines, "\n    ")
}

func (e *Executor) failure(what, hint string) error {
	return &program.Failure{Program: e.c.Name, Code: exit.UsageCode, What: what, Hint: hint}
}
