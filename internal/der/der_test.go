package der

import (
	"bytes"
	"fmt"
	"math/rand"
	"testing"
)

// TestParse checks which data is DER, and the positions of its elements.
func TestParse(t *testing.T) {
	for _, test := range []struct {
		in   string
		want string
	}{
		{"", "[]"},
		{"0 text that is no DER, (0123456789)", "[]"},
		{"\x30\x06\x02\x01\x05\x04\x01\x00", "[{0 2 8 -1 0} {2 4 5 0 0} {5 7 8 0 0}]"},
		{"\x00\x08\x30\x06\x02\x01\x05\x04\x01\x00", "[{2 4 10 -1 2} {4 6 7 0 0} {7 9 10 0 0}]"},
		{"\x30\x06\x02\x01\x05\x04\x02\x00", "[]"},                                     // too short
		{"\x30\x80\x02\x01\x05\x04\x01\x00\x00\x00", "[]"},                             // BER
		{"\x30\x06\x04\x04\x02\x02\x01\x02", "[{0 2 8 -1 0} {2 4 8 0 0} {4 6 8 1 0}]"}, // in an octet string
	} {
		if got := fmt.Sprint(Parse(nil, []byte(test.in))); got != test.want {
			t.Errorf("%q: %s, want %s", test.in, got, test.want)
		}
	}
}

// TestReplace replaces parts of elements and checks that the result is DER again, with the rest as
// it was.
func TestReplace(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	var build func(depth int) []byte
	build = func(depth int) []byte {
		var content []byte
		if depth == 0 || r.Intn(4) == 0 {
			content = make([]byte, r.Intn(300))
			for i := range content {
				content[i] = byte(0xc0 + r.Intn(32)) // no element begins here
			}
			return append(AppendHeader(nil, 0x0c, len(content)), content...)
		}
		for n := 1 + r.Intn(4); n > 0; n-- {
			content = append(content, build(depth-1)...)
		}
		return append(AppendHeader(nil, Sequence, len(content)), content...)
	}
	tree := func(data []byte) string {
		s := ""
		for _, e := range Parse(nil, data) {
			s += fmt.Sprint(e.Parent, data[e.Start], e.End-e.Body, e.prefix, ";")
		}
		return s
	}
	edits := 0
	for i := 0; i < 300; i++ {
		one := build(4)
		data := append([]byte{0, byte(len(one) >> 8), byte(len(one))}, one...)
		all := Parse(nil, data)
		if len(all) < 2 || all[0].Start != 3 || len(one) > 1<<15 {
			continue
		}
		for k := range all {
			e := &all[k]
			piece := build(1)
			got := Replace(nil, data, all, k, e.Start, e.End, piece)
			back := Parse(nil, got)
			// Shorter data is not taken for DER, and a length may look like an element.
			if k > 0 && len(got) >= 3+least && len(back) > 0 && back[0].Start == 3 {
				edits++
				if back[0].End != len(got) || back[0].prefix != 3 {
					t.Fatalf("%x with %x for element %d is no DER: %x", data, piece, k, got)
				}
				again := Replace(nil, got, back, k, back[k].Start, back[k].End, data[e.Start:e.End])
				if !bytes.Equal(again, data) {
					t.Fatalf("there and back: %x, want %x (%s)", again, data, tree(got))
				}
			}
			if data[e.Start]&Constructed != 0 || e.Body == e.End {
				continue
			}
			grown := Replace(nil, data, all, k, e.Body, e.Body, make([]byte, 200))
			if inner := Parse(nil, grown); inner[0].Start == 3 && inner[k].End-inner[k].Body != e.End-e.Body+200 {
				t.Fatalf("200 bytes more in element %d of %s: %s", k, tree(data), tree(grown))
			}
		}
		if got := Replace(nil, data, all, 0, all[0].Start, all[0].End, nil); len(got) != 0 {
			t.Fatalf("the outermost element and its length are gone: %x", got)
		}
	}
	if edits < 500 {
		t.Errorf("%d edits", edits)
	}
}

// TestInsert inserts an element before and behind each element. An outermost one gets a length of
// its own.
func TestInsert(t *testing.T) {
	const one = "\x30\x06\x02\x01\x05\x04\x01\x07"
	const list = "\x00\x08" + one + "\x00\x08" + one
	for _, test := range []struct {
		in     string
		k      int
		behind bool
		piece  string
		want   string
	}{
		{one, 1, false, "\x05\x00", "\x30\x08\x05\x00\x02\x01\x05\x04\x01\x07"},
		{one, 1, true, "\x05\x00", "\x30\x08\x02\x01\x05\x05\x00\x04\x01\x07"},
		{one, 2, true, "\x05\x00", "\x30\x08\x02\x01\x05\x04\x01\x07\x05\x00"},
		{one, 0, false, "\x05\x00", "\x05\x00" + one},
		{list, 0, false, "\x30\x01x", "\x00\x03\x30\x01x" + list},
		{list, 0, true, "\x30\x01x", "\x00\x08" + one + "\x00\x03\x30\x01x\x00\x08" + one},
		{list, 3, true, "\x30\x01x", list + "\x00\x03\x30\x01x"},
		{list, 4, false, "\x05\x00", "\x00\x08" + one + "\x00\x0a\x30\x08\x05\x00\x02\x01\x05\x04\x01\x07"},
	} {
		if got := Insert(nil, []byte(test.in), Parse(nil, []byte(test.in)), test.k, test.behind, []byte(test.piece)); string(got) != test.want {
			t.Errorf("%q, element %d, behind %v: %q, want %q", test.in, test.k, test.behind, got, test.want)
		}
	}
}

// TestNext walks from element to element.
func TestNext(t *testing.T) {
	data := []byte("\x30\x0b\x30\x03\x02\x01\x05\x05\x00\x04\x02\x01\x00\x30\x06\x02\x01\x05\x04\x01\x07")
	all := Parse(nil, data)
	var first, next []int
	for k := range all {
		first, next = append(first, First(all, k)), append(next, Next(all, k))
	}
	if got, want := fmt.Sprint(first, next), "[1 2 -1 -1 5 -1 7 -1 -1] [-1 3 -1 4 -1 -1 -1 8 -1]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
