package gen

import (
	"fmt"
	"reflect"
	"sort"
	"strings"
)

// nesting limits the printed levels of a value. Deeper levels rarely distinguish failures.
const nesting = 24

// literal formats a value as %#v does, except that it follows pointers: addresses mean nothing and
// differ between runs. It stops at a pointer back to an enclosing value. whole is false if the
// limit cut the text.
func literal(v any, limit int) (text string, whole bool) {
	l := literalWriter{limit: limit, visiting: map[address]bool{}}
	l.value(reflect.ValueOf(v), 0)
	text = l.b.String()
	if len(text) > limit {
		return strings.ToValidUTF8(text[:limit], ""), false
	}
	return text, true
}

type literalWriter struct {
	b        strings.Builder
	limit    int
	visiting map[address]bool // addresses of enclosing values
}

type address struct {
	at  uintptr
	typ reflect.Type
}

func (l *literalWriter) value(v reflect.Value, depth int) {
	if l.b.Len() > l.limit {
		return
	}
	if !v.IsValid() {
		l.b.WriteString("nil")
		return
	}
	if v.CanInterface() && v.Kind() != reflect.Interface && (v.Kind() != reflect.Pointer || !v.IsNil()) {
		if g, ok := v.Interface().(fmt.GoStringer); ok {
			l.b.WriteString(g.GoString())
			return
		}
	}
	typ := v.Type()
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if v.IsNil() {
			if v.Kind() == reflect.Slice || v.Kind() == reflect.Map || v.Kind() == reflect.Interface {
				fmt.Fprintf(&l.b, "%s(nil)", typ)
			} else {
				fmt.Fprintf(&l.b, "(%s)(nil)", typ)
			}
			return
		}
		if depth > nesting {
			fmt.Fprintf(&l.b, "%s(...)", typ)
			return
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		if l.enter(v) {
			l.b.WriteString("&")
			l.value(v.Elem(), depth+1)
			delete(l.visiting, address{v.Pointer(), typ})
		} else {
			fmt.Fprintf(&l.b, "(%s)(itself)", typ)
		}
	case reflect.Interface:
		l.value(v.Elem(), depth+1)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		fmt.Fprintf(&l.b, "(%s)(...)", typ)
	case reflect.Struct:
		l.list(typ, v.NumField(), func(i int) {
			l.b.WriteString(typ.Field(i).Name + ":")
			l.value(v.Field(i), depth+1)
		})
	case reflect.Map:
		if !l.enter(v) {
			fmt.Fprintf(&l.b, "%s(itself)", typ)
			return
		}
		keys := sorted(v.MapKeys())
		l.list(typ, len(keys), func(i int) {
			l.value(keys[i], depth+1)
			l.b.WriteString(":")
			l.value(v.MapIndex(keys[i]), depth+1)
		})
		delete(l.visiting, address{v.Pointer(), typ})
	case reflect.Slice, reflect.Array:
		if typ.Elem().Kind() == reflect.Uint8 && v.Kind() == reflect.Slice {
			fmt.Fprintf(&l.b, "%s(%s)", typ, quote(string(v.Bytes())))
			return
		}
		inner := v.Kind() == reflect.Slice && v.Len() > 0
		if inner && !l.enter(v) { // a []any that holds itself
			fmt.Fprintf(&l.b, "%s(itself)", typ)
			return
		}
		l.list(typ, v.Len(), func(i int) { l.value(v.Index(i), depth+1) })
		if inner {
			delete(l.visiting, address{v.Pointer(), typ})
		}
	default:
		fmt.Fprintf(&l.b, "%#v", v)
	}
}

// enter marks a pointer's target as being written, and reports false if it was marked already.
func (l *literalWriter) enter(v reflect.Value) bool {
	at := address{v.Pointer(), v.Type()}
	if l.visiting[at] {
		return false
	}
	l.visiting[at] = true
	return true
}

func (l *literalWriter) list(typ reflect.Type, n int, one func(i int)) {
	l.b.WriteString(typ.String() + "{")
	for i := 0; i < n && l.b.Len() <= l.limit; i++ {
		if i > 0 {
			l.b.WriteString(", ")
		}
		one(i)
	}
	l.b.WriteString("}")
}

// sorted orders the keys of a map: numbers by size, and others by their text.
func sorted(keys []reflect.Value) []reflect.Value {
	type entry struct {
		key  reflect.Value
		text string
	}
	list := make([]entry, len(keys))
	for i, key := range keys {
		list[i].key = key
		if !key.CanInt() && !key.CanUint() && !key.CanFloat() {
			l := literalWriter{limit: longest, visiting: map[address]bool{}}
			l.value(key, 0)
			list[i].text = l.b.String()
		}
	}
	sort.SliceStable(list, func(i, k int) bool {
		a, b := list[i].key, list[k].key
		switch {
		case a.CanInt():
			return a.Int() < b.Int()
		case a.CanUint():
			return a.Uint() < b.Uint()
		case a.CanFloat():
			return a.Float() < b.Float()
		}
		return list[i].text < list[k].text
	})
	for i := range list {
		keys[i] = list[i].key
	}
	return keys
}
