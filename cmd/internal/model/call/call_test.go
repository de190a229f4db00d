package call

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"

	"parallax/cmd/internal/model/extract"
)

// everything returns a signature with each kind of argument.
func everything() *Signature {
	return &Signature{Function: "f", Arguments: []extract.Argument{
		{Name: "arg_0", Kind: "string", Bits: 8, Bytes: 5, Before: 8, Behind: 12},
		{Name: "arg_1", Kind: "scalar", Bits: 32, Signed: true},
		{Name: "arg_2", Kind: "string", Bits: 32, Bytes: 12, Before: 8, Behind: 12},
		{Name: "arg_3", Kind: "scalar", Bits: 64, Size: true, Assumed: 4},
		{Name: "arg_4", Kind: "bytes", Bits: 8, Bytes: 4, Before: 8, Behind: 12},
		{Name: "arg_5", Kind: "bytes", Bits: 8, Bytes: 4, Before: 8, Behind: 12, Null: true},
		{Name: "arg_6", Kind: "cell", Bits: 32, Signed: true, Bytes: 4, Before: 8, Behind: 12},
		{Name: "arg_7", Kind: "pointer", Bits: 64, Bytes: 8, Before: 8, Behind: 16},
		{Name: "arg_8", Kind: "scalar", Bits: 32, Signed: true, Held: "-7"},
		{Name: "arg_9", Kind: "scalar", Bits: 64, Held: "18446744073709551615"},
		{Name: "arg_10", Kind: "scalar", Bits: 16},
		{Name: "arg_11", Kind: "scalar", Bits: 64, Size: true, Assumed: 1000},
		{Name: "arg_12", Kind: "scalar", Bits: 1},
	}}
}

// TestRoundTrip checks that each byte string decodes to a call, and that the call's encoding
// decodes to the same call.
func TestRoundTrip(t *testing.T) {
	s := everything()
	const size = 4 + 1 + 2 + 8 + 1 /* numbers */ + 4 + 8 + 4 + 4 /* bytes */
	if s.Size() != size {
		t.Errorf("%d bytes of an input matter, want %d", s.Size(), size)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		flat := make([]byte, rng.IntN(size+10))
		for i := range flat {
			flat[i] = byte(rng.Uint32())
		}
		c := s.Decode(flat)
		again := s.Encode(c)
		if len(again) > size || len(again) > 0 && again[len(again)-1] == 0 {
			t.Fatalf("%x is a call whose input is %x", flat, again)
		}
		if other := s.Decode(again); !reflect.DeepEqual(c, other) {
			t.Fatalf("%x is %v, and %x is %v", flat, c, again, other)
		}
		if longer := s.Decode(append(bytes.Clone(flat), 0, 0, 0)); len(flat) < size && !reflect.DeepEqual(c, longer) {
			t.Fatalf("%x with zeros behind it is another call", flat)
		}
		switch {
		case c[0].Data[4] != 0, !bytes.Equal(c[2].Data[8:], []byte{0, 0, 0, 0}):
			t.Fatalf("%x: the zero of a string is missing: %v", flat, c)
		case c[3].Int > 4, c[11].Int > 1000, c[12].Int > 1:
			t.Fatalf("%x: a number is too large: %v", flat, c)
		case c[5].Data != nil, len(c[7].Data) != 8, c[8].Int != 1<<32-7, c[9].Int != 1<<64-1:
			t.Fatalf("%x: what is fixed is not as it is: %v", flat, c)
		}
	}
}

// TestDecode checks that numbers come first, low byte first, followed by the contents of buffers.
func TestDecode(t *testing.T) {
	s := everything()
	c := s.Decode([]byte("\x01\x02\x03\x80" + "\x07" + "\x05\x06" + "\xe8\x03\x00\x00\x00\x00\x00\x00" + "\x03" + "abcd" + "A\x00\x00\x00B\x00\x00\x00" + "wxyz" + "\xfe\xff\xff\xff"))
	want := map[int]uint64{1: 0x80030201, 3: 7 % 5, 10: 0x0605, 11: 1000, 12: 1}
	for i, n := range want {
		if c[i].Int != n {
			t.Errorf("argument %d is %d, want %d", i, c[i].Int, n)
		}
	}
	for i, data := range map[int]string{0: "abcd\x00", 2: "A\x00\x00\x00B\x00\x00\x00\x00\x00\x00\x00", 4: "wxyz", 6: "\xfe\xff\xff\xff"} {
		if string(c[i].Data) != data {
			t.Errorf("argument %d is %q, want %q", i, c[i].Data, data)
		}
	}
	whole := Whole(&s.Arguments[0], c[0])
	if string(whole) != "\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5abcd\x00\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5" {
		t.Errorf("with guard bytes it is %q", whole)
	}
	if Whole(&s.Arguments[5], c[5]) != nil || Whole(&s.Arguments[1], c[1]) != nil {
		t.Error("null or a number points to memory")
	}
}

// TestSignatureOf checks that a signature follows from an engine's answer.
func TestSignatureOf(t *testing.T) {
	a := &extract.Answer{Function: "abs", Prototype: "int abs(int)", Arguments: []extract.Argument{{Name: "arg_0", Kind: "scalar", Bits: 32}}, Result: &extract.Result{Kind: "scalar", Bits: 32}}
	if s := SignatureOf(a); s.Function != "abs" || s.Prototype != "int abs(int)" || len(s.Arguments) != 1 || s.Result.Bits != 32 {
		t.Errorf("it is %+v", s)
	}
	if s := SignatureOf(&extract.Answer{Function: "f"}); s.Result.Kind != "" {
		t.Errorf("it is %+v", s)
	}
}
