package paths

import (
	"fmt"
	"slices"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/llvmir"
	"parallax/cmd/internal/model/llvmir/musl"
	"parallax/cmd/internal/model/smt"
)

// input is an unknown part of a call: a number, or a byte of a buffer.
type input struct {
	term *smt.Term
	arg  int
	at   int // byte offset from the start of the data; -1 for a number
}

// arguments names the arguments for both sides as package extract does. Fixed numbers, terminating
// zeros and guard bytes are known. Arguments that may be null are assumed not to be.
func (f *finder) arguments() {
	s, ctx := f.o.Signature, f.m.Context
	f.symbolic = musl.NewSymbolic(f.o.Module, ctx)
	f.buffers = []int{-1} // errno
	least := s.Decode(nil)
	for i := range s.Arguments {
		a := &s.Arguments[i]
		switch {
		case a.Kind == "scalar" && a.Held != "":
			t := ctx.Bits(least[i].Int, a.Bits)
			f.args, f.terms = append(f.args, llvmir.Number(t)), append(f.terms, formula.Argument{Number: t})
		case a.Kind == "scalar":
			t := f.free(fmt.Sprint("arg_", i), a.Bits)
			f.inputs = append(f.inputs, input{t, i, -1})
			if a.Assumed > 0 {
				f.pre = append(f.pre, ctx.Must(smt.OpBvUle, t, ctx.Bits(uint64(a.Assumed), a.Bits)))
			}
			f.args, f.terms = append(f.args, llvmir.Number(t)), append(f.terms, formula.Argument{Number: t})
		case least[i].Data == nil:
			f.args, f.terms = append(f.args, llvmir.Known(least[i].Int)), append(f.terms, formula.Argument{})
		default:
			f.result.Left.Null = f.result.Left.Null || a.Nullable
			n := s.Content(i)
			var bytes []*smt.Term
			for k, b := range call.Whole(a, least[i]) {
				t := ctx.Bits(uint64(b), 8)
				if at := k - a.Before; at >= 0 && at < n {
					t = f.free(fmt.Sprintf("arg_%d.%d", i, at), 8)
					f.inputs = append(f.inputs, input{t, i, at})
				}
				bytes = append(bytes, t)
			}
			f.buffers = append(f.buffers, i)
			at := f.symbolic.Buffer(llvmir.Buffer{Name: a.Name, Bytes: bytes, Align: (16 - a.Before%16) % 16})
			f.args, f.terms = append(f.args, at.Offset(uint64(a.Before))), append(f.terms, formula.Argument{Bytes: bytes})
		}
	}
}

// free returns an unknown. A constant of the model with the same name and another sort, such as an
// integer, is a different constant. Terms of this one replace it, so it does not occur in
// questions.
func (f *finder) free(name string, bits int) *smt.Term {
	return f.m.Context.Const(name, smt.BitVec(bits))
}

// values returns the unknown inputs, to ask a solver for their values.
func (f *finder) values() (terms []*smt.Term) {
	for _, in := range f.inputs {
		terms = append(terms, in.term)
	}
	return terms
}

// call returns the call with these values of the inputs.
func (f *finder) call(values []smt.Value) (call.Call, error) {
	c := f.o.Signature.Decode(nil)
	for i, in := range f.inputs {
		if values[i].Sort() != in.term.Sort() {
			return nil, fmt.Errorf("the solver does not write out %s", in.term.Name())
		}
		if in.at < 0 {
			c[in.arg].Int = values[i].Word()
		} else {
			c[in.arg].Data[in.at] = byte(values[i].Word())
		}
	}
	return c, nil
}

// set sets the inputs of a machine to a call's values.
func (f *finder) set(m *smt.Machine, c call.Call) {
	for i, in := range f.inputs {
		if in.at < 0 {
			m.SetWord(i, c[in.arg].Int)
		} else {
			m.SetWord(i, uint64(c[in.arg].Data[in.at]))
		}
	}
}

// output returns the effect of a path as terms, or why terms cannot express it.
func (f *finder) output(x *llvmir.Execution) (e *formula.Effect, beyond string) {
	s := f.o.Signature
	e = &formula.Effect{Memory: make([][]*smt.Term, len(s.Arguments)), Stored: make([]*formula.Pointer, len(s.Arguments))}
	switch {
	case s.Result.Kind == "void":
	case x.Result == nil || x.Result.Term == nil:
		return nil, "the result has no value"
	case s.Result.Kind == "address":
		e.To = f.place(*x.Result)
	default:
		e.Ret = x.Result.Term
	}
	for b, i := range f.buffers {
		if i < 0 {
			continue
		}
		a := &s.Arguments[i]
		bytes := slices.Clone(x.Buffers[b])
		if a.Kind == "pointer" && slices.ContainsFunc(x.Wrote[b][a.Before:a.Before+8], func(w *smt.Term) bool { return w.Op() != smt.OpFalse }) {
			if slices.ContainsFunc(x.Wrote[b][a.Before:a.Before+8], func(w *smt.Term) bool { return !w.Literal() }) {
				return nil, "whether a pointer is stored depends on the input"
			}
			at := bytes[a.Before]
			if at.Width != 64 {
				at = f.joined(bytes[a.Before : a.Before+8])
			}
			if at.Term == nil {
				return nil, "a pointer that is stored has no value"
			}
			e.Stored[i] = f.place(at)
			for k := range 8 { // the pointer is compared, not its bytes
				bytes[a.Before+k] = llvmir.Output{Width: 8, Term: f.terms[i].Bytes[a.Before+k]}
			}
		}
		for k, o := range bytes {
			if o.Term == nil || o.Width != 8 {
				return nil, fmt.Sprintf("the byte at %s%+d has no value", a.Name, k-a.Before)
			}
			e.Memory[i] = append(e.Memory[i], o.Term)
		}
	}
	return e, ""
}

// joined returns the number that bytes form.
func (f *finder) joined(bytes []llvmir.Output) (o llvmir.Output) {
	o.Width = 64
	for _, b := range bytes {
		switch {
		case b.Term == nil || b.Width != 8:
			o.Term = nil
			return o
		case o.Term == nil:
			o.Term = b.Term
		default:
			o.Term = f.m.Context.Must(smt.OpConcat, b.Term, o.Term)
		}
	}
	return o
}

// place returns the target of an address, as call.Pointer has it.
func (f *finder) place(o llvmir.Output) *formula.Pointer {
	ctx := f.m.Context
	into := func(n uint64) *smt.Term { return ctx.Bits(n, 8) }
	nobody, none := into(nowhere), ctx.Bits(0, 64)
	switch {
	case o.Buffer > 0 && f.buffers[o.Buffer-1] >= 0:
		i := f.buffers[o.Buffer-1]
		before := ctx.Bits(uint64(f.o.Signature.Arguments[i].Before), 64)
		return &formula.Pointer{Into: into(uint64(i + 1)), Offset: ctx.Must(smt.OpBvSub, o.Term, before)}
	case o.Buffer > 0 || o.Global != "":
		return &formula.Pointer{Into: nobody, Offset: none}
	}
	null := ctx.Must(smt.OpEqual, o.Term, none)
	if v, ok := null.Value(); ok {
		if v.Bool() {
			return &formula.Pointer{Into: into(0), Offset: none}
		}
		return &formula.Pointer{Into: nobody, Offset: none}
	}
	return &formula.Pointer{Into: ctx.Must(smt.OpIte, null, into(0), nobody), Offset: none}
}
