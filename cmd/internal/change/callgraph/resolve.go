package callgraph

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// resolver finds the callees of calls.
type resolver struct {
	*program
	// packages of the standard library that others import, which may have tables
	near       map[string]bool
	reflective map[ssa.Value]bool // interfaces whose values may come from reflection
	// types that are converted to interfaces, by the names of their methods
	methods  map[string][]types.Type
	fallback typeutil.Map // by interface: map[string][]*ssa.Function, methods by name
}

func newResolver(p *program) *resolver {
	r := &resolver{program: p, near: map[string]bool{}, methods: map[string][]types.Type{}}
	for _, t := range p.ssa.RuntimeTypes() {
		if types.IsInterface(t) {
			continue
		}
		set := p.ssa.MethodSets.MethodSet(t)
		for i := range set.Len() {
			name := set.At(i).Obj().Name()
			r.methods[name] = append(r.methods[name], t)
		}
	}
	r.reflective = p.reflected()
	for _, c := range p.all {
		for _, path := range c.imports {
			if !c.standard {
				r.near[path] = true
			}
		}
	}
	return r
}

// callees returns a function that resolves a function's calls. unknown means that other functions
// may be called too.
func (r *resolver) callees(f *ssa.Function) func(ssa.CallInstruction) (callees []*ssa.Function, unknown bool) {
	found := map[ssa.CallInstruction][]*ssa.Function{}
	if node := r.calls.Nodes[f]; node != nil {
		for _, e := range node.Out {
			found[e.Site] = append(found[e.Site], e.Callee.Func)
		}
	}
	return func(call ssa.CallInstruction) ([]*ssa.Function, bool) {
		common := call.Common()
		if callee := common.StaticCallee(); callee != nil {
			return []*ssa.Function{callee}, calls(callee)
		}
		callees := found[call]
		if !common.IsInvoke() {
			return callees, len(callees) == 0 || slices.ContainsFunc(callees, calls)
		}
		if len(callees) == 0 || r.reflective[common.Value] {
			callees = append(callees, r.any(common)...)
			return callees, len(callees) == 0
		}
		return callees, false
	}
}

// calls reports whether a function calls its argument by reflection, or is a result of
// reflect.Value.Seq.
func calls(f *ssa.Function) bool {
	for f.Parent() != nil {
		f = f.Parent()
	}
	return pathOf(f) == "reflect" && f.Signature.Recv() != nil && slices.Contains([]string{"Call", "CallSlice", "Seq", "Seq2"}, f.Name())
}

// any returns a method of all types that are converted to an interface somewhere and implement this
// one.
func (r *resolver) any(call *ssa.CallCommon) []*ssa.Function {
	face, ok := call.Value.Type().Underlying().(*types.Interface)
	if !ok {
		return nil // a type parameter
	}
	byName, _ := r.fallback.At(face).(map[string][]*ssa.Function)
	if byName == nil {
		byName = map[string][]*ssa.Function{}
		r.fallback.Set(face, byName)
	}
	name := call.Method.Id()
	found, ok := byName[name]
	if ok {
		return found
	}
	for _, t := range r.methods[call.Method.Name()] {
		if !types.Implements(t, face) {
			continue
		}
		if sel := r.ssa.MethodSets.MethodSet(t).Lookup(call.Method.Pkg(), call.Method.Name()); sel != nil {
			if f := r.ssa.MethodValue(sel); f != nil {
				found = append(found, f)
			}
		}
	}
	byName[name] = found
	return found
}

// passed lists the function values that a call passes as interfaces, directly or inside of
// arguments. Reflection can call them.
func passed(call *ssa.CallCommon) (found []*ssa.Function) {
	for _, arg := range call.Args {
		found = append(found, values(arg, false)...)
	}
	return found
}

// values lists the function values that a value is or holds. It returns those that are converted to
// interfaces, or all if the value itself is boxed.
func values(of ssa.Value, boxed bool) (found []*ssa.Function) {
	seen := map[ssa.Value]bool{}
	var trace func(v ssa.Value, boxed bool)
	trace = func(v ssa.Value, boxed bool) {
		if v == nil || seen[v] {
			return
		}
		seen[v] = true
		switch v := v.(type) {
		case *ssa.Function:
			if boxed {
				found = append(found, v)
			}
		case *ssa.MakeClosure:
			trace(v.Fn, boxed)
		case *ssa.MakeInterface:
			trace(v.X, true)
		case *ssa.ChangeInterface:
			trace(v.X, boxed)
		case *ssa.ChangeType:
			trace(v.X, boxed)
		case *ssa.Slice:
			trace(v.X, boxed)
		case *ssa.Phi:
			for _, e := range v.Edges {
				trace(e, boxed)
			}
		case *ssa.UnOp:
			trace(v.X, boxed)
		case *ssa.FieldAddr:
			trace(v.X, boxed)
		case *ssa.IndexAddr:
			trace(v.X, boxed)
		case *ssa.Alloc, *ssa.MakeMap:
			stored(v, func(s ssa.Value) { trace(s, boxed) })
		}
	}
	trace(of, boxed)
	return found
}

// stored calls use for the values that a function stores in one of its variables, or in parts of
// it.
func stored(v ssa.Value, use func(ssa.Value)) {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == v {
				use(r.Val)
			}
		case *ssa.MapUpdate:
			if r.Map == v {
				use(r.Value)
			}
		case *ssa.FieldAddr:
			stored(r, use)
		case *ssa.IndexAddr:
			if r.X == v {
				stored(r, use)
			}
		}
	}
}
