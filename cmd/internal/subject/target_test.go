package subject

import (
	"testing"

	"parallax/internal/input"
)

func TestMaxFlat(t *testing.T) {
	tests := []struct {
		shape input.Shape
		value []any // for the largest input whose arguments have at most 10 bytes
	}{
		{input.Shape{input.Bytes}, []any{make([]byte, 10)}},
		{input.Shape{input.Int, input.Bool}, []any{1, true}},
		{input.Shape{input.String, input.Uint16, input.Bytes}, []any{"0123456789", uint16(1), make([]byte, 10)}},
	}
	for _, test := range tests {
		flat, err := test.shape.Pack(test.value...)
		if err != nil {
			t.Fatal(err)
		}
		if got := MaxFlat(test.shape, 10); got < len(flat) {
			t.Errorf("%v: %d, and there is one of %d", test.shape, got, len(flat))
		}
	}
}
