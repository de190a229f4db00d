package implementation

import (
	"errors"
	"fmt"
	"reflect"

	"parallax/internal/input"
)

// ending says how the last result decides whether the input was accepted.
type ending uint8

const (
	noVerdict  ending = iota // neither error nor bool: accepted unless it panics
	errorLast                // an interface that implements error
	pointerErr               // a pointer type that implements error: nil must be tested before it becomes an error
	boolLast
)

var (
	errorType = reflect.TypeOf((*error)(nil)).Elem()
	anyType   = reflect.TypeOf((*any)(nil)).Elem()
	byteType  = reflect.TypeOf(byte(0))
)

// function is a function that inputs can be passed to. Arguments are set in place, so it must not be called while it runs.
type function struct {
	fn      reflect.Value // of an unnamed type
	shape   input.Shape
	in      []reflect.Value // settable
	decodes bool            // a last parameter of type any, which takes a pointer to where the last value goes
	ending  ending
	values  []reflect.Type // of the results before the verdict, and of what is decoded
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
		n-- // a trailing variadic parameter is passed nothing
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
		kind, ok := kindOf(t.In(i))
		if !ok {
			return nil, fmt.Errorf("it is a %v: parameter %d is a %v, and parallax makes values of []byte, string, bool, integers and floats only, and of named types over them. The command parallax diff PACKAGE.FUNCTION PACKAGE.FUNCTION compares functions of other types by itself", t, i+1, t.In(i))
		}
		f.shape = append(f.shape, kind)
		f.in = append(f.in, reflect.New(t.In(i)).Elem())
	}
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

// unnamed is the type without its name, such as a func([]byte) bool for a named one.
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

// call passes an input and returns the results.
func (f *function) call(a *input.Args) []reflect.Value {
	for i, k := range f.shape {
		set(f.in[i], k, a, i)
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

// set copies the i-th argument into a parameter.
func set(v reflect.Value, k input.Kind, a *input.Args, i int) {
	switch k {
	case input.Bytes:
		v.SetBytes(a.Bytes(i))
	case input.String:
		v.SetString(a.String(i))
	case input.Bool:
		v.SetBool(a.Bool(i))
	case input.Float32: // through a float64 a signalling NaN would become a quiet one
		v.Set(reflect.ValueOf(a.Float32(i)).Convert(v.Type()))
	case input.Float64:
		v.SetFloat(a.Float(i))
	case input.Uint, input.Uint8, input.Uint16, input.Uint32, input.Uint64:
		v.SetUint(a.Uint(i))
	default:
		v.SetInt(a.Int(i))
	}
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

// sameShape reports whether two functions can be given the same inputs.
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
