package signature

import "go/types"

// comparableTypes reports whether equal values of the two types mean the same. The types are
// identical, or trees of basic kinds of the same form.
func comparableTypes(a, b types.Type) bool {
	return types.Identical(a, b) || sameTree(a, b, 0)
}

// sameTree compares the forms of two trees of basic kinds. Depth bounds recursive types.
func sameTree(a, b types.Type, depth int) bool {
	if depth > 20 {
		return false
	}
	fa, ea := form(a)
	fb, eb := form(b)
	switch {
	case fa == "" || fb == "":
		return false
	case fa == "any" && fb == "any":
		return true
	case fa == "any":
		return basicTree(b, depth)
	case fb == "any":
		return basicTree(a, depth)
	case fa != fb || len(ea) != len(eb):
		return false
	}
	for i := range ea {
		if !sameTree(ea[i], eb[i], depth+1) {
			return false
		}
	}
	return true
}

func basicTree(t types.Type, depth int) bool { return sameTree(t, t, depth+1) }

// form names the class that package oracle puts values of a type in, and the types of the parts.
// Empty: no tree, as structs are known by their type's name.
func form(t types.Type) (class string, parts []types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case u.Kind() == types.UnsafePointer || u.Kind() == types.Invalid:
			return "", nil
		case info&types.IsBoolean != 0:
			return "bool", nil
		case info&types.IsInteger != 0:
			return "integer", nil
		case info&types.IsFloat != 0:
			return "float", nil
		case info&types.IsComplex != 0:
			return "complex", nil
		case info&types.IsString != 0:
			return "text", nil
		}
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Uint8 {
			return "text", nil
		}
		return "list", []types.Type{u.Elem()}
	case *types.Array:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Uint8 {
			return "text", nil
		}
		return "list", []types.Type{u.Elem()}
	case *types.Map:
		return "map", []types.Type{u.Key(), u.Elem()}
	case *types.Pointer:
		return "pointer", []types.Type{u.Elem()}
	case *types.Interface:
		if emptyInterface(t) {
			return "any", nil
		}
	}
	return "", nil
}
