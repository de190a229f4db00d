package formula

import (
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/smt"
)

// effect converts the values of a path's results to an effect.
func (m *Model) effect(p *Path, c call.Call, values []smt.Value) call.Effect {
	e := call.Effect{Memory: make([][]byte, len(c))}
	for i := range c {
		e.Memory[i] = call.Whole(&m.Signature.Arguments[i], c[i])
	}
	stored := func(arg int) *call.Stored {
		if c[arg].Data == nil { // a null pointer stores nothing
			return &call.Stored{}
		}
		for _, s := range e.Stored {
			if s.Arg == arg {
				return s
			}
		}
		e.Stored = append(e.Stored, &call.Stored{Arg: arg})
		return e.Stored[len(e.Stored)-1]
	}
	into := map[int]bool{}
	for i, r := range p.results {
		if r.kind == outInto {
			stored(r.arg).To.Into = int(values[i].Word())
			into[r.arg] = true
		}
	}
	for i, r := range p.results {
		n := number(values[i], m.Signature.Result)
		switch r.kind {
		case ret:
			switch {
			case m.Signature.Result.Kind != "address":
				e.Ret = n
			case p.Ret == "offset":
				e.To.Offset = int64(n)
			default:
				e.To = m.locate(n)
			}
		case retInto:
			e.To.Into = int(n)
		case outByte:
			a := &m.Signature.Arguments[r.arg]
			if k := r.at + a.Before; k >= 0 && k < len(e.Memory[r.arg]) {
				e.Memory[r.arg][k] = byte(n)
			}
		case outPointer:
			if s := stored(r.arg); into[r.arg] {
				s.To.Offset = int64(n)
			} else {
				s.To = m.locate(n)
			}
		}
	}
	if e.To.Into == extract.Fresh {
		e.To.Offset = 0
	}
	return e
}

// number returns a value as a word. Truth values are 0 and 1.
func number(v smt.Value, r extract.Result) uint64 {
	switch v.Sort() {
	case smt.Bool:
		if v.Bool() {
			return 1
		}
		return 0
	case smt.Int:
		n := v.Big()
		if n.Sign() < 0 {
			return uint64(n.Int64())
		}
		return n.Uint64()
	}
	return v.Word()
}

// locate returns the target and the offset of an address.
func (m *Model) locate(n uint64) call.Pointer {
	switch {
	case n == 0:
		return call.Pointer{}
	case n >= freshAddress && n < freshAddress+stride:
		return call.Pointer{Into: extract.Fresh}
	}
	for i := range m.Signature.Arguments {
		if at := int64(n - address(i)); at > -stride/2 && at < stride/2 {
			return call.Pointer{Into: i + 1, Offset: at}
		}
	}
	return call.Pointer{Into: extract.Nowhere}
}
