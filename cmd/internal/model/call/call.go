// Package call has calls of C functions as models of functions take them: what a function's arguments are, an input of a campaign as values
// of them and back, a call as C source, and what a call did, in a form that two sides can be compared by.
//
// It is the vocabulary of package model and of the kinds of programs that run models and their originals. It knows nothing of how a call is
// computed.
//
// # Inputs
//
// Each byte string is a call, so that mutators need to know nothing: numbers come first, in the order of the arguments, low byte first, then the
// bytes of what pointers point to. What is missing is zero, and what is left over is ignored. A size that is assumed to be small takes one
// byte. A string has no byte for its terminating zero, which is always there. A pointer that may be null has one byte more, at its end: it is
// null if that byte is odd.
package call

import (
	"strconv"

	"parallax/cmd/internal/model/extract"
)

// Guard is what lies before and behind each buffer. Adapters of engines have it too.
const Guard = 0xA5

// Signature is what a function takes and returns.
type Signature struct {
	Function  string
	Prototype string
	Arguments []extract.Argument
	Result    extract.Result
}

// Of is the signature by which an engine was asked for a model.
func Of(a *extract.Answer) *Signature {
	s := &Signature{Function: a.Function, Prototype: a.Prototype, Arguments: a.Arguments}
	if a.Result != nil {
		s.Result = *a.Result
	}
	return s
}

// Value is an argument: a number, or what it points to, without guard bytes.
type Value struct {
	Int  uint64
	Data []byte // nil for a number
}

// Call is the values of all arguments.
type Call []Value

// free is how many bytes of an input an argument takes.
func free(a *extract.Argument) int {
	if a.Nullable && !a.Null {
		return content(a) + 1
	}
	return content(a)
}

// content is how many of these are of its value.
func content(a *extract.Argument) int {
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

// Content is how many bytes of an input are of argument i's value: of a pointer, how many bytes of what it points to.
func (s *Signature) Content(i int) int { return content(&s.Arguments[i]) }

// order calls a function for each argument in the order in which an input has them.
func (s *Signature) order(do func(i int, a *extract.Argument)) {
	for _, pointers := range []bool{false, true} {
		for i := range s.Arguments {
			if a := &s.Arguments[i]; (a.Kind != "scalar") == pointers {
				do(i, a)
			}
		}
	}
}

// Fields calls a function for each argument in the order of inputs: where its bytes begin, and how many there are.
func (s *Signature) Fields(do func(a *extract.Argument, at, n int)) {
	at := 0
	s.order(func(_ int, a *extract.Argument) {
		do(a, at, free(a))
		at += free(a)
	})
}

// Size is how many bytes of an input matter.
func (s *Signature) Size() (n int) {
	for i := range s.Arguments {
		n += free(&s.Arguments[i])
	}
	return n
}

// Numbers is how many bytes at the start of an input are numbers.
func (s *Signature) Numbers() (n int) {
	for i := range s.Arguments {
		if a := &s.Arguments[i]; a.Kind == "scalar" {
			n += free(a)
		}
	}
	return n
}

// Decode is the call that an input is.
func (s *Signature) Decode(flat []byte) Call {
	c := make(Call, len(s.Arguments))
	s.order(func(i int, a *extract.Argument) {
		n := free(a)
		own := make([]byte, n)
		flat = flat[copy(own, flat):]
		c[i] = value(a, own)
	})
	return c
}

// Encode is the input that is decoded as a call, without zeros at its end.
func (s *Signature) Encode(c Call) (flat []byte) {
	s.order(func(i int, a *extract.Argument) {
		n := content(a)
		if a.Kind != "scalar" {
			null := c[i].Data == nil
			if null {
				flat = append(flat, make([]byte, n)...)
			} else {
				flat = append(flat, c[i].Data[:n]...)
			}
			if n < free(a) {
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

// value is the value of an argument, of its bytes of an input.
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

// Signed is a number of some bits read with a sign.
func Signed(n uint64, bits int) int64 {
	if bits < 64 {
		return int64(n<<(64-bits)) >> (64 - bits)
	}
	return int64(n)
}

// Whole is the memory that an argument points to, with its guard bytes; nil for a number or null.
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
