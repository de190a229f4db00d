package input

import (
	"encoding/binary"
	"math"
)

// Builder builds the flat form of an input, argument by argument, in order. The zero value is ready
// for Reset. The result is valid until the next Reset.
type Builder struct {
	raw  bool
	flat []byte
	n    int // arguments
}

// Reset begins an input of the shape.
func (b *Builder) Reset(s Shape) { b.raw, b.flat, b.n = s.Raw(), b.flat[:0], 0 }

// Flat returns the input and the number of its arguments.
func (b *Builder) Flat() (flat []byte, arguments int) { return b.flat, b.n }

// Bytes appends a []byte or string argument.
func (b *Builder) Bytes(v []byte) {
	b.length(len(v))
	b.flat = append(b.flat, v...)
}

// String appends a []byte or string argument.
func (b *Builder) String(v string) {
	b.length(len(v))
	b.flat = append(b.flat, v...)
}

// length writes the length before data. The caller must limit the data to a valid length.
func (b *Builder) length(n int) {
	if b.n++; !b.raw {
		b.flat = binary.LittleEndian.AppendUint32(b.flat, uint32(n))
	}
}

// Bool appends a bool argument.
func (b *Builder) Bool(v bool) {
	if v {
		b.bits(1, 1)
	} else {
		b.bits(0, 1)
	}
}

// Int appends an argument of a signed integer kind.
func (b *Builder) Int(v int64, k Kind) { b.bits(uint64(v), k.Width()) }

// Uint appends an argument of an unsigned integer kind.
func (b *Builder) Uint(v uint64, k Kind) { b.bits(v, k.Width()) }

// Float32 appends a float32 argument.
func (b *Builder) Float32(v float32) { b.bits(uint64(math.Float32bits(v)), 4) }

// Float64 appends a float64 argument.
func (b *Builder) Float64(v float64) { b.bits(math.Float64bits(v), 8) }

func (b *Builder) bits(v uint64, width int) {
	b.n++
	var data [8]byte
	binary.LittleEndian.PutUint64(data[:], v)
	b.flat = append(b.flat, data[:width]...)
}
