package language

import (
	"context"
	"encoding/json"
	"fmt"

	"parallax/cmd/internal/model/dynamic"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/persistent"
	"parallax/internal/oracle"
)

// Asker runs both sides. It must stay on one goroutine.
type Asker struct {
	*Formula
	original program.Executor
}

// Open starts the original.
func Open(ctx context.Context, f *dynamic.Function, driver persistent.Config) (*Asker, error) {
	m, err := New(f)
	if err != nil {
		return nil, err
	}
	original, err := persistent.Open(ctx, driver)
	if err != nil {
		m.Close()
		return nil, err
	}
	return &Asker{m, original}, nil
}

// Close ends the processes.
func (a *Asker) Close() {
	a.Formula.Close()
	a.original.Close()
}

// Calls implements dynamic.Asker.
func (a *Asker) Calls(ctx context.Context, _ string, side extract.Side, list []json.RawMessage) ([]extract.Said, error) {
	if side == extract.OfOriginal {
		return a.originals(ctx, list)
	}
	said := make([]extract.Said, len(list))
	for i, data := range list {
		c, err := dynamic.ReadCall(data)
		if err != nil {
			return nil, err
		}
		if said[i], err = a.Answer(ctx, c); err != nil {
			return nil, err
		}
	}
	return said, nil
}

func (a *Asker) originals(ctx context.Context, list []json.RawMessage) ([]extract.Said, error) {
	inputs, obs := make([][]byte, len(list)), make([]program.Observation, len(list))
	for i := range list {
		inputs[i] = list[i]
	}
	if err := a.original.Execute(ctx, inputs, obs); err != nil {
		return nil, err
	}
	said := make([]extract.Said, len(list))
	for i := range obs {
		o := &obs[i]
		if o.Outcome != oracle.Accepted {
			said[i] = extract.Said{How: extract.Failed, Value: o.Outcome.String() + ": " + o.Message}
			continue
		}
		if err := json.Unmarshal(o.Value, &said[i]); err != nil {
			return nil, fmt.Errorf("the driver of %s answers %q: %w", a.f.Function, o.Value, err)
		}
		said[i].Unique = true
		a.compared(&said[i])
	}
	return said, nil
}
