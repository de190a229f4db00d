package implementation

import (
	"reflect"

	"parallax/internal/input"
	"parallax/internal/oracle"
)

// program is one implementation.
type program struct {
	*function
	declines error
	replaced []reflect.Type                    // types of the normalized values
	replace  []func(any) any                   // the normalizer of each value, or nil
	shortcut func(*input.Args, *oracle.Result) // the call without reflection; nil if there is none
}

// run calls the implementation and stores its results.
func (p *program) run(a arguments, r *oracle.Result) {
	if p.shortcut != nil {
		p.shortcut(a.Args, r)
		return
	}
	out := p.call(a)
	for i, t := range p.values {
		switch {
		case p.replace[i] != nil:
			r.Normalized(p.value(out, i), p.replace[i])
		case p.isDecoded(i):
			r.Any(p.decoded)
		default:
			store(r, out[i], t)
		}
	}
	p.end(out, r)
}

// value returns the i-th value of a call.
func (p *program) value(out []reflect.Value, i int) any {
	if p.isDecoded(i) {
		return p.decoded
	}
	return out[i].Interface()
}

// isDecoded reports whether the i-th value is decoded instead of returned.
func (p *program) isDecoded(i int) bool { return p.decodes && i == len(p.values)-1 }

// end stores the verdict of a call.
func (p *program) end(out []reflect.Value, r *oracle.Result) {
	if err, ok := p.err(out); ok {
		r.ErrorOrDecline(err, p.declines)
	} else if p.ending == boolLast {
		r.Verdict(out[len(out)-1].Bool())
	}
}

// err returns the error of a call, if the program returns errors.
func (p *program) err(out []reflect.Value) (err error, ok bool) {
	if p.ending != errorLast && p.ending != pointerErr {
		return nil, false
	}
	if last := out[len(out)-1]; !last.IsNil() {
		err = last.Interface().(error)
	}
	return err, true
}

// store passes a value to the oracle, unboxed if there is a method for it.
func store(r *oracle.Result, v reflect.Value, t reflect.Type) {
	switch t.Kind() {
	case reflect.Bool:
		r.Bool(v.Bool())
	case reflect.String:
		r.String(v.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		r.Int(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		r.Uint(v.Uint())
	case reflect.Float32, reflect.Float64:
		r.Float(v.Float())
	case reflect.Slice:
		if t.Elem() == byteType {
			r.Bytes(v.Bytes())
			return
		}
		r.Any(v.Interface())
	default:
		r.Any(v.Interface())
	}
}

// shortcut returns a call without reflection for a function of a common type. Reflection takes
// several times as long as passing an argument.
func shortcut(fn any, declines error) func(*input.Args, *oracle.Result) {
	switch fn := fn.(type) {
	case func([]byte) bool:
		return func(a *input.Args, r *oracle.Result) { r.Verdict(fn(a.Bytes(0))) }
	case func(string) bool:
		return func(a *input.Args, r *oracle.Result) { r.Verdict(fn(a.String(0))) }
	case func([]byte) error:
		return func(a *input.Args, r *oracle.Result) { r.ErrorOrDecline(fn(a.Bytes(0)), declines) }
	case func(string) error:
		return func(a *input.Args, r *oracle.Result) { r.ErrorOrDecline(fn(a.String(0)), declines) }
	case func([]byte) any:
		return func(a *input.Args, r *oracle.Result) { r.Any(fn(a.Bytes(0))) }
	case func(string) any:
		return func(a *input.Args, r *oracle.Result) { r.Any(fn(a.String(0))) }
	case func(string) string:
		return func(a *input.Args, r *oracle.Result) { r.String(fn(a.String(0))) }
	case func([]byte) string:
		return func(a *input.Args, r *oracle.Result) { r.String(fn(a.Bytes(0))) }
	case func([]byte) []byte:
		return func(a *input.Args, r *oracle.Result) { r.Bytes(fn(a.Bytes(0))) }
	case func([]byte) (any, error):
		return func(a *input.Args, r *oracle.Result) {
			v, err := fn(a.Bytes(0))
			r.Any(v)
			r.ErrorOrDecline(err, declines)
		}
	case func(string) (any, error):
		return func(a *input.Args, r *oracle.Result) {
			v, err := fn(a.String(0))
			r.Any(v)
			r.ErrorOrDecline(err, declines)
		}
	case func([]byte) (string, error):
		return func(a *input.Args, r *oracle.Result) {
			v, err := fn(a.Bytes(0))
			r.String(v)
			r.ErrorOrDecline(err, declines)
		}
	case func(string) (string, error):
		return func(a *input.Args, r *oracle.Result) {
			v, err := fn(a.String(0))
			r.String(v)
			r.ErrorOrDecline(err, declines)
		}
	case func([]byte) ([]byte, error):
		return func(a *input.Args, r *oracle.Result) {
			v, err := fn(a.Bytes(0))
			r.Bytes(v)
			r.ErrorOrDecline(err, declines)
		}
	case func([]byte, any) error: // decoders such as json.Unmarshal
		return func(a *input.Args, r *oracle.Result) {
			var v any
			err := fn(a.Bytes(0), &v)
			r.Any(v)
			r.ErrorOrDecline(err, declines)
		}
	}
	return nil
}
