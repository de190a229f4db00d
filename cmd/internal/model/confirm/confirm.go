// Package confirm checks whether a deviation of a model from its original is real before it becomes
// a finding. It asks two solvers about the model, this machine's C library about the original, and
// the engine about its own model. A deviation that one of them does not confirm is no finding. The
// checks are too slow for each input, so a campaign runs them for each finding.
//
// The solvers z3 and cvc5 get the scripts as the engine wrote them. So a mistake in the causal
// order cannot count against the model. The C library, usually glibc, must do the same as musl,
// whose code is the original. If the two differ, C does not define the call or one library has a
// defect, and the model may be right. The engine's own answer to the call shows that the deviation
// is the engine's, and not one of the extraction.
//
// Engines compute concrete values by other code than symbols: angr's strcmp and strchr are right
// for values and wrong for symbols. The engine computed its model with symbols, so it is asked in
// that mode: about symbols that are held to the call's values. Its answer to the values alone is a
// remark. With an option, that answer confirms the deviation instead.
//
// # The C library
//
// A driver in C is compiled once for each type of function. It finds the function by name and calls
// it in a separate process, so a crash is an answer. It calls only functions that musl's module has
// completely, and a user's own originals. These need nothing from the kernel, and the kernel
// enforces that.
//
// Invariants: a verdict is Confirmed only if each available check confirms, and the engine in the
// chosen mode. A driver never outlives its Confirmer.
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

// Asker is an engine that answers for given arguments, such as extract.Engine.
type Asker interface {
	Ask(ctx context.Context, q extract.Question) ([]extract.Outcome, error)
}

// Options configure a Confirmer. Zero values mean the defaults.
type Options struct {
	// name of the engine in answers, such as "angr 9.2.213"; empty means "the engine"
	Engine    string
	Prototype string // declaration of the function, as in extract.Question

	// Concrete has the engine confirm a deviation by its answer to the call's values. The default is
	// its answer to symbols that are held to these values.
	Concrete bool

	// Foreign means that the original is not the C library's function. That function is not called
	// then.
	Foreign bool
	// Native returns a shared library with a Foreign original, and the function's name in it. Nil
	// means that the original is not called. Package original runs the function too, so it affects
	// only memory.
	Native func(context.Context) (library, function string, err error)

	Solvers [2]*solver.Solver // owned by the caller; nil means own processes of z3 and cvc5
	Timeout time.Duration     // processor time of a call of the C library; 0 means a second
	// LookPath finds the C compiler. Nil means exec.LookPath.
	LookPath func(name string) (string, error)
}

// State is the answer of a check.
type State string

// The states.
const (
	Confirms State = "confirms"
	Refutes  State = "refutes"
	Open     State = "open"   // the check does not know
	Absent   State = "absent" // the check was not possible and does not count
	Remark   State = "remark" // the engine is right for the call's values, and does not count
)

// Step is one check with its answer.
type Step struct {
	By     string `json:"by"`
	State  State  `json:"state"`
	Answer string `json:"answer"`
	Engine bool   `json:"-"` // the engine was asked
	Silent bool   `json:"-"` // the engine's process ended, or took too long
}

// Verdict combines the checks. Checks after one that does not confirm are skipped.
type Verdict struct {
	Confirmed bool   `json:"confirmed"`
	Reason    string `json:"reason,omitempty"` // why the deviation is not confirmed
	Open      bool   `json:"open,omitempty"`   // not confirmed, but not refuted either
	Steps     []Step `json:"steps,omitempty"`
	Remark    string `json:"remark,omitempty"` // where the engine is right, of a confirmed deviation
}

// Confirmer confirms deviations of one model. It must stay on one goroutine.
type Confirmer struct {
	signature *call.Signature
	model     *formula.Model
	engine    Asker
	o         Options
	solvers   [2]*solver.Solver
	driver    compiled
	native    *native

	probed bool // the solvers were probed
	broken error
}

// New returns a Confirmer and starts no process. A nil m means a model that is not a script. A nil
// engine means that no engine made the model.
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

// Close ends the processes that the Confirmer started.
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

// deviation is a deviation to confirm.
type deviation struct {
	call     call.Call
	by       call.Comparator
	original *call.Effect
	model    *formula.Answer
	right    string // the original's effect
	wrong    string // the model's answer
}

// Confirm checks that a call has the original's effect by a comparator and that the model claims
// otherwise. The error is ctx's, or names what this machine lacks (exit.Infra).
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
		if s.Engine {
			if s, err = k.values(ctx, d, s, &v); err != nil {
				return v, err
			}
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
	case errors.Is(err, errMissing):
		s.Answer = "lacks " + k.signature.Function + ", so musl alone counts"
		return s, nil
	case err != nil:
		s.State, s.Answer = Open, err.Error()
		return s, nil
	}
	s.State, s.Answer = Confirms, got.failed
	if got.failed == "" {
		// From outside, an address of the function's own memory has no target.
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

// notCalled returns why the C library is not called, or "" if it is. Functions in musl's module
// compute from memory alone. Others may affect the machine.
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
