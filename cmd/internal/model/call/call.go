// Package call represents calls of C functions for models: arguments, values, effects, and their C
// source.
//
// Package model and the program kinds that run models and originals share it. It does not know how
// a call is computed.
//
// # Inputs
//
// Each byte string is a call, so mutators need no knowledge of the format. Numbers come first, in
// the order of the arguments, low byte first. The contents of buffers follow. Missing bytes are
// zero, and extra bytes are ignored. A size that is assumed to be small takes one byte. A string
// has no byte for its terminating zero, which is always there. A pointer that may be null has one
// more byte at its end: odd means null.
package call

import (
	"strconv"

	"parallax/cmd/internal/model/extract"
)

// Guard fills the guard bytes before and after each buffer. Adapters of engines use the same value.
const Guard = 0xA5

// Signature describes the arguments and the result of a function.
type Signature struct {
	Function  string
	Prototype string
	Arguments []extract.Argument
	Result    extract.Result
}

// SignatureOf returns the signature by which an engine was asked for a model.
func SignatureOf(a *extract.Answer) *Signature {
	s := &Signature{Function: a.Function, Prototype: a.Prototype, Arguments: a.Arguments}
	if a.Result != nil {
		s.Result = *a.Result
	}
	return s
}

// Value holds one argument: a number, or the bytes that a pointer points to, without guard bytes.
type Value struct {
	Int  uint64
	Data []byte // nil for a number
}

// Call holds the values of all arguments.
type Call []Value

// inputSize returns how many input bytes an argument takes.
func inputSize(a *extract.Argument) int {
	if a.Nullable && !a.Null {
		return contentSize(a) + 1
	}
	return contentSize(a)
}

// contentSize returns how many input bytes hold the argument's value. The byte that marks a null
// pointer is not counted.
func contentSize(a *extract.Argument) int {
	switch {
	case a.Null || a.Held != "" || a.Kind == "pointer":
		return 0
	case a.Kind == "scalar" && a.Assumed > 0 && a.Assumed < 256:
		return 1
	case a.Kind == "scalar":
		return (a.Bits + 7) / 8
	case a.Kind == "string":
		return a.Bytes - a.Bits/8
	}
	return a.Bytes
}

// Content returns how many input bytes hold the value of argument i. For a pointer, these are the
// bytes that it points to.
func (s *Signature) Content(i int) int { return contentSize(&s.Arguments[i]) }

// order calls do for each argument, in the order of inputs.
func (s *Signature) order(do func(i int, a *extract.Argument)) {
	for _, pointers := range []bool{false, true} {
		for i := range s.Arguments {
			if a := &s.Arguments[i]; (a.Kind != "scalar") == pointers {
				do(i, a)
			}
		}
	}
}

// Fields calls do for each argument in the order of inputs, with the offset and the number of its
// bytes.
func (s *Signature) Fields(do func(a *extract.Argument, at, n int)) {
	at := 0
	s.order(func(_ int, a *extract.Argument) {
		do(a, at, inputSize(a))
		at += inputSize(a)
	})
}

// Size returns how many bytes of an input matter.
func (s *Signature) Size() (n int) {
	for i := range s.Arguments {
		n += inputSize(&s.Arguments[i])
	}
	return n
}

// Numbers returns how many bytes at the start of an input hold numbers.
func (s *Signature) Numbers() (n int) {
	for i := range s.Arguments {
		if a := &s.Arguments[i]; a.Kind == "scalar" {
			n += inputSize(a)
		}
	}
	return n
}

// Decode returns the call that an input encodes.
func (s *Signature) Decode(flat []byte) Call {
	c := make(Call, len(s.Arguments))
	s.order(func(i int, a *extract.Argument) {
		n := inputSize(a)
		own := make([]byte, n)
		flat = flat[copy(own, flat):]
		c[i] = value(a, own)
	})
	return c
}

// Encode returns the input that decodes to a call, without zeros at its end.
func (s *Signature) Encode(c Call) (flat []byte) {
	s.order(func(i int, a *extract.Argument) {
		n := contentSize(a)
		if a.Kind != "scalar" {
			null := c[i].Data == nil
			if null {
				flat = append(flat, make([]byte, n)...)
			} else {
				flat = append(flat, c[i].Data[:n]...)
			}
			if n < inputSize(a) {
				flat = append(flat, map[bool]byte{true: 1}[null])
			}
			return
		}
		for k := range n {
			flat = append(flat, byte(c[i].Int>>(8*k)))
		}
	})
	for len(flat) > 0 && flat[len(flat)-1] == 0 {
		flat = flat[:len(flat)-1]
	}
	return flat
}

// value decodes an argument from its own bytes of an input.
func value(a *extract.Argument, own []byte) Value {
	var n uint64
	for k := len(own) - 1; k >= 0 && len(own) <= 8; k-- {
		n = n<<8 | uint64(own[k])
	}
	switch {
	case a.Held != "":
		n, err := strconv.ParseInt(a.Held, 10, 64)
		if err != nil {
			u, _ := strconv.ParseUint(a.Held, 10, 64)
			return Value{Int: u}
		}
		return Value{Int: uint64(n) & mask(a.Bits)}
	case a.Null:
		return Value{}
	case a.Kind == "scalar":
		if a.Assumed > 0 {
			n %= uint64(a.Assumed) + 1
		}
		return Value{Int: n & mask(a.Bits)}
	}
	if a.Nullable {
		last := len(own) - 1
		if own[last]&1 != 0 {
			return Value{}
		}
		own = own[:last:last]
	}
	return Value{Data: append(own, make([]byte, a.Bytes-len(own))...)}
}

func mask(bits int) uint64 {
	if bits >= 64 {
		return ^uint64(0)
	}
	return 1<<bits - 1
}

// Signed reads the low bits of a number as a signed integer.
func Signed(n uint64, bits int) int64 {
	if bits < 64 {
		return int64(n<<(64-bits)) >> (64 - bits)
	}
	return int64(n)
}

// Whole returns the memory that an argument points to, with its guard bytes. It returns nil for a
// number or null.
func Whole(a *extract.Argument, v Value) []byte {
	if v.Data == nil {
		return nil
	}
	whole := make([]byte, a.Before+len(v.Data)+a.Behind)
	for i := range whole {
		whole[i] = Guard
	}
	copy(whole[a.Before:], v.Data)
	return whole
}
