package input

import (
	"math"
	"unsafe"
)

const (
	// chunkSize is the size of the allocations for Bytes and String. 64 KiB is above the runtime's
	// size classes. A chunk is therefore a span of its own without pointers, and a program that
	// keeps a slice retains no more.
	chunkSize = 64 << 10
	// ownSize is the size from which an argument has an allocation of its own, so that at most a
	// quarter of a chunk is wasted.
	ownSize = 16 << 10
)

// Args is the decoded view of an input for calls of a program. The zero value is ready for Load. It
// is not safe for concurrent use, but the values that it returns are independent of it and of each
// other.
type Args struct {
	shape Shape
	flat  []byte
	spans []Span
	chunk []byte // unused rest of the current chunk, without other references
}

// Load sets the input of the view. It keeps flat, which must not change while arguments are read,
// and assumes that s.Check(flat) is nil. It allocates only for the longest shape so far.
func (a *Args) Load(s Shape, flat []byte) {
	a.shape, a.flat = s, flat
	a.spans = s.Spans(a.spans[:0], flat)
}

// Flat returns the input.
func (a *Args) Flat() []byte { return a.flat }

// Bytes returns a []byte or string argument in fresh memory, which the program may keep and change.
// It is never nil. Its capacity is its length, so that appending does not overwrite other
// arguments.
func (a *Args) Bytes(i int) []byte {
	data := a.data(i)
	return append(a.alloc(len(data)), data...)
}

// String returns a []byte or string argument in fresh memory.
//
// unsafe.String requires that the bytes do not change while the string exists. They are written
// once, here, and alloc never returns the same memory twice.
func (a *Args) String(i int) string {
	b := a.Bytes(i)
	if len(b) == 0 {
		return ""
	}
	return unsafe.String(&b[0], len(b))
}

// alloc returns fresh memory with length 0 and capacity n, aligned to 8 bytes like that of make.
func (a *Args) alloc(n int) []byte {
	if n == 0 {
		return []byte{}
	}
	if n > ownSize {
		return make([]byte, 0, n)
	}
	step := (n + 7) &^ 7
	if step > len(a.chunk) {
		a.chunk = make([]byte, chunkSize)
	}
	b := a.chunk[0:0:n]
	a.chunk = a.chunk[step:]
	return b
}

// data returns the bytes of a []byte or string argument inside the input.
func (a *Args) data(i int) []byte {
	if !a.shape[i].sized() {
		panic("input: argument of kind " + a.shape[i].String() + " read as []byte or string")
	}
	return a.flat[a.spans[i].Start:a.spans[i].End]
}

// bits returns the bits of a scalar argument, zero-extended.
func (a *Args) bits(i int) uint64 {
	if a.shape[i].sized() {
		panic("input: argument of kind " + a.shape[i].String() + " read as a scalar")
	}
	return scalar(a.flat[a.spans[i].Start:a.spans[i].End])
}

// Bool returns a bool argument.
func (a *Args) Bool(i int) bool { return a.bits(i) != 0 }

// Int returns an argument of a signed integer kind, sign-extended.
func (a *Args) Int(i int) int64 {
	shift := 64 - 8*a.shape[i].Width()
	return int64(a.bits(i)<<shift) >> shift
}

// Uint returns an argument of an unsigned integer kind.
func (a *Args) Uint(i int) uint64 { return a.bits(i) }

// Float returns an argument of a float kind. Widening a float32 turns a signaling NaN into a quiet
// one; Float32 does not.
func (a *Args) Float(i int) float64 {
	if a.shape[i] == Float32 {
		return float64(a.Float32(i))
	}
	return math.Float64frombits(a.bits(i))
}

// Float32 returns a float32 argument with its exact bits.
func (a *Args) Float32(i int) float32 { return math.Float32frombits(uint32(a.bits(i))) }
