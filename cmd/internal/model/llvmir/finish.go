package llvmir

import "fmt"

// finish checks the properties that the syntax does not ensure, and promotes local variables.
func finish(f *Function) error {
	fail := func(in *Instr, format string, args ...any) error {
		return fmt.Errorf("@%s: line %d: %v: %s", f.Name, in.Line, in.Op, fmt.Sprintf(format, args...))
	}
	f.types = make([]*Type, f.registers)
	for i, p := range f.Params {
		f.types[i] = p.Type
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if in.Dest < 0 {
				continue
			}
			if f.types[in.Dest] != nil {
				return fail(in, "the register %%%s has two definitions", f.registerName(in.Dest))
			}
			f.types[in.Dest] = in.Type
		}
	}
	g := NewGraph(f)
	for _, b := range f.Blocks {
		for i, in := range b.Instrs {
			for _, a := range in.operands() {
				if a.Type.countLeaves() > maxLeaves {
					return fail(in, "a value of type %v is not supported", a.Type)
				}
				if a.Kind != RegisterValue {
					continue
				}
				switch t := f.types[a.Register]; {
				case t == nil:
					return fail(in, "the register %%%s is defined nowhere", f.registerName(a.Register))
				case !t.Same(a.Type):
					return fail(in, "the register %%%s is %v, not %v", f.registerName(a.Register), t, a.Type)
				}
			}
			if in.Op != OpPhi {
				continue
			}
			if i > 0 && b.Instrs[i-1].Op != OpPhi {
				return fail(in, "it has to be at the beginning of the block")
			}
			if err := checkPhi(g, b, in); err != "" {
				return fail(in, "%s", err)
			}
		}
	}
	promote(f, g)
	return nil
}

// checkPhi describes a mistake in the blocks of a phi.
func checkPhi(g *Graph, b *Block, in *Instr) string {
	from := map[int]bool{}
	for _, p := range in.Blocks {
		from[p] = true
	}
	for _, p := range g.Preds[b.Index] {
		if !from[p] {
			return "it has no value for one of the blocks before"
		}
	}
	return ""
}

// operands returns the values that an instruction reads, including those inside of aggregates.
func (in *Instr) operands() []*Value {
	plain := true
	for _, a := range in.Args {
		plain = plain && a.Kind != AggregateValue
	}
	if plain {
		return in.Args
	}
	var all []*Value
	var walk func(v *Value)
	walk = func(v *Value) {
		all = append(all, v)
		for _, e := range v.Elems {
			walk(e)
		}
	}
	for _, a := range in.Args {
		walk(a)
	}
	return all
}

func (f *Function) registerName(r int) string {
	for name, n := range f.names {
		if n == r {
			return name
		}
	}
	return fmt.Sprint(r)
}
