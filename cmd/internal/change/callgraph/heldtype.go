package callgraph

import (
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// heldType is a type with the callbacks that a value of it provides itself, and the types of its
// contents. All types that hold it share it, so the work grows with the number of types and not of
// paths between them.
type heldType struct {
	all   bool // any callback
	ids   []int
	holds []*heldType
	of    types.Type
	done  bool // the fields above are set
	round int  // of the last visit
}

// maxKept limits the types that are followed from one. A generic type that holds other instances of
// itself would have no end.
const maxKept = 1 << 16

// kept returns the heldType for values of a type.
func (h *callbacks) kept(t types.Type) *heldType { return h.typeFor(t, &h.heldTypes[0]) }

// promoted returns the heldType for values that are used only by their methods, including those of
// embedded fields.
func (h *callbacks) promoted(t types.Type) *heldType { return h.typeFor(pointed(t), &h.heldTypes[1]) }

func (h *callbacks) typeFor(t types.Type, in *typeutil.Map) *heldType {
	t = types.Unalias(t)
	k, ok := in.At(t).(*heldType)
	if !ok {
		k = &heldType{of: t}
		in.Set(t, k)
	}
	return k
}

// gather adds the callbacks of a type and of all that it holds.
func (h *callbacks) gather(from *heldType, got *callbackSet) {
	h.round++
	from.round = h.round
	visited := 0
	for todo := []*heldType{from}; len(todo) > 0; visited++ {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		h.fill(k)
		if k.all || visited == maxKept {
			got.all = true
			return
		}
		got.add(k.ids...)
		for _, next := range k.holds {
			if next.round != h.round {
				next.round = h.round
				todo = append(todo, next)
			}
		}
	}
}

// fill determines the contents of a type.
func (h *callbacks) fill(k *heldType) {
	if k.done {
		return
	}
	k.done = true
	if n, ok := k.of.(*types.Named); ok {
		if k == h.heldTypes[0].At(k.of) && closed(n.Origin().Obj()) {
			return
		}
		h.methodsOf(n, k)
	}
	if k == h.heldTypes[0].At(k.of) {
		h.parts(k)
	} else {
		h.embedded(k)
	}
}

// methodsOf adds the methods of a type and their results.
func (h *callbacks) methodsOf(n *types.Named, k *heldType) {
	k.ids = h.methods[n.Origin().Obj()]
	for _, i := range k.ids {
		name := h.x.graph.functions[i].name
		for m := range n.Methods() {
			if len(name) > len(m.Name()) && name[len(name)-len(m.Name())-1:] == "."+m.Name() {
				k.holds = append(k.holds, h.kept(m.Signature().Results()))
			}
		}
	}
}

// parts adds the types of the components of a value.
func (h *callbacks) parts(k *heldType) {
	hold := func(list ...types.Type) {
		for _, t := range list {
			k.holds = append(k.holds, h.kept(t))
		}
	}
	switch u := k.of.Underlying().(type) {
	case *types.Basic:
		k.all = u.Kind() == types.UnsafePointer
	case *types.Pointer:
		hold(u.Elem())
	case *types.Slice:
		hold(u.Elem())
	case *types.Array:
		hold(u.Elem())
	case *types.Chan:
		hold(u.Elem())
	case *types.Map:
		hold(u.Key(), u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			hold(f.Type())
		}
	case *types.Signature:
		ids, _ := h.byType.At(types.NewSignatureType(nil, nil, nil, u.Params(), u.Results(), u.Variadic())).([]int)
		k.ids = append(k.ids[:len(k.ids):len(k.ids)], ids...)
		hold(u.Results())
	case *types.Tuple:
		for v := range u.Variables() {
			hold(v.Type())
		}
	case *types.Interface:
		if u.NumMethods() == 0 || !u.IsMethodSet() {
			k.all = true
			return
		}
		k.holds = append(k.holds, h.implementers(u)...)
	default:
		k.all = true
	}
}

// embedded adds the types whose methods a type promotes.
func (h *callbacks) embedded(k *heldType) {
	switch u := k.of.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if f.Embedded() {
				k.holds = append(k.holds, h.promoted(f.Type()))
			}
		}
	case *types.Interface:
		k.holds = append(k.holds, h.kept(u))
	}
}

// implementers returns the types of values in an interface.
func (h *callbacks) implementers(face *types.Interface) []*heldType {
	if list, ok := h.faces.At(face).([]*heldType); ok {
		return list
	}
	var list []*heldType
	for _, t := range h.x.resolved.methods[face.Method(0).Name()] {
		if !types.Implements(t, face) {
			continue
		}
		n, ok := types.Unalias(pointed(t)).(*types.Named)
		if !ok || n.Obj().Pkg() == nil || !h.x.byPath[n.Obj().Pkg().Path()].standard {
			list = append(list, h.promoted(t))
		} else {
			list = append(list, h.kept(t))
		}
	}
	h.faces.Set(face, list)
	return list
}
