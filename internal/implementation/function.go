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
	fn      reflect.Value   // of an unnamed type
	shape   input.Shape     // nil: a parameter is of a type that has no kind
	takes   []reflect.Type  // of the parameters that are given
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

// arguments are what functions are called with: an input, or where they take what no input is, values.
type arguments struct {
	*input.Args
	values []any
}

// call passes arguments and returns the results.
func (f *function) call(a arguments) []reflect.Value {
	if a.Args == nil {
		for i, v := range a.values {
			pass(f.in[i], v)
		}
	} else {
		for i, k := range f.shape {
			set(f.in[i], k, a.Args, i)
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

// set copies the i-th argument into a parameter.
func set(v reflect.Value, k input.Kind, a *input.Args, i int) {
	switch k {
	case input.Bytes:
		v.SetBytes(a.Bytes(i))
	case input.String:
		v.SetString(a.String(i))
	case input.Bool:
		v.SetBool(a.Bool(i))
	case input.Float32: // through a float64 a signaling NaN would become a quiet one
		v.Set(reflect.ValueOf(a.Float32(i)).Convert(v.Type()))
	case input.Float64:
		v.SetFloat(a.Float(i))
	case input.Uint, input.Uint8, input.Uint16, input.Uint32, input.Uint64:
		v.SetUint(a.Uint(i))
	default:
		v.SetInt(a.Int(i))
	}
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

// fits reports whether functions that take the types can be passed values of the others: they are assignable, or of one kind, of which text is in either
// form.
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

// Takes are the types of the parameters of a function that would be given inputs; flat: these are of the kinds that have a form as bytes. Nil: it is no
// function that can be compared.
func Takes(fn reflect.Value) (types []reflect.Type, flat bool) {
	f, err := newFunction(fn)
	if err != nil {
		return nil, false
	}
	return f.takes, f.shape != nil
}

// foreign says that inputs of bytes are nothing for the function.
func (f *function) foreign() error {
	for i, t := range f.takes {
		if _, ok := kindOf(t); !ok {
			return fmt.Errorf("it is a %v: parameter %d is a %v, and inputs are []byte, string, bool, integers and floats, and named types over them", f.fn.Type(), i+1, t)
		}
	}
	return nil
}

// shapeOf is the shape of inputs of these types; nil: one has no kind.
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
