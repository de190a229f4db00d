package llvmir

import (
	"encoding/binary"
	"fmt"
)

// Addresses are chosen so that arithmetic on them behaves as in C. An object has its number in the
// upper half, and its first byte far from both ends of the lower half. An address that leaves an
// object therefore reaches no other one. 0 is null and belongs to no object.
const (
	addressBits = 32
	objectBase  = 1 << 31
)

// Each byte has a shadow.
const (
	uninitialized = 1 // no value yet
	poisoned      = 2 // the value of a broken promise
	badBits       = 3
	wroteBit      = 4 // written since the object was made
)

// object is a piece of memory with bounds.
type object struct {
	data     []byte
	shadow   []byte
	base     uint64
	name     string
	constant bool
	local    bool // a local variable
	heap     bool // of Machine.Heap
	freed    bool // of a function that returned, or by Machine.Free
	global   int  // its number + 1, or 0
	dirty    bool // a global that was written
}

// memory holds all objects of a run. Numbers are not reused before reset, so that pointers to freed
// objects are detected.
type memory struct {
	objects []object // by number; 0 is none
	used    int      // bytes
	pool    [][]byte // buffers of freed objects
}

// add makes an object. Its address is align bytes behind a multiple of 16.
func (m *memory) add(name string, size, align int) *object {
	n := uint64(len(m.objects))
	data := m.buffer(size)
	shadow := m.buffer(size)
	m.objects = append(m.objects, object{data: data, shadow: shadow, base: n<<addressBits + objectBase + uint64(align&15), name: name})
	m.used += size
	return &m.objects[n]
}

// buffer returns a slice with arbitrary contents.
func (m *memory) buffer(size int) []byte {
	if last := len(m.pool) - 1; last >= 0 {
		b := m.pool[last]
		m.pool = m.pool[:last]
		if cap(b) >= size {
			return b[:size]
		}
	}
	return make([]byte, size, max(size, 64))
}

// truncate forgets the objects from a number on.
func (m *memory) truncate(n int) {
	for i := n; i < len(m.objects); i++ {
		m.used -= len(m.objects[i].data)
		if len(m.pool) < 64 {
			m.pool = append(m.pool, m.objects[i].data, m.objects[i].shadow)
		}
		m.objects[i] = object{}
	}
	m.objects = m.objects[:n]
}

// find returns the object of an address, within its bounds or not, or nil.
func (m *memory) find(address uint64) *object {
	n := address >> addressBits
	if n == 0 || n >= uint64(len(m.objects)) {
		return nil
	}
	return &m.objects[n]
}

// inBounds reports whether a pointer made of another stays within its object, or right behind it.
func (m *memory) inBounds(from, to uint64) bool {
	o := m.find(from)
	if o == nil {
		return from == to
	}
	size := uint64(len(o.data))
	return from-o.base <= size && to-o.base <= size
}

// access returns the object and offset of n bytes at an address, or the violation.
func (m *memory) access(address uint64, n int, write bool) (o *object, at int, out Outcome) {
	o = m.find(address)
	if o == nil {
		if address < 4096 {
			return nil, 0, NullPointer
		}
		return nil, 0, WildPointer
	}
	off := address - o.base
	switch {
	case off > uint64(len(o.data)) || uint64(n) > uint64(len(o.data))-off:
		if write {
			return o, 0, OutOfBoundsWrite
		}
		return o, 0, OutOfBoundsRead
	case o.freed && o.heap:
		return o, 0, UseAfterFree
	case o.freed:
		return o, 0, UseAfterReturn
	case write && o.constant:
		return o, 0, WriteToConstant
	}
	return o, int(off), 0
}

// describe describes the place of an access.
func (m *memory) describe(address uint64, n int) string {
	o := m.find(address)
	if o == nil {
		if address == 0 {
			return "the pointer is null"
		}
		return fmt.Sprintf("%#x is no address of an object", address)
	}
	return fmt.Sprintf("%d bytes at offset %d of %s, which has %d bytes", n, int64(address-o.base), o.name, len(o.data))
}

// load reads up to 8 bytes, little endian, and their worst shadow.
func (m *memory) load(address uint64, n int) (v uint64, bad uint8, out Outcome) {
	o, at, out := m.access(address, n, false)
	if out != 0 {
		return 0, 0, out
	}
	switch n {
	case 1:
		return uint64(o.data[at]), o.shadow[at] & badBits, 0
	case 2:
		return uint64(binary.LittleEndian.Uint16(o.data[at:])), worst(o.shadow[at : at+2]), 0
	case 4:
		return uint64(binary.LittleEndian.Uint32(o.data[at:])), worst(o.shadow[at : at+4]), 0
	case 8:
		v = binary.LittleEndian.Uint64(o.data[at:])
		if binary.LittleEndian.Uint64(o.shadow[at:])&0x0303030303030303 != 0 {
			bad = worst(o.shadow[at : at+8])
		}
		return v, bad, 0
	}
	for i := n - 1; i >= 0; i-- {
		v = v<<8 | uint64(o.data[at+i])
	}
	return v, worst(o.shadow[at : at+n]), 0
}

func worst(shadow []byte) (bad uint8) {
	for _, s := range shadow {
		bad |= s & badBits
	}
	return bad
}

// store writes up to 8 bytes, little endian, with one shadow.
func (m *memory) store(address uint64, n int, v uint64, bad uint8) Outcome {
	o, at, out := m.access(address, n, true)
	if out != 0 {
		return out
	}
	o.dirty = true
	shadow := bad | wroteBit
	switch n {
	case 1:
		o.data[at] = byte(v)
		o.shadow[at] = shadow
	case 8:
		binary.LittleEndian.PutUint64(o.data[at:], v)
		binary.LittleEndian.PutUint64(o.shadow[at:], uint64(shadow)*0x0101010101010101)
	default:
		for i := range n {
			o.data[at+i] = byte(v >> (8 * i))
			o.shadow[at+i] = shadow
		}
	}
	return 0
}

// copy implements memmove. It copies the shadow, too.
func (m *memory) copy(to, from uint64, n int) (Outcome, uint64) {
	source, i, out := m.access(from, n, false)
	if out != 0 {
		return out, from
	}
	target, j, out := m.access(to, n, true)
	if out != 0 {
		return out, to
	}
	target.dirty = true
	copy(target.data[j:j+n], source.data[i:i+n])
	copy(target.shadow[j:j+n], source.shadow[i:i+n])
	for k := range n {
		target.shadow[j+k] |= wroteBit
	}
	return 0, 0
}

// fill implements memset.
func (m *memory) fill(to uint64, b byte, bad uint8, n int) Outcome {
	o, at, out := m.access(to, n, true)
	if out != 0 {
		return out
	}
	o.dirty = true
	for i := range n {
		o.data[at+i] = b
		o.shadow[at+i] = bad | wroteBit
	}
	return 0
}
