package c

import (
	"slices"
	"testing"

	"parallax/cmd/internal/cbuild/clang"
)

// TestMissing checks that builds that are missing for the same reason share one message.
func TestMissing(t *testing.T) {
	both := []clang.Variant{clang.CmpLog, clang.Sanitize}
	for _, c := range []struct {
		why  map[clang.Variant]string
		want []string
	}{
		{nil, nil},
		{map[clang.Variant]string{clang.Sanitize: "x"}, []string{"h has no sanitize build: x"}},
		{map[clang.Variant]string{clang.CmpLog: "x", clang.Sanitize: "x"}, []string{"h has no operands and no sanitize build: x"}},
		{map[clang.Variant]string{clang.CmpLog: "x", clang.Sanitize: "y"}, []string{"h has no operands build: x", "h has no sanitize build: y"}},
	} {
		if got := missing("h", both, c.why); !slices.Equal(got, c.want) {
			t.Errorf("%v: %q", c.why, got)
		}
	}
}
