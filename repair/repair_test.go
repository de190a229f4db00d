package repair_test

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"math/rand"
	"strings"
	"testing"

	"parallax/repair"
)

var little = binary.LittleEndian

func TestFields(t *testing.T) {
	for _, test := range []struct {
		f    repair.Field
		want string
	}{
		{repair.Field{Offset: 1, Width: 2}, "a\x02\x01defgh"},
		{repair.Field{Offset: 1, Width: 2, Order: little}, "a\x01\x02defgh"},
		{repair.Field{Offset: 1, Width: 2, Order: binary.BigEndian}, "a\x02\x01defgh"},
		{repair.Field{Offset: -1, Width: 1}, "abcdefg\x01"},
		{repair.Field{Offset: -3, Width: 3, Order: little}, "abcde\x01\x02\x03"},
		{repair.Field{Offset: 0, Width: 8}, "\x08\x07\x06\x05\x04\x03\x02\x01"},
		{repair.Field{Offset: 7, Width: 2}, ""},
		{repair.Field{Offset: -9, Width: 1}, ""},
		{repair.Field{Offset: 0, Width: 9}, ""},
		{repair.Field{Offset: 0}, ""},
	} {
		b := []byte("abcdefgh")
		ok := test.f.Put(b, 0x0807060504030201)
		if want := test.want; ok != (want != "") || ok && string(b) != want || !ok && string(b) != "abcdefgh" {
			t.Errorf("%+v: %q, %v", test.f, b, ok)
		}
		v, got := test.f.Get(b)
		if want := uint64(0x0807060504030201) & (1<<(8*test.f.Width) - 1); got != ok || ok && v != want && test.f.Width < 8 {
			t.Errorf("%+v: %x, %v", test.f, v, got)
		}
	}
}

func TestParts(t *testing.T) {
	big := bytes.Repeat([]byte("x"), 300)
	for name, test := range map[string]struct {
		fn       repair.Func
		in, want string
	}{
		"length":                {repair.Length(repair.Field{Offset: 1, Width: 1}, repair.Span{From: 2}), "a?bcd", "a\x03bcd"},
		"length, from the end":  {repair.Length(repair.Field{Offset: -2, Width: 2, Order: little}, repair.Span{To: -2}), "abc??", "abc\x03\x00"},
		"length of nothing":     {repair.Length(repair.Field{Offset: 0, Width: 1}, repair.Span{From: 1}), "?", "\x00"},
		"length in words":       {repair.LengthIn(repair.Field{Offset: 0, Width: 1}, repair.Span{}, 4), "?bcde", "\x02bcde"},
		"length too large":      {repair.Length(repair.Field{Offset: 0, Width: 1}, repair.Span{}), string(big), string(big)},
		"too short for a field": {repair.Length(repair.Field{Offset: 3, Width: 2}, repair.Span{}), "abcd", "abcd"},
		"too short for a span":  {repair.Length(repair.Field{Offset: 0, Width: 1}, repair.Span{From: 9}), "abcd", "abcd"},
		"span upside down":      {repair.Length(repair.Field{Offset: 0, Width: 1}, repair.Span{From: 3, To: -3}), "abcd", "abcd"},
		"sum":                   {repair.Checksum(repair.Field{Offset: 0, Width: 1}, repair.Span{From: 1}, repair.Sum), "?\x01\x02\xff", "\x02\x01\x02\xff"},
		"sum over itself":       {repair.Checksum(repair.Field{Offset: 0, Width: 1}, repair.Span{}, repair.Sum), "?\x01\x02", "\x03\x01\x02"},
		"xor":                   {repair.Checksum(repair.Field{Offset: -1, Width: 1}, repair.Span{To: -1}, repair.Xor), "\x01\x02\x04?", "\x01\x02\x04\x07"},
		"empty":                 {repair.Checksum(repair.Field{Offset: -4, Width: 4}, repair.Span{To: -4}, repair.CRC32), "", ""},
		"nothing but the field": {repair.Checksum(repair.Field{Offset: -4, Width: 4}, repair.Span{To: -4}, repair.Adler32), "????", "\x00\x00\x00\x01"},
		// RFC 1071, section 3.
		"internet": {repair.Checksum(repair.Field{Offset: 8, Width: 2}, repair.Span{To: 8}, repair.Internet), "\x00\x01\xf2\x03\xf4\xf5\xf6\xf7??", "\x00\x01\xf2\x03\xf4\xf5\xf6\xf7\x22\x0d"},
		"within": {repair.Within(func(b []byte) (int, int) { return 1, int(b[0]) }, repair.Checksum(repair.Field{Offset: -1, Width: 1}, repair.Span{To: -1}, repair.Sum)),
			"\x04\x01\x02?rest", "\x04\x01\x02\x03rest"},
		"not within": {repair.Within(func(b []byte) (int, int) { return 1, 99 }, func([]byte) []byte { return nil }), "abc", "abc"},
		"each": {repair.Each(1, func(rest []byte) int { return int(rest[0]) }, repair.Checksum(repair.Field{Offset: -1, Width: 1}, repair.Span{To: -1}, repair.Sum)),
			"h\x03\x01?\x02?\x09\x01?", "h\x03\x01\x04\x02\x02\x09\x01\x0a"},
		"each, no size": {repair.Each(0, func([]byte) int { return 0 }, func([]byte) []byte { return nil }), "abc", "abc"},
	} {
		if got := test.fn([]byte(test.in)); string(got) != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// TestWidth checks that a wrong field panics where it is composed, and not on each mutant.
func TestWidth(t *testing.T) {
	for _, width := range []int{-1, 0, 1, 8, 9} {
		f := repair.Field{Offset: 2, Width: width}
		for name, compose := range map[string]func() repair.Func{
			"Length":   func() repair.Func { return repair.Length(f, repair.Span{}) },
			"LengthIn": func() repair.Func { return repair.LengthIn(f, repair.Span{}, 4) },
			"Checksum": func() repair.Func { return repair.Checksum(f, repair.Span{}, repair.Sum) },
		} {
			func() {
				good := width >= 1 && width <= 8
				defer func() {
					text := fmt.Sprint(recover())
					if want := fmt.Sprintf("a Field with Width %d at Offset 2: a field is 1 to 8 bytes wide", width); !good && !strings.HasSuffix(text, want) {
						t.Errorf("%s: %s, want %s", name, text, want)
					} else if good && text != "<nil>" {
						t.Errorf("%s of %d bytes: %s", name, width, text)
					}
				}()
				compose()([]byte("some input"))
			}()
		}
	}
}

// TestIdempotent checks that a second repair changes nothing.
func TestIdempotent(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	field := func() repair.Field {
		f := repair.Field{Offset: r.Intn(40) - 20, Width: 1 + r.Intn(8)}
		if r.Intn(2) == 0 {
			f.Order = little
		}
		return f
	}
	for n := 0; n < 5000; n++ {
		span := repair.Span{From: r.Intn(30) - 10, To: r.Intn(30) - 15}
		sums := []func([]byte) uint64{repair.CRC32, repair.CRC32C, repair.Adler32, repair.Sum, repair.Xor, repair.Internet}
		fns := []repair.Func{
			repair.Length(field(), span),
			repair.Checksum(field(), span, sums[r.Intn(len(sums))]),
			repair.Digest(r.Intn(60)-40, span, sha256.New),
		}
		fn := fns[r.Intn(len(fns))]
		in := make([]byte, r.Intn(80))
		r.Read(in)
		once := fn(append([]byte{}, in...))
		if len(once) != len(in) {
			t.Fatalf("%d bytes became %d", len(in), len(once))
		}
		if twice := fn(append([]byte{}, once...)); !bytes.Equal(once, twice) {
			t.Fatalf("%x, then %x", once, twice)
		}
	}
}

// PNG, as its readers see it: chunks of a length, a type, data and a CRC-32 of type and data.
func ExampleEach() {
	fix := repair.Each(8,
		func(rest []byte) int {
			n, _ := repair.Field{Offset: 0, Width: 4}.Get(rest)
			return int(n) + 12
		},
		repair.All(
			repair.Length(repair.Field{Offset: 0, Width: 4}, repair.Span{From: 8, To: -4}),
			repair.Checksum(repair.Field{Offset: -4, Width: 4}, repair.Span{From: 4, To: -4}, repair.CRC32),
		))
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		fmt.Println(err)
	}
	mutant := b.Bytes()
	mutant[19] = 3 // the width
	_, err := png.Decode(bytes.NewReader(mutant))
	fmt.Println(err)
	_, err = png.Decode(bytes.NewReader(fix(mutant)))
	fmt.Println(err)
	// Output:
	// png: invalid format: invalid checksum
	// png: invalid format: not enough pixel data
}

// The checksum of a tar header is written in octal digits, for which there is no part: a function
// of one's own does it.
func Example() {
	header := repair.Within(
		func([]byte) (from, to int) { return 0, 512 },
		func(b []byte) []byte {
			copy(b[148:], "        ")
			copy(b[148:], fmt.Sprintf("%06o\x00 ", repair.Sum(b)))
			return b
		})
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := w.WriteHeader(&tar.Header{Name: "a", Mode: 0o644}); err != nil {
		fmt.Println(err)
	}
	mutant := b.Bytes()
	mutant[0] = 'b'
	_, err := tar.NewReader(bytes.NewReader(mutant)).Next()
	fmt.Println(err)
	h, err := tar.NewReader(bytes.NewReader(header(mutant))).Next()
	fmt.Println(h.Name, err)
	// Output:
	// archive/tar: invalid tar header
	// b <nil>
}
