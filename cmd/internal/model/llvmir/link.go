package llvmir

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Module is a set of linked files, whose symbols are resolved. It is immutable after Link, and safe
// for concurrent use.
type Module struct {
	functions []*Function
	globals   []*Global                // that have a value
	symbols   map[string]any           // *Function or *Global, of all files
	own       map[*File]map[string]any // per file
	aliases   map[string]string
	blocks    []blockOf // by number
	refused   map[*Function]error
	known     map[string]bool // externals that the caller supplies
	number    map[*Global]int // places in globals

	refusedGlobals map[*Global]error
}

type blockOf struct {
	f     *Function
	index int
}

// Link resolves the symbols of files. externals names functions that the caller of Machine or
// Symbolic supplies if no file defines them. Two strong definitions of one symbol are an error.
func Link(files []*File, externals ...string) (*Module, error) {
	m := &Module{symbols: map[string]any{}, own: map[*File]map[string]any{}, aliases: map[string]string{}, refused: map[*Function]error{},
		known: map[string]bool{}, number: map[*Global]int{}, refusedGlobals: map[*Global]error{}}
	for _, name := range externals {
		m.known[name] = true
	}
	for _, file := range files {
		if m.own[file] != nil {
			return nil, fmt.Errorf("%s is linked twice", file.Name)
		}
		m.own[file] = map[string]any{}
		for _, f := range file.Functions {
			if f.defined() {
				if err := m.define(file, f.Name, f.Linkage, f); err != nil {
					return nil, err
				}
			}
		}
		for _, g := range file.Globals {
			if g.Init != nil || g.Unsupported != nil {
				if err := m.define(file, g.Name, g.Linkage, g); err != nil {
					return nil, err
				}
			}
		}
		maps.Copy(m.aliases, file.Aliases)
	}
	for _, file := range files {
		for _, f := range file.Functions {
			if !f.defined() {
				continue
			}
			f.index, f.first = len(m.functions), len(m.blocks)
			m.functions = append(m.functions, f)
			for i := range f.Blocks {
				m.blocks = append(m.blocks, blockOf{f, i})
			}
		}
		for _, g := range file.Globals {
			if g.Init != nil {
				m.number[g] = len(m.globals)
				m.globals = append(m.globals, g)
			}
		}
	}
	for _, f := range m.functions {
		m.refused[f] = m.refuse(f, map[*Function]bool{})
	}
	return m, nil
}

// defined reports whether the text has a body, be it one that is not supported.
func (f *Function) defined() bool { return len(f.Blocks) > 0 || f.Unsupported != nil }

func (m *Module) define(file *File, name string, l Linkage, what any) error {
	if l == Internal {
		m.own[file][name] = what
		return nil
	}
	old, ok := m.symbols[name]
	if ok && l != Weak && linkageOf(old) != Weak {
		return fmt.Errorf("@%s is defined by %s and by another file", name, file.Name)
	}
	if !ok || l != Weak {
		m.symbols[name] = what
	}
	return nil
}

func linkageOf(what any) Linkage {
	if f, ok := what.(*Function); ok {
		return f.Linkage
	}
	return what.(*Global).Linkage
}

// symbol returns the meaning of a name in a file, or nil.
func (m *Module) symbol(file *File, name string) any {
	for range 100 { // aliases of aliases
		if what := m.own[file][name]; what != nil {
			return what
		}
		if what := m.symbols[name]; what != nil {
			return what
		}
		other, ok := file.Aliases[name]
		if !ok {
			if other, ok = m.aliases[name]; !ok {
				return nil
			}
		}
		name = other
	}
	return nil
}

// Function returns the function of a name: a global one, or a unique static one. It returns nil if
// there is none.
func (m *Module) Function(name string) *Function {
	for range 100 {
		if f, ok := m.symbols[name].(*Function); ok {
			return f
		}
		other, ok := m.aliases[name]
		if !ok {
			break
		}
		name = other
	}
	var found *Function
	for _, own := range m.own {
		if f, ok := own[name].(*Function); ok {
			if found != nil {
				return nil
			}
			found = f
		}
	}
	return found
}

// Functions returns all defined functions, in the order of the files.
func (m *Module) Functions() []*Function { return slices.Clone(m.functions) }

// callee returns the function of a call. Without one, name is an intrinsic or a function that is
// only declared.
func (m *Module) callee(f *Function, in *Instr) (callee *Function, name string) {
	name = in.Callee.Symbol
	callee, _ = m.symbol(f.File, name).(*Function)
	return callee, name
}

// Callees returns the functions with a body that a block calls, without repetitions.
func (m *Module) Callees(f *Function, b *Block) (list []*Function) {
	for _, in := range b.Instrs {
		if in.Op != OpCall {
			continue
		}
		if callee, _ := m.callee(f, in); callee != nil && len(callee.Blocks) > 0 && !slices.Contains(list, callee) {
			list = append(list, callee)
		}
	}
	return list
}

// Refused returns the reason why a function cannot be run or followed, or nil. The reason may be in
// its body, in a function that it calls, a callee that no file defines, or a global without a
// value.
func (m *Module) Refused(f *Function) error {
	err, ok := m.refused[f]
	if !ok {
		return fmt.Errorf("@%s is declared and nowhere defined", f.Name)
	}
	return err
}

func (m *Module) refuse(f *Function, seen map[*Function]bool) error {
	if f.Unsupported != nil {
		return f.Unsupported
	}
	for _, p := range f.Params {
		if p.Type.widest() > 64 {
			return fmt.Errorf("%s: @%s: a parameter of %v has more than 64 bits, which is not supported", f.File.Name, f.Name, p.Type)
		}
	}
	seen[f] = true
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if err := m.refuseInstr(f, in, seen); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *Module) refuseInstr(f *Function, in *Instr, seen map[*Function]bool) error {
	at := func(err error) error {
		return &Refusal{Function: f.Name, Place: in.Place, Why: err, text: fmt.Sprintf("%s: @%s: line %d: %v: %v", f.File.Name, f.Name, in.Line, in.Op, err)}
	}
	for _, a := range in.operands() {
		if err := m.refuseValue(f.File, a); err != nil {
			return at(err)
		}
	}
	if in.Type.widest() > 64 {
		return at(fmt.Errorf("%v has more than 64 bits, which is not supported", in.Type))
	}
	for _, a := range in.Args {
		if a.Type.widest() > 64 {
			return at(fmt.Errorf("%v has more than 64 bits, which is not supported", a.Type))
		}
	}
	if in.Op != OpCall {
		return nil
	}
	callee, name := m.callee(f, in)
	switch {
	case callee == nil && strings.HasPrefix(name, "llvm."):
		if err := checkIntrinsic(name, in); err != nil {
			return at(err)
		}
	case callee == nil && m.known[name]:
	case callee == nil:
		return at(Missing(name))
	case len(callee.Params) != len(in.Args) || !callee.Result.Same(in.Type):
		return at(fmt.Errorf("@%s has %d parameters and gives %v, not %d and %v", name, len(callee.Params), callee.Result, len(in.Args), in.Type))
	case slices.ContainsFunc(in.Args, func(a *Value) bool { return !a.Type.Same(callee.Params[slices.Index(in.Args, a)].Type) }):
		return at(fmt.Errorf("@%s has parameters of other types", name))
	case !seen[callee]:
		if err := m.refuse(callee, seen); err != nil {
			return at(fmt.Errorf("@%s cannot be called: %w", name, err))
		}
	}
	return nil
}

// refuseValue reports an unsupported constant.
func (m *Module) refuseValue(file *File, v *Value) error {
	switch v.Kind {
	case SymbolValue:
		switch what := m.symbol(file, v.Symbol).(type) {
		case nil:
			return Missing(v.Symbol)
		case *Function:
			return fmt.Errorf("the address of the function @%s is not supported", v.Symbol)
		case *Global:
			return m.refuseGlobal(what)
		}
	case AggregateValue:
		for _, e := range v.Elems {
			if err := m.refuseValue(file, e); err != nil {
				return err
			}
		}
	case ExprValue:
		for _, a := range v.Expr.Args {
			if err := m.refuseValue(file, a); err != nil {
				return err
			}
		}
	}
	return nil
}

// refuseGlobal reports an unsupported initial value of a global.
func (m *Module) refuseGlobal(g *Global) error {
	if err, ok := m.refusedGlobals[g]; ok {
		return err
	}
	m.refusedGlobals[g] = g.Unsupported // of itself, which its value may point to
	if g.Unsupported == nil {
		if err := m.refuseValue(g.File, g.Init); err != nil {
			m.refusedGlobals[g] = fmt.Errorf("@%s: %w", g.Name, err)
		}
	}
	return m.refusedGlobals[g]
}
