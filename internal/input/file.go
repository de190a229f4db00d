package input

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// header is the first line of Go's corpus files. Go's internal/fuzz/encoding.go defines the format.
const header = "go test fuzz v1"

// Encode returns the file form of an input. For raw shapes it is the bytes themselves, and
// otherwise "go test fuzz v1" text exactly as Go writes it. Encode assumes that Check(flat) is nil.
func (s Shape) Encode(flat []byte) []byte {
	if s.Raw() {
		return append([]byte{}, flat...)
	}
	return s.GoFile(flat)
}

// GoFile returns the "go test fuzz v1" text of an input of any shape, byte for byte as Go writes
// it. It assumes that Check(flat) is nil.
func (s Shape) GoFile(flat []byte) []byte {
	file := append(make([]byte, 0, len(header)+32+2*len(flat)), header+"\n"...)
	for i, span := range s.Spans(nil, flat) {
		file = append(appendValue(file, s[i], flat[span.Start:span.End]), '\n')
	}
	return file
}

// appendValue appends an argument as a Go conversion. Like Go, it writes uint8 as byte, and valid
// characters of int32 as rune. NaNs other than math.NaN() are written by their bits.
func appendValue(file []byte, k Kind, data []byte) []byte {
	switch k {
	case Bytes, String:
		file = append(append(file, k.String()...), '(')
		return append(strconv.AppendQuote(file, string(data)), ')')
	case Uint8:
		return append(strconv.AppendQuoteRune(append(file, "byte("...), rune(data[0])), ')')
	case Int32:
		if r := rune(scalar(data)); utf8.ValidRune(r) {
			return append(strconv.AppendQuoteRune(append(file, "rune("...), r), ')')
		}
	case Float32:
		bits := uint32(scalar(data))
		if f := math.Float32frombits(bits); f != f && bits != math.Float32bits(float32(math.NaN())) {
			return fmt.Appendf(file, "math.Float32frombits(0x%x)", bits)
		}
	case Float64:
		bits := scalar(data)
		if f := math.Float64frombits(bits); f != f && bits != math.Float64bits(math.NaN()) {
			return fmt.Appendf(file, "math.Float64frombits(0x%x)", bits)
		}
	}
	return fmt.Appendf(file, "%s(%v)", k.String(), value(k, data))
}

// Decode returns the flat form of a file. It is the inverse of Encode. It accepts every spelling
// that Go accepts in corpus files, and rejects types that differ from the shape.
func (s Shape) Decode(file []byte) ([]byte, error) {
	if s.Raw() {
		return append([]byte{}, file...), nil
	}
	return s.decode(file, false)
}

// Import returns the flat form of a file from other programs. For raw shapes, it accepts any bytes.
// It decodes files with the first line of "go test fuzz v1"; []byte and string are interchangeable.
func (s Shape) Import(file []byte) ([]byte, error) {
	if s.Raw() && !IsGoFile(file) {
		return append([]byte{}, file...), nil
	}
	return s.decode(file, true)
}

// IsGoFile reports whether the first line is complete and that of a Go corpus file.
func IsGoFile(file []byte) bool {
	line, _, complete := bytes.Cut(file, []byte("\n"))
	return complete && string(bytes.TrimSuffix(line, []byte("\r"))) == header
}

// decode parses "go test fuzz v1" text. With convert, []byte and string are interchangeable.
func (s Shape) decode(file []byte, convert bool) ([]byte, error) {
	if !IsGoFile(file) {
		return nil, fmt.Errorf("line 1: expected %q, the first line of a Go corpus file with values %v", header, s)
	}
	flat := []byte{}
	args := 0
	for n, line := range bytes.Split(file, []byte("\n")) {
		line = bytes.TrimSpace(line)
		if n == 0 || len(line) == 0 {
			continue
		}
		if args == len(s) {
			return nil, fmt.Errorf("line %d: expected the end of the file after %d values %v, have %s", n+1, len(s), s, excerpt(line))
		}
		v, err := s.decodeValue(line, s[args], convert)
		if err == nil {
			flat, err = s.pack(flat, v)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w, in %s", n+1, err, excerpt(line))
		}
		args++
	}
	if args < len(s) {
		return nil, fmt.Errorf("line %d: expected %d values %v, the file has %d", 1+bytes.Count(file, []byte("\n")), len(s), s, args)
	}
	return flat, nil
}

// decodeValue parses a line and checks that it is of kind k.
func (s Shape) decodeValue(line []byte, k Kind, convert bool) (any, error) {
	v, err := parseValue(line)
	if err != nil {
		var r reason
		if !errors.As(err, &r) {
			err = fmt.Errorf("expected %s(...): %w", k, err)
		}
		return nil, err
	}
	have := kindOf(v)
	if have == k {
		return v, nil
	}
	if convert && have.sized() && k.sized() {
		if b, ok := v.([]byte); ok {
			return string(b), nil
		}
		return []byte(v.(string)), nil
	}
	return nil, fmt.Errorf("expected a value of type %v, have %v", k, have)
}

// excerpt quotes a line for an error message, at most 60 bytes of it.
func excerpt(line []byte) string {
	const limit = 60
	if len(line) > limit {
		return strconv.Quote(string(line[:limit])) + "..."
	}
	return strconv.Quote(string(line))
}
