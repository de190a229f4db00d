package wire

import (
	"fmt"
	"reflect"
)

// AppendStruct appends the fields of the struct that v points to, in order: integers, booleans,
// strings, byte strings, and slices and structs of these. Integers must not be negative. It panics
// for other kinds of fields, which are a programming error.
func AppendStruct(b []byte, v any) []byte { return appendValue(b, reflect.ValueOf(v).Elem()) }

func appendValue(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		return AppendBool(b, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return AppendUint(b, uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return AppendUint(b, v.Uint())
	case reflect.String:
		return AppendBytes(b, v.String())
	case reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			b = appendValue(b, v.Field(i))
		}
		return b
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return AppendBytes(b, v.Bytes())
		}
		b = AppendUint(b, uint64(v.Len()))
		for i := 0; i < v.Len(); i++ {
			b = appendValue(b, v.Index(i))
		}
		return b
	}
	panic(fmt.Sprintf("wire: a field of type %v", v.Type()))
}

// ReadStruct reads a value of AppendStruct into the struct that v points to. Byte strings alias the
// message. Empty slices are nil. The reader holds the error.
func ReadStruct(r *Reader, v any) { readValue(r, reflect.ValueOf(v).Elem()) }

func readValue(r *Reader, v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n := int64(r.Uint())
		if v.OverflowInt(n) || n < 0 {
			r.fail()
			return
		}
		v.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n := r.Uint()
		if v.OverflowUint(n) {
			r.fail()
			return
		}
		v.SetUint(n)
	case reflect.String:
		v.SetString(r.String())
	case reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			readValue(r, v.Field(i))
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			if b := r.Bytes(); len(b) > 0 {
				v.SetBytes(b)
			}
			return
		}
		list := reflect.MakeSlice(v.Type(), 0, 0)
		for n := r.Uint(); n > 0 && r.Err() == nil; n-- {
			element := reflect.New(v.Type().Elem()).Elem()
			readValue(r, element)
			list = reflect.Append(list, element)
		}
		if list.Len() > 0 {
			v.Set(list)
		}
	default:
		panic(fmt.Sprintf("wire: a field of type %v", v.Type()))
	}
}
