package mutate

import "bytes"

// Operators that move parts of the data without regard to their meaning.

// deleteBlock removes a part, or one time in eight the tail.
func deleteBlock(_ *Mutator, r *Rand, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	if r.Chance(1, 8) {
		return b[:r.Intn(len(b))], true
	}
	i, j := block(r, len(b))
	return cut(b, i, j), true
}

// duplicateBlock inserts a copy of a part behind it.
func duplicateBlock(m *Mutator, r *Rand, b []byte) ([]byte, bool) {
	room := m.limit - len(b)
	if len(b) == 0 || room <= 0 {
		return b, false
	}
	i, j := block(r, len(b))
	n := min(j-i, room)
	b = open(b, i, n)
	copy(b[i:i+n], b[i+n:])
	return b, true
}

// copyBlock copies a part to another offset. Half of the time it inserts the copy, else it
// overwrites.
func copyBlock(m *Mutator, r *Rand, b []byte) ([]byte, bool) {
	if len(b) < 2 {
		return b, false
	}
	from, to := block(r, len(b))
	m.scratch = append(m.scratch[:0], b[from:to]...)
	if len(b) < m.limit && r.Chance(1, 2) {
		i := position(r, len(b))
		return m.replaceWithin(b, i, i, m.scratch), true
	}
	copy(b[r.Intn(len(b)):], m.scratch)
	return b, true
}

// repeatBlock inserts many copies of a byte or a short part: runs, deep nesting, long fields.
func repeatBlock(m *Mutator, r *Rand, b []byte) ([]byte, bool) {
	room := m.limit - len(b)
	if room <= 0 {
		return b, false
	}
	i := position(r, len(b))
	m.scratch = m.scratch[:0]
	if len(b) == 0 || r.Chance(1, 2) {
		m.scratch = append(m.scratch, m.anyByte(r, b))
	} else {
		n := extent(r, min(len(b), 8))
		i = r.Intn(len(b) - n + 1)
		m.scratch = append(m.scratch, b[i:i+n]...)
	}
	times := 1 + extent(r, max(room/len(m.scratch), 1))
	n := min(times*len(m.scratch), room)
	b = open(b, i, n)
	for at := i; at < i+n; {
		at += copy(b[at:i+n], m.scratch)
	}
	return b, true
}

// token works on words, which are runs of letters, digits and bytes above ASCII. It removes one,
// doubles one with the separator behind it, exchanges two, or replaces one by a word of the other
// input.
func token(m *Mutator, r *Rand, b []byte) ([]byte, bool) {
	at := find(r, b, isWord)
	if at < 0 {
		return b, false
	}
	start, end := run(b, at, isWord)
	switch r.Intn(4) {
	case 0:
		return cut(b, start, end), true
	case 1:
		next := end
		for next < len(b) && next-end < 8 && !isWord[b[next]] {
			next++
		}
		m.scratch = append(m.scratch[:0], b[start:next]...)
		if len(b)+len(m.scratch) > m.limit {
			return b, false
		}
		return replace(b, start, start, m.scratch), true
	case 2:
		return m.exchange(r, b, start, end)
	}
	donor := m.donor
	if len(donor) == 0 {
		donor = b
	}
	if at = find(r, donor, isWord); at < 0 {
		return b, false
	}
	i, j := run(donor, at, isWord)
	m.scratch = append(m.scratch[:0], donor[i:j]...)
	if bytes.Equal(m.scratch, b[start:end]) || len(b)-(end-start)+len(m.scratch) > m.limit {
		return b, false
	}
	return replace(b, start, end, m.scratch), true
}

// exchange swaps the word b[start:end] with another word of b.
func (m *Mutator) exchange(r *Rand, b []byte, start, end int) ([]byte, bool) {
	at := find(r, b, isWord)
	if at < 0 {
		return b, false
	}
	i, j := run(b, at, isWord)
	if i < start {
		start, end, i, j = i, j, start, end
	}
	if i < end || bytes.Equal(b[start:end], b[i:j]) {
		return b, false
	}
	// scratch gets the second word, the text between, and the first word.
	m.scratch = append(m.scratch[:0], b[i:j]...)
	m.scratch = append(m.scratch, b[end:i]...)
	m.scratch = append(m.scratch, b[start:end]...)
	copy(b[start:j], m.scratch)
	return b, true
}
