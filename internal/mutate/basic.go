package mutate

// The five operators of NEZHA (section IV), in seven functions. The full set draws inserted bytes
// from a richer distribution: see anyByte.

// splice puts a random part of the other input into the data. It inserts it, overwrites data,
// replaces another part, or replaces the whole tail.
func splice(m *Mutator, r *Rand, b []byte) ([]byte, bool) {
	if len(m.donor) == 0 {
		return b, false
	}
	from, to := block(r, len(m.donor))
	part := m.donor[from:to]
	i := position(r, len(b))
	j := i
	switch r.Intn(4) {
	case 0:
		if len(b) >= m.limit {
			j = min(i+len(part), len(b))
		}
	case 1:
		j = min(i+len(part), len(b))
	case 2:
		if i < len(b) {
			j = i + extent(r, len(b)-i)
		}
	case 3:
		// One-point crossover, half of the time at the same offset in both.
		if r.Chance(1, 2) && i < len(m.donor) {
			from = i
		}
		part, j = m.donor[from:], len(b)
	}
	if part = part[:min(len(part), m.limit-len(b)+j-i)]; len(part) == 0 {
		return b, false
	}
	return replace(b, i, j, part), true
}

func insertByte(m *Mutator, r *Rand, b []byte) ([]byte, bool) {
	if len(b) >= m.limit {
		return b, false
	}
	c := m.anyByte(r, b)
	i := position(r, len(b))
	b = open(b, i, 1)
	b[i] = c
	return b, true
}

func eraseByte(_ *Mutator, r *Rand, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	i := r.Intn(len(b))
	return cut(b, i, i+1), true
}

func flipBit(_ *Mutator, r *Rand, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	x := r.Uint64()
	b[scale(x, len(b))] ^= 1 << (x & 7)
	return b, true
}

func randomByte(m *Mutator, r *Rand, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	i := r.Intn(len(b))
	c := m.anyByte(r, b)
	if c == b[i] {
		c ^= byte(1 + r.Intn(255))
	}
	b[i] = c
	return b, true
}

// shuffle permutes up to 16 bytes, mostly adjacent ones, else from anywhere.
func shuffle(_ *Mutator, r *Rand, b []byte) ([]byte, bool) {
	if len(b) < 2 {
		return b, false
	}
	n := 1 + extent(r, min(len(b), 16)-1)
	if r.Chance(1, 4) {
		for ; n > 1; n-- {
			i, j := r.Intn(len(b)), r.Intn(len(b))
			b[i], b[j] = b[j], b[i]
		}
		return b, true
	}
	part := b[r.Intn(len(b)-n+1):][:n]
	for i := n - 1; i > 0; i-- {
		j := r.Intn(i + 1)
		part[i], part[j] = part[j], part[i]
	}
	return b, true
}

// digits replaces about half of a number's digits by random ones, at least one.
func digits(_ *Mutator, r *Rand, b []byte) ([]byte, bool) {
	at := find(r, b, isDigit)
	if at < 0 {
		return b, false
	}
	start, end := run(b, at, isDigit)
	for i := start; i < end; i++ {
		if x := r.Uint64(); i == at || x&1 == 0 {
			b[i] = '0' + byte(scale(x, 10))
		}
	}
	return b, true
}
