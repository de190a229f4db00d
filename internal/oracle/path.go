package oracle

import (
	"reflect"
	"strconv"
)

// The path holds the values in progress that may contain themselves. Pointers are always on it.
// Maps and slices are on it from depth headersFrom on, since few ordinary values are so deep. A
// value that contains itself several times unfolds at most that number to the power of headersFrom.
const headersFrom = 4

// visit identifies a pointer in progress, or the header of a map or slice. A struct and its first
// field share an address, and so do a slice and a part of it. The identity therefore includes type
// and length. The zero visit means none.
type visit struct {
	address uintptr
	length  int // of a slice
	typ     reflect.Type
}

// step is a visit on the path, with the state above it.
type step struct {
	visit
	depth    int
	pointers int
	previous int // previous step in the same bucket of the index, plus 1; 0 means none
}

// pathBuckets is large enough for paths of maxDepth steps.
const pathBuckets = 256

func bucket(address uintptr) uint8 { return uint8(uint64(address) * 0x9e3779b97f4a7c15 >> 56) }

func (w *walker) push(v visit) {
	b := bucket(v.address)
	w.path = append(w.path, step{v, w.depth, w.pointers, w.index[b]})
	w.index[b] = len(w.path)
}

func (w *walker) pop() {
	last := w.path[len(w.path)-1]
	w.path = w.path[:len(w.path)-1]
	w.index[bucket(last.address)] = last.previous
}

// find returns the index of v on the path, or -1.
func (w *walker) find(v visit) int {
	i := w.index[bucket(v.address)]
	for i > 0 && w.path[i-1].visit != v {
		i = w.path[i-1].previous
	}
	return i - 1
}

// header returns the visit of a map or slice that is deep enough for the path.
func (w *walker) header(v reflect.Value) visit {
	if w.depth < headersFrom {
		return visit{}
	}
	switch v.Kind() {
	case reflect.Map:
		return visit{address: v.Pointer(), typ: v.Type()}
	case reflect.Slice:
		return visit{address: v.Pointer(), length: v.Len(), typ: v.Type()}
	}
	return visit{}
}

// headerOf is header for an interface value.
func (w *walker) headerOf(v any) visit {
	if w.depth < headersFrom {
		return visit{}
	}
	return w.header(reflect.ValueOf(v))
}

// back ends the walk at a map or slice that contains itself. It emits the number of levels up to
// the outer occurrence.
func (w *walker) back(v visit, tag uint64, open, end string) bool {
	if v.typ == nil {
		return false
	}
	i := w.find(v)
	if i < 0 {
		return false
	}
	up := w.depth + 1 - w.path[i].depth
	w.open(tag, up, open)
	if w.render {
		w.put(strconv.Itoa(up))
		w.put(end)
	}
	return true
}
