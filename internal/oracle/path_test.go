package oracle

import (
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"testing"
)

type (
	typedMap  map[string]typedMap
	typedList []typedList
	holder    struct{ m map[string]any }
)

// TestSelfContaining checks that values which contain themselves are cut after few levels, alike in
// typed and untyped walks.
func TestSelfContaining(t *testing.T) {
	self := map[string]any{}
	self["self"] = self
	anyKeys := map[any]any{}
	anyKeys["self"] = anyKeys
	typed := typedMap{}
	typed["self"] = typed
	list := []any{nil}
	list[0] = list
	typedSelf := typedList{nil}
	typedSelf[0] = typedSelf
	inMap := strings.Repeat(`{"self": `, headersFrom+1) + "{^1}" + strings.Repeat("}", headersFrom+1)
	inList := strings.Repeat("[", headersFrom+1) + "[^1]" + strings.Repeat("]", headersFrom+1)
	for _, c := range []struct {
		v    any
		text string
	}{{self, inMap}, {anyKeys, inMap}, {typed, inMap}, {list, inList}, {typedSelf, inList}} {
		if got := rendering(c.v); got != c.text {
			t.Errorf("%T: %s, want %s", c.v, got, c.text)
		}
	}
	if digest(self) != digest(anyKeys) || digest(self) != digest(typed) || digest(list) != digest(typedSelf) {
		t.Error("typed and untyped walks differ")
	}
	// An extra level around the same value makes no difference.
	if digest(self) != digest(map[string]any{"self": self}) {
		t.Error("an unfolded map differs")
	}
	child := map[string]any{}
	parent := map[string]any{"children": []any{child, child}, "holder": holder{child}}
	child["parent"], child["parents"] = parent, map[any]any{1: parent}
	wide := []any{nil, nil, nil}
	wide[0], wide[1], wide[2] = wide, wide, wide
	for name, v := range map[string]any{"parent": parent, "wide": wide, "pointer": &parent} {
		var w walker
		w.reset()
		w.value(v)
		if w.nodes > 20_000 || w.over || len(w.path) != 0 || w.index != [pathBuckets]int{} || w.pointers != 0 {
			t.Errorf("%s: %d nodes, over %v, path %d", name, w.nodes, w.over, len(w.path))
		}
		first, second := digest(v), digest(v)
		if text := rendering(v); text != rendering(v) || len(text) > 1<<20 || first != second {
			t.Errorf("%s: %d bytes, or not the same twice", name, len(text))
		}
	}
}

// TestSharedIsNoCycle checks that repeated values are not cycles unless they contain themselves. A
// part of a slice is not a cycle, nor is a slice of another type at the same address.
func TestSharedIsNoCycle(t *testing.T) {
	leaf := []any{1}
	var v, other any = leaf, []any{1}
	for i := 0; i < 10; i++ {
		v, other = []any{v, v}, []any{other, other}
	}
	if text := rendering(v); strings.Contains(text, "^") || digest(v) != digest(other) {
		t.Error("a shared slice is taken for a cycle")
	}
	parts := []any{nil, 1}
	parts[0] = parts[1:]
	v = parts
	for i := 0; i < 6; i++ {
		v = []any{v}
	}
	if got := rendering(v); got != "[[[[[[[[1], 1]]]]]]]" {
		t.Error(got)
	}
}

// knot returns a value of a few containers that hold each other.
func knot(r *rand.Rand) any {
	nodes := make([]any, 1+r.Intn(3))
	for i := range nodes {
		switch r.Intn(4) {
		case 0:
			nodes[i] = map[string]any{}
		case 1:
			nodes[i] = make([]any, 1+r.Intn(2))
		case 2:
			nodes[i] = make(list, 1)
		default:
			nodes[i] = new(any)
		}
	}
	pick := func() any {
		if r.Intn(4) == 0 {
			return r.Intn(2)
		}
		return nodes[r.Intn(len(nodes))]
	}
	for _, node := range nodes {
		switch node := node.(type) {
		case map[string]any:
			for n := r.Intn(3); n > 0; n-- {
				node[string(rune('a'+n))] = pick()
			}
		case []any:
			for i := range node {
				node[i] = pick()
			}
		case list:
			node[0] = pick()
		case *any:
			*node = pick()
		}
	}
	v := nodes[0]
	for n := r.Intn(3); n > 0; n-- {
		v = []any{v}
	}
	return v
}

func TestDigestAgreesWithRenderingOfKnots(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	byText, byDigest := map[string]uint64{}, map[uint64]string{}
	cut := 0
	for i := 0; i < 10_000; i++ {
		v := knot(r)
		d, text := digest(v), rendering(v)
		if known, ok := byText[text]; ok && known != d {
			t.Fatalf("%.200s has two digests", text)
		}
		if known, ok := byDigest[d]; ok && known != text {
			t.Fatalf("%.200s and %.200s have one digest", text, known)
		}
		byText[text], byDigest[d] = d, text
		if strings.Contains(text, "[^") || strings.Contains(text, "{^") {
			cut++
		}
	}
	if cut < 1000 || len(byText) < 100 {
		t.Errorf("%d values, %d cut: the test compares nothing", len(byText), cut)
	}
}

// TestPath checks that any number of steps in one bucket are found and removed.
func TestPath(t *testing.T) {
	var w walker
	typ := reflect.TypeOf(0)
	at := func(i int) visit { return visit{address: uintptr(i) * 16, typ: typ} }
	for i := 0; i < 1000; i++ {
		w.push(at(i))
	}
	for i := 999; i >= 0; i-- {
		for _, k := range []int{0, i / 2, i} {
			if got := w.find(at(k)); got != k {
				t.Fatalf("of %d steps: %d is at %d", i+1, k, got)
			}
		}
		if w.find(at(i+1)) >= 0 || w.find(visit{address: at(i).address, length: 1, typ: typ}) >= 0 {
			t.Fatal("found what is not there")
		}
		w.pop()
	}
	if fmt.Sprint(w.index) != fmt.Sprint([pathBuckets]int{}) {
		t.Error("the index is not empty")
	}
}

func BenchmarkDeep(b *testing.B) {
	self := map[string]any{}
	self["self"] = self
	for name, v := range map[string]any{"list": deep(900), "self": self} {
		b.Run(name, func(b *testing.B) {
			var r Result
			b.ReportAllocs()
			for i := 0; i < b.N; i++ {
				r.Reset()
				r.Any(v)
				r.Observe(true)
			}
		})
	}
}
