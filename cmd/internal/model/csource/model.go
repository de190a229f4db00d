package csource

import (
	"context"
	"fmt"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/llvmir"
	"parallax/cmd/internal/model/original"
)

// Model is a C function as a model. It must stay on one goroutine.
type Model struct {
	o    *original.Original
	stop *stop // why the run stopped early
}

// stop is the answer of an analyzer function.
type stop struct {
	kind   formula.Kind
	detail string
}

func (s *stop) Error() string { return s.detail }

// Model returns a function as a model. Its name may differ from the signature's.
func (c *Code) Model(s *call.Signature, function string) (*Model, error) {
	o, err := c.Original(s, function)
	if err != nil {
		return nil, err
	}
	m := &Model{o: o}
	for name, r := range c.roles {
		o.Supply(name, func(machine *llvmir.Machine, args []uint64) (uint64, error) {
			m.stop = r.answer(name, machine, args)
			if m.stop != nil {
				return 0, m.stop
			}
			return 0, nil
		})
	}
	return m, nil
}

// Run runs a call and returns the model's answer, together with the executed blocks like an
// original's run.
func (m *Model) Run(c call.Call) (original.Run, formula.Answer, error) {
	m.stop = nil
	run, err := m.o.Run(c)
	if err != nil {
		return run, formula.Answer{}, err
	}
	switch {
	case m.stop != nil:
		return run, formula.Answer{Kind: m.stop.kind, Detail: run.Undefined}, nil
	case run.Undefined != "":
		return run, formula.Answer{Kind: formula.Crashed, Detail: run.Undefined}, nil
	}
	return run, formula.Answer{Kind: formula.Returned, Effect: run.Effect, Branch: run.Path | 1}, nil
}

// Evaluate returns the model's answer to a call. Undefined behavior gives Crashed with its place. A
// failed assumption or a rejected call gives Declined. A request for any value gives Unconstrained.
func (m *Model) Evaluate(_ context.Context, c call.Call) (formula.Answer, error) {
	_, answer, err := m.Run(c)
	return answer, err
}

// String describes the model.
func (m *Model) String() string {
	return fmt.Sprintf("%s of %s", m.o.Function.Name, m.o.Function.File.Name)
}
