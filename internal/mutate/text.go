package mutate

import "unicode/utf8"

// Operators on characters: letter case, byte classes, and UTF-8.

// letterCase changes the case of a letter or, half of the time, of all letters of its word.
func letterCase(_ *Mutator, r *Rand, b []byte) ([]byte, bool) {
	at := find(r, b, isLetter)
	if at < 0 {
		return b, false
	}
	start, end := at, at+1
	if r.Chance(1, 2) {
		start, end = run(b, at, isLetter)
	}
	for i := start; i < end; i++ {
		b[i] ^= 0x20
	}
	return b, true
}

// class replaces a byte by another of its class (digits, letters, space, punctuation). One time in
// four it uses a random class.
func class(_ *Mutator, r *Rand, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	classes := [...]string{digitBytes, letterBytes, spaceBytes, punctBytes}
	x := r.Uint64()
	i := scale(x, len(b))
	from := classes[x>>2&3]
	if x&3 != 0 {
		switch c := b[i]; {
		case isDigit[c]:
			from = digitBytes
		case isLetter[c]:
			from = letterBytes
		case isSpace[c]:
			from = spaceBytes
		case isPunct[c]:
			from = punctBytes
		}
	}
	k := r.Intn(len(from))
	if from[k] == b[i] {
		k = (k + 1) % len(from)
	}
	b[i] = from[k]
	return b, true
}

// characters holds characters that text handling treats specially. They are the limits of UTF-8
// lengths, spaces, line ends and invisible marks, digits beyond ASCII, and malformed forms. Letters
// are those whose case mapping leaves their alphabet or length.
var characters = [...]string{
	"\u0080", "\u07ff", "\u0800", "\uffff", "\U00010000", "\U0010ffff", // ends of lengths
	"\ufeff", "\u00a0", "\u0085", "\u2028", "\u2029", "\u200b", "\u200d", "\u202e", "\u00ad", "\ufffd", // space and marks
	"é", "e\u0301", "ß", "ẞ", "İ", "ı", "ſ", "K", "Å", "ς", "ǆ", "ﬁ", // case and normal forms
	"٣", "３", "²", "½", "Ⅷ", // digits and numbers
	"世", "界", "。", "．", "😀", "👩\u200d👩", // wide
	"\xc0\x80", "\xc1\xbf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xed\xb0\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", // invalid
	"\x80", "\xbf", "\xc2", "\xe2\x82", "\xf0\x9f\x98", "\xff", "\xfe", // incomplete
}

// insertRune inserts a character at a character boundary, or replaces one. One time in eight it
// breaks a character by removing its last byte.
func insertRune(m *Mutator, r *Rand, b []byte) ([]byte, bool) {
	i := position(r, len(b))
	for i > 0 && i < len(b) && !utf8.RuneStart(b[i]) {
		i--
	}
	_, size := utf8.DecodeRune(b[i:])
	x := r.Uint64()
	if size > 1 && x&7 == 0 {
		return cut(b, i+size-1, i+size), true
	}
	if x&8 == 0 {
		size = 0
	}
	c := characters[scale(x, len(characters))]
	if len(b)-size+len(c) > m.limit {
		return b, false
	}
	m.scratch = append(m.scratch[:0], c...)
	return replace(b, i, i+size, m.scratch), true
}
