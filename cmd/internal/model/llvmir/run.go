package llvmir

// run executes from the entry of a function whose frame is at the bottom of the stack.
func (m *Machine) run(c *code) {
	base := 0
	s := m.stack[:c.frame]
	m.enter(&c.entry)
	objects := len(m.mem.objects)
	pc := int32(0)
	for {
		if m.steps < 0 {
			m.stop(c, pc, StepLimit, "")
			return
		}
		o := &c.ops[pc]
		switch o.code {
		case opAdd, opSub, opMul, opUdiv, opSdiv, opUrem, opSrem, opShl, opLshr, opAshr, opAnd, opOr, opXor:
			a, b := s[o.a], s[o.b]
			if o.code == opAdd && o.flags == 0 {
				s[o.dst] = slot{(a.v + b.v) & mask(o.bits), a.bad | b.bad}
				break
			}
			if b.bad != 0 && o.code >= opUdiv && o.code <= opSrem {
				m.used(c, pc, b.bad, "it divides")
				return
			}
			v, bad, out := operate(o.code, o.flags, o.bits, a.v, b.v)
			if out != 0 && a.bad == 0 {
				m.stop(c, pc, out, "")
				return
			}
			s[o.dst] = slot{v, bad | a.bad | b.bad}
		case opIcmp:
			a, b := s[o.a], s[o.b]
			s[o.dst] = slot{truth(compare(o.pred, o.bits, a.v, b.v)), a.bad | b.bad}
		case opTrunc:
			s[o.dst] = slot{s[o.a].v & mask(o.wide), s[o.a].bad}
		case opZext:
			v := s[o.a]
			if o.flags&NonNeg != 0 && sext(v.v, o.bits) < 0 {
				v.bad |= poisoned
			}
			s[o.dst] = v
		case opSext:
			s[o.dst] = slot{uint64(sext(s[o.a].v, o.bits)) & mask(o.wide), s[o.a].bad}
		case opMove:
			s[o.dst] = s[o.a]
		case opFreeze:
			s[o.dst] = slot{v: s[o.a].v}
		case opSelect:
			cond := s[o.a]
			from := o.c
			if cond.v != 0 {
				from = o.b
			}
			s[o.dst] = slot{s[from].v, s[from].bad | cond.bad}
		case opLoad:
			p := s[o.a]
			if p.bad != 0 {
				m.usedAddress(c, pc, p.bad, p.v+o.imm, int(o.wide))
				return
			}
			v, bad, out := m.mem.load(p.v+o.imm, int(o.wide))
			if out != 0 {
				m.stop(c, pc, out, m.mem.describe(p.v+o.imm, int(o.wide)))
				return
			}
			s[o.dst] = slot{v & mask(o.bits), bad}
		case opStore:
			p := s[o.b]
			if p.bad != 0 {
				m.usedAddress(c, pc, p.bad, p.v+o.imm, int(o.wide))
				return
			}
			if out := m.mem.store(p.v+o.imm, int(o.wide), s[o.a].v, s[o.a].bad); out != 0 {
				m.stop(c, pc, out, m.mem.describe(p.v+o.imm, int(o.wide)))
				return
			}
		case opOffset:
			p := s[o.a]
			v := p.v + o.imm
			if o.flags&InBounds != 0 && !m.mem.inBounds(p.v, v) {
				p.bad |= poisoned
			}
			s[o.dst] = slot{v, p.bad}
		case opIndex:
			p, i := s[o.a], s[o.b]
			v := p.v + uint64(sext(i.v, o.bits))*o.imm
			if o.flags&InBounds != 0 && !m.mem.inBounds(p.v, v) {
				p.bad |= poisoned
			}
			s[o.dst] = slot{v, p.bad | i.bad}
		case opInBounds:
			if !m.mem.inBounds(s[o.b].v, s[o.dst].v) {
				s[o.dst].bad |= poisoned
			}
		case opJump:
			pc = m.followEdge(s, &c.edges[o.ext])
			continue
		case opBranch:
			cond := s[o.a]
			if cond.bad != 0 {
				m.used(c, pc, cond.bad, "a branch depends on it")
				return
			}
			pc = m.followEdge(s, &c.edges[o.ext+1-int32(cond.v)])
			continue
		case opSwitch:
			v := s[o.a]
			if v.bad != 0 {
				m.used(c, pc, v.bad, "a switch depends on it")
				return
			}
			pc = m.followEdge(s, &c.edges[c.tables[o.ext].find(v.v)])
			continue
		case opAlloca:
			if !m.alloca(c, pc, s, o) {
				return
			}
		case opCall:
			next := m.open(c, pc, base, objects)
			if next == nil {
				return
			}
			base += int(c.frame)
			objects = len(m.mem.objects)
			c, pc = next, 0
			s = m.stack[base : base+int(c.frame)]
			continue
		case opRet:
			top := len(m.calls) - 1
			m.leave(objects)
			if top < 0 {
				m.give(c, pc, s, o)
				return
			}
			f := m.calls[top]
			m.calls = m.calls[:top]
			caller := m.stack[f.base : f.base+int(f.c.frame)]
			for i := range f.site.count {
				caller[f.site.result+i] = s[c.sites[o.ext].args[i]]
			}
			c, pc, base, s, objects = f.c, f.pc, f.base, caller, f.objects
		case opIntrinsic:
			if !m.intrinsic(c, pc, s, o) {
				return
			}
		case opExternal:
			if !m.external(c, pc, s, o) {
				return
			}
		case opUnreachable:
			m.stop(c, pc, Unreachable, "")
			return
		}
		pc++
	}
}

// open begins a call: the callee's frame follows the caller's.
func (m *Machine) open(c *code, pc int32, base, objects int) *code {
	st := &c.sites[c.ops[pc].ext]
	if len(m.calls) >= m.Depth {
		m.stop(c, pc, DepthLimit, "")
		return nil
	}
	callee := m.codeOf(st.callee)
	from := base + int(c.frame)
	if need := from + int(callee.frame); need > len(m.stack) {
		bigger := make([]slot, 2*need)
		copy(bigger, m.stack[:from])
		m.stack = bigger
	}
	s := m.stack[from : from+int(callee.frame)]
	m.begin(callee, s)
	for i, at := range callee.params {
		s[at] = m.stack[base+int(st.args[i])]
	}
	m.calls = append(m.calls, frame{c, pc, base, objects, st})
	m.enter(&callee.entry)
	return callee
}

// leave frees a function's local objects. Their numbers stay in use, so that pointers to them are
// detected as dangling.
func (m *Machine) leave(objects int) {
	for i := objects; i < len(m.mem.objects); i++ {
		o := &m.mem.objects[i]
		o.freed = o.freed || o.local
	}
}

// give returns the result of the outermost function.
func (m *Machine) give(c *code, pc int32, s []slot, o *op) {
	if o.imm != 0 {
		for _, at := range c.sites[o.ext].args {
			if s[at].bad != 0 {
				m.used(c, pc, s[at].bad, "it is the result")
				return
			}
			m.result.Values = append(m.result.Values, s[at].v)
		}
	}
	m.result.Outcome = Returned
}

func (m *Machine) alloca(c *code, pc int32, s []slot, o *op) bool {
	n := uint64(1)
	if o.a >= 0 {
		if s[o.a].bad != 0 {
			m.used(c, pc, s[o.a].bad, "it is a size")
			return false
		}
		n = s[o.a].v
	}
	if o.imm > 0 && n > uint64(m.Memory)/o.imm || m.mem.used+int(n*o.imm) > m.Memory || len(m.mem.objects) > m.Steps {
		m.stop(c, pc, MemoryLimit, "")
		return false
	}
	address := m.Blank("a local variable", int(n*o.imm), 0)
	m.mem.find(address).local = true
	s[o.dst] = slot{v: address}
	return true
}

func (m *Machine) external(c *code, pc int32, s []slot, o *op) bool {
	st := &c.sites[o.ext]
	call := m.Externals[st.name]
	if call == nil {
		m.stop(c, pc, ExternalFailed, "nobody supplies @"+st.name)
		return false
	}
	m.args = m.args[:0]
	for _, at := range st.args {
		if s[at].bad != 0 {
			m.used(c, pc, s[at].bad, "it is an argument of @"+st.name)
			return false
		}
		m.args = append(m.args, s[at].v)
	}
	v, err := call(m, m.args)
	if err != nil {
		m.stop(c, pc, ExternalFailed, err.Error())
		return false
	}
	if st.count == 1 {
		s[st.result] = slot{v: v & mask(uint8(st.bits[0]))}
	}
	return true
}
