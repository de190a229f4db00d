package implementation

import (
	"fmt"
	"reflect"
)

// normalizer is a func(T) U.
type normalizer struct {
	fn       reflect.Value
	from, to reflect.Type
}

// apply normalizes a value of the parameter's type, or a nil of an interface type.
func (n *normalizer) apply(v any) any {
	in := reflect.ValueOf(v)
	if !in.IsValid() {
		in = reflect.Zero(n.from)
	}
	return n.fn.Call([]reflect.Value{in})[0].Interface()
}

// addNormalizers assigns each program its normalizers, by the type in its signature, or for an
// interface by the type of the value in it. It also decides which programs are called without
// reflection.
func (s *Set) addNormalizers() error {
	byType := map[reflect.Type]*normalizer{}
	for _, fn := range s.config.Normalizers {
		n, err := newNormalizer(fn)
		if err != nil {
			//lint:ignore ST1005 the name of the option
			return fmt.Errorf("Normalize: %w", err)
		}
		if byType[n.from] != nil {
			return fmt.Errorf("two Normalize take a %v", n.from)
		}
		byType[n.from] = n
	}
	used := map[*normalizer]bool{}
	for _, p := range s.programs {
		p.replaced = append([]reflect.Type(nil), p.values...)
		p.replace = make([]func(any) any, len(p.values))
		plain := true
		for i, t := range p.values {
			if n := byType[t]; n != nil {
				p.replaced[i], p.replace[i], used[n] = n.to, n.apply, true
			} else if within := dynamic(byType, t, used); len(within) > 0 {
				p.replace[i] = func(v any) any {
					if n := within[reflect.TypeOf(v)]; n != nil {
						return n.apply(v)
					}
					return v
				}
			}
			plain = plain && p.replace[i] == nil
		}
		if plain {
			p.shortcut = shortcut(p.fn.Interface(), p.declines)
		}
	}
	for _, fn := range s.config.Normalizers {
		if n := byType[fn.Type().In(0)]; !used[n] {
			return fmt.Errorf("Normalize(%v): no implementation returns a %v as a value", fn.Type(), n.from)
		}
	}
	return nil
}

// dynamic selects the normalizers for the possible values in a result of type t.
func dynamic(byType map[reflect.Type]*normalizer, t reflect.Type, used map[*normalizer]bool) map[reflect.Type]*normalizer {
	if t.Kind() != reflect.Interface {
		return nil
	}
	within := map[reflect.Type]*normalizer{}
	for from, n := range byType {
		if from.Kind() != reflect.Interface && from.Implements(t) {
			within[from], used[n] = n, true
		}
	}
	return within
}

func newNormalizer(fn reflect.Value) (*normalizer, error) {
	switch {
	case !fn.IsValid():
		return nil, fmt.Errorf("it is nil, not a function")
	case fn.Kind() != reflect.Func:
		return nil, fmt.Errorf("it is a %v, not a function", fn.Type())
	case fn.IsNil():
		return nil, fmt.Errorf("it is a nil %v", fn.Type())
	}
	t := fn.Type()
	if t.NumIn() != 1 || t.NumOut() != 1 || t.IsVariadic() {
		return nil, fmt.Errorf("it must take one value and return what is compared in its place, and is a %v", t)
	}
	return &normalizer{fn: fn, from: t.In(0), to: t.Out(0)}, nil
}

// comparableTypes reports whether equal values of two types mean the same: the types are identical,
// or trees of basic kinds of the same form.
func comparableTypes(a, b reflect.Type) bool { return a == b || sameTree(a, b, 0) }

// sameTree compares the forms of two trees of basic kinds. depth limits recursive types.
func sameTree(a, b reflect.Type, depth int) bool {
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
		return sameTree(b, b, depth+1)
	case fb == "any":
		return sameTree(a, a, depth+1)
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

// form returns the class of a type in package oracle, and the types of its parts. It is empty for
// types that are no trees, such as structs, which count by their names.
func form(t reflect.Type) (class string, parts []reflect.Type) {
	switch t.Kind() {
	case reflect.Bool:
		return "bool", nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return "integer", nil
	case reflect.Float32, reflect.Float64:
		return "float", nil
	case reflect.Complex64, reflect.Complex128:
		return "complex", nil
	case reflect.String:
		return "text", nil
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return "text", nil
		}
		return "list", []reflect.Type{t.Elem()}
	case reflect.Map:
		return "map", []reflect.Type{t.Key(), t.Elem()}
	case reflect.Pointer:
		return "pointer", []reflect.Type{t.Elem()}
	case reflect.Interface:
		if t == anyType {
			return "any", nil
		}
	}
	return "", nil
}
