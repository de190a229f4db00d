package wire

import (
	"bytes"
	"math"
	"reflect"
	"testing"
)

type record struct {
	Names []string
	Text  string
	Small uint8
	Count int
	Large uint64
	Flag  bool
	Bytes []byte
	Lists [][]byte
	Inner struct{ N int }
}

func full() record {
	r := record{
		Names: []string{"a", "", "\x00\xff"}, Text: "text", Small: 255, Count: math.MaxInt, Large: math.MaxUint64, Flag: true,
		Bytes: []byte{1}, Lists: [][]byte{nil, {0, 255}},
	}
	r.Inner.N = 7
	return r
}

// TestStructs checks that all fields of a struct arrive, and that invalid data is an error and not
// a panic.
func TestStructs(t *testing.T) {
	for _, in := range []record{{}, full()} {
		b := AppendStruct([]byte("before"), &in)[len("before"):]
		var out record
		r := NewReader(b)
		if ReadStruct(r, &out); r.Err() != nil || r.More() || !reflect.DeepEqual(in, out) {
			t.Errorf("sent %+v, read %+v, %v", in, out, r.Err())
		}
		for n := range b {
			r := NewReader(b[:n])
			if ReadStruct(r, &record{}); r.Err() != ErrShort {
				t.Errorf("%d of %d bytes: error %v", n, len(b), r.Err())
			}
		}
	}
	huge := AppendUint(nil, math.MaxUint64)
	for at := range 16 { // a length beyond the data, or a number that does not fit, at every offset
		ReadStruct(NewReader(append(bytes.Repeat([]byte{1}, at), huge...)), &record{})
	}
	r := NewReader(AppendUint(nil, 256))
	if ReadStruct(r, &struct{ N uint8 }{}); r.Err() == nil {
		t.Error("256 was read into a byte")
	}
	r = NewReader(huge)
	if ReadStruct(r, &struct{ N int }{}); r.Err() == nil {
		t.Error("a number beyond all integers was read")
	}
}
