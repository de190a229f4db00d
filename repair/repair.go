// Package repair restores the parts of a format that mutations break: fields that hold lengths, and
// checksums. A harness passes a Func made of these parts to the fuzzing engine by parallax.Repair,
// and the command line by --repair. The engine calls it on each mutant before the mutant is run.
// Without it, nearly every mutant of a format with a checksum tests only the checksum.
//
//	// Repair of a message: two bytes for the length of the body, the body, and a CRC-32 of all that.
//	var Repair = repair.All(
//		repair.Length(repair.Field{Offset: 0, Width: 2}, repair.Span{From: 2, To: -4}),
//		repair.Checksum(repair.Field{Offset: -4, Width: 4}, repair.Span{To: -4}, repair.CRC32),
//	)
//
// A Func returns an input unchanged if it cannot repair it, such as one that is too short for a
// field. It may change the bytes it is given. It should be idempotent, as all Funcs of this package
// are: it leaves repaired input as it is. All works on bytes. A harness whose functions take a
// string or several arguments converts around it.
package repair

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/adler32"
	"hash/crc32"
)

// Func returns the input with some of it put right.
type Func = func(input []byte) []byte

// All applies functions one after another: lengths first, then the checksums of what holds them,
// from the inside to the outside.
func All(list ...Func) Func {
	return func(b []byte) []byte {
		for _, fn := range list {
			b = fn(b)
		}
		return b
	}
}

// Field is an unsigned integer at a fixed place.
type Field struct {
	Offset int              // of its first byte; negative: counted from the end, so that -4 begins the last four bytes
	Width  int              // bytes, 1 to 8; a Func cannot be made of another
	Order  binary.ByteOrder // nil: big endian
}

// Get returns the value of the field, and false if the input is too short for it.
func (f Field) Get(b []byte) (v uint64, ok bool) {
	data := f.bytes(b)
	if data == nil {
		return 0, false
	}
	for i := range data {
		v = v<<8 | uint64(data[f.index(i)])
	}
	return v, true
}

// Put writes the field's low bytes of v, and reports false if the input is too short for it.
func (f Field) Put(b []byte, v uint64) bool {
	data := f.bytes(b)
	for i := len(data) - 1; i >= 0; i-- {
		data[f.index(i)] = byte(v)
		v >>= 8
	}
	return data != nil
}

// index returns the place of the i-th byte, the most significant one first.
func (f Field) index(i int) int {
	if f.Order == binary.ByteOrder(binary.LittleEndian) {
		return f.Width - 1 - i
	}
	return i
}

// check panics if a Func is composed of a field that no input has. On mutants, the Func would do
// nothing, or its panic would seem to be theirs.
func (f Field) check(of string) {
	if f.Width < 1 || f.Width > 8 {
		panic(fmt.Sprintf("repair.%s: a Field with Width %d at Offset %d: a field is 1 to 8 bytes wide", of, f.Width, f.Offset))
	}
}

func (f Field) bytes(b []byte) []byte {
	at := f.Offset
	if at < 0 {
		at += len(b)
	}
	if at < 0 || f.Width < 1 || f.Width > 8 || at > len(b)-f.Width {
		return nil
	}
	return b[at : at+f.Width]
}

// Span is the bytes from From up to To, without the one at To. Negative numbers count from the end,
// and a To of zero is the end.
type Span struct{ From, To int }

// of returns the span's bytes, false if the input is too short for it.
func (s Span) of(b []byte) (data []byte, ok bool) {
	from, to := s.From, s.To
	if from < 0 {
		from += len(b)
	}
	if to <= 0 {
		to += len(b)
	}
	if from < 0 || to > len(b) || from > to {
		return nil, false
	}
	return b[from:to], true
}

// Length writes into the field how many bytes the span has. A number that the field does not hold
// is not written.
func Length(f Field, of Span) Func { return LengthIn(f, of, 1) }

// LengthIn is Length in units of several bytes, rounded up.
func LengthIn(f Field, of Span, unit int) Func {
	f.check("LengthIn")
	return func(b []byte) []byte {
		data, ok := of.of(b)
		if !ok || unit < 1 {
			return b
		}
		n := uint64((len(data) + unit - 1) / unit)
		if f.Width == 8 || n>>(8*f.Width) == 0 {
			f.Put(b, n)
		}
		return b
	}
}

// Checksum writes into the field the checksum of the span. Where the field lies within the span it
// counts as zeros, as in the headers of IP and tar.
func Checksum(f Field, of Span, sum func([]byte) uint64) Func {
	f.check("Checksum")
	return func(b []byte) []byte {
		data, ok := of.of(b)
		if !ok || f.bytes(b) == nil {
			return b
		}
		f.Put(b, 0)
		f.Put(b, sum(data))
		return b
	}
}

// Digest writes a hash of the span at an offset, as many bytes as it has: Checksum for hashes of
// more than eight bytes. Where they lie within the span they count as zeros.
func Digest(offset int, of Span, hash func() hash.Hash) Func {
	return func(b []byte) []byte {
		data, ok := of.of(b)
		h := hash()
		at := offset
		if at < 0 {
			at += len(b)
		}
		if !ok || at < 0 || at > len(b)-h.Size() {
			return b
		}
		place := b[at : at+h.Size()]
		for i := range place {
			place[i] = 0
		}
		h.Write(data)
		copy(place, h.Sum(nil))
		return b
	}
}

// Within repairs the part of the input that find returns, the bytes from one index up to another.
// An example is a header whose place or length is in the input. Within leaves a part alone that is
// not within the input, or whose length fn changes.
func Within(find func(input []byte) (from, to int), fn Func) Func {
	return func(b []byte) []byte {
		from, to := find(b)
		if from < 0 || to > len(b) || from > to {
			return b
		}
		part := fn(append([]byte{}, b[from:to]...))
		if len(part) == to-from {
			copy(b[from:to], part)
		}
		return b
	}
}

// Each repairs records that follow one another, from the index first to the end. size returns the
// length of the record at the beginning of rest. If that is more than the length of rest, the rest
// is the last record. If it is not positive, the rest is left alone.
func Each(first int, size func(rest []byte) int, fn Func) Func {
	return func(b []byte) []byte {
		if first < 0 || first > len(b) {
			return b
		}
		out := append([]byte{}, b[:first]...)
		for rest := b[first:]; len(rest) > 0; {
			n := size(rest)
			if n <= 0 {
				return append(out, rest...)
			}
			if n > len(rest) {
				n = len(rest)
			}
			out = append(out, fn(append([]byte{}, rest[:n]...))...)
			rest = rest[n:]
		}
		return out
	}
}

// CRC32 is the checksum of zip, gzip, PNG and XZ.
func CRC32(b []byte) uint64 { return uint64(crc32.ChecksumIEEE(b)) }

// CRC32C is the checksum of iSCSI, Btrfs and ext4.
func CRC32C(b []byte) uint64 { return uint64(crc32.Checksum(b, castagnoli)) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Adler32 is the checksum of zlib.
func Adler32(b []byte) uint64 { return uint64(adler32.Checksum(b)) }

// Sum adds up the bytes; a field keeps as much of it as it holds.
func Sum(b []byte) uint64 {
	n := uint64(0)
	for _, c := range b {
		n += uint64(c)
	}
	return n
}

// Xor is all bytes in exclusive or.
func Xor(b []byte) uint64 {
	x := byte(0)
	for _, c := range b {
		x ^= c
	}
	return uint64(x)
}

// Internet is the checksum of IP, ICMP, UDP and TCP, RFC 1071: the complement of the sum of 16-bit
// words in one's complement.
func Internet(b []byte) uint64 {
	n := uint32(0)
	for i := 0; i < len(b); i += 2 {
		n += uint32(b[i]) << 8
		if i+1 < len(b) {
			n += uint32(b[i+1])
		}
		n = n&0xffff + n>>16
	}
	return uint64(^uint16(n))
}
