package minimize

import (
	"encoding/binary"
	"testing"
)

// strchr is an input of two arguments: a number, low byte first, and the bytes of a string.
func strchr(flat []byte) (c uint32, s string) {
	var own [12]byte
	copy(own[:], flat)
	return binary.LittleEndian.Uint32(own[:]), string(own[4:])
}

// What does not matter of a number and of a string is zero, and what may not be zero is 1, -1, or plain text.
func TestLayout(t *testing.T) {
	const full = "\x25\x42\x91\x77" + "ab%d\x03xyz"
	for name, test := range map[string]struct {
		holds func(c uint32, s string) bool
		want  string
	}{
		"a character that the string has": {func(c uint32, s string) bool { return byte(c) != 0 && s[2] == byte(c) }, "0\x00\x00\x00\x00\x000"},
		"more than a character":           {func(c uint32, s string) bool { return c > 255 }, "\x00\x01"},
		"a negative number":               {func(c uint32, s string) bool { return int32(c) < 0 || c == 0x77914225 }, "\x00\x00\x00\xff"},
		"a string of four":                {func(c uint32, s string) bool { return s[3] != 0 && s[3] != '0' }, "\x00\x00\x00\x00\x00\x00\x00a"},
	} {
		run := func(flat []byte) ([]byte, bool) {
			small, _, done := RunLayout(raw, &Layout{Numbers: 4}, flat, plenty, nil, func(b []byte) bool { return test.holds(strchr(b)) })
			return small, done
		}
		small, done := run([]byte(full))
		if string(small) != test.want || !done {
			t.Errorf("%s: %q, not %q", name, small, test.want)
		}
		if again, _ := run(small); string(again) != string(small) {
			t.Errorf("%s: not idempotent: %q becomes %q", name, small, again)
		}
	}
}

// Of each place, what is plainer comes before in one order.
func TestLayoutPlainer(t *testing.T) {
	l := &Layout{Numbers: 1}
	for at := 0; at < 2; at++ {
		for c := 0; c < 256; c++ {
			list := l.plainer(byte(c), at)
			if c != 0 && list[0] != 0 {
				t.Errorf("%q at %d does not become NUL first", byte(c), at)
			}
			for _, simple := range []byte(list) {
				if len(l.plainer(simple, at)) >= len(list) {
					t.Errorf("%q at %d may become %q, which is no plainer", byte(c), at, simple)
				}
			}
		}
	}
}
