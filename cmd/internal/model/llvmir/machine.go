package llvmir

import (
	"errors"
	"fmt"
	"sort"
)

// Machine runs functions of a module. It is for one goroutine.
type Machine struct {
	// Steps limits the instructions of a run, Depth its nested calls, Memory the bytes of its
	// objects, and Traced the length of its trace.
	Steps, Depth, Memory, Traced int

	// Externals holds functions that no file defines, among those named to Link. They receive the
	// arguments and return the result.
	Externals map[string]func(m *Machine, args []uint64) (uint64, error)

	module *Module
	mem    memory
	code   []*code
	stack  []slot
	calls  []frame
	spare  []slot // of phi
	args   []uint64
	fixed  int // objects of globals, and null
	result Result
	steps  int
}

// frame is a call in progress.
type frame struct {
	c       *code
	pc      int32
	base    int
	objects int // how many there were before
	site    *site
}

// The limits of a new machine.
const (
	DefaultSteps  = 1_000_000
	DefaultDepth  = 200
	DefaultMemory = 64 << 20
	DefaultTraced = 100_000
)

// NewMachine makes a machine with the globals in its memory.
func NewMachine(module *Module) *Machine {
	m := &Machine{Steps: DefaultSteps, Depth: DefaultDepth, Memory: DefaultMemory, Traced: DefaultTraced, module: module,
		code: make([]*code, len(module.functions)), Externals: map[string]func(*Machine, []uint64) (uint64, error){}}
	m.mem.objects = make([]object, 1)
	for i, g := range module.globals {
		size := 0
		if g.Type.Size() <= maxObject {
			size = g.Type.Size()
		}
		o := m.mem.add("@"+g.Name, size, 0)
		o.global = i + 1
	}
	m.fixed = len(m.mem.objects)
	for i := range module.globals {
		m.initialize(&m.mem.objects[i+1])
	}
	return m
}

// initialize gives a global its initial value.
func (m *Machine) initialize(o *object) {
	g := m.module.globals[o.global-1]
	clear(o.data)
	clear(o.shadow)
	o.dirty, o.constant = false, false
	if m.module.refuseGlobal(g) == nil {
		m.put(g.File, o, 0, g.Init)
	}
	o.constant = g.Constant
}

// put writes a constant into an object.
func (m *Machine) put(file *File, o *object, at int, v *Value) {
	switch v.Kind {
	case BytesValue:
		copy(o.data[at:], v.Data)
	case ZeroValue:
	case UndefValue, PoisonValue:
		for i := range v.Type.Size() {
			o.shadow[at+i] = uninitialized
		}
	case AggregateValue:
		for i, e := range v.Elems {
			offset := i * e.Type.Size()
			if v.Type.Kind == StructType {
				offset = v.Type.Offset(i)
			}
			m.put(file, o, at+offset, e)
		}
	case IntValue:
		b := v.Int.Bytes() // big endian
		for i := range b {
			o.data[at+i] = b[len(b)-1-i]
		}
	default:
		n := m.constant(file, v)
		for i := range v.Type.Size() {
			o.data[at+i] = byte(n >> (8 * i))
		}
	}
}

// constant returns a scalar constant of up to 64 bits.
func (m *Machine) constant(file *File, v *Value) uint64 {
	switch v.Kind {
	case IntValue:
		return v.bits()
	case SymbolValue:
		if g, ok := m.module.symbol(file, v.Symbol).(*Global); ok {
			return m.mem.objects[m.module.number[g]+1].base
		}
	case ExprValue:
		in := v.Expr
		a := m.constant(file, in.Args[0])
		w := mask(uint8(v.Type.width()))
		switch in.Op {
		case OpAdd:
			return (a + m.constant(file, in.Args[1])) & w
		case OpSub:
			return (a - m.constant(file, in.Args[1])) & w
		case OpXor:
			return (a ^ m.constant(file, in.Args[1])) & w
		case OpGetElementPtr:
			steps, _ := in.steps() // the parser has checked this
			for _, s := range steps {
				a += uint64(s.offset)
				if s.index != nil {
					a += uint64(sext(m.constant(file, s.index), uint8(s.index.Type.Bits)) * s.scale)
				}
			}
			return a
		}
		return a & w
	}
	return 0
}

// Reset removes all objects except globals, which get their initial values.
func (m *Machine) Reset() {
	m.mem.truncate(m.fixed)
	for i := 1; i < m.fixed; i++ {
		if m.mem.objects[i].dirty {
			m.initialize(&m.mem.objects[i])
		}
	}
}

// Object makes an object of a run and returns its address, which is align bytes, 0 to 15, behind a
// multiple of 16.
func (m *Machine) Object(name string, data []byte, align int) uint64 {
	o := m.mem.add(name, len(data), align)
	copy(o.data, data)
	clear(o.shadow)
	return o.base
}

// Blank makes an object without values.
func (m *Machine) Blank(name string, size, align int) uint64 {
	o := m.mem.add(name, size, align)
	clear(o.data)
	for i := range o.shadow {
		o.shadow[i] = uninitialized
	}
	return o.base
}

// Heap makes an uninitialized object that lives until it is freed. It returns 0 if memory is short.
func (m *Machine) Heap(name string, size uint64) uint64 {
	if size > uint64(m.Memory-m.mem.used) {
		return 0
	}
	address := m.Blank(name, int(size), 0)
	m.mem.find(address).heap = true
	return address
}

// Free frees an object of Heap. An error is the reason why the address is invalid.
func (m *Machine) Free(address uint64) error {
	switch o := m.mem.find(address); {
	case o == nil || !o.heap:
		return errors.New("the pointer is none that was allocated")
	case o.base != address:
		return fmt.Errorf("the pointer is at offset %d of what was allocated", int64(address-o.base))
	case o.freed:
		return errors.New("it is free already")
	default:
		o.freed = true
		return nil
	}
}

// Clear makes all bytes of an object of Heap zero.
func (m *Machine) Clear(address uint64) {
	o := m.mem.find(address)
	clear(o.data)
	clear(o.shadow)
}

// Move copies the contents of an object into another, as far as they fit.
func (m *Machine) Move(to, from uint64) {
	target, source := m.mem.find(to), m.mem.find(from)
	copy(target.data, source.data)
	copy(target.shadow, source.shadow)
}

// Lives reports whether an address is of an object that neither its function's return nor Free
// ended.
func (m *Machine) Lives(address uint64) bool {
	o := m.mem.find(address)
	return o != nil && !o.freed
}

// Constant makes the object of an address one that may not be written.
func (m *Machine) Constant(address uint64) { m.mem.find(address).constant = true }

// Contents returns the bytes of the object of an address, until the next Reset.
func (m *Machine) Contents(address uint64) []byte { return m.mem.find(address).data }

// Wrote reports whether the run wrote byte i of the object of an address.
func (m *Machine) Wrote(address uint64, i int) bool {
	return m.mem.find(address).shadow[i]&wroteBit != 0
}

// Valid reports whether byte i of the object of an address has a value.
func (m *Machine) Valid(address uint64, i int) bool {
	return m.mem.find(address).shadow[i]&badBits == 0
}

// Locate splits an address into the address of its object and the offset. ok is false for null and
// invalid addresses.
func (m *Machine) Locate(address uint64) (object uint64, offset int64, ok bool) {
	o := m.mem.find(address)
	if o == nil {
		return 0, 0, false
	}
	return o.base, int64(address - o.base), true
}

// Global returns the address of a global, or 0.
func (m *Machine) Global(name string) uint64 {
	for i, g := range m.module.globals {
		if g.Name == name {
			return m.mem.objects[i+1].base
		}
	}
	return 0
}

// Call runs a function. An error is the reason why it cannot be run; all events of the run are
// outcomes.
func (m *Machine) Call(f *Function, args ...uint64) (*Result, error) {
	if err := m.module.Refused(f); err != nil {
		return nil, err
	}
	if len(args) != len(f.Params) {
		return nil, fmt.Errorf("@%s has %d parameters, not %d", f.Name, len(f.Params), len(args))
	}
	m.result = Result{Values: m.result.Values[:0], Trace: m.result.Trace[:0]}
	m.calls = m.calls[:0]
	m.steps = m.Steps
	c := m.codeOf(f)
	if len(m.stack) < int(c.frame) {
		m.stack = make([]slot, max(1024, int(c.frame)))
	}
	m.begin(c, m.stack[:c.frame])
	for i, at := range c.params {
		m.stack[at] = slot{v: args[i] & mask(uint8(f.Params[i].Type.width()))}
	}
	m.run(c)
	m.result.Steps = m.Steps - max(m.steps, 0)
	return &m.result, nil
}

func (m *Machine) codeOf(f *Function) *code {
	c := m.code[f.index]
	if c == nil {
		c = m.lower(f)
		m.code[f.index] = c
	}
	return c
}

// begin fills a new frame: registers without a value, and the constants.
func (m *Machine) begin(c *code, s []slot) {
	registers := s[:c.first]
	for i := range registers {
		registers[i] = slot{0, uninitialized}
	}
	copy(s[c.first:], c.consts)
}

// stop ends the run at an instruction.
func (m *Machine) stop(c *code, pc int32, out Outcome, detail string) {
	in := c.instrs[pc]
	m.result.Outcome, m.result.Function, m.result.Line, m.result.Place, m.result.Detail = out, c.f.Name, in.Line, in.Place, detail
}

// used ends the run because something that has no value decides.
func (m *Machine) used(c *code, pc int32, bad uint8, what string) {
	out := Uninitialized
	if bad&poisoned != 0 {
		out, what = Poison, what+", and arithmetic overflowed or left an object"
	}
	m.stop(c, pc, out, what)
}

// usedAddress is used for an address. Even a broken promise may have a known target.
func (m *Machine) usedAddress(c *code, pc int32, bad uint8, address uint64, n int) {
	m.used(c, pc, bad, "it is an address")
	if bad&poisoned != 0 {
		m.result.Detail = "it is an address that arithmetic must not give, of " + m.mem.describe(address, n)
	}
}

// followEdge goes along an edge: phi copies its values at once, and the block joins the trace.
func (m *Machine) followEdge(s []slot, e *edge) int32 {
	if e.parts {
		m.spare = m.spare[:0]
		for _, c := range e.copies {
			m.spare = append(m.spare, s[c.src])
		}
		for i, c := range e.copies {
			s[c.dst] = m.spare[i]
		}
	} else {
		for _, c := range e.copies {
			s[c.dst] = s[c.src]
		}
	}
	m.enter(e)
	return e.pc
}

func (m *Machine) enter(e *edge) {
	m.steps -= int(e.cost)
	if len(m.result.Trace) < m.Traced {
		m.result.Trace = append(m.result.Trace, int(e.block))
	} else {
		m.result.Cut = true
	}
}

// find returns the edge of a switch for a value.
func (t *table) find(v uint64) int32 {
	if len(t.values) <= 8 {
		for i, known := range t.values {
			if known == v {
				return t.edges[i]
			}
		}
		return t.fallback
	}
	i := sort.Search(len(t.values), func(i int) bool { return t.values[i] >= v })
	if i < len(t.values) && t.values[i] == v {
		return t.edges[i]
	}
	return t.fallback
}
