package confirm

import (
	"context"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/formula"
)

// ask asks the engine for its own answer to the call, in the mode in which it gave its model.
func (k *Confirmer) ask(ctx context.Context, d *deviation) (Step, error) {
	switch {
	case k.engine == nil:
		return Step{By: k.o.Engine, State: Absent, Answer: "is not asked, since the model is no engine's"}, nil
	case k.o.Concrete:
		return k.askValues(ctx, d)
	}
	return k.askSymbols(ctx, d)
}

// askValues asks the engine about the call's values.
func (k *Confirmer) askValues(ctx context.Context, d *deviation) (Step, error) {
	s := Step{By: k.o.Engine}
	err := k.question(ctx, d, &s, extract.Question{})
	return s, err
}

// values asks the engine about the call's values if its answer to symbols does not refute the
// deviation, and returns the step that decides. If symbols confirm it, a right answer to the values
// is a remark, since an analysis of this call alone would not show the deviation. If the answer to
// symbols is open, the values decide.
func (k *Confirmer) values(ctx context.Context, d *deviation, symbols Step, v *Verdict) (Step, error) {
	if k.o.Concrete || symbols.State == Refutes {
		return symbols, nil
	}
	s, err := k.askValues(ctx, d)
	if err != nil {
		return s, err
	}
	s.By += " with values"
	if s.State == Refutes && symbols.State == Confirms {
		s.State = Remark
		v.Remark = s.By + ": " + s.Answer
	}
	v.Steps = append(v.Steps, s)
	if symbols.State == Open && s.State == Confirms {
		return s, nil
	}
	return symbols, nil
}

// askSymbols asks the engine about symbols that are held to the call's values. So the engine uses
// the same code as for its model.
func (k *Confirmer) askSymbols(ctx context.Context, d *deviation) (Step, error) {
	s := Step{By: k.o.Engine}
	q := extract.Question{Symbolic: true}
	for i := range k.signature.Arguments {
		a := &k.signature.Arguments[i]
		if a.Held != "" {
			q.Plain = append(q.Plain, i)
		}
		if elements := a.Bytes / max(a.Bits/8, 1); a.Kind == "bytes" {
			q.Sizes.Buffer = elements
		} else if a.Kind == "string" {
			q.Sizes.Buffer = elements - 1
		}
	}
	err := k.question(ctx, d, &s, q)
	return s, err
}

func (k *Confirmer) question(ctx context.Context, d *deviation, s *Step, q extract.Question) error {
	q.Function, q.Prototype, q.Inputs = k.signature.Function, k.o.Prototype, [][]extract.Value{inputs(k.signature, d.call)}
	s.Engine = true
	outcomes, err := k.engine.Ask(ctx, q)
	switch {
	case err != nil:
		return err
	case len(outcomes) != 1:
		*s = open(*s, fmt.Sprintf("gives %d answers to one call", len(outcomes)))
	default:
		k.judge(s, d, &outcomes[0])
	}
	return nil
}

// judge compares the engine's answer with the original's.
func (k *Confirmer) judge(s *Step, d *deviation, o *extract.Outcome) {
	dropped := d.model.Kind == formula.Dropped
	s.State = Open
	switch o.Status {
	case extract.OK:
	case extract.Crash:
		s.Silent = processEnded(o.Reason)
		if s.Answer = "crashes: " + o.Reason; dropped && !s.Silent {
			s.State = Confirms
		}
		return
	case extract.Nothing:
		if s.Answer = "does not return: " + o.Reason; dropped {
			s.State = Confirms
		}
		return
	default:
		s.Silent = o.Status == extract.Timeout
		s.Answer = fmt.Sprintf("%s: %s", o.Status, o.Reason)
		return
	}
	e, err := effect(k.signature, d.call, o)
	if err != nil {
		s.Answer = "its answer cannot be read: " + err.Error()
		return
	}
	s.Answer = k.signature.Text(d.call, &e, d.by)
	switch {
	case !o.Unique:
		s.Answer += ", as one of several answers"
	case s.Answer == d.right:
		s.State, s.Answer = Refutes, "answers rightly when it is asked for this call alone: "+d.right
	case s.Answer == d.wrong:
		s.State, s.Answer = Confirms, s.Answer+", as its model says"
	default:
		s.State, s.Answer = Confirms, fmt.Sprintf("%s, which is wrong too, but its model %s", s.Answer, said(dropped, d.wrong))
	}
}

func said(dropped bool, text string) string {
	if dropped {
		return text
	}
	return "says that it " + text
}

// inputs returns a call's values in the engine's form.
func inputs(s *call.Signature, c call.Call) []extract.Value {
	values := make([]extract.Value, len(c))
	for i := range c {
		switch a := &s.Arguments[i]; {
		case a.Kind == "scalar":
			values[i].Int = strconv.FormatUint(c[i].Int, 10)
		case c[i].Data == nil:
			values[i].Null = true
		default:
			values[i].Hex = hex.EncodeToString(c[i].Data)
		}
	}
	return values
}

// effect converts an engine's answer to an effect.
func effect(s *call.Signature, c call.Call, o *extract.Outcome) (call.Effect, error) {
	e := call.Effect{Memory: make([][]byte, len(c))}
	for i := range c {
		e.Memory[i] = call.Whole(&s.Arguments[i], c[i])
	}
	var err error
	switch s.Result.Kind {
	case "scalar":
		e.Ret, err = number(o.Value)
	case "address":
		e.To, err = place(o.Into, o.Value)
	}
	if err != nil {
		return e, fmt.Errorf("the result: %w", err)
	}
	for _, w := range o.Written {
		if w.Arg < 0 || w.Arg >= len(c) || e.Memory[w.Arg] == nil {
			return e, fmt.Errorf("it writes to argument %d, which points to nothing", w.Arg)
		}
		a := &s.Arguments[w.Arg]
		if w.Hex == "" {
			to, err := place(w.Into, w.Value)
			if err != nil {
				return e, fmt.Errorf("what it stores in %s: %w", a.Name, err)
			}
			e.Stored = append(e.Stored, &call.Stored{Arg: w.Arg, To: to})
			continue
		}
		data, err := hex.DecodeString(w.Hex)
		if err != nil {
			return e, fmt.Errorf("what it writes to %s: %w", a.Name, err)
		}
		at := a.Before + w.Offset
		if at < 0 || at > 1<<20 {
			return e, fmt.Errorf("it writes at %s%+d", a.Name, w.Offset)
		}
		for len(e.Memory[w.Arg]) < at+len(data) { // an engine may have more guard bytes
			e.Memory[w.Arg] = append(e.Memory[w.Arg], call.Guard)
		}
		copy(e.Memory[w.Arg][at:], data)
	}
	return e, nil
}

func place(into int, offset string) (call.Pointer, error) {
	n, err := number(offset)
	p := call.Pointer{Into: into, Offset: int64(n)}
	if into == extract.Fresh || into == extract.Nowhere {
		p.Offset = 0
	}
	return p, err
}

// number parses a decimal number of an engine. A negative number gives its bits.
func number(text string) (uint64, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return uint64(n), nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no number of 64 bits", text)
	}
	return n, nil
}

// processEnded reports whether the engine's process ended, as at a memory limit. Such a crash is no
// answer about the call.
func processEnded(reason string) bool {
	return strings.HasPrefix(reason, "it ended") || strings.Contains(reason, "MemoryError")
}
