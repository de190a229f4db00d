package packed

import (
	"math"
	"slices"
	"testing"
)

const magic = "m1"

// written returns sealed bytes with a value of each kind.
func written() []byte {
	w := &Writer{Out: []byte(magic)}
	w.Number(-5)
	w.Text("text")
	w.Flags(true, false, true)
	w.Numbers([]int{3, 7, 7}, 2)
	w.Number(4)
	return Seal(w.Out)
}

func TestReader(t *testing.T) {
	r, ok := Open(written(), magic)
	if !ok {
		t.Fatal("its own bytes are refused")
	}
	if n, s, flags := r.Number(), r.Text(), r.Number(); n != -5 || s != "text" || flags != 0b101 {
		t.Errorf("%d, %q, %b", n, s, flags)
	}
	if list, n := r.Numbers(2, 8), r.Below(5); !slices.Equal(list, []int{3, 7, 7}) || n != 4 || !r.Ended() {
		t.Errorf("%v, %d, ended %v", list, n, r.Ended())
	}
	if n := r.Number(); n != 0 || r.Ended() {
		t.Errorf("%d after the end", n)
	}
	for _, read := range []func(r *Reader){
		func(r *Reader) { r.Below(3) }, func(r *Reader) { r.Length() }, func(r *Reader) { r.Numbers(0, 3) },
	} {
		w := Writer{}
		w.Numbers([]int{3}, 0)
		w.Out[0] = 6 // three elements of one byte
		r := Reader{In: w.Out}
		if read(&r); !r.Bad || r.In != nil {
			t.Errorf("%+v is not bad", r)
		}
	}
}

// FuzzOpen checks that any bytes can be read, and only sealed ones with the magic are.
func FuzzOpen(f *testing.F) {
	f.Add(written())
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, ok := Open(data, magic); ok && len(data) < len(magic)+4 {
			t.Error("too short, and accepted")
		}
		r := Reader{In: data}
		for !r.Bad && len(r.In) > 0 {
			before := len(r.In)
			if r.Text(); before%2 == 0 {
				r.Numbers(0, math.MaxInt)
			}
			if len(r.In) >= before {
				t.Fatal("it reads nothing")
			}
		}
	})
}
