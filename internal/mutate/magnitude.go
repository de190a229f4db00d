package mutate

import (
	"encoding/binary"
	"math/bits"

	"parallax/internal/input"
)

// Programs may run out of time or memory for large numbers, such as a width to which they pad. The
// engine then limits the number in most mutants.

// bound limits the magnitude of an integer argument, except in one mutant of rarity.
type bound struct {
	most   uint64
	rarity int
}

// Magnitude returns the absolute value of an integer argument in its flat form. It reports false
// for other kinds.
func Magnitude(k input.Kind, data []byte) (n uint64, ok bool) {
	n, _, ok = magnitude(k, data)
	return n, ok
}

func magnitude(k input.Kind, data []byte) (n uint64, negative, ok bool) {
	switch k {
	case input.Int, input.Int8, input.Int16, input.Int32, input.Int64:
		unused := 64 - 8*len(data)
		v := int64(load(data, binary.LittleEndian)<<unused) >> unused
		if v < 0 {
			return -uint64(v), true, true
		}
		return uint64(v), false, true
	case input.Uint, input.Uint8, input.Uint16, input.Uint32, input.Uint64:
		return load(data, binary.LittleEndian), false, true
	}
	return 0, false, false
}

// LimitMagnitude limits the magnitude of an integer argument, except in one mutant of rarity. The
// set nezha has no limits.
func (m *Mutator) LimitMagnitude(argument int, most uint64, rarity int) {
	if m.limits == nil {
		m.limits = make([]bound, len(m.shape))
	}
	m.limits[argument] = bound{most, rarity}
}

// limitNumbers makes numbers of a tuple smaller that are above their limits. Without limits it
// draws no randomness.
func (m *Mutator) limitNumbers(r *Rand, flat []byte) {
	if m.limits == nil || m.nezha {
		return
	}
	m.spans = m.shape.Spans(m.spans[:0], flat)
	for i, b := range m.limits {
		data := flat[m.spans[i].Start:m.spans[i].End]
		n, negative, ok := magnitude(m.shape[i], data)
		if b.most == 0 || !ok || n <= b.most || r.Chance(1, b.rarity) {
			continue
		}
		// All magnitudes below the limit are equally likely.
		if n >>= bits.Len64(n) - r.Intn(bits.Len64(b.most)); negative {
			n = -n
		}
		store(data, binary.LittleEndian, n)
	}
}
