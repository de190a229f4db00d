package oracle

import (
	"slices"
	"testing"
)

// TestDigestsDistinct checks that small values with different renderings have different digests.
func TestDigestsDistinct(t *testing.T) {
	type pair struct{ A, B any }
	atoms := []any{nil, true, false, -2, -1, 0, 1, 2, 3, uint8(4), 0.5, -1.0, complex(0, 1), "", "a", "b", "\x00", "\x00\x00", []byte{0}, []any{}, map[string]any{}}
	values := slices.Clone(atoms)
	for _, a := range atoms {
		values = append(values, []any{a}, map[string]any{"a": a}, map[string]any{"": a}, &a)
		for _, b := range atoms {
			values = append(values, []any{a, b}, []any{a, []any{b}}, []any{[]any{a}, b}, pair{a, b}, map[string]any{"a": a, "b": b})
			for _, c := range atoms {
				values = append(values, []any{a, b, c})
			}
		}
	}
	seen := map[uint64]string{}
	for _, v := range values {
		h, text := digest(v), rendering(v)
		if other, ok := seen[h]; ok && other != text {
			t.Fatalf("%s and %s have the digest %x", other, text, h)
		}
		seen[h] = text
	}
	if len(seen) < 10000 {
		t.Errorf("%d digests of %d values", len(seen), len(values))
	}
}
