package callgraph

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// reflected finds the interface values that come from package reflect, through variables, fields by
// type, parameters and results. Variable type analysis does not know their types, since reflect
// makes them from pointers.
func (p *program) reflected() map[ssa.Value]bool {
	r := &reflection{program: p, values: map[ssa.Value]bool{}, fields: map[field]bool{}, loads: map[field][]ssa.Value{}}
	for _, f := range p.functions {
		for _, b := range f.Blocks {
			for _, instr := range b.Instrs {
				r.scan(instr)
			}
		}
	}
	for len(r.todo) > 0 {
		v := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		if refs := v.Referrers(); refs != nil {
			for _, use := range *refs {
				r.pass(v, use)
			}
		}
	}
	return r.values
}

type reflection struct {
	*program
	values map[ssa.Value]bool
	fields map[field]bool // that hold such values
	loads  map[field][]ssa.Value
	todo   []ssa.Value
}

// field is a field of all structs of a type.
type field struct {
	of    types.Type
	index int
}

func (r *reflection) mark(v ssa.Value) {
	if v == nil || r.values[v] {
		return
	}
	r.values[v] = true
	r.todo = append(r.todo, v)
}

// scan records the sources of values, and where fields are read.
func (r *reflection) scan(instr ssa.Instruction) {
	switch v := instr.(type) {
	case *ssa.Call:
		if callee := v.Call.StaticCallee(); callee != nil && pathOf(callee) == "reflect" && pathOf(v.Parent()) != "reflect" && holdsInterface(v.Type()) {
			r.mark(v)
		}
	case *ssa.FieldAddr:
		r.loads[fieldOf(v.X, v.Field)] = append(r.loads[fieldOf(v.X, v.Field)], v)
	case *ssa.Field:
		r.loads[fieldOf(v.X, v.Field)] = append(r.loads[fieldOf(v.X, v.Field)], v)
	}
}

func fieldOf(x ssa.Value, index int) field {
	t := x.Type()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	t = types.Unalias(t)
	if n, ok := t.(*types.Named); ok {
		return field{n.Origin().Obj().Type(), index}
	}
	return field{t, index}
}

// holdsInterface reports whether a result of package reflect may be an interface with any type.
func holdsInterface(t types.Type) bool {
	if tuple, ok := t.(*types.Tuple); ok {
		for i := range tuple.Len() {
			if holdsInterface(tuple.At(i).Type()) {
				return true
			}
		}
		return false
	}
	if !types.IsInterface(t) {
		return false
	}
	n, ok := types.Unalias(t).(*types.Named)
	return !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "reflect" // reflect.Type
}

// pass follows a value through one instruction.
func (r *reflection) pass(v ssa.Value, use ssa.Instruction) {
	switch use := use.(type) {
	case *ssa.Phi:
		r.mark(use)
	case *ssa.Extract:
		if types.IsInterface(use.Type()) {
			r.mark(use)
		}
	case *ssa.TypeAssert:
		if types.IsInterface(use.AssertedType) {
			r.mark(use)
		}
	case *ssa.ChangeInterface:
		r.mark(use)
	case *ssa.ChangeType:
		r.mark(use)
	case *ssa.UnOp:
		r.mark(use)
	case *ssa.Slice:
		r.mark(use)
	case *ssa.IndexAddr:
		r.mark(use)
	case *ssa.Index:
		r.mark(use)
	case *ssa.Lookup:
		r.mark(use)
	case *ssa.Store:
		if use.Val == v {
			r.store(use.Addr)
		}
	case *ssa.MapUpdate:
		if use.Value == v {
			r.mark(use.Map)
		}
	case *ssa.MakeClosure:
		fn := use.Fn.(*ssa.Function)
		for i, b := range use.Bindings {
			if b == v {
				r.mark(fn.FreeVars[i])
			}
		}
	case *ssa.Return:
		r.returned(use.Parent())
	case ssa.CallInstruction:
		r.call(v, use)
	}
}

// store follows a value into a variable.
func (r *reflection) store(addr ssa.Value) {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		f := fieldOf(a.X, a.Field)
		if !r.fields[f] {
			r.fields[f] = true
			for _, load := range r.loads[f] {
				r.mark(load)
			}
		}
	case *ssa.IndexAddr:
		r.mark(a.X)
	default:
		r.mark(addr)
	}
}

// returned marks the results of the calls of a function.
func (r *reflection) returned(f *ssa.Function) {
	if node := r.calls.Nodes[f]; node != nil {
		for _, e := range node.In {
			if call, ok := e.Site.(*ssa.Call); ok && holdsInterface(call.Type()) {
				r.mark(call)
			}
		}
	}
}

// call marks the parameters that receive a value.
func (r *reflection) call(v ssa.Value, call ssa.CallInstruction) {
	common := call.Common()
	enter := func(f *ssa.Function) {
		for i, arg := range common.Args {
			if common.IsInvoke() {
				i++
			}
			if arg == v && i < len(f.Params) {
				r.mark(f.Params[i])
			}
		}
	}
	if f := common.StaticCallee(); f != nil {
		enter(f)
		return
	}
	if node := r.calls.Nodes[call.Parent()]; node != nil {
		for _, e := range node.Out {
			if e.Site == call {
				enter(e.Callee.Func)
			}
		}
	}
}
