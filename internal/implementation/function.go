package implementation

import (
	"errors"
	"fmt"
	"reflect"

	"parallax/internal/input"
)

// ending is the way in which the last result decides whether the input is accepted.
type ending uint8

const (
	noVerdict ending = iota // neither error nor bool: accepted unless it panics
	errorLast               // an interface that implements error
	// a pointer type that implements error: a nil pointer must not become an error
	pointerErr
	boolLast
)

var (
	errorType = reflect.TypeOf((*error)(nil)).Elem()
	anyType   = reflect.TypeOf((*any)(nil)).Elem()
	byteType  = reflect.TypeOf(byte(0))
)

// function wraps a function for calls with inputs. It sets arguments in place, so that calls must
// not overlap.
type function struct {
	fn    reflect.Value   // of an unnamed type
	shape input.Shape     // nil if a parameter's type has no kind
	takes []reflect.Type  // of the parameters that receive arguments
	in    []reflect.Value // settable
	// the last parameter has type any and receives a pointer for the decoded value
	decodes bool
	ending  ending
	values  []reflect.Type // of the results before the verdict, and of the decoded value
	decoded any            // by the last call
}

func newFunction(v reflect.Value) (*function, error) {
	if v.Kind() != reflect.Func {
		if !v.IsValid() {
			return nil, errors.New("it is nil, not a function")
		}
		return nil, fmt.Errorf("it is a %v, not a function", v.Type())
	}
	if v.IsNil() {
		return nil, fmt.Errorf("it is a nil %v", v.Type())
	}
	t := v.Type()
	f := &function{}
	f.readResults(t)
	n := t.NumIn()
	if t.IsVariadic() {
		n-- // a trailing variadic parameter receives no arguments
	}
	if n == 0 {
		return nil, fmt.Errorf("it is a %v: there is no parameter to fuzz", t)
	}
	fails := f.ending == errorLast || f.ending == pointerErr
	if n > 1 && t.In(n-1) == anyType && (fails || len(f.values) == 0 && f.ending == noVerdict) {
		f.decodes = true
		f.values = append(f.values, anyType)
		n--
	}
	for i := 0; i < n; i++ {
		f.takes = append(f.takes, t.In(i))
		f.in = append(f.in, reflect.New(t.In(i)).Elem())
	}
	f.shape = shapeOf(f.takes)
	if f.decodes {
		f.in = append(f.in, reflect.New(anyType).Elem())
	}
	f.fn = v.Convert(unnamed(t))
	return f, nil
}

func (f *function) readResults(t reflect.Type) {
	n := t.NumOut()
	if n > 0 {
		switch last := t.Out(n - 1); {
		case last.Implements(errorType) && last.Kind() == reflect.Interface:
			f.ending = errorLast
		case last.Implements(errorType) && last.Kind() == reflect.Pointer:
			f.ending = pointerErr
		case last.Kind() == reflect.Bool:
			f.ending = boolLast
		}
		if f.ending != noVerdict {
			n--
		}
	}
	for i := 0; i < n; i++ {
		f.values = append(f.values, t.Out(i))
	}
}

// unnamed returns the type without its name, such as func([]byte) bool for a named one.
func unnamed(t reflect.Type) reflect.Type {
	var in, out []reflect.Type
	for i := 0; i < t.NumIn(); i++ {
		in = append(in, t.In(i))
	}
	for i := 0; i < t.NumOut(); i++ {
		out = append(out, t.Out(i))
	}
	return reflect.FuncOf(in, out, t.IsVariadic())
}

// arguments holds the arguments of a call: an input, or values if inputs have no byte form.
type arguments struct {
	*input.Args
	values []any
}

// call calls the function and returns the results.
func (f *function) call(a arguments) []reflect.Value {
	if a.Args == nil {
		for i, v := range a.values {
			pass(f.in[i], v)
		}
	} else {
		for i, k := range f.shape {
			a.Set(f.in[i], k, i)
		}
	}
	f.decoded = nil
	if !f.decodes {
		return f.fn.Call(f.in)
	}
	to := new(any)
	f.in[len(f.in)-1].Set(reflect.ValueOf(to))
	out := f.fn.Call(f.in)
	f.decoded = *to
	return out
}

// pass sets a parameter to a value that fits.
func pass(parameter reflect.Value, v any) {
	switch of := reflect.ValueOf(v); {
	case !of.IsValid():
		parameter.SetZero()
	case of.Type().AssignableTo(parameter.Type()):
		parameter.Set(of)
	default:
		parameter.Set(of.Convert(parameter.Type()))
	}
}

// fits reports whether functions with parameters of types takes accept values of the given types.
// Each type must be assignable or have the same kind; []byte and string are interchangeable.
func fits(values, takes []reflect.Type) bool {
	if len(values) != len(takes) {
		return false
	}
	for i, v := range values {
		if !v.AssignableTo(takes[i]) && (shapeOf(values[i:i+1]) == nil || !sameShape(shapeOf(values[i:i+1]), shapeOf(takes[i:i+1]))) {
			return false
		}
	}
	return true
}

// Takes returns the types of a function's parameters that receive arguments. flat reports whether
// inputs of these types have a byte form. Nil means that the function cannot be compared.
func Takes(fn reflect.Value) (types []reflect.Type, flat bool) {
	f, err := newFunction(fn)
	if err != nil {
		return nil, false
	}
	return f.takes, f.shape != nil
}

// foreign returns an error if the function's parameters have no byte form.
func (f *function) foreign() error {
	for i, t := range f.takes {
		if _, ok := kindOf(t); !ok {
			return fmt.Errorf("it is a %v: parameter %d is a %v, and inputs are []byte, string, bool, integers and floats, and named types over them", f.fn.Type(), i+1, t)
		}
	}
	return nil
}

// shapeOf returns the shape of inputs of these types, or nil if one has no kind.
func shapeOf(types []reflect.Type) (s input.Shape) {
	for _, t := range types {
		k, ok := kindOf(t)
		if !ok {
			return nil
		}
		s = append(s, k)
	}
	return s
}

// kindOf returns the input kind of a parameter.
func kindOf(t reflect.Type) (input.Kind, bool) {
	switch t.Kind() {
	case reflect.Slice:
		return input.Bytes, t.Elem() == byteType
	case reflect.Uintptr, reflect.Complex64, reflect.Complex128:
		return 0, false
	}
	return input.ParseKind(t.Kind().String())
}

// sameShape reports whether two functions accept the same inputs.
func sameShape(a, b input.Shape) bool {
	if len(a) != len(b) {
		return false
	}
	text := func(k input.Kind) bool { return k == input.Bytes || k == input.String }
	for i := range a {
		if a[i] != b[i] && !(text(a[i]) && text(b[i])) {
			return false
		}
	}
	return true
}
