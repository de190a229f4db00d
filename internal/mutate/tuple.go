package mutate

import (
	"bytes"
	"encoding/binary"

	"parallax/internal/input"
)

// Mutants of typed arguments: one argument is chosen and mutated, and the rest of the tuple moves.

// prefix is the size of the length in front of a []byte or string in the flat form of a tuple.
const prefix = 4

// sized reports whether a kind is mutated as bytes.
func sized(k input.Kind) bool { return k == input.Bytes || k == input.String }

// argumentWeight returns the relative frequency of mutating an argument. Kinds with more values
// have larger weights.
func argumentWeight(k input.Kind) int {
	switch {
	case sized(k):
		return 4
	case k == input.Bool:
		return 1
	}
	return 2
}

// beginTuple cuts long arguments of a copied seed, and computes the spans of the other input.
func (m *Mutator) beginTuple(dst, other []byte) []byte {
	m.donation = m.donation[:0]
	if other != nil {
		m.donation = m.shape.Spans(m.donation, other)
	}
	m.spans = m.shape.Spans(m.spans[:0], dst)
	for i := len(m.spans) - 1; i >= 0; i-- {
		if s := m.spans[i]; sized(m.shape[i]) && s.End-s.Start > m.maxLen {
			dst = setArgument(dst, s, dst[s.Start:s.Start+m.maxLen])
		}
	}
	return dst
}

// setArgument replaces a []byte or string argument by data. data may be a prefix of the argument
// itself, and must not overlap flat otherwise.
func setArgument(flat []byte, s input.Span, data []byte) []byte {
	binary.LittleEndian.PutUint32(flat[s.Start-prefix:], uint32(len(data)))
	return replace(flat, s.Start, s.End, data)
}

// tuple mutates one argument. In the full set, it continues with another one time in four.
func (m *Mutator) tuple(r *Rand, dst, other []byte) []byte {
	for round := 0; round < maxRounds; round++ {
		i := m.args[r.Intn(len(m.args))]
		m.spans = m.shape.Spans(m.spans[:0], dst)
		if !m.nezha && r.Chance(1, 16) && m.copyArgument(r, &dst, i) {
			m.ops = append(m.ops, OpArgument)
		} else if s := m.spans[i]; sized(m.shape[i]) {
			m.limit, m.donor = m.maxLen, m.donorFor(r, i, other)
			m.buf = m.stack(r, append(m.buf[:0], dst[s.Start:s.End]...))
			dst = setArgument(dst, s, m.buf)
		} else {
			m.scalarArgument(r, i, dst[s.Start:s.End], other)
		}
		if m.nezha || !r.Chance(1, 4) {
			break
		}
	}
	return dst
}

// donorFor returns the data of an argument of the other input: the same argument or, one time in
// four, a random one.
func (m *Mutator) donorFor(r *Rand, i int, other []byte) []byte {
	if len(m.donation) == 0 {
		return nil
	}
	if r.Chance(1, 4) {
		if j := r.Intn(len(m.shape)); sized(m.shape[j]) {
			i = j
		}
	}
	return other[m.donation[i].Start:m.donation[i].End]
}

// copyArgument sets an argument to the value of another. Equal arguments, or arguments contained in
// each other, take paths that independent ones do not. It reports false if the other argument is
// equal or of another kind.
func (m *Mutator) copyArgument(r *Rand, dst *[]byte, i int) bool {
	j := r.Intn(len(m.shape))
	from, to := m.spans[j], m.spans[i]
	value := (*dst)[from.Start:from.End]
	if bytes.Equal(value, (*dst)[to.Start:to.End]) {
		return false
	}
	switch {
	case sized(m.shape[i]) && sized(m.shape[j]):
		m.scratch = append(m.scratch[:0], value...)
		*dst = setArgument(*dst, to, m.scratch)
		return true
	case m.shape[i] == m.shape[j]:
		copy((*dst)[to.Start:], value)
		return true
	}
	return false
}

// scalarArgument mutates the flat form of a scalar in place.
func (m *Mutator) scalarArgument(r *Rand, i int, data, other []byte) {
	m.donor = nil
	if len(m.donation) > 0 {
		m.donor = other[m.donation[i].Start:m.donation[i].End]
	}
	if m.nezha {
		m.scalarNezha(r, m.shape[i], data)
		return
	}
	m.ops = append(m.ops, mutateScalar(r, m.values, m.shape[i], data, m.donor))
}

// scalarNezha applies those of the paper's operators to a scalar that keep its width. Splicing
// copies bytes at their own offsets. A bool is its lowest bit.
func (m *Mutator) scalarNezha(r *Rand, k input.Kind, data []byte) {
	if k == input.Bool {
		data[0] ^= 1
		m.ops = append(m.ops, OpBit)
		return
	}
	order := [...]Op{OpSplice, OpBit, OpShuffle, OpDigits}
	n := 1 + r.Intn(len(order))
	for i := 0; i < n; i++ {
		j := i + r.Intn(len(order)-i)
		order[i], order[j] = order[j], order[i]
		op := order[i]
		ok := false
		switch {
		case op == OpSplice:
			if len(m.donor) == len(data) {
				from, to := block(r, len(data))
				copy(data[from:to], m.donor[from:to])
				ok = true
			}
		case op == OpBit && r.Chance(1, 2):
			op = OpByte
			fallthrough
		default:
			_, ok = operators[op].apply(m, r, data)
		}
		if ok {
			m.ops = append(m.ops, op)
		}
	}
}
