package judge

import (
	"reflect"
	"sort"
	"strconv"
	"time"
)

// slots walks the results of a program: none is an empty text, one stands for
// itself, several stand in parentheses.
func (w *walker) slots(slots []slot) {
	w.open(tagSlots, len(slots), "")
	if len(slots) > 1 {
		w.put("(")
	}
	for i := range slots {
		w.comma(i)
		w.slot(&slots[i])
	}
	if len(slots) > 1 {
		w.put(")")
	}
}

func (w *walker) slot(s *slot) {
	if s.kind == slotAny {
		w.value(s.any)
		return
	}
	if !w.node() {
		return
	}
	switch s.kind {
	case slotBool:
		w.bool(s.bits != 0)
	case slotString:
		w.string(s.text)
	case slotBytes:
		w.byteText(s.bytes)
	case slotInt:
		w.int(int64(s.bits))
	case slotUint:
		w.uint(s.bits)
	case slotFloat:
		w.float(floatFromBits(s.bits))
	}
}

// value walks a value by type switch as far as possible: trees as decoders
// make them are walked without reflection and without allocation. Everything
// it does equals what reflect does for the same value.
func (w *walker) value(v any) {
	switch v := v.(type) {
	case map[string]any:
		if w.render {
			break
		}
		if m, ok := w.openMap(len(v)); ok {
			for key, value := range v {
				w.hash = 0
				if w.node() {
					w.string(key)
				}
				w.value(value)
				if !m.add(w) {
					break
				}
			}
			m.close(w)
		}
		return
	case map[any]any:
		if w.render {
			break
		}
		if m, ok := w.openMap(len(v)); ok {
			for key, value := range v {
				w.hash = 0
				w.value(key)
				w.value(value)
				if !m.add(w) {
					break
				}
			}
			m.close(w)
		}
		return
	case []any:
		if w.openList(len(v)) {
			for i := 0; i < len(v) && !w.stop(); i++ {
				w.comma(i)
				w.value(v[i])
			}
			w.closeList()
		}
		return
	case []string:
		if w.openList(len(v)) {
			for i := 0; i < len(v) && !w.stop(); i++ {
				w.comma(i)
				if w.node() {
					w.string(v[i])
				}
			}
			w.closeList()
		}
		return
	case nil:
		if w.node() {
			w.atom(tagNil, "nil")
		}
		return
	case time.Time:
		if w.node() {
			w.instant(v.Unix(), int64(v.Nanosecond()))
		}
		return
	case bool:
		if w.node() {
			w.bool(v)
		}
		return
	case string:
		if w.node() {
			w.string(v)
		}
		return
	case []byte:
		if w.node() {
			w.byteText(v)
		}
		return
	case float64:
		if w.node() {
			w.float(v)
		}
		return
	case float32:
		if w.node() {
			w.float(float64(v))
		}
		return
	case int:
		if w.node() {
			w.int(int64(v))
		}
		return
	case int8:
		if w.node() {
			w.int(int64(v))
		}
		return
	case int16:
		if w.node() {
			w.int(int64(v))
		}
		return
	case int32:
		if w.node() {
			w.int(int64(v))
		}
		return
	case int64:
		if w.node() {
			w.int(v)
		}
		return
	case uint:
		if w.node() {
			w.uint(uint64(v))
		}
		return
	case uint8:
		if w.node() {
			w.uint(uint64(v))
		}
		return
	case uint16:
		if w.node() {
			w.uint(uint64(v))
		}
		return
	case uint32:
		if w.node() {
			w.uint(uint64(v))
		}
		return
	case uint64:
		if w.node() {
			w.uint(v)
		}
		return
	}
	w.reflect(reflect.ValueOf(v))
}

// reflect walks any value. It reads unexported fields, so it never calls
// Interface or a method of the value without asking.
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
	here := visit{v.Pointer(), v.Type()}
	for i := len(w.path) - 1; i >= 0; i-- {
		if w.path[i] == here {
			up := len(w.path) - i
			w.open(tagBack, up, "&^")
			if w.render {
				w.put(strconv.Itoa(up))
			}
			return
		}
	}
	if !w.enter() {
		return
	}
	w.atom(tagPointer, "&")
	w.path = append(w.path, here)
	w.reflect(v.Elem())
	w.path = w.path[:len(w.path)-1]
	w.leave()
}

func (w *walker) openList(n int) bool {
	if !w.node() || !w.enter() {
		return false
	}
	w.open(tagList, n, "[")
	return true
}

func (w *walker) closeList() {
	w.put("]")
	w.leave()
}

func (w *walker) reflectList(v reflect.Value) {
	if !w.openList(v.Len()) {
		return
	}
	for i := 0; i < v.Len() && !w.stop(); i++ {
		w.comma(i)
		w.reflect(v.Index(i))
	}
	w.closeList()
}

// mapDigest is the digest of a map in the making: the sum of the hashes of its
// entries, which no order changes.
type mapDigest struct {
	before hash
	n      int
	sum    uint64
}

func (w *walker) openMap(n int) (mapDigest, bool) {
	if !w.node() || !w.enter() {
		return mapDigest{}, false
	}
	w.maps++
	return mapDigest{before: w.hash, n: n}, true
}

// add takes the entry in w.hash; false: no further ones.
func (m *mapDigest) add(w *walker) bool {
	m.sum += w.hash.sum()
	return !w.over
}

func (m *mapDigest) close(w *walker) {
	w.maps--
	w.leave()
	w.hash = m.before
	switch {
	case !w.over:
		w.hash = w.hash.word(tagMap | uint64(m.n)<<8).word(m.sum)
	case w.maps == 0:
		w.atom(tagTruncated, "truncated")
	}
}

func (w *walker) reflectMap(v reflect.Value) {
	if w.render {
		w.renderMap(v)
		return
	}
	m, ok := w.openMap(v.Len())
	if !ok {
		return
	}
	for entries := v.MapRange(); entries.Next(); {
		w.hash = 0
		w.reflect(entries.Key())
		w.reflect(entries.Value())
		if !m.add(w) {
			break
		}
	}
	m.close(w)
}

// renderMap sorts the entries by the rendering of their keys, and those with
// equal keys (1 and int8(1), or NaN) by the rendering of their values. Texts
// are cut to the limit; the order of entries that agree up to the limit cannot
// be seen in a result of that size.
func (w *walker) renderMap(v reflect.Value) {
	if !w.node() || !w.enter() {
		return
	}
	w.maps++
	start := len(w.text)
	type entry struct {
		key, text string
		value     reflect.Value
		done      bool
	}
	list := make([]entry, 0, v.Len())
	for entries := v.MapRange(); entries.Next() && !w.over; {
		list = append(list, entry{key: w.apart(entries.Key()), value: entries.Value()})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].key < list[j].key })
	for i := 0; i < len(list); {
		end := i + 1
		for end < len(list) && list[end].key == list[i].key {
			end++
		}
		if equal := list[i:end]; len(equal) > 1 {
			for j := range equal {
				equal[j].text, equal[j].done = w.apart(equal[j].value), true
			}
			sort.Slice(equal, func(a, b int) bool { return equal[a].text < equal[b].text })
		}
		i = end
	}
	w.put("{")
	for i := 0; i < len(list) && !w.stop(); i++ {
		w.comma(i)
		w.put(list[i].key)
		w.put(": ")
		if list[i].done {
			w.put(list[i].text)
		} else {
			w.reflect(list[i].value)
		}
	}
	w.put("}")
	w.maps--
	w.leave()
	if w.over && w.maps == 0 {
		w.text = w.text[:start]
		w.full = false
		w.put("truncated")
	}
}

// apart renders v by itself.
func (w *walker) apart(v reflect.Value) string {
	text, full := w.text, w.full
	w.text, w.full = nil, false
	w.reflect(v)
	own := string(w.text)
	w.text, w.full = text, full
	return own
}
