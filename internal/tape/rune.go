package tape

import "unicode/utf8"

// PlainRunes holds the printable runes of ASCII, simplest first.
const PlainRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-.,:;!?'\"()[]{}<>/\\|@#$%^&*+=~`"

// Runes is the largest choice of a rune. Runes are in order, without surrogates, except that
// PlainRunes come first.
const Runes = utf8.MaxRune - (0xdfff - 0xd800 + 1)

// runePlaces maps the runes of ASCII to their place in the order of simplicity. runesInOrder is the
// inverse.
var runePlaces, runesInOrder = func() (places [utf8.RuneSelf]uint64, ordered [utf8.RuneSelf]rune) {
	n := 0
	var in [utf8.RuneSelf]bool
	put := func(r rune) {
		places[r], ordered[n], in[r] = uint64(n), r, true
		n++
	}
	for _, r := range PlainRunes {
		put(r)
	}
	for r := range in {
		if !in[r] {
			put(rune(r))
		}
	}
	return places, ordered
}()

// RunePlace is the place of a rune.
func RunePlace(r rune) uint64 {
	switch {
	case r < utf8.RuneSelf:
		return runePlaces[r]
	case r > 0xdfff:
		return uint64(r - (0xdfff - 0xd800 + 1))
	}
	return uint64(r)
}

// RuneAt is the rune at a place.
func RuneAt(v uint64) rune {
	switch {
	case v < utf8.RuneSelf:
		return runesInOrder[v]
	case v >= 0xd800:
		return rune(v) + (0xdfff - 0xd800 + 1)
	}
	return rune(v)
}
