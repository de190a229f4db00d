package mutate

import (
	"encoding/binary"

	"parallax/internal/input"
)

// freshLen bounds fresh inputs. They start a search, and mutants grow.
const freshLen = 256

// Fresh returns a random new input in dst[:0], in flat form.
func (m *Mutator) Fresh(r *Rand, dst []byte) []byte {
	m.ops = append(m.ops[:0], OpFresh)
	m.limit, m.donor = min(m.maxLen, freshLen), nil
	if m.shape.Raw() {
		return m.freshData(r, dst[:0])
	}
	dst = dst[:0]
	for _, k := range m.shape {
		if sized(k) {
			m.buf = m.freshData(r, m.buf[:0])
			dst = binary.LittleEndian.AppendUint32(dst, uint32(len(m.buf)))
			dst = append(dst, m.buf...)
			continue
		}
		dst = open(dst, len(dst), k.Width())
		m.freshScalar(r, k, dst[len(dst)-k.Width():])
	}
	m.limitNumbers(r, dst)
	return dst
}

// freshScalar fills a scalar with random bits in the nezha set, else mostly with small and boundary
// values.
func (m *Mutator) freshScalar(r *Rand, k input.Kind, data []byte) {
	clear(data)
	switch {
	case k == input.Bool:
		data[0] = byte(r.Uint64() >> 63)
	case m.nezha:
		store(data, binary.LittleEndian, r.Uint64())
	default:
		mutateScalar(r, m.values, k, data, nil)
	}
}

// freshData fills b, which must be empty. The nezha set draws random bytes. The full set mostly
// draws text, or a sequence of numbers, dictionary tokens and single bytes.
func (m *Mutator) freshData(r *Rand, b []byte) []byte {
	if r.Chance(1, 16) {
		return b
	}
	n := extent(r, m.limit)
	style := r.Intn(4)
	if m.nezha {
		style = 0
	}
	for len(b) < n {
		switch style {
		case 0:
			b = append(b, byte(r.Uint64()>>32))
		case 1:
			b = append(b, byte(' '+r.Intn('~'-' '+1)))
		case 2:
			b = append(b, m.anyByte(r, b))
		default:
			piece := m.someNumber(r)
			switch x := r.Uint64(); {
			case x&1 == 0 && len(m.tokens) > 0:
				piece = m.tokens[scale(x, len(m.tokens))]
			case x&3 == 1:
				at := scale(x, len(structure))
				piece = append(m.scratch[:0], structure[at])
			case x&3 == 3:
				at := scale(x, 10)
				piece = append(m.scratch[:0], digitBytes[at])
			}
			b = append(b, piece[:min(len(piece), m.limit-len(b))]...)
		}
	}
	return b
}
