package minimize

import "parallax/internal/der"

// derElements removes elements of DER, the outer ones first, and shortens the content of the rest.
func (m *minimizer) derElements(i int) (changed bool) {
	if len(m.args[i]) > der.MaxLen || m.spent() {
		return false
	}
	all := der.Parse(nil, m.args[i])
	for k := 0; k < len(all) && !m.spent(); {
		e := all[k]
		if m.derReplace(i, all, k, e.Start, e.End, nil) {
			changed, all = true, der.Parse(all, m.args[i])
			continue // another element has this index now
		}
		for _, left := range []int{0, 1} { // bytes of its content
			if e.Body+left < e.End && m.derReplace(i, all, k, e.Body+left, e.End, nil) {
				changed, all = true, der.Parse(all, m.args[i])
				break
			}
		}
		k++
	}
	return changed
}

// derReplace tries argument i with other bytes in element k, or without it.
func (m *minimizer) derReplace(i int, all []der.Element, k, from, to int, piece []byte) bool {
	next := der.Replace(nil, m.args[i], all, k, from, to, piece)
	return len(next) < len(m.args[i]) && m.try(i, next)
}
