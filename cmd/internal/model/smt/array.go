package smt

import (
	"cmp"
	"maps"
	"math/big"
	"slices"
)

// Array is an immutable map from all values of one sort to values of another. A store makes an
// array that refers to the previous one.
type Array struct {
	sort    *Sort
	base    map[arrayKey]Entry
	rest    Value  // element at indices outside of base
	before  *Array // previous array, which stored modifies; base and rest are those of the first
	stored  Entry
	changes int // how many arrays lie before
}

// Entry is an element of an array at an index.
type Entry struct{ Index, Element Value }

// arrayKey is an index as a Go map key. All indices of an array have one sort, so that keys do not
// collide.
type arrayKey struct {
	word uint64
	text string
}

// maxChanges is the number of stores before they are merged into a map. Up to this number, a linear
// search is as fast.
const maxChanges = 32

// NewArray returns an array with one element at all indices.
func NewArray(sort *Sort, everywhere Value) *Array {
	return &Array{sort: sort, rest: everywhere}
}

// ArrayOfEntries returns an array of entries, in which later ones override earlier ones, with one
// element at all other indices.
func ArrayOfEntries(sort *Sort, everywhere Value, entries []Entry) *Array {
	a := &Array{sort: sort, rest: everywhere, base: make(map[arrayKey]Entry, len(entries))}
	for _, e := range entries {
		a.base[keyOf(e.Index)] = e
	}
	return a
}

func keyOf(v Value) arrayKey {
	switch {
	case v.big != nil:
		return arrayKey{text: v.big.Text(62)}
	case v.text != nil:
		// Three bytes hold every code point, surrogates included, which UTF-8 has no place for.
		b := make([]byte, 0, 3*len(v.text))
		for _, r := range v.text {
			b = append(b, byte(r>>16), byte(r>>8), byte(r))
		}
		return arrayKey{text: string(b)}
	}
	return arrayKey{word: v.word}
}

// Select returns the element at an index.
func (a *Array) Select(index Value) Value {
	for ; a.before != nil; a = a.before {
		if a.stored.Index.Equal(index) {
			return a.stored.Element
		}
	}
	if a.base != nil {
		if e, ok := a.base[keyOf(index)]; ok {
			return e.Element
		}
	}
	return a.rest
}

// Store returns the array with another element at an index.
func (a *Array) Store(index, element Value) *Array {
	if a.changes >= maxChanges {
		a = &Array{sort: a.sort, rest: a.rest, base: a.flat()}
	}
	return &Array{sort: a.sort, rest: a.rest, before: a, stored: Entry{index, element}, changes: a.changes + 1}
}

// Default returns the element at all indices that Entries does not list.
func (a *Array) Default() Value { return a.rest }

// flat returns the base with all stores.
func (a *Array) flat() map[arrayKey]Entry {
	var stores []Entry
	for ; a.before != nil; a = a.before {
		stores = append(stores, a.stored)
	}
	flat := make(map[arrayKey]Entry, len(a.base)+len(stores))
	maps.Copy(flat, a.base)
	for _, e := range slices.Backward(stores) {
		flat[keyOf(e.Index)] = e
	}
	return flat
}

// Entries returns the elements that differ from the default, by index.
func (a *Array) Entries() []Entry {
	var entries []Entry
	for _, e := range a.flat() {
		if !e.Element.Equal(a.rest) {
			entries = append(entries, e)
		}
	}
	slices.SortFunc(entries, func(x, y Entry) int { return compareIndices(x.Index, y.Index) })
	return entries
}

func compareIndices(x, y Value) int {
	if x.sort == String {
		return slices.Compare(x.text, y.text)
	}
	if x.big == nil && y.big == nil && x.sort != Int {
		return cmp.Compare(x.word, y.word)
	}
	return x.Big().Cmp(y.Big())
}

// Equal reports whether two arrays hold the same elements at all indices.
func (a *Array) Equal(o *Array) bool {
	if a == o {
		return true
	}
	left, right := a.flat(), o.flat()
	for k, e := range left {
		if other, ok := right[k]; ok && !other.Element.Equal(e.Element) || !ok && !e.Element.Equal(o.rest) {
			return false
		}
	}
	for k, e := range right {
		if _, ok := left[k]; !ok {
			left[k] = e
			if !e.Element.Equal(a.rest) {
				return false
			}
		}
	}
	// The defaults count unless the entries are all indices that there are.
	return a.rest.Equal(o.rest) || covers(a.sort.Index, len(left))
}

// covers reports whether a sort has n values.
func covers(s *Sort, n int) bool {
	switch s.Kind {
	case BoolKind:
		return n >= 2
	case BitVecKind:
		return big.NewInt(int64(n)).BitLen() > s.Width
	}
	return false
}
