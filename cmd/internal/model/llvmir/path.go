package llvmir

import (
	"crypto/sha256"
	"fmt"
	"math/big"
	"slices"
)

// Path is a path through a function and its callees, from the entry to a return: a functionality in
// SEDiff's terms.
type Path struct {
	Function *Function
	// The blocks in the order of entry, by their numbers in the module. A caller continues after a
	// call without a new entry.
	Blocks   []int
	Branches []Branch
	// the function and a hash of the blocks, equal in each module with these functions
	Name string
}

// Branch is a decision on a path.
type Branch struct {
	Step  int    // index of the block in Path.Blocks
	Instr *Instr // br with a condition, or switch
	Taken int    // next block, as an index of the function
}

// Block returns a block by its number in the module, as in traces and paths.
func (m *Module) Block(number int) (*Function, *Block) {
	b := m.blocks[number]
	return b.f, b.f.Blocks[b.index]
}

// Number returns the number of a function's block in the module.
func (m *Module) Number(f *Function, block int) int { return f.first + block }

// Lines returns the source lines of a path, without consecutive repetitions.
func (m *Module) Lines(p *Path) []SourceLine {
	var lines []SourceLine
	for _, n := range p.Blocks {
		_, b := m.Block(n)
		for _, in := range b.Instrs {
			if in.Place.Line != 0 && (len(lines) == 0 || lines[len(lines)-1] != in.Place) {
				lines = append(lines, in.Place)
			}
		}
	}
	return lines
}

// name makes a path's name of its blocks.
func (m *Module) name(f *Function, blocks []int) string {
	h := sha256.New()
	for _, n := range blocks {
		b := m.blocks[n]
		fmt.Fprintf(h, "%s %d\n", b.f.Name, b.index)
	}
	return fmt.Sprintf("%s#%x", f.Name, h.Sum(nil)[:6])
}

// PathOf returns the path of a run's trace. An error reports where the trace is not one of a run
// that returned.
func (m *Module) PathOf(f *Function, trace []int) (*Path, error) {
	p := &Path{Function: f, Blocks: slices.Clone(trace), Name: m.name(f, trace)}
	if err := m.Refused(f); err != nil {
		return nil, err
	}
	type open struct{ block, at, step int }
	var calls []open
	next := func() int {
		if len(trace) == 0 {
			return -1
		}
		n := trace[0]
		trace = trace[1:]
		return n
	}
	current := open{block: next()}
	if current.block != f.first {
		return nil, fmt.Errorf("the path does not begin with the entry of @%s", f.Name)
	}
	step := 0
	for {
		fn, b := m.Block(current.block)
		in := b.Instrs[current.at]
		switch in.Op {
		case OpCall:
			callee, _ := m.callee(fn, in)
			if callee == nil {
				break
			}
			calls = append(calls, current)
			if n := next(); n != callee.first {
				return nil, fmt.Errorf("step %d is not the entry of @%s, which @%s calls", step+1, callee.Name, fn.Name)
			}
			step++
			current = open{callee.first, 0, step}
			continue
		case OpBr, OpSwitch:
			n := next()
			if n < fn.first || !slices.Contains(b.Successors(), n-fn.first) {
				return nil, fmt.Errorf("step %d does not follow the block %%%s of @%s", step+1, b.Name, fn.Name)
			}
			if len(in.Args) > 0 {
				p.Branches = append(p.Branches, Branch{current.step, in, n - fn.first})
			}
			step++
			current = open{n, 0, step}
			continue
		case OpRet:
			if len(calls) == 0 {
				if len(trace) > 0 {
					return nil, fmt.Errorf("step %d comes after the return", step+1)
				}
				return p, nil
			}
			current = calls[len(calls)-1]
			calls = calls[:len(calls)-1]
		case OpUnreachable:
			return nil, fmt.Errorf("step %d does not return", step)
		}
		current.at++
	}
}

// facts holds the registers of a call with constant values on a path.
type facts map[int]uint64

// value returns the known value of an operand.
func (k facts) value(v *Value) (uint64, bool) {
	switch {
	case v.Type.width() > 64 || v.Type.width() == 0:
	case v.Kind == IntValue:
		return v.bits(), true
	case v.Kind == ZeroValue:
		return 0, true
	case v.Kind == RegisterValue:
		n, ok := k[v.Register]
		return n, ok
	}
	return 0, false
}

// phis takes the values that phis have when a block is entered from another, all at once.
func (k facts) phis(b *Block, from int) {
	type known struct {
		register int
		value    uint64
		ok       bool
	}
	var all []known
	for _, in := range b.Instrs {
		if in.Op != OpPhi {
			break
		}
		i := slices.Index(in.Blocks, from)
		if i < 0 {
			continue
		}
		v, ok := k.value(in.Args[i])
		all = append(all, known{in.Dest, v, ok})
	}
	for _, a := range all {
		if a.ok {
			k[a.register] = a.value
		} else {
			delete(k, a.register)
		}
	}
}

// compute records the result of an instruction with known operands. Poison stays unknown.
func (k facts) compute(in *Instr) {
	if in.Dest < 0 {
		return
	}
	delete(k, in.Dest)
	if !in.Type.scalar() || in.Type.width() > 64 || len(in.Args) == 0 {
		return
	}
	var a [3]uint64
	for i, v := range in.Args {
		n, ok := k.value(v)
		if in.Op == OpSelect && i > 0 {
			break
		}
		if !ok || i > 2 {
			return
		}
		a[i] = n
	}
	bits, wide := uint8(in.Args[0].Type.width()), uint8(in.Type.width())
	switch in.Op {
	case OpIcmp:
		k[in.Dest] = truth(compare(in.Pred, bits, a[0], a[1]))
	case OpTrunc, OpZext:
		if in.Flags == 0 {
			k[in.Dest] = a[0] & mask(wide)
		}
	case OpSext:
		k[in.Dest] = uint64(sext(a[0], bits)) & mask(wide)
	case OpFreeze:
		k[in.Dest] = a[0]
	case OpSelect:
		if v, ok := k.value(in.Args[2-a[0]]); ok {
			k[in.Dest] = v
		}
	case OpAdd, OpSub, OpMul, OpUdiv, OpSdiv, OpUrem, OpSrem, OpShl, OpLshr, OpAshr, OpAnd, OpOr, OpXor:
		if v, bad, out := operate(codes[in.Op], in.Flags, bits, a[0], a[1]); bad == 0 && out == 0 {
			k[in.Dest] = v
		}
	}
}

// targets returns the possible next blocks of a branch or switch, without repetitions. If the
// condition is known, there is one.
func (k facts) targets(in *Instr) []int {
	if len(in.Args) > 0 {
		if v, ok := k.value(in.Args[0]); ok {
			if in.Op == OpBr {
				return in.Blocks[1-v : 2-v]
			}
			for i, c := range in.Args[1:] {
				if c.Int.Cmp(new(big.Int).SetUint64(v)) == 0 {
					return in.Blocks[i+1 : i+2]
				}
			}
			return in.Blocks[:1]
		}
	}
	var each []int
	for _, b := range in.Blocks {
		if !slices.Contains(each, b) {
			each = append(each, b)
		}
	}
	return each
}
