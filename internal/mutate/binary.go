package mutate

import "encoding/binary"

// Operators on binary numbers of 8, 16, 32 and 64 bits, in both byte orders.

// maxDelta is AFL's ARITH_MAX. Larger steps rarely matter for counters and lengths in formats.
const maxDelta = 35

// field returns a random range b[i:j] of 1, 2, 4 or 8 bytes for a binary number, and a byte order.
// b must not be empty.
func field(r *Rand, b []byte) (i, j int, order binary.ByteOrder) {
	x := r.Uint64()
	width := 1 << (x & 3)
	for width > len(b) {
		width /= 2
	}
	i = scale(x, len(b)-width+1)
	if x&4 == 0 {
		return i, i + width, binary.LittleEndian
	}
	return i, i + width, binary.BigEndian
}

func load(f []byte, order binary.ByteOrder) uint64 {
	switch len(f) {
	case 1:
		return uint64(f[0])
	case 2:
		return uint64(order.Uint16(f))
	case 4:
		return uint64(order.Uint32(f))
	}
	return order.Uint64(f)
}

func store(f []byte, order binary.ByteOrder, v uint64) {
	switch len(f) {
	case 1:
		f[0] = byte(v)
	case 2:
		order.PutUint16(f, uint16(v))
	case 4:
		order.PutUint32(f, uint32(v))
	default:
		order.PutUint64(f, v)
	}
}

// arith adds or subtracts a small number.
func arith(_ *Mutator, r *Rand, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	i, j, order := field(r, b)
	f := b[i:j]
	x := r.Uint64()
	delta := uint64(1 + scale(x, maxDelta))
	if x&1 == 0 {
		delta = -delta
	}
	store(f, order, load(f, order)+delta)
	return b, true
}

// interesting stores a boundary value. One time in eight it stores the length of the data or of the
// data behind the field, as length fields do.
func interesting(_ *Mutator, r *Rand, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	i, j, order := field(r, b)
	v := boundary(r, 8*(j-i))
	if x := r.Uint64(); x&7 == 0 {
		v = uint64(len(b))
		if x&8 == 0 {
			v = uint64(len(b) - j)
		}
	}
	store(b[i:j], order, v)
	return b, true
}

// boundary returns 0, 1 or -1, or a value at or next to a power of two or its negative. The number
// has the given bits. Half of the powers are limits of a type of that or a smaller width.
func boundary(r *Rand, bits int) uint64 {
	x := r.Uint64()
	power := scale(x, bits)
	if x&1 == 0 {
		edges := [...]int{7, 8, 15, 16, 31, 32, 53, 63}
		power = edges[scale(x, len(edges))] % bits
		if power == 0 {
			power = bits - 1
		}
	}
	v := uint64(1) << power
	switch x >> 1 & 7 {
	case 0:
		return 0
	case 1:
		return 1
	case 2:
		return ^uint64(0)
	case 3, 4:
		return v
	case 5:
		return v - 1
	case 6:
		return v + 1
	}
	return -v
}
