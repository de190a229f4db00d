package clang

// The compiler writes the control flow of each function as records, one for a basic block, in the order in which it had them:
//
//	address, successors..., 0, callees..., 0
//
// (SanitizerCoverage.cpp, createFunctionControlFlow). Nothing tells where a function begins but the address of its first block,
// which is also marked in the table of counted blocks. Three things make that less simple than it sounds:
//
//   - a block without code of its own has the address of what follows, which may be the next function;
//   - a callee that is a weak symbol which nobody defines is a 0, as is the end of the list;
//   - a function may have been compiled without the graph, or its part of the table been dropped.

// record is a basic block.
type record struct {
	pc    uint64
	succs []uint64
	calls []uint64
}

// body is a function: its records and its counted blocks, both in the compiler's order.
type body struct {
	entry   uint64
	first   int // id of the first counted block
	points  []point
	records []record
	end     uint64 // of its code; 0 where that is not known
}

// parse divides the tables into functions, in the order of the counters.
func (m *image) parse() []body {
	var bodies []body
	index := map[uint64]int{} // of entries
	for i, p := range m.points {
		if p.entry || i == 0 {
			index[p.pc] = len(bodies)
			b := body{entry: p.pc, first: i}
			if s, ok := m.function(p.pc); ok {
				b.end = s.end
			}
			bodies = append(bodies, b)
		}
		last := &bodies[len(bodies)-1]
		last.points = append(last.points, p)
	}
	current, begun := -1, make([]bool, len(bodies))
	var known map[uint64]bool // addresses of the current function: true where their record was read
	for rest := m.words; len(rest) > 0; {
		pc := rest[0]
		i, isEntry := index[pc]
		done, mentioned := known[pc]
		switch {
		case isEntry && i == current && current > 0:
			// What was taken for this entry was an empty block at the end of the function before.
			before, b := &bodies[current-1], &bodies[current]
			if m.owns(before, b.records) {
				before.records = append(before.records, b.records...)
				b.records, known = nil, map[uint64]bool{}
			}
		case isEntry && !begun[i] && (done || !mentioned):
			current, known = i, map[uint64]bool{}
			begun[i] = true
		}
		r, n := m.record(rest)
		rest = rest[n:]
		if current < 0 {
			continue // of a function that is not counted
		}
		known[pc] = true
		for _, s := range r.succs {
			known[s] = known[s]
		}
		b := &bodies[current]
		b.records = append(b.records, r)
	}
	return bodies
}

// owns reports whether all records can be of a function, by their addresses.
func (m *image) owns(b *body, records []record) bool {
	if b.end == 0 {
		return false
	}
	for _, r := range records {
		if r.pc < b.entry || r.pc > b.end {
			return false
		}
	}
	return true
}

// record reads the record at the beginning of words, and how many words it has.
func (m *image) record(words []uint64) (r record, n int) {
	r.pc = words[0]
	list := words[1:]
	k := zero(list)
	r.succs = list[:k]
	n = 1 + min(k+1, len(list))
	for {
		k := zero(words[n:])
		r.calls = append(r.calls, words[n:n+k]...)
		n += min(k+1, len(words)-n)
		if n >= len(words) || m.begins(words[n:]) {
			return r, n
		}
	}
}

// begins reports whether words can begin with a record rather than go on with callees: then the 0 before was a weak symbol's.
func (m *image) begins(words []uint64) bool {
	pc := words[0]
	if pc == 0 || pc >= externalBase {
		return false
	}
	if len(m.symbols) > 0 && !m.anySpans(pc, words[1:][:zero(words[1:])]) {
		return false
	}
	k := zero(words[1:])
	if k+2 >= len(words) {
		return true
	}
	calls := words[1:][k+1:]
	for _, c := range calls[:zero(calls)] {
		if c < externalBase && m.inside(c) {
			return false // the next record was taken for callees
		}
	}
	return true
}

// anySpans reports whether a function holds an address and all others. An address between two functions is of both.
func (m *image) anySpans(pc uint64, others []uint64) bool {
	spans := func(s symbol) bool {
		for _, o := range others {
			if o < s.start || o > s.end {
				return false
			}
		}
		return true
	}
	s, ok := m.function(pc)
	if ok && spans(s) {
		return true
	}
	before, found := m.function(pc - 1)
	return found && before.end == pc && spans(before)
}

// zero returns the index of the first 0, or the length.
func zero(words []uint64) int {
	for i, w := range words {
		if w == 0 {
			return i
		}
	}
	return len(words)
}
