package oracle

import (
	"errors"
	"math/bits"
	"net/netip"
	"testing"
)

type partsInner struct {
	Name string
	Tags []string
}

type partsOuter struct {
	ID    int
	Inner *partsInner
	List  []partsInner
	Map   map[string]int
	Any   any
}

func partsSample() partsOuter {
	return partsOuter{1, &partsInner{"n", []string{"t"}}, []partsInner{{"a", nil}, {"b", nil}}, map[string]int{"x": 1, "y": 2, "z": 3}, 4}
}

// TestDifferentParts checks that values with edits differ in the lanes of these edits together, and
// in no others.
func TestDifferentParts(t *testing.T) {
	edits := []func(*partsOuter){
		func(v *partsOuter) { v.ID = 2 },
		func(v *partsOuter) { v.Inner.Name = "m" },
		func(v *partsOuter) { v.Inner.Tags = nil },
		func(v *partsOuter) { v.Map["y"] = 3 },
		func(v *partsOuter) { v.Any = "4" },
	}
	observe := map[string]func(v partsOuter) Parts{
		"result": func(v partsOuter) Parts {
			r := &Result{}
			r.String("s")
			r.Any(v)
			return r.Observe(true).Parts
		},
		"record": func(v partsOuter) Parts {
			r := &Record{}
			r.Begin(false)
			call(7, "s", v)(r)
			r.Digest()
			return r.Parts()
		},
	}
	for name, parts := range observe {
		differ := func(set int) uint32 {
			v := partsSample()
			for i, edit := range edits {
				if set>>i&1 != 0 {
					edit(&v)
				}
			}
			before, after := parts(partsSample()), parts(v)
			return before.Differ(&after)
		}
		for set := 0; set < 1<<len(edits); set++ {
			want := uint32(0)
			for i := range edits {
				if set>>i&1 != 0 {
					want |= differ(1 << i)
				}
			}
			if got := differ(set); got != want || set != 0 && got == 0 {
				t.Errorf("%s: edits %b differ in %b, want %b", name, set, got, want)
			}
		}
		for n := 0; n < 50; n++ { // maps in any order
			if differ(0) != 0 {
				t.Fatalf("%s: equal values have other parts", name)
			}
		}
		v := partsSample()
		v.List[1].Name = "c" // elements of a list are one part, as in a type by itself
		before, after := parts(partsSample()), parts(v)
		if got := before.Differ(&after); got != differ(1<<1) {
			t.Errorf("%s: a name in a list differs in %b", name, got)
		}
	}
}

// TestPartsOfCalls checks that calls, results, errors and texts are parts of their own.
func TestPartsOfCalls(t *testing.T) {
	parts := func(record ...func(*Record)) *Parts {
		r := &Record{}
		r.Outside([]string{"net/netip"})
		r.Begin(false)
		for _, one := range record {
			one(r)
		}
		r.Digest()
		if first := r.Parts(); r.Digest() == 0 || r.Parts() != first {
			t.Error("a second digest has other parts")
		}
		p := r.Parts()
		return &p
	}
	base := parts(call(1, 1, 2), call(2, errors.New("bad"), netip.MustParseAddr("1.2.3.4")))
	seen := map[uint32]bool{}
	for name, other := range map[string]*Parts{
		"first result":  parts(call(1, 3, 2), call(2, errors.New("bad"), netip.MustParseAddr("1.2.3.4"))),
		"second result": parts(call(1, 1, 3), call(2, errors.New("bad"), netip.MustParseAddr("1.2.3.4"))),
		"error":         parts(call(1, 1, 2), call(2, errors.New("worse"), netip.MustParseAddr("1.2.3.4"))),
		"text":          parts(call(1, 1, 2), call(2, errors.New("bad"), netip.MustParseAddr("1.2.3.5"))),
	} {
		lanes := base.Differ(other)
		if bits.OnesCount32(lanes) != 1 || seen[lanes] {
			t.Errorf("%s: differs in %b", name, lanes)
		}
		seen[lanes] = true
	}
	if lanes := base.Differ(parts(call(1, 1, 2), call(2, func() any { return nil }(), netip.MustParseAddr("1.2.3.4")))); lanes == 0 {
		t.Error("an error and none do not differ")
	}
}

// TestPartsOfCutValues checks that a value that is too large has no parts: they would depend on the
// order of maps.
func TestPartsOfCutValues(t *testing.T) {
	large := map[int][]int{}
	for i := 0; i < 4; i++ {
		large[i] = make([]int, maxNodes/2)
	}
	r := &Record{}
	for _, cut := range []bool{true, false} {
		r.Begin(false)
		call(1, 1)(r)
		if cut {
			call(1, large)(r)
		}
		if r.Digest(); (r.Parts() == Parts{}) != cut {
			t.Errorf("cut %v: parts %v", cut, r.Parts())
		}
	}
}

// TestDifferentPartsOfSets checks that only the programs of a set count, and that unknown parts
// differ from none.
func TestDifferentPartsOfSets(t *testing.T) {
	of := func(lanes ...byte) (o Observation) {
		copy(o.Parts[:], lanes)
		return o
	}
	obs := []Observation{of(1, 1), of(1, 2), of(2, 1), {}}
	if h := DifferentParts(obs, 0b1001); h != 0 {
		t.Errorf("unknown parts differ: %x", h)
	}
	if a, b := DifferentParts(obs, 0b0011), DifferentParts(obs, 0b0101); a == 0 || b == 0 || a == b {
		t.Errorf("differences %x and %x", a, b)
	}
	if a, b := DifferentParts(obs[:2], 0b11), DifferentParts([]Observation{of(5, 8), of(5, 3)}, 0b11); a != b {
		t.Errorf("differences in one part are %x and %x", a, b)
	}
}
