package oracle

import (
	"reflect"
	"time"
)

// slots walks the results of a program. No results are an empty text, one is itself, and several
// are in parentheses.
func (w *walker) slots(slots []slot) {
	w.open(tagSlots, len(slots), "")
	if len(slots) > 1 {
		w.put("(")
	}
	for i := range slots {
		w.comma(i)
		outer, inner := w.part()
		w.slot(&slots[i])
		w.endResult(outer, inner)
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

// value walks a value by type switch where possible: decoded trees are walked without reflection
// and allocation. It has the same effect as reflect for the same value.
func (w *walker) value(value any) {
	switch v := value.(type) {
	case map[string]any:
		if w.render {
			break
		}
		if m, ok := w.openMap(len(v), w.headerOf(value)); ok {
			for key, entry := range v {
				w.hash = 0
				if w.node() {
					w.string(key)
				}
				w.value(entry)
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
		if m, ok := w.openMap(len(v), w.headerOf(value)); ok {
			for key, entry := range v {
				w.hash = 0
				w.value(key)
				w.value(entry)
				if !m.add(w) {
					break
				}
			}
			m.close(w)
		}
		return
	case []any:
		if list, ok := w.openList(len(v), w.headerOf(value)); ok {
			for i := 0; i < len(v) && !w.stop(); i++ {
				w.comma(i)
				w.value(v[i])
			}
			w.closeList(list)
		}
		return
	case []string:
		if list, ok := w.openList(len(v), visit{}); ok {
			for i := 0; i < len(v) && !w.stop(); i++ {
				w.comma(i)
				if w.node() {
					w.string(v[i])
				}
			}
			w.closeList(list)
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
	w.reflect(reflect.ValueOf(value))
}
