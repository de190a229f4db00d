// Package solver queries z3 and cvc5 for the satisfiability of terms. A Solver is a process that
// starts with the first question and answers over pipes. It is replaced when it dies or does not
// answer in time. Both asks two solvers and detects disagreement.
//
// It is used to confirm findings on models of functions. The loop of a campaign evaluates terms
// itself (smt.Compile), a hundred times faster.
package solver

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/model/smt"
)

// Program describes a supported solver.
type Program struct {
	Name    string
	Args    []string
	Install string   // how it is had
	Options []string // behind (reset)
	Limit   string   // the option of milliseconds for a question

	// Anew is for a solver that answers within (push) and (pop) by a simpler method than after
	// (reset), and far sooner. z3 4.8 needs 0.3 ms, while a reset alone takes 15 ms of a processor. A
	// question without an early answer is repeated after (reset).
	Anew bool
}

// The solvers. Both are Debian packages. cvc5 needs an option for all functions of
// strings.
var (
	Z3 = Program{
		Name: "z3", Args: []string{"-smt2", "-in"}, Install: "apt-get install z3",
		Limit: "timeout", Anew: true,
	}
	CVC5 = Program{
		Name: "cvc5", Args: []string{"--lang=smt2", "--incremental", "--strings-exp", "--quiet"}, Install: "apt-get install cvc5",
		Options: []string{"(set-logic ALL)"},
		Limit:   "tlimit-per",
	}
)

// Options holds the limits of a solver. Zeros mean the defaults.
type Options struct {
	// per question, ten seconds by default; the solver is then asked to give up
	Timeout time.Duration
	Grace   time.Duration // further wait before the solver is killed, two seconds by default
	// LookPath finds the solver. Nil means exec.LookPath, which searches PATH.
	LookPath func(name string) (string, error)
}

// Solver asks one solver. It may be used by several goroutines, whose questions wait for each
// other.
type Solver struct {
	program Program
	o       Options

	mu      sync.Mutex
	process *process
	ended   time.Duration // processor time of processes that have ended
	asked   int
	closed  bool
}

// New makes a solver and starts nothing.
func New(p Program, o Options) *Solver {
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	if o.Grace == 0 {
		o.Grace = 2 * time.Second
	}
	if o.LookPath == nil {
		o.LookPath = exec.LookPath
	}
	return &Solver{program: p, o: o}
}

// Name returns the solver's name.
func (s *Solver) Name() string { return s.program.Name }

// Query is a question: whether the assertions can hold, and if so, the values of the terms.
type Query struct {
	Assertions []*smt.Term
	Values     []*smt.Term
}

// Answer is a solver's answer for assertions.
type Answer uint8

// The answers.
const (
	Unknown Answer = iota
	Sat
	Unsat
)

func (a Answer) String() string { return [...]string{"unknown", "sat", "unsat"}[a] }

// Result is a solver's answer to a query.
type Result struct {
	Answer Answer
	Reason string // of Unknown
	Late   bool   // Unknown, since it has printed nothing in time; it was killed
	// for Sat, in the order of Query.Values; one without a sort if the solver printed none
	Values []smt.Value
}

// DiedError reports that a solver and its replacement died during a question. The next question
// starts a new process.
type DiedError struct {
	Solver string
	Detail string
}

func (e *DiedError) Error() string { return fmt.Sprintf("%s died: %s", e.Solver, e.Detail) }

// RefusedError reports that a solver printed an error, such as for an unknown function or option.
type RefusedError struct {
	Solver string
	Detail string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s refuses the question: %s", e.Solver, e.Detail)
}

// Defect reports whether an error is of a solver and one question, which it died of or refuses.
// Other questions may be answered.
func Defect(err error) bool {
	var died *DiedError
	var refused *RefusedError
	return errors.As(err, &died) || errors.As(err, &refused)
}

var errClosed = errors.New("the solver is closed")

// Check asks a query.
func (s *Solver) Check(ctx context.Context, q Query) (Result, error) {
	script, err := Script(q)
	if err != nil {
		return Result{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return Result{}, errClosed
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	}
	r, err := s.once(ctx, script, q)
	if died := (*DiedError)(nil); errors.As(err, &died) {
		// it ended between two questions, or was killed, for example by the kernel for its memory
		r, err = s.once(ctx, script, q)
	}
	return r, err
}

// soon limits a question within (push) and (pop), before it is repeated after a reset.
const soon = time.Second

// once asks the running solver, or a new one.
func (s *Solver) once(ctx context.Context, script string, q Query) (Result, error) {
	if !s.program.Anew {
		return s.attempt(ctx, script, q, s.o.Timeout, false)
	}
	r, err := s.attempt(ctx, script, q, min(soon, s.o.Timeout/5), false)
	if err != nil || r.Answer != Unknown {
		return r, err
	}
	return s.attempt(ctx, script, q, s.o.Timeout, true)
}

// attempt asks with a limit: between (push) and (pop), or after (reset) if afterReset is set.
func (s *Solver) attempt(ctx context.Context, script string, q Query, limit time.Duration, afterReset bool) (Result, error) {
	if s.process == nil {
		var err error
		if s.process, err = s.start(); err != nil {
			return Result{}, err
		}
	}
	p := s.process
	deadline := time.NewTimer(limit + s.o.Grace)
	defer deadline.Stop()
	ask := func(text string) (string, error) {
		s.asked++
		return p.ask(ctx, deadline.C, text, fmt.Sprintf("parallax %d", s.asked))
	}
	r, err := check(ask, s.prologue(p, limit, afterReset)+script, q)
	if err == nil {
		return r, nil
	}
	p.pushed = 0 // after an error, the solver's state is unknown
	var refused *RefusedError
	if errors.As(err, &refused) && !p.over {
		// z3's word for a command other than check-sat that its limit ended
		if strings.HasSuffix(refused.Detail, "canceled") {
			return Result{Reason: refused.Detail}, nil
		}
		return Result{}, s.named(err)
	}
	p.kill()
	s.ended += p.cpu()
	s.process = nil
	switch {
	case errors.Is(err, errLate):
		return Result{Reason: fmt.Sprintf("no answer in %v", limit+s.o.Grace), Late: true}, nil
	case errors.Is(err, errEnded):
		return Result{}, &DiedError{s.program.Name, p.detail()}
	}
	return Result{}, s.named(err)
}

// maxPushed is the number of questions before a reset, which frees the memory that a solver keeps
// of each.
const maxPushed = 200

// prologue takes away the question before.
func (s *Solver) prologue(p *process, limit time.Duration, afterReset bool) string {
	var b strings.Builder
	if afterReset || p.pushed == 0 || p.pushed >= maxPushed {
		p.pushed = 0
		b.WriteString("(reset)\n(set-option :print-success false)\n(set-option :produce-models true)\n")
		fmt.Fprintf(&b, "(set-option :%s %d)\n", s.program.Limit, max(limit.Milliseconds(), 1))
		for _, o := range s.program.Options {
			b.WriteString(o)
			b.WriteByte('\n')
		}
	} else {
		b.WriteString("(pop 1)\n")
	}
	if !afterReset {
		p.pushed++
		b.WriteString("(push 1)\n")
	}
	return b.String()
}

func (s *Solver) named(err error) error {
	var refused *RefusedError
	if errors.As(err, &refused) {
		refused.Solver = s.program.Name
		return refused
	}
	return fmt.Errorf("%s: %w", s.program.Name, err)
}

// check executes a query. ask sends commands and returns the solver's output.
func check(ask func(text string) (string, error), script string, q Query) (Result, error) {
	out, err := ask(script + "(check-sat)\n")
	if err != nil {
		return Result{}, err
	}
	switch answer := strings.TrimSpace(out); answer {
	case "unsat":
		return Result{Answer: Unsat}, nil
	case "unknown", "timeout":
		out, err = ask("(get-info :reason-unknown)\n")
		var refused *RefusedError
		switch {
		case err == nil:
			answer = strings.Trim(strings.TrimPrefix(strings.TrimSpace(out), "(:reason-unknown"), ` ")`)
		case !errors.As(err, &refused) && !errors.Is(err, errEnded):
			return Result{}, err // its later output answers no other question
		}
		return Result{Reason: answer}, nil
	case "sat":
		if len(q.Values) == 0 {
			return Result{Answer: Sat}, nil
		}
	default:
		return Result{}, fmt.Errorf("the answer to check-sat is %.200q, and has to be sat, unsat or unknown", answer)
	}
	var b strings.Builder
	b.WriteString("(get-value (")
	for _, t := range q.Values {
		b.WriteByte(' ')
		b.WriteString(t.String())
	}
	b.WriteString("))\n")
	if out, err = ask(b.String()); err != nil {
		return Result{}, err
	}
	values, err := smt.ReadValues(out, len(q.Values))
	if err != nil {
		return Result{}, err
	}
	return Result{Answer: Sat, Values: values}, nil
}

// Script formats a query as SMT-LIB: declarations and assertions.
func Script(q Query) (string, error) {
	all := append(q.Assertions[:len(q.Assertions):len(q.Assertions)], q.Values...)
	var b strings.Builder
	declared := map[string]bool{}
	for _, t := range smt.Visit(all...) {
		command := smt.Command{Kind: smt.DeclareConst, Term: t}
		key := t.Name() + " " + t.Sort().String()
		if t.Op() == smt.OpApply {
			command = smt.Command{Kind: smt.DeclareFun, Func: t.Func()}
			key = fmt.Sprint(t.Name(), t.Func().Params, t.Func().Result)
		} else if t.Op() != smt.OpConst {
			continue
		}
		switch {
		case declared[key]:
			continue
		case declared["|"+t.Name()]:
			return "", fmt.Errorf("there are two %s of different sorts, which SMT-LIB cannot distinguish", t.Name())
		}
		declared[key], declared["|"+t.Name()] = true, true
		b.WriteString(command.String())
		b.WriteByte('\n')
	}
	for _, t := range q.Assertions {
		b.WriteString(smt.Command{Kind: smt.Assert, Term: t}.String())
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// start finds and starts the solver.
func (s *Solver) start() (*process, error) {
	path, err := s.o.LookPath(s.program.Name)
	if err != nil {
		return nil, exit.Infra("the solver %s is not on PATH: %s", s.program.Name, s.program.Install)
	}
	p, err := startProcess(path, s.program.Args)
	if err != nil {
		return nil, exit.Infra("the solver %s does not start (%v): %s", s.program.Name, err, s.program.Install)
	}
	return p, nil
}

// Close ends the solver's process and waits for its end.
func (s *Solver) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.process != nil {
		s.process.kill()
		s.ended += s.process.cpu()
		s.process = nil
	}
	return nil
}
