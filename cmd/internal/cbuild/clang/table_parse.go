package clang

import "slices"

// The compiler writes the control flow of each function as records, one per basic block, in its
// order:
//
//	address, successors..., 0, callees..., 0
//
// (SanitizerCoverage.cpp, createFunctionControlFlow). The begin of a function is marked only by the
// address of its first block, which is also marked in the table of counted blocks. There are four
// difficulties:
//
//   - a block without code has the address of the following code, which may be the next function;
//   - an undefined weak callee is 0, like the end of the list;
//   - a block that was removed after the table was made has the address 1;
//   - a function may have been compiled without the graph, or its part of the table may have been
//     dropped.

// removed is the address of removed blocks.
const removed = 1

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
	end     uint64 // end of its code; 0 if unknown
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
	p := parser{image: m, bodies: bodies, index: index, current: -1, begun: make([]bool, len(bodies))}
	p.run()
	return bodies
}

// parser assigns records to functions.
type parser struct {
	image   *image
	bodies  []body
	index   map[uint64]int // of bodies by entry
	begun   []bool
	current int // index of the function that is read; -1 before the first

	// addresses that the function mentions; true where their record was read
	known   map[uint64]bool
	missing int // number of its records that are still to come
}

func (p *parser) run() {
	for rest := p.image.words; len(rest) > 0; {
		pc := rest[0]
		if i, ok := p.index[pc]; ok {
			switch {
			case i == p.current && i > 0:
				p.giveBack()
			case p.starts(i, rest):
				p.start(i)
			}
		}
		r, n := p.record(rest)
		rest = rest[n:]
		if p.current < 0 {
			continue // of a function that is not counted
		}
		p.mention(pc)
		if pc != removed && !p.known[pc] {
			p.known[pc] = true
			p.missing--
		}
		for _, s := range r.succs {
			p.mention(s)
		}
		b := &p.bodies[p.current]
		b.records = append(b.records, r)
	}
}

func (p *parser) mention(pc uint64) {
	if _, ok := p.known[pc]; !ok && pc != removed {
		p.known[pc] = false
		p.missing++
	}
}

// starts reports whether a function begins with words, whose first is its entry. The previous
// function must be complete, or the words must have no other meaning.
func (p *parser) starts(i int, words []uint64) bool {
	if p.begun[i] {
		return false
	}
	if p.current < 0 || p.missing == 0 {
		return true
	}
	succs := words[1:][:zero(words[1:])]
	return len(succs) > 0 && p.bodies[i].end != 0 && !slices.ContainsFunc(succs, func(s uint64) bool {
		return s <= p.bodies[i].entry || s > p.bodies[i].end
	})
}

func (p *parser) start(i int) {
	p.current, p.begun[i] = i, true
	p.known, p.missing = map[uint64]bool{}, 0
	for _, q := range p.bodies[i].points {
		p.mention(q.pc)
	}
}

// giveBack is called when the entry of the current function occurs again. The records so far then
// belong to a block without code at the end of the previous function.
func (p *parser) giveBack() {
	b, before := &p.bodies[p.current], &p.bodies[p.current-1]
	for _, r := range b.records {
		if before.end == 0 || r.pc != removed && (r.pc < before.entry || r.pc > before.end) {
			return
		}
	}
	before.records = append(before.records, b.records...)
	b.records = nil
	p.start(p.current)
}

// record reads the record at the beginning of words, and how many words it has.
func (p *parser) record(words []uint64) (r record, n int) {
	r.pc = words[0]
	list := words[1:]
	k := zero(list)
	r.succs = list[:k]
	n = 1 + min(k+1, len(list))
	for {
		k := zero(words[n:])
		r.calls = append(r.calls, words[n:n+k]...)
		n += min(k+1, len(words)-n)
		if n >= len(words) || p.begins(r, words[n:]) {
			return r, n
		}
	}
}

// begins reports whether words can begin with the record after r. Otherwise they continue the
// callees of r, and the 0 before was a weak symbol's.
func (p *parser) begins(r record, words []uint64) bool {
	pc := words[0]
	switch {
	case pc == removed:
		return true
	case pc == 0 || pc >= externalBase:
		return false
	}
	if p.current >= 0 {
		b := &p.bodies[p.current]
		_, mentioned := p.known[pc]
		own := b.end == 0 || pc >= b.entry && pc <= b.end || mentioned || slices.Contains(r.succs, pc)
		if i, isEntry := p.index[pc]; !own && !(isEntry && !p.begun[i]) {
			return false
		}
	}
	m, succs := p.image, words[1:][:zero(words[1:])]
	if len(m.symbols) > 0 && !m.anySpans(pc, succs) {
		return false
	}
	if len(succs)+2 >= len(words) {
		return true
	}
	calls := words[len(succs)+2:]
	for _, c := range calls[:zero(calls)] {
		if c == removed || c < externalBase && !m.stripped && m.inside(c) {
			return false // the next record was taken for callees
		}
	}
	return true
}

// anySpans reports whether a function holds an address and all others. An address between two
// functions is of both.
func (m *image) anySpans(pc uint64, others []uint64) bool {
	spans := func(s symbol) bool {
		for _, o := range others {
			if o != removed && (o < s.start || o > s.end) {
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
