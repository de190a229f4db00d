package tape

import "testing"

// TestHashesDistinct checks that small tapes have distinct structures and skeletons.
func TestHashesDistinct(t *testing.T) {
	structures, skeletons := map[uint64]string{}, map[uint64]string{}
	distinct := func(what string, seen map[uint64]string, hash uint64, name string) {
		t.Helper()
		if other, ok := seen[hash]; ok && other != name {
			t.Fatalf("%s: %q and %q have the hash %x", what, other, name, hash)
		}
		seen[hash] = name
	}
	n := 0
	var grow func(tp *Tape, choices, sites string, left int)
	grow = func(tp *Tape, choices, sites string, left int) {
		n++
		distinct("structures", structures, tp.Structure(), choices)
		distinct("skeletons", skeletons, tp.Skeleton(), sites)
		if left == 0 {
			return
		}
		last := int32(len(tp.Spans) - 1)
		for site := uint32(1); site < 4; site++ {
			inner := tp.Clone()
			inner.Spans = append(inner.Spans, Span{Site: site, First: int32(len(tp.Choices)), Parent: last})
			grow(inner, choices, sites+string(rune('0'+site))+"(", left-1)
			for value := uint64(0); value < 3; value++ {
				next := tp.Clone()
				next.Choices = append(next.Choices, Choice{Site: site, Channel: Structural, Span: last, Value: value})
				name := string(rune('0' + site))
				grow(next, choices+name+string(rune('a'+value)), sites+name, left-1)
			}
		}
	}
	grow(&Tape{Spans: []Span{{Parent: -1}}}, "", "", 4)
	if n < 10000 {
		t.Errorf("%d tapes", n)
	}
}
