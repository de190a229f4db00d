// Package packed writes and reads the files of caches. Numbers are varints, texts have their
// lengths, and ascending lists are differences. A checksum ends the file. The encoders of block
// tables and call graphs use it.
//
// A Reader never panics. Bytes that Seal did not write make it bad, and all later values are zero.
package packed

import (
	"encoding/binary"
	"hash/crc32"
)

// Writer appends values to Out.
type Writer struct{ Out []byte }

// Number appends a number.
func (w *Writer) Number(n int) { w.Out = binary.AppendVarint(w.Out, int64(n)) }

// Text appends a text.
func (w *Writer) Text(s string) {
	w.Number(len(s))
	w.Out = append(w.Out, s...)
}

// Flags appends up to 64 flags as one number.
func (w *Writer) Flags(flags ...bool) {
	bits := 0
	for i, f := range flags {
		if f {
			bits |= 1 << i
		}
	}
	w.Number(bits)
}

// Numbers appends a list as differences, the first of them from a base.
func (w *Writer) Numbers(list []int, base int) {
	w.Number(len(list))
	for _, n := range list {
		w.Number(n - base)
		base = n
	}
}

// Seal returns the bytes with their checksum.
func Seal(out []byte) []byte {
	return binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(out))
}

// Open returns a reader of the bytes between magic and checksum. ok is false if one of them is
// wrong.
func Open(data []byte, magic string) (r Reader, ok bool) {
	n := len(data) - 4
	if n < len(magic) || string(data[:len(magic)]) != magic || crc32.ChecksumIEEE(data[:n]) != binary.LittleEndian.Uint32(data[n:]) {
		return Reader{}, false
	}
	return Reader{In: data[len(magic):n]}, true
}

// Reader reads values from In.
type Reader struct {
	In    []byte
	Bad   bool
	spare []int // memory for lists
}

// Ended reports whether all bytes were read, and none was bad.
func (r *Reader) Ended() bool { return !r.Bad && len(r.In) == 0 }

// Fail makes the reader bad.
func (r *Reader) Fail() { r.Bad, r.In = true, nil }

// Number reads a number.
func (r *Reader) Number() int {
	n, k := binary.Varint(r.In)
	if k <= 0 {
		r.Fail()
		return 0
	}
	r.In = r.In[k:]
	return int(n)
}

// Length reads the length of a list or text. Each element has at least one byte.
func (r *Reader) Length() int {
	n := r.Number()
	if n < 0 || n > len(r.In) {
		r.Fail()
		return 0
	}
	return n
}

// Below reads a number from 0 to a limit, which it may not reach. It returns 0 for others.
func (r *Reader) Below(limit int) int {
	n := r.Number()
	if n < 0 || n >= limit {
		r.Fail()
		return 0
	}
	return n
}

// Text reads a text.
func (r *Reader) Text() string {
	n := r.Length()
	s := string(r.In[:n])
	r.In = r.In[n:]
	return s
}

// Numbers reads a list as differences, the first of them from a base. Its numbers are from 0 to a
// limit, which they may not reach.
func (r *Reader) Numbers(base, limit int) []int {
	n := r.Length()
	if n == 0 {
		return nil
	}
	if n > len(r.spare) {
		r.spare = make([]int, max(n, 4096))
	}
	list := r.spare[:n:n]
	r.spare = r.spare[n:]
	for i := range list {
		base += r.Number()
		if base < 0 || base >= limit {
			r.Fail()
			return nil
		}
		list[i] = base
	}
	return list
}
