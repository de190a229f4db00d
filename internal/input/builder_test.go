package input

import (
	"bytes"
	"math"
	"testing"
)

func TestBuilder(t *testing.T) {
	shape := Shape{Bytes, String, Bool, Int, Int8, Int16, Int32, Int64, Uint, Uint8, Uint16, Uint32, Uint64, Float32, Float64}
	want, err := shape.Pack([]byte("ab"), "cde", true, -1, int8(-2), int16(-3), int32(-4), int64(-5),
		uint(6), uint8(7), uint16(8), uint32(9), uint64(10), float32(-1.5), math.Inf(-1))
	if err != nil {
		t.Fatal(err)
	}
	var b Builder
	for range [2]int{} {
		b.Reset(shape)
		b.Bytes([]byte("ab"))
		b.String("cde")
		b.Bool(true)
		for i, k := range []Kind{Int, Int8, Int16, Int32, Int64} {
			b.Int(int64(-1-i), k)
		}
		for i, k := range []Kind{Uint, Uint8, Uint16, Uint32, Uint64} {
			b.Uint(uint64(6+i), k)
		}
		b.Float32(-1.5)
		b.Float64(math.Inf(-1))
		if got, n := b.Flat(); !bytes.Equal(got, want) || n != len(shape) || shape.Check(got) != nil {
			t.Errorf("%x with %d arguments, want %x", got, n, want)
		}
	}
	for _, raw := range []Shape{{Bytes}, {String}} {
		b.Reset(raw)
		b.String("raw")
		if got, n := b.Flat(); string(got) != "raw" || n != 1 {
			t.Errorf("%v: %q with %d arguments", raw, got, n)
		}
	}
}
