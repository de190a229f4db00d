package mutate

import (
	"math"
	"testing"

	"parallax/internal/input"
)

func TestMagnitude(t *testing.T) {
	for _, c := range []struct {
		kind  input.Kind
		value any
		want  uint64
		ok    bool
	}{
		{input.Int, 0, 0, true}, {input.Int, 7, 7, true}, {input.Int, -7, 7, true}, {input.Int, math.MinInt, 1 << 63, true},
		{input.Int8, int8(-128), 128, true}, {input.Int32, int32(-2), 2, true}, {input.Uint8, uint8(255), 255, true},
		{input.Uint64, uint64(math.MaxUint64), math.MaxUint64, true}, {input.Float64, 1.5, 0, false}, {input.Bool, true, 0, false},
	} {
		flat, err := input.Shape{c.kind}.Pack(c.value)
		if err != nil {
			t.Fatal(err)
		}
		if n, ok := Magnitude(c.kind, flat); n != c.want || ok != c.ok {
			t.Errorf("Magnitude(%v) = %d, %v, want %d, %v", c.value, n, ok, c.want, c.ok)
		}
	}
}

// TestLimitMagnitude checks that few mutants and fresh inputs exceed a limit, in either sign.
// Without limits, many do.
func TestLimitMagnitude(t *testing.T) {
	shape := input.Shape{input.String, input.Int}
	seed, err := shape.Pack("text", 1<<40)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		most     uint64
		min, max int // of 4,096 mutants, those above 1,000
	}{{0, 2048, 4096}, {1000, 32, 512}} {
		m, err := New(Config{Shape: shape})
		if err != nil {
			t.Fatal(err)
		}
		if c.most > 0 {
			m.LimitMagnitude(1, c.most, 16)
		}
		r := NewRand(1, 0)
		large, values := 0, map[uint64]bool{}
		var dst []byte
		for i := range 4096 {
			if dst = m.Mutate(r, dst, seed, nil); i%8 == 0 {
				dst = m.Fresh(r, dst)
			}
			if err := shape.Check(dst); err != nil {
				t.Fatal(err)
			}
			spans := shape.Spans(nil, dst)
			n, _ := Magnitude(input.Int, dst[spans[1].Start:])
			if values[n] = true; n > 1000 {
				large++
			}
		}
		if large < c.min || large > c.max || len(values) < 100 {
			t.Errorf("limit %d: %d mutants are larger, want %d to %d; %d values", c.most, large, c.min, c.max, len(values))
		}
	}
}
