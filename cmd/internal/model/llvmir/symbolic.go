package llvmir

import (
	"fmt"
	"math/big"

	"parallax/cmd/internal/model/smt"
)

// Symbolic follows paths of a module's functions with terms in the place of numbers. It is for one
// goroutine.
type Symbolic struct {
	// Places is how many places of an object are chosen among where an offset depends on the input.
	// Beyond, the path is Beyond.
	Places int

	// Externals holds the results of functions that no file defines.
	Externals map[string]Argument

	// MaxSteps limits the instructions of a path.
	MaxSteps int

	module  *Module
	ctx     *smt.Context
	machine *Machine // has the values of globals
	buffers []Buffer
}

// The limits of a new Symbolic. intscan's table has 257 places.
const (
	DefaultPlaces   = 300
	DefaultMaxSteps = 100_000
)

// NewSymbolic makes terms in a context.
func NewSymbolic(m *Module, ctx *smt.Context) *Symbolic {
	return &Symbolic{Places: DefaultPlaces, MaxSteps: DefaultMaxSteps, module: m, ctx: ctx, machine: NewMachine(m), Externals: map[string]Argument{}}
}

// Buffer is an object that exists before a function is called.
type Buffer struct {
	Name     string
	Bytes    []*smt.Term // bit vectors of 8 bits; nil is a byte without a value
	Align    int         // where it begins, behind a multiple of 16
	Constant bool
	// if set, the buffer has 8 bytes with this pointer: an argument of type char **
	Points *Argument
}

// Argument is a number or a pointer.
type Argument struct {
	term   *smt.Term
	buffer int // 1 + the number of the buffer
	offset uint64
	number uint64
}

// Number returns an argument that is a bit vector of the parameter's width.
func Number(t *smt.Term) Argument { return Argument{term: t} }

// Known returns an argument that is a known number, or null.
func Known(n uint64) Argument { return Argument{number: n} }

// Buffer adds an object, and returns an argument that points to its first byte.
func (s *Symbolic) Buffer(b Buffer) Argument {
	s.buffers = append(s.buffers, b)
	return Argument{buffer: len(s.buffers)}
}

// Offset returns the pointer advanced by some bytes.
func (a Argument) Offset(offset uint64) Argument {
	a.offset += offset
	return a
}

// Execution is the effect of a path on its arguments.
type Execution struct {
	Condition []*smt.Term // holds for the inputs that take the path, where Defined holds
	Defined   []*smt.Term // holds for the inputs on which the path's behavior is defined in C
	Result    *Output     // nil for a function without a result, or one that returns a struct
	Results   []Output    // the scalars of the result
	// bytes of each buffer after the path; a pointer is the output of its first byte, with Width 64
	Buffers [][]Output
	Wrote   [][]*smt.Term // of sort Bool: whether the path wrote the byte
}

// Output is a number or a pointer.
type Output struct {
	Width int
	Term  *smt.Term // a number, or the 64-bit offset of a pointer; nil without a value
	// for a pointer, 1 + the index of the buffer that it points into; 0 for a number or null
	Buffer int
	Global string // of a pointer into a global, its name
}

type activeFrame struct {
	fn    *Function
	block *Block
	at    int
	regs  map[int][]symbol
	first int // of its local regions
}

// execution is the state of a path that is being followed.
type execution struct {
	s       *Symbolic
	ctx     *smt.Context
	regions []*region
	globals map[int]int
	frames  []*activeFrame
	result  *Execution
	path    []int // remaining blocks
	fn      *Function
	in      *Instr // the current instruction, for errors
	steps   int
}

// Execute follows a path with arguments. The error is *Beyond, *Impossible or *Undefined, or
// reports that path and arguments do not fit.
func (s *Symbolic) Execute(p *Path, args ...Argument) (result *Execution, err error) {
	if _, err := s.module.PathOf(p.Function, p.Blocks); err != nil {
		return nil, err
	}
	if len(args) != len(p.Function.Params) {
		return nil, fmt.Errorf("@%s has %d parameters, not %d", p.Function.Name, len(p.Function.Params), len(args))
	}
	e := &execution{s: s, ctx: s.ctx, globals: map[int]int{}, result: &Execution{}, path: p.Blocks, fn: p.Function, in: p.Function.Blocks[0].Instrs[0]}
	defer func() {
		switch h := recover().(type) {
		case nil:
		case halt:
			result, err = nil, h.err
		default:
			panic(h)
		}
	}()
	for i := range s.buffers {
		e.add(e.region(&s.buffers[i]), s.buffers[i].Align)
	}
	values := make([]symbol, len(args))
	for i, a := range args {
		width := p.Function.Params[i].Type.width()
		if a.term != nil && a.term.Sort() != smt.BitVec(width) {
			return nil, fmt.Errorf("parameter %d of @%s has %d bits, and the argument is %v", i+1, p.Function.Name, width, a.term.Sort())
		}
		values[i] = e.argument(a, width)
	}
	e.begin(p.Function, values)
	for e.frames != nil {
		e.instr()
	}
	e.buffers()
	return e.result, nil
}

// region returns a buffer as an object of the execution.
func (e *execution) region(b *Buffer) *region {
	if b.Points != nil {
		r := &region{name: b.Name, cells: make([]cell, 8), constant: b.Constant}
		for i := range r.cells {
			r.cells[i] = cell{v: e.argument(*b.Points, 64), part: i}
		}
		return r
	}
	r := &region{name: b.Name, cells: make([]cell, len(b.Bytes)), constant: b.Constant}
	for i, t := range b.Bytes {
		v := symbol{width: 8, bad: uninitialized}
		if t != nil {
			v = e.made(t, 8, 0)
		}
		r.cells[i] = cell{v: v}
	}
	return r
}

func (e *execution) argument(a Argument, width int) symbol {
	switch {
	case a.buffer > 0:
		return symbol{width: width, object: a.buffer, n: a.offset}
	case a.term != nil:
		v := e.made(a.term, width, 0)
		if width == 1 && v.term != nil {
			v.term = e.app(smt.OpEqual, a.term, e.ctx.Bits(1, 1))
		}
		return v
	}
	return known(a.number, width)
}

// begin opens a call, whose entry is the next block of the path.
func (e *execution) begin(fn *Function, args []symbol) {
	f := &activeFrame{fn: fn, regs: map[int][]symbol{}, first: len(e.regions)}
	for i, a := range args {
		f.regs[i] = []symbol{a}
	}
	e.path = e.path[1:]
	e.frames = append(e.frames, f)
	f.block = fn.Blocks[0]
}

func (e *execution) top() *activeFrame { return e.frames[len(e.frames)-1] }

// output returns a value in the form for the caller.
func (e *execution) output(v symbol) Output {
	o := Output{Width: v.width}
	if v.bad != 0 {
		return o
	}
	if v.object > len(e.s.buffers) {
		o.Global = e.regions[v.object-1].name
	}
	if v.object <= len(e.s.buffers) {
		o.Buffer = v.object
	}
	v.object = 0
	o.Term = e.termOf(v)
	if v.width == 1 { // outside, all numbers are bit vectors
		o.Term = e.app(smt.OpIte, o.Term, e.ctx.BigBits(big.NewInt(1), 1), e.ctx.BigBits(big.NewInt(0), 1))
	}
	return o
}

// buffers sets the final contents of the buffers.
func (e *execution) buffers() {
	for i := range e.s.buffers {
		r := e.regions[i]
		bytes, wrote := make([]Output, len(r.cells)), make([]*smt.Term, len(r.cells))
		for j, c := range r.cells {
			c.wrote.width = 1
			wrote[j] = e.termOf(c.wrote)
			switch {
			case c.v.object != 0:
				bytes[j] = Output{Width: 8} // of the middle of a pointer
				if c.part == 0 {
					bytes[j] = e.output(c.v)
				}
			case c.v.bad != 0:
				bytes[j] = Output{Width: 8}
			default:
				bytes[j] = e.output(e.byteOf(c))
			}
		}
		e.result.Buffers, e.result.Wrote = append(e.result.Buffers, bytes), append(e.result.Wrote, wrote)
	}
}
