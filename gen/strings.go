package gen

import "parallax/internal/tape"

// String draws strings of any runes (see Rune). The length in runes is a structural choice.
func String() Gen[string] { return StringN(Rune(), 0, -1) }

// StringN draws strings of min to max runes. A negative max means no limit.
func StringN(r Gen[rune], min, max int) Gen[string] {
	min, max = bounds(min, max)
	return Gen[string]{draw: func(t *T) string {
		around := t.src.Around()
		n := t.count(around, min, max)
		element := t.src.In(around, "element")
		var room [64]byte
		b := room[:0]
		for i := 0; i < n; i++ {
			b = appendRune(b, r.element(t, element))
		}
		return string(b)
	}}
}

func appendRune(b []byte, r rune) []byte {
	if r < 0x80 && r >= 0 {
		return append(b, byte(r))
	}
	return append(b, string(r)...)
}

// Bytes draws byte strings of any length: a structural choice.
func Bytes() Gen[[]byte] { return BytesN(0, -1) }

// BytesN draws byte strings of min to max bytes. A negative max means no limit.
func BytesN(min, max int) Gen[[]byte] {
	min, max = bounds(min, max)
	return Gen[[]byte]{draw: func(t *T) []byte {
		around := t.src.Around()
		n := t.count(around, min, max)
		site, channel := t.src.In(around, "bytes"), t.channel.or(tape.Value)
		b := make([]byte, 0, n)
		for len(b) < n {
			b = append(b, byte(t.src.Draw(site, channel, 255)))
		}
		return b
	}}
}
