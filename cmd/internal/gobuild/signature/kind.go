package signature

import (
	"go/types"

	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/internal/input"
)

// KindOf returns the input kind of a parameter.
func KindOf(t types.Type) (input.Kind, bool) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if _, param := types.Unalias(t).(*types.TypeParam); param {
			return 0, false
		}
		return input.ParseKind(types.Typ[u.Kind()].Name())
	case *types.Slice:
		if b, ok := types.Unalias(u.Elem()).(*types.Basic); ok && b.Kind() == types.Uint8 {
			return input.Bytes, true
		}
	}
	return 0, false
}

// TextLike reports whether the kind is []byte or string. Either may replace the other.
func TextLike(k input.Kind) bool { return k == input.Bytes || k == input.String }

// SameShape reports whether the programs can be given the same inputs.
func SameShape(a, b input.Shape) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && !(TextLike(a[i]) && TextLike(b[i])) {
			return false
		}
	}
	return true
}

// Assignable reports whether a value of the kind's own type can be passed without a conversion.
func Assignable(kind input.Kind, named *types.Named) bool { return kind == input.Bytes }

// Nameable reports whether the harness can write the type's name. It may import what the function's
// own package may be imported by.
func (c *Function) Nameable(named *types.Named) bool {
	obj := named.Obj()
	if c.Inside && obj.Pkg() != nil && obj.Pkg().Path() == c.Package.ImportPath {
		return named.TypeArgs().Len() == 0 && obj.Parent() == obj.Pkg().Scope()
	}
	if obj.Pkg() == nil || obj.Pkg().Name() == "main" || named.TypeArgs().Len() > 0 {
		return false
	}
	if root, hidden := gocommand.InternalRoot(obj.Pkg().Path()); hidden {
		own, internal := gocommand.InternalRoot(c.Package.ImportPath)
		if !internal || !gocommand.Within(own, root) {
			return false
		}
	}
	return obj.Exported() && obj.Parent() == obj.Pkg().Scope()
}

// Writable reports whether the type can be written in another package.
func (c *Function) Writable(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() != types.Invalid
	case *types.Named:
		return t.Obj().Pkg() == nil || c.Nameable(t)
	case *types.Pointer:
		return c.Writable(t.Elem())
	case *types.Slice:
		return c.Writable(t.Elem())
	case *types.Array:
		return c.Writable(t.Elem())
	case *types.Chan:
		return c.Writable(t.Elem())
	case *types.Map:
		return c.Writable(t.Key()) && c.Writable(t.Elem())
	case *types.Interface:
		return t.NumMethods() == 0 && t.NumEmbeddeds() == 0
	case *types.Signature:
		for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
			for i := 0; i < tuple.Len(); i++ {
				if !c.Writable(tuple.At(i).Type()) {
					return false
				}
			}
		}
		return true
	}
	return false
}

func emptyInterface(t types.Type) bool {
	i, ok := types.Unalias(t).(*types.Interface)
	return ok && i.NumMethods() == 0 && i.NumEmbeddeds() == 0
}
