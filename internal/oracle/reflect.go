package oracle

import (
	"reflect"
	"strconv"
)

// reflect walks any value. It reads unexported fields, and therefore checks CanInterface before it
// calls Interface or a method.
func (w *walker) reflect(v reflect.Value) {
	for v.Kind() == reflect.Interface {
		v = v.Elem() // the zero Value if nil
	}
	if v.Kind() == reflect.Map {
		w.reflectMap(v)
		return
	}
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8 {
		w.reflectList(v)
		return
	}
	if v.Kind() == reflect.Array && v.Type().Elem().Kind() != reflect.Uint8 {
		w.reflectList(v)
		return
	}
	if !w.node() {
		return
	}
	switch v.Kind() {
	case reflect.Invalid:
		w.atom(tagNil, "nil")
	case reflect.Bool:
		w.bool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.int(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		w.uint(v.Uint())
	case reflect.Float32, reflect.Float64:
		w.float(v.Float())
	case reflect.Complex64, reflect.Complex128:
		w.complex(v.Complex())
	case reflect.String:
		w.string(v.String())
	case reflect.Slice:
		w.byteText(v.Bytes())
	case reflect.Array:
		w.bytes = w.bytes[:0]
		for i := 0; i < v.Len(); i++ {
			w.bytes = append(w.bytes, byte(v.Index(i).Uint()))
		}
		w.byteText(w.bytes)
	case reflect.Pointer:
		w.pointer(v)
	case reflect.Struct:
		w.structure(v)
	case reflect.Func:
		w.opaque(tagFunc, "func", v.IsNil())
	case reflect.Chan:
		w.opaque(tagChan, "chan", v.IsNil())
	case reflect.UnsafePointer:
		w.opaque(tagUnsafe, "unsafe.Pointer", v.IsNil())
	}
}

func (w *walker) opaque(tag uint64, name string, null bool) {
	if null {
		w.atom(tag, name+"(nil)")
	} else {
		w.atom(tag|1<<8, name)
	}
}

func (w *walker) pointer(v reflect.Value) {
	if v.IsNil() {
		w.atom(tagNilPointer, "&nil")
		return
	}
	here := visit{address: v.Pointer(), typ: v.Type()}
	if i := w.find(here); i >= 0 {
		up := w.pointers - w.path[i].pointers
		w.open(tagBack, up, "&^")
		if w.render {
			w.put(strconv.Itoa(up))
		}
		return
	}
	if !w.enter() {
		return
	}
	w.atom(tagPointer, "&")
	w.push(here)
	w.pointers++
	w.reflect(v.Elem())
	w.pointers--
	w.pop()
	w.leave()
}
