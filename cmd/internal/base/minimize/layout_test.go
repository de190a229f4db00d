package minimize

import (
	"encoding/binary"
	"testing"
)

// strchr reads an input of two arguments: a little-endian number and the bytes of a string.
func strchr(flat []byte) (c uint32, s string) {
	var own [12]byte
	copy(own[:], flat)
	return binary.LittleEndian.Uint32(own[:]), string(own[4:])
}

// TestLayout checks that bytes that do not matter become zero, and the others become 1, -1 or plain
// text.
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

// TestLayoutPlainer checks that each plainer byte comes earlier in one order per place.
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

// TestRecords checks that whole records are removed anywhere, and that the remaining ones are
// simplified.
func TestRecords(t *testing.T) {
	const size = 8
	var flat []byte
	for i := 0; i < 40; i++ {
		flat = append(flat, byte(i), 1, 2, 3, 4, 5, 6, 7)
	}
	holds := func(b []byte) bool { // records 3, 17 and 38 in this order, the second with its last byte
		want := []byte{3, 17, 38}
		for len(b) > 0 && len(want) > 0 {
			var rec [size]byte
			b = b[copy(rec[:], b):]
			if rec[0] == want[0] && (want[0] != 17 || rec[7] == 7) {
				want = want[1:]
			}
		}
		return len(want) == 0
	}
	const want = "\x03\x00\x00\x00\x00\x00\x00\x00\x11\x00\x00\x00\x00\x00\x00\x07\x26"
	small, runs, done := RunLayout(raw, &Layout{Record: size}, flat, plenty, nil, holds)
	if string(small) != want || !done {
		t.Errorf("%q, not %q", small, want)
	}
	if again, _, _ := RunLayout(raw, &Layout{Record: size}, small, plenty, nil, holds); string(again) != want {
		t.Errorf("not idempotent: %q", again)
	}
	if _, without, _ := RunLayout(raw, nil, flat, plenty, nil, holds); runs >= without {
		t.Errorf("%d tests, and %d without a layout", runs, without)
	}
}
