package llvmir

import "maps"

import "slices"

// promote replaces local variables by registers, as LLVM's pass mem2reg does. The address of such a
// variable is used only for loads and stores of its type. It inserts phi where definitions meet and
// the variable is still read (Cytron et al.). It inserts undef where the variable is read before it
// is written. Blocks and their order stay.
func promote(f *Function, g *Graph) {
	slots := promotable(f)
	if len(slots) == 0 {
		return
	}
	p := &promotion{f: f, slots: slots, phis: make([]map[*Instr]int, len(f.Blocks)), replaced: map[int]*Value{}}
	for slot := range slots {
		p.place(g, slot)
	}
	p.rename(g)
	for _, b := range f.Blocks {
		b.Instrs = slices.DeleteFunc(b.Instrs, p.removed)
		for _, in := range b.Instrs {
			for i, a := range in.Args {
				in.Args[i] = p.resolve(a)
			}
		}
	}
}

// promotable returns the registers of such variables, with their types.
func promotable(f *Function) map[int]*Type {
	slots := map[int]*Type{}
	for _, in := range f.Blocks[0].Instrs {
		if in.Op == OpAlloca && len(in.Args) == 0 && in.Source.scalar() {
			slots[in.Dest] = in.Source
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for i, a := range in.operands() {
				if a.Kind != RegisterValue || slots[a.Register] == nil {
					continue
				}
				t := slots[a.Register]
				loads := in.Op == OpLoad && in.Type.Same(t)
				stores := in.Op == OpStore && i == len(in.Args)-1 && len(in.operands()) == 2 && in.Args[0].Type.Same(t)
				if in.Flags&Volatile != 0 || !loads && !stores {
					delete(slots, a.Register)
				}
			}
		}
	}
	return slots
}

type promotion struct {
	f        *Function
	slots    map[int]*Type
	phis     []map[*Instr]int // of each block: phi and its slot
	replaced map[int]*Value   // registers of loads, and the loaded values
}

// slot returns the variable of a load or store.
func (p *promotion) slot(in *Instr) (int, bool) {
	if in.Op != OpLoad && in.Op != OpStore {
		return 0, false
	}
	a := in.Args[len(in.Args)-1]
	_, ok := p.slots[a.Register]
	return a.Register, ok && a.Kind == RegisterValue
}

// place puts phi where definitions of a variable meet.
func (p *promotion) place(g *Graph, slot int) {
	live := p.live(g, slot)
	front := g.frontiers()
	var work []int
	for _, b := range g.Order {
		for _, in := range p.f.Blocks[b].Instrs {
			if s, ok := p.slot(in); ok && s == slot && in.Op == OpStore {
				work = append(work, b)
				break
			}
		}
	}
	has := map[int]bool{}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, to := range front[b] {
			if has[to] || !live[to] {
				continue
			}
			has[to] = true
			phi := &Instr{Op: OpPhi, Dest: p.f.registers, Type: p.slots[slot], Line: p.f.Blocks[to].Instrs[0].Line}
			p.f.registers++
			p.f.types = append(p.f.types, phi.Type)
			if p.phis[to] == nil {
				p.phis[to] = map[*Instr]int{}
			}
			p.phis[to][phi] = slot
			p.f.Blocks[to].Instrs = slices.Insert(p.f.Blocks[to].Instrs, 0, phi)
			work = append(work, to)
		}
	}
}

// live reports for each block whether the variable is live at its begin.
func (p *promotion) live(g *Graph, slot int) []bool {
	live := make([]bool, len(p.f.Blocks))
	wrote := make([]bool, len(p.f.Blocks))
	var work []int
	for _, b := range g.Order {
		for _, in := range p.f.Blocks[b].Instrs {
			s, ok := p.slot(in)
			if !ok || s != slot {
				continue
			}
			if in.Op == OpLoad && !wrote[b] && !live[b] {
				live[b] = true
				work = append(work, b)
			}
			wrote[b] = wrote[b] || in.Op == OpStore
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, pred := range g.Preds[b] {
			if !wrote[pred] && !live[pred] {
				live[pred] = true
				work = append(work, pred)
			}
		}
	}
	return live
}

// rename walks the dominator tree with the value that each variable has. Blocks that are not
// reached read undef.
func (p *promotion) rename(g *Graph) {
	children := g.children()
	type visit struct {
		block  int
		values map[int]*Value
	}
	work := []visit{{0, map[int]*Value{}}}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		p.block(v.block, v.values)
		for _, s := range g.Succs[v.block] {
			for _, in := range p.f.Blocks[s].Instrs {
				if slot, ok := p.phis[s][in]; ok {
					in.Args = append(in.Args, p.current(v.values, slot))
					in.Blocks = append(in.Blocks, v.block)
				}
			}
		}
		for _, c := range children[v.block] {
			values := make(map[int]*Value, len(v.values))
			maps.Copy(values, v.values)
			work = append(work, visit{c, values})
		}
	}
	for b := range p.f.Blocks {
		if !g.Reached(b) {
			p.block(b, map[int]*Value{})
		}
	}
}

func (p *promotion) block(b int, values map[int]*Value) {
	for _, in := range p.f.Blocks[b].Instrs {
		if slot, ok := p.phis[b][in]; ok {
			values[slot] = &Value{Kind: RegisterValue, Type: in.Type, Register: in.Dest}
			continue
		}
		slot, ok := p.slot(in)
		switch {
		case !ok:
		case in.Op == OpStore:
			values[slot] = in.Args[0]
		default:
			p.replaced[in.Dest] = p.current(values, slot)
		}
	}
}

func (p *promotion) current(values map[int]*Value, slot int) *Value {
	if v := values[slot]; v != nil {
		return v
	}
	return &Value{Kind: UndefValue, Type: p.slots[slot]}
}

// resolve replaces removed loads by their values.
func (p *promotion) resolve(v *Value) *Value {
	for v.Kind == RegisterValue {
		r, ok := p.replaced[v.Register]
		if !ok {
			break
		}
		v = r
	}
	if v.Kind == AggregateValue {
		for i, e := range v.Elems {
			v.Elems[i] = p.resolve(e)
		}
	}
	return v
}

// removed reports whether an instruction belongs to a promoted variable.
func (p *promotion) removed(in *Instr) bool {
	_, ok := p.slot(in)
	return ok || in.Op == OpAlloca && p.slots[in.Dest] != nil
}
