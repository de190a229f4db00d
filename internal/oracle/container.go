package oracle

import (
	"reflect"
	"sort"
)

// The walk of slices, arrays and maps.

// openList begins a slice or an array. The header is zero unless it is on the path. After true, the
// caller must call closeList with the returned header.
func (w *walker) openList(n int, header visit) (visit, bool) {
	if !w.node() || w.back(header, tagBackList, "[^", "]") || !w.enter() {
		return header, false
	}
	w.open(tagList, n, "[")
	if header.typ != nil {
		w.push(header)
	}
	return header, true
}

func (w *walker) closeList(header visit) {
	if header.typ != nil {
		w.pop()
	}
	w.put("]")
	w.leave()
}

func (w *walker) reflectList(v reflect.Value) {
	list, ok := w.openList(v.Len(), w.header(v))
	if !ok {
		return
	}
	for i := 0; i < v.Len() && !w.stop(); i++ {
		w.comma(i)
		w.reflect(v.Index(i))
	}
	w.closeList(list)
}

// mapDigest accumulates the digest of a map: the sum of its entries' hashes, which does not depend
// on their order.
type mapDigest struct {
	before hash
	n      int
	sum    uint64
	header visit
}

func (w *walker) openMap(n int, header visit) (mapDigest, bool) {
	if !w.enterMap(header) {
		return mapDigest{}, false
	}
	return mapDigest{before: w.hash, n: n, header: header}, true
}

// enterMap begins a map for a digest or a rendering. After true, the caller must call leaveMap.
func (w *walker) enterMap(header visit) bool {
	if !w.node() || w.back(header, tagBackMap, "{^", "}") || !w.enter() {
		return false
	}
	w.maps++
	if header.typ != nil {
		w.push(header)
	}
	return true
}

func (w *walker) leaveMap(header visit) {
	if header.typ != nil {
		w.pop()
	}
	w.maps--
	w.leave()
}

// add adds the entry in w.hash. It reports false if no entries may follow.
func (m *mapDigest) add(w *walker) bool {
	m.sum += w.hash.sum()
	return !w.over
}

func (m *mapDigest) close(w *walker) {
	w.leaveMap(m.header)
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
	m, ok := w.openMap(v.Len(), w.header(v))
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

// renderMap sorts entries by the rendering of their keys. Entries with equal keys (1 and int8(1),
// or NaN) are sorted by the rendering of their values. Texts are cut to the limit. The order of
// entries that agree up to the limit cannot affect a result of that size.
func (w *walker) renderMap(v reflect.Value) {
	header := w.header(v)
	if !w.enterMap(header) {
		return
	}
	start := len(w.text)
	type entry struct {
		key, text string
		value     reflect.Value
		done      bool
	}
	list := make([]entry, 0, v.Len())
	for entries := v.MapRange(); entries.Next() && !w.over; {
		list = append(list, entry{key: w.renderAlone(entries.Key()), value: entries.Value()})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].key < list[j].key })
	for i := 0; i < len(list); {
		end := i + 1
		for end < len(list) && list[end].key == list[i].key {
			end++
		}
		if equal := list[i:end]; len(equal) > 1 {
			for j := range equal {
				equal[j].text, equal[j].done = w.renderAlone(equal[j].value), true
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
	w.leaveMap(header)
	if w.over && w.maps == 0 {
		w.text = w.text[:start]
		w.full = false
		w.put("truncated")
	}
}

// renderAlone renders v into a text of its own.
func (w *walker) renderAlone(v reflect.Value) string {
	text, full := w.text, w.full
	w.text, w.full = nil, false
	w.reflect(v)
	own := string(w.text)
	w.text, w.full = text, full
	return own
}
