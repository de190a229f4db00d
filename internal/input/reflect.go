package input

import "reflect"

// Value appends an argument of a kind, of any type with that kind.
func (b *Builder) Value(k Kind, v reflect.Value) {
	switch k {
	case Bytes, String:
		if v.Kind() == reflect.String {
			b.String(v.String())
		} else {
			b.Bytes(v.Bytes())
		}
	case Bool:
		b.Bool(v.Bool())
	case Float32: // conversion through float64 would make a signaling NaN quiet
		b.Float32(v.Convert(reflect.TypeOf(float32(0))).Interface().(float32))
	case Float64:
		b.Float64(v.Float())
	case Uint, Uint8, Uint16, Uint32, Uint64:
		b.Uint(v.Uint(), k)
	default:
		b.Int(v.Int(), k)
	}
}

// Set copies the i-th argument, of a kind, into a variable of any type with that kind.
func (a *Args) Set(v reflect.Value, k Kind, i int) {
	switch k {
	case Bytes:
		v.SetBytes(a.Bytes(i))
	case String:
		v.SetString(a.String(i))
	case Bool:
		v.SetBool(a.Bool(i))
	case Float32: // as in Value
		v.Set(reflect.ValueOf(a.Float32(i)).Convert(v.Type()))
	case Float64:
		v.SetFloat(a.Float(i))
	case Uint, Uint8, Uint16, Uint32, Uint64:
		v.SetUint(a.Uint(i))
	default:
		v.SetInt(a.Int(i))
	}
}
