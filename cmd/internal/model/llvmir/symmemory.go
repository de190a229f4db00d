package llvmir

import "parallax/cmd/internal/model/smt"

// cell is a byte of an object: a part of a stored value, so that a load of the whole restores the
// value, including pointers.
type cell struct {
	v     symbol
	part  int    // index of the byte, lowest first
	wrote symbol // whether the path wrote it, a truth value
}

// region is an object of a symbolic execution.
type region struct {
	name     string
	cells    []cell
	address  uint64
	constant bool
	local    bool
	freed    bool
}

// byteOf returns a cell as a number of 8 bits.
func (e *execution) byteOf(c cell) symbol {
	v := c.v
	if v.width < 8 {
		v = e.extend(v, 8, false)
	}
	v = e.numeric(v)
	if v.known() {
		return symbol{width: 8, n: v.n >> (8 * c.part) & 255, bad: v.bad}
	}
	if v.width == 8 {
		return v
	}
	high := min(8*c.part+7, v.width-1)
	t := e.indexed(smt.OpExtract, []int{high, 8 * c.part}, v.term)
	return e.extend(symbol{width: high - 8*c.part + 1, term: t, bad: v.bad}, 8, false)
}

// loadAt returns the value of some bits at a known offset.
func (e *execution) loadAt(r *region, offset, width int) symbol {
	n := (width + 7) / 8
	first := r.cells[offset]
	whole := first.part == 0 && first.v.width == width
	for i := range n {
		c := r.cells[offset+i]
		whole = whole && c.part == i && c.v == first.v
	}
	if whole {
		return first.v
	}
	v := e.byteOf(first)
	for i := 1; i < n; i++ {
		b := e.byteOf(r.cells[offset+i])
		bad := v.bad | b.bad
		if v.known() && b.known() {
			v = symbol{width: v.width + 8, n: b.n<<(8*i) | v.n, bad: bad}
		} else {
			v = symbol{width: v.width + 8, term: e.app(smt.OpConcat, e.termOf(b), e.termOf(v)), bad: bad}
		}
	}
	return e.extend(v, width, false)
}

// access returns the object of a pointer for n bytes. The offset is then in bounds, or required to
// be.
func (e *execution) access(p symbol, n int, write bool) (*region, symbol) {
	e.use(p, "it is an address")
	if p.object == 0 {
		if p.known() && p.n < 4096 {
			e.undefined(NullPointer, "")
		}
		e.beyond("an address that is of no known object is used")
	}
	r := e.regions[p.object-1]
	offset := symbol{width: 64, n: p.n, term: p.term}
	out := OutOfBoundsRead
	if write {
		out = OutOfBoundsWrite
	}
	switch {
	case r.freed:
		e.undefined(UseAfterReturn, "")
	case write && r.constant:
		e.undefined(WriteToConstant, "")
	case n > len(r.cells):
		e.undefined(out, "of "+r.name)
	}
	e.require(e.below(offset, uint64(len(r.cells)-n+1)), out, "of "+r.name)
	return r, offset
}

// load reads a value. At an offset that is a term, it is a choice among all places of the object:
// one for each run of equal ones.
func (e *execution) load(p symbol, width int) symbol {
	n := (width + 7) / 8
	r, offset := e.access(p, n, false)
	if offset.known() {
		return e.loadAt(r, int(offset.n), width)
	}
	places := len(r.cells) - n + 1
	if places > e.s.Places {
		e.beyond("%s has %d places for an offset that depends on the input, more than %d", r.name, places, e.s.Places)
	}
	v := e.loadAt(r, places-1, width)
	for i := places - 2; i >= 0; i-- {
		one := e.loadAt(r, i, width)
		if one.object != 0 || v.object != 0 {
			e.beyond("pointers in %s are read at an offset that depends on the input", r.name)
		}
		if one.bad != 0 || v.bad != 0 {
			e.beyond("%s has places without a value, and is read at an offset that depends on the input", r.name)
		}
		if next := e.loadAt(r, i+1, width); next == one {
			continue // the choice below holds for this place too
		}
		v = e.ite(e.termOf(e.below(offset, uint64(i+1))), one, v)
	}
	return v
}

// store writes a value. At an offset that is a term, each byte of the object becomes a choice.
func (e *execution) store(p, v symbol) {
	n := (v.width + 7) / 8
	r, offset := e.access(p, n, true)
	if offset.known() {
		for i := range n {
			r.cells[int(offset.n)+i] = cell{v, i, known(1, 1)}
		}
		return
	}
	if len(r.cells) > e.s.Places {
		e.beyond("%s has %d places for an offset that depends on the input, more than %d", r.name, len(r.cells), e.s.Places)
	}
	if v.object != 0 || v.bad != 0 {
		e.beyond("a pointer, or what has no value, is written at an offset that depends on the input")
	}
	places := len(r.cells) - n + 1
	before := append([]cell(nil), r.cells...)
	for j := range r.cells {
		b := e.byteOf(before[j])
		if b.bad != 0 {
			e.beyond("%s has places without a value, and is written at an offset that depends on the input", r.name)
		}
		wrote := before[j].wrote
		for i := max(0, j-places+1); i < n && i <= j; i++ {
			here := e.equal(offset, known(uint64(j-i), 64))
			b = e.ite(e.termOf(here), e.byteOf(cell{v: v, part: i}), b)
			wrote = e.either(wrote, here)
		}
		r.cells[j] = cell{b, 0, wrote}
	}
}

// pointer makes a pointer of the address of an object.
func (e *execution) pointer(v symbol) symbol {
	if v.width != 64 || !v.number() || v.bad != 0 {
		return v
	}
	if o := e.s.machine.mem.find(v.n); o != nil && o.global > 0 {
		return symbol{width: 64, object: e.global(o), n: v.n - o.base}
	}
	for i, r := range e.regions {
		if v.n>>addressBits == r.address>>addressBits {
			return symbol{width: 64, object: i + 1, n: v.n - r.address}
		}
	}
	return v
}

// firstAddress is the upper half of the first buffer's address, behind those of globals.
const firstAddress = 1 << 24

// add makes an object, align bytes behind a multiple of 16.
func (e *execution) add(r *region, align int) int {
	r.address = uint64(firstAddress+len(e.regions))<<addressBits + objectBase + uint64(align&15)
	e.regions = append(e.regions, r)
	return len(e.regions)
}

// global returns the region of a global, which is made on first use by a path.
func (e *execution) global(o *object) int {
	if at, ok := e.globals[o.global]; ok {
		return at
	}
	r := &region{name: o.name, cells: make([]cell, len(o.data)), constant: o.constant, address: o.base}
	for i := range r.cells {
		r.cells[i] = cell{v: symbol{width: 8, n: uint64(o.data[i]), bad: o.shadow[i] & badBits}}
	}
	e.regions = append(e.regions, r)
	e.globals[o.global] = len(e.regions)
	return len(e.regions)
}

// move implements memmove for a known number of bytes between known offsets.
func (e *execution) move(to, from symbol, n int) {
	source, i := e.access(from, n, false)
	target, j := e.access(to, n, true)
	if !i.known() || !j.known() {
		e.beyond("a block is copied at an offset that depends on the input")
	}
	copied := append([]cell(nil), source.cells[i.n:int(i.n)+n]...)
	for k, c := range copied {
		c.wrote = known(1, 1)
		target.cells[int(j.n)+k] = c
	}
}

// fill implements memset for a known number of bytes at a known offset.
func (e *execution) fill(to, b symbol, n int) {
	target, j := e.access(to, n, true)
	if !j.known() {
		e.beyond("a block is filled at an offset that depends on the input")
	}
	for k := range n {
		target.cells[int(j.n)+k] = cell{b, 0, known(1, 1)}
	}
}
