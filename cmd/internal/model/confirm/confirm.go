// Package confirm asks others than the loop of a campaign whether a model of a function deviates from its original, before that is filed as a
// finding: two solvers about the model, this machine's C library about the original, and the engine that the model is of about itself. What one of
// them does not confirm is not filed. Package model's command calls it for each finding; it is too slow for each input.
//
// The solvers z3 and cvc5 are asked about the model's scripts as the engine wrote them, so that no mistake in bringing them into causal order is
// the model's. The C library, usually glibc, has to do what musl does, whose code is the original: where the two differ C says nothing, or one has a
// defect, and the model may be right. The engine's own answer to the call alone shows that the deviation is the engine's, and not one of what
// extracted the model. Engines compute plain values by other code than symbols: whether a deviation counts that only symbols show is an
// option.
//
// # The C library
//
// A driver in C, compiled once for each type of function, finds the function by name and calls it in a process of its own, so that a crash is an
// answer. It calls only functions that musl's module has in full, which therefore ask the kernel for nothing, or a user's own original, and has the
// kernel hold it to that.
//
// Invariants: a verdict is Confirmed only if each that could be asked confirms, the engine in one of its two ways; a driver never outlives its Confirmer.
package confirm

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"time"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/llvmir/musl"
	"parallax/cmd/internal/model/smt/solver"
)

// Asker is an engine that answers for given arguments: an extract.Engine.
type Asker interface {
	Ask(ctx context.Context, q extract.Question) ([]extract.Outcome, error)
}

// Options are of a Confirmer. Zeros are the defaults.
type Options struct {
	Engine    string // the engine's name in answers, such as "angr 9.2.213"; "": "the engine"
	Prototype string // a declaration of the function, as in extract.Question

	// Symbolic has a deviation count that the engine does not show when it is asked for the call alone, but with symbols that are held to the call's
	// values. Engines have shortcuts for plain values, beside the model: angr's strcmp and strchr are right for them and wrong for symbols.
	Symbolic bool

	// Foreign says that the original is not the C library's function, which is not called then.
	Foreign bool
	// Native gives a shared library that has a Foreign original, and the function's name in it. nil: it is not called. It is a function that package
	// original runs, so it touches nothing but memory.
	Native func(context.Context) (library, function string, err error)

	Solvers [2]*solver.Solver // that stay the caller's; nil: z3 and cvc5 of the Confirmer's own
	Timeout time.Duration     // of a processor, for a call of the C library: a second
	// LookPath finds the C compiler: exec.LookPath, which looks in PATH.
	LookPath func(name string) (string, error)
}

// State is what a step says of a deviation.
type State string

// The states.
const (
	Confirms State = "confirms"
	Refutes  State = "refutes"
	Open     State = "open"   // it does not know
	Absent   State = "absent" // it could not be asked, and does not count
)

// Step is one that was asked.
type Step struct {
	By     string `json:"by"`
	State  State  `json:"state"`
	Answer string `json:"answer"`
	Engine bool   `json:"-"` // it is the engine, which was asked
	Silent bool   `json:"-"` // its process ended, or took too long
}

// Verdict is what all say of a deviation. Those behind one that does not confirm are not asked.
type Verdict struct {
	Confirmed bool   `json:"confirmed"`
	Reason    string `json:"reason,omitempty"` // why it is not
	Open      bool   `json:"open,omitempty"`   // it is not, and nobody refutes it
	Steps     []Step `json:"steps,omitempty"`
}

// Confirmer confirms deviations of one model. It is for one goroutine.
type Confirmer struct {
	signature *call.Signature
	model     *formula.Model
	engine    Asker
	o         Options
	solvers   [2]*solver.Solver
	driver    compiled
	native    *native

	tried  bool // the solvers were asked the simplest question
	broken error
}

// New makes a Confirmer and starts nothing. m is nil for a model that is no script, and engine for one that is no engine's.
func New(s *call.Signature, m *formula.Model, engine Asker, o Options) *Confirmer {
	if o.Engine == "" {
		o.Engine = "the engine"
	}
	if o.Timeout <= 0 {
		o.Timeout = time.Second
	}
	if o.LookPath == nil {
		o.LookPath = exec.LookPath
	}
	k := &Confirmer{signature: s, model: m, engine: engine, o: o, solvers: o.Solvers}
	for i, p := range []solver.Program{solver.Z3, solver.CVC5} {
		if k.solvers[i] == nil {
			k.solvers[i] = solver.New(p, solver.Options{})
		}
	}
	return k
}

// Close ends what the Confirmer started.
func (k *Confirmer) Close() {
	for i, s := range k.solvers {
		if s != k.o.Solvers[i] {
			s.Close()
		}
	}
	if k.native != nil {
		k.native.stop()
	}
	k.driver.close()
}

// deviation is what is to be confirmed.
type deviation struct {
	call     call.Call
	by       call.Comparator
	original *call.Effect
	model    *formula.Answer
	right    string // what the original does
	wrong    string // what the model says
}

// Confirm asks whether a call has an effect by a comparator, and the model says something else. An error is of ctx, or says what this
// machine lacks (exit.Infra).
func (k *Confirmer) Confirm(ctx context.Context, c call.Call, by call.Comparator, original call.Effect, model formula.Answer) (Verdict, error) {
	d := &deviation{call: c, by: by, original: &original, model: &model, right: k.signature.Text(c, &original, by), wrong: "has no such call"}
	switch {
	case model.Kind == formula.Returned:
		if d.wrong = k.signature.Text(c, &model.Effect, by); d.wrong == d.right {
			return Verdict{Reason: "the model says what the original does: " + d.right}, nil
		}
	case model.Kind == formula.Crashed && k.model == nil:
		d.wrong = "crashes: " + model.Detail
	case model.Kind != formula.Dropped:
		return Verdict{Reason: fmt.Sprintf("the model's answer is %s, which no solver can confirm", model.Kind), Open: true}, nil
	}
	v := Verdict{}
	for _, ask := range []func(context.Context, *deviation) (Step, error){k.solve, k.library, k.ask} {
		s, err := ask(ctx, d)
		if err != nil {
			return v, err
		}
		v.Steps = append(v.Steps, s)
		if len(v.Steps) == 3 && k.o.Symbolic && (s.State == Refutes || s.State == Open) {
			if s, err = k.askSymbolic(ctx, d); err != nil {
				return v, err
			}
			v.Steps = append(v.Steps, s)
		}
		if s.State == Refutes || s.State == Open {
			v.Reason, v.Open = s.By+": "+s.Answer, s.State == Open
			return v, nil
		}
	}
	if v.Confirmed = slices.ContainsFunc(v.Steps, func(s Step) bool { return s.State == Confirms }); !v.Confirmed {
		v.Reason, v.Open = "no solver could be asked", true
	}
	return v, nil
}

// library calls this machine's C library.
func (k *Confirmer) library(ctx context.Context, d *deviation) (Step, error) {
	s := Step{By: "the C library", State: Absent}
	own := k.o.Foreign && k.o.Native != nil
	if own {
		s.By = "the original, compiled for this machine"
	} else if s.Answer = k.notCalled(); s.Answer != "" {
		return s, nil
	}
	if k.native == nil {
		driver, err := compile(ctx, k.signature, k.o.LookPath)
		var types *typeError
		if errors.As(err, &types) {
			s.Answer = "cannot be called: " + err.Error()
			return s, nil
		}
		if err != nil {
			return s, err
		}
		k.driver = driver
		k.native = &native{signature: k.signature, program: driver.program, timeout: k.o.Timeout}
	}
	if own && k.native.library == "" {
		library, function, err := k.o.Native(ctx)
		switch {
		case ctx.Err() != nil:
			return s, ctx.Err()
		case err != nil:
			s.Answer = "cannot be called: " + err.Error()
			return s, nil
		}
		k.native.library, k.native.function = library, function
	}
	got, name, err := k.native.call(ctx, d.call)
	if name != "" && !own {
		s.By = name
	}
	switch {
	case ctx.Err() != nil:
		return s, ctx.Err()
	case errors.Is(err, errLacks):
		s.Answer = "lacks " + k.signature.Function + ", so musl alone counts"
		return s, nil
	case err != nil:
		s.State, s.Answer = Open, err.Error()
		return s, nil
	}
	s.State, s.Answer = Confirms, got.failed
	if got.failed == "" {
		// An address of the function's own memory is nobody's, seen from outside.
		if d.original.To.Into == extract.Fresh && got.effect.To.Into == extract.Nowhere {
			got.effect.To = d.original.To
		}
		s.Answer = k.signature.Text(d.call, &got.effect, d.by)
	}
	if s.Answer != d.right {
		s.State, s.Answer = Refutes, fmt.Sprintf("%s, and %s %s: the two differ", s.Answer, map[bool]string{false: "musl", true: "its IR"}[own], d.right)
	}
	return s, nil
}

// notCalled says why the C library is not called, "" if it is. Functions that musl's module has are computed from memory alone; others
// may act on the machine.
func (k *Confirmer) notCalled() string {
	if k.o.Foreign {
		return "is not called, since the original is not its function"
	}
	module, err := musl.Module()
	if err != nil {
		return "is not called: " + err.Error()
	}
	if f := module.Function(k.signature.Function); f == nil || module.Refused(f) != nil {
		return "is not called, since musl has no such function that is known to leave the machine alone"
	}
	return ""
}
