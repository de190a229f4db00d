package input

import (
	"encoding/binary"
	"fmt"
	"math"
)

// prefix is the size of the length that precedes a []byte or string in the flat form.
const prefix = 4

// Span is the place of an argument's data in a flat form, without the length before a []byte or
// string.
type Span struct{ Start, End int }

// Check returns an error if flat is not a flat form of the shape. All arguments must be complete,
// nothing may follow, and booleans must be 0 or 1.
func (s Shape) Check(flat []byte) error {
	if s.Raw() {
		return nil
	}
	at := 0
	for i, k := range s {
		n := k.Width()
		if k.sized() {
			if len(flat)-at < prefix {
				return fmt.Errorf("flat input %v: argument %d (%v): expected a 4-byte length at offset %d, %d bytes are left", s, i+1, k, at, len(flat)-at)
			}
			size := binary.LittleEndian.Uint32(flat[at:])
			at += prefix
			if uint64(size) > uint64(len(flat)-at) {
				return fmt.Errorf("flat input %v: argument %d (%v): length %d at offset %d, but %d bytes are left", s, i+1, k, size, at-prefix, len(flat)-at)
			}
			n = int(size)
		}
		if len(flat)-at < n {
			return fmt.Errorf("flat input %v: argument %d (%v): expected %d bytes at offset %d, %d are left", s, i+1, k, n, at, len(flat)-at)
		}
		if k == Bool && flat[at] > 1 {
			return fmt.Errorf("flat input %v: argument %d (bool): expected 0 or 1 at offset %d, have %d", s, i+1, at, flat[at])
		}
		at += n
	}
	if at != len(flat) {
		return fmt.Errorf("flat input %v: %d bytes after the last argument", s, len(flat)-at)
	}
	return nil
}

// Spans appends the span of every argument to dst. It assumes that Check(flat) is nil and allocates
// nothing else.
func (s Shape) Spans(dst []Span, flat []byte) []Span {
	if s.Raw() {
		return append(dst, Span{0, len(flat)})
	}
	at := 0
	for _, k := range s {
		n := k.Width()
		if k.sized() {
			n = int(binary.LittleEndian.Uint32(flat[at:]))
			at += prefix
		}
		dst = append(dst, Span{at, at + n})
		at += n
	}
	return dst
}

// Zero returns the flat form of zero values: nothing, 0, false.
func (s Shape) Zero() []byte {
	if s.Raw() {
		return []byte{}
	}
	n := 0
	for _, k := range s {
		if k.sized() {
			n += prefix
		}
		n += k.Width()
	}
	return make([]byte, n)
}

// Pack returns the flat form of Go values, whose types must be exactly those of the shape.
func (s Shape) Pack(values ...any) ([]byte, error) {
	if len(values) != len(s) {
		return nil, fmt.Errorf("input %v: expected %d values, have %d", s, len(s), len(values))
	}
	flat := []byte{}
	for i, v := range values {
		if k := kindOf(v); k != s[i] {
			return nil, fmt.Errorf("input %v: argument %d: expected %v, have %T", s, i+1, s[i], v)
		}
		var err error
		if flat, err = s.pack(flat, v); err != nil {
			return nil, fmt.Errorf("input %v: argument %d: %w", s, i+1, err)
		}
	}
	return flat, nil
}

func kindOf(v any) Kind {
	switch v.(type) {
	case []byte:
		return Bytes
	case string:
		return String
	case bool:
		return Bool
	case int:
		return Int
	case int8:
		return Int8
	case int16:
		return Int16
	case int32:
		return Int32
	case int64:
		return Int64
	case uint:
		return Uint
	case uint8:
		return Uint8
	case uint16:
		return Uint16
	case uint32:
		return Uint32
	case uint64:
		return Uint64
	case float32:
		return Float32
	case float64:
		return Float64
	}
	return Invalid
}

// pack appends one value of a supported type.
func (s Shape) pack(flat []byte, v any) ([]byte, error) {
	le := binary.LittleEndian
	switch v := v.(type) {
	case []byte:
		return s.packData(flat, string(v))
	case string:
		return s.packData(flat, v)
	case bool:
		if v {
			return append(flat, 1), nil
		}
		return append(flat, 0), nil
	case int:
		return le.AppendUint64(flat, uint64(v)), nil
	case int8:
		return append(flat, uint8(v)), nil
	case int16:
		return le.AppendUint16(flat, uint16(v)), nil
	case int32:
		return le.AppendUint32(flat, uint32(v)), nil
	case int64:
		return le.AppendUint64(flat, uint64(v)), nil
	case uint:
		return le.AppendUint64(flat, uint64(v)), nil
	case uint8:
		return append(flat, v), nil
	case uint16:
		return le.AppendUint16(flat, v), nil
	case uint32:
		return le.AppendUint32(flat, v), nil
	case uint64:
		return le.AppendUint64(flat, v), nil
	case float32:
		return le.AppendUint32(flat, math.Float32bits(v)), nil
	case float64:
		return le.AppendUint64(flat, math.Float64bits(v)), nil
	}
	return nil, fmt.Errorf("type %T is not supported", v)
}

func (s Shape) packData(flat []byte, data string) ([]byte, error) {
	if !s.Raw() {
		if uint64(len(data)) > math.MaxUint32 {
			return nil, fmt.Errorf("%d bytes exceed the limit of %d", len(data), uint32(math.MaxUint32))
		}
		flat = binary.LittleEndian.AppendUint32(flat, uint32(len(data)))
	}
	return append(flat, data...), nil
}

// Unpack returns the arguments of a flat form as values of their Go types. The values share no
// memory with flat.
func (s Shape) Unpack(flat []byte) ([]any, error) {
	if err := s.Check(flat); err != nil {
		return nil, err
	}
	values := make([]any, len(s))
	for i, span := range s.Spans(nil, flat) {
		values[i] = value(s[i], flat[span.Start:span.End])
	}
	return values, nil
}

func value(k Kind, data []byte) any {
	switch k {
	case Bytes:
		return append([]byte{}, data...)
	case String:
		return string(data)
	case Bool:
		return data[0] != 0
	case Int:
		return int(scalar(data))
	case Int8:
		return int8(scalar(data))
	case Int16:
		return int16(scalar(data))
	case Int32:
		return int32(scalar(data))
	case Int64:
		return int64(scalar(data))
	case Uint:
		return uint(scalar(data))
	case Uint8:
		return uint8(scalar(data))
	case Uint16:
		return uint16(scalar(data))
	case Uint32:
		return uint32(scalar(data))
	case Uint64:
		return scalar(data)
	case Float32:
		return math.Float32frombits(uint32(scalar(data)))
	case Float64:
		return math.Float64frombits(scalar(data))
	}
	return nil
}

// scalar reads a little-endian number of 1, 2, 4 or 8 bytes.
func scalar(data []byte) uint64 {
	switch len(data) {
	case 1:
		return uint64(data[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(data))
	case 4:
		return uint64(binary.LittleEndian.Uint32(data))
	}
	return binary.LittleEndian.Uint64(data)
}
