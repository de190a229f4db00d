package quote

import (
	"go/parser"
	"math"
	"testing"
)

// TestLiteral checks that every literal is Go that has the value's own type.
func TestLiteral(t *testing.T) {
	for _, v := range []any{
		[]byte("a\xff\n"), "`\"", true, int(-1), int8(-128), int16(1), int32(2), int64(math.MinInt64), uint(1), uint8(255), uint16(1),
		uint32(1), uint64(math.MaxUint64), float32(1.5), 1e300, math.NaN(), math.Inf(-1), math.Copysign(0, -1), float32(math.Inf(1)),
	} {
		if _, err := parser.ParseExpr(Literal(v)); err != nil {
			t.Errorf("%v: %s: %v", v, Literal(v), err)
		}
	}
	for v, want := range map[any]string{int8(-3): "int8(-3)", 2.0: "float64(2)", uint8(7): "uint8(7)"} {
		if got := Literal(v); got != want {
			t.Errorf("%v: %s", v, got)
		}
	}
}
