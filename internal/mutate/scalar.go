package mutate

import (
	"encoding/binary"
	"math"

	"parallax/internal/input"
)

// mutateScalar mutates a scalar in its flat form, and returns the operator. donor is the same
// argument of another input, or empty.
func mutateScalar(r *Rand, v *values, k input.Kind, data, donor []byte) Op {
	order := binary.LittleEndian
	old := load(data, order)
	if k == input.Bool {
		store(data, order, old^1)
		return OpScalar
	}
	if len(donor) == len(data) && r.Chance(1, 8) {
		w := load(donor, order)
		if w == old {
			w++
		}
		store(data, order, w)
		return OpScalar
	}
	if w, ok := v.mutant(r, k, old, len(data)); ok {
		store(data, order, w)
		return OpDictionary
	}
	switch k {
	case input.Float32:
		store(data, order, uint64(math.Float32bits(float32Mutant(r, math.Float32frombits(uint32(old))))))
	case input.Float64:
		store(data, order, math.Float64bits(float64Mutant(r, math.Float64frombits(old))))
	default:
		store(data, order, integerMutant(r, old, 8*len(data)))
	}
	return OpScalar
}

// runes holds code points that text handling treats specially, and the first invalid values.
var runes = [...]uint32{0, '\t', '\n', '\r', ' ', '"', '0', '9', 'A', 'Z', '\\', '_', 'a', 'z', 0x7f, 0x80, 0x85, 0xa0, 0xad, 0xdf, 0xff,
	0x100, 0x130, 0x131, 0x17f, 0x301, 0x660, 0x7ff, 0x800, 0x200b, 0x2028, 0x212a, 0x3000, 0xd7ff, 0xd800, 0xdc00, 0xdfff, 0xe000,
	0xfeff, 0xff10, 0xfffd, 0xfffe, 0xffff, 0x10000, 0x1f600, 0x10ffff, 0x110000}

// integerMutant returns an integer of the given width near v, at a boundary, or of random
// magnitude. Storing drops the bits above the width, so that signed and unsigned kinds need no
// distinction.
func integerMutant(r *Rand, v uint64, width int) uint64 {
	x := r.Uint64()
	switch x & 15 {
	case 0, 1:
		return v + 1
	case 2, 3:
		return v - 1
	case 4:
		return v + uint64(1+scale(x, maxDelta))
	case 5:
		return v - uint64(1+scale(x, maxDelta))
	case 6, 7, 8:
		return boundary(r, width)
	case 9:
		return v ^ 1<<scale(x, width)
	case 10:
		return uint64(runes[scale(x, len(runes))])
	case 11:
		return uint64(scale(x, 256))
	case 12:
		return -v
	case 13:
		return v * 2
	}
	// All magnitudes and both signs are equally likely.
	u := r.Uint64() >> (64 - 1 - scale(x, width))
	if x&16 == 0 {
		return -u
	}
	return u
}

// floats holds values that floating-point code treats specially: zeros, infinities, NaNs, and
// fractions without a binary form. It also has the limits of normal and subnormal numbers of both
// widths, and of exact, 32-bit and 64-bit integers.
var floats = [...]float64{
	0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 0.1, 1.0 / 3, 2, 10, 100, 1e9, 1e-9, 1e15, 1e16, 1e21, 1e22, 1e23, 1e-6, 1e-7,
	math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64,
	2.2250738585072014e-308, 2.225073858507201e-308, math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, 0x1p-126,
	0x1p24, 0x1p24 + 1, 0x1p31, -0x1p31, 0x1p32, 0x1p53 - 1, 0x1p53, 0x1p53 + 2, 0x1p63, -0x1p63, 0x1p64, 1e308, 1e-308,
	math.Pi, 0.49999999999999994, 1 - 0x1p-53, 1 + 0x1p-52,
}

func float64Mutant(r *Rand, f float64) float64 {
	x := r.Uint64()
	switch x & 7 {
	case 0:
		// Neighbors in the order of bit patterns.
		if x&8 == 0 {
			return math.Float64frombits(math.Float64bits(f) + 1)
		}
		return math.Float64frombits(math.Float64bits(f) - 1)
	case 1:
		return math.Float64frombits(math.Float64bits(f) ^ 1<<scale(x, 64))
	case 2:
		return quietNaN(r)
	}
	return commonFloat(r, x, f)
}

func float32Mutant(r *Rand, f float32) float32 {
	x := r.Uint64()
	switch x & 7 {
	case 0:
		if x&8 == 0 {
			return math.Float32frombits(math.Float32bits(f) + 1)
		}
		return math.Float32frombits(math.Float32bits(f) - 1)
	case 1:
		return math.Float32frombits(math.Float32bits(f) ^ 1<<scale(x, 32))
	case 2:
		return math.Float32frombits(uint32(0x7fc00000) | uint32(r.Uint64()>>42) | uint32(x>>8<<31))
	}
	return float32(commonFloat(r, x, float64(f)))
}

// quietNaN returns a NaN with any payload and sign.
func quietNaN(r *Rand) float64 {
	x := r.Uint64()
	return math.Float64frombits(0x7ff8000000000000 | x>>13 | x<<63)
}

// commonFloat returns a mutant of either width. It avoids arithmetic on NaN, whose resulting
// payload depends on the machine.
func commonFloat(r *Rand, x uint64, f float64) float64 {
	kind := x & 7
	if f != f && kind != 5 {
		kind = 3
	}
	switch kind {
	case 3, 4:
		return floats[scale(x, len(floats))]
	case 5:
		// A short decimal, as people write.
		powers := [...]float64{1, 10, 100, 1000, 1e6}
		return float64(r.Intn(20001)-10000) / powers[scale(x, len(powers))]
	case 6:
		switch x >> 3 & 3 {
		case 0:
			return -f
		case 1:
			return math.Trunc(f)
		case 2:
			return f + 1
		}
		return f - 1
	}
	switch x >> 3 & 3 {
	case 0:
		return 1 / f
	case 1:
		return f * 2
	case 2:
		return f / 2
	}
	return f * 10
}
