package oracle

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"
)

type (
	named   string
	number  int16
	octet   byte
	list    []any
	point   struct{ X, Y int }
	other   struct{ X, Y int }
	private struct{ x, y int }
	linked  struct{ next *linked }
	hasTime struct{ At time.Time }
	hidTime struct{ at time.Time }
	hidAny  struct{ v any }
	hidMap  struct{ m map[string]int }
	blank   struct{ _, A int }
	locked  struct {
		mu sync.Mutex
		N  int
	}
	box[T any] struct{ V T }
)

func digest(v any) uint64 {
	var r Result
	r.Any(v)
	return r.Observe(true).Value
}

func rendering(v any) string {
	var r Result
	r.Any(v)
	return r.Detail(0).Value
}

func ring(n int) *linked {
	first := &linked{}
	last := first
	for i := 1; i < n; i++ {
		last.next = &linked{}
		last = last.next
	}
	last.next = first
	return first
}

func pointer[T any](v T) *T { return &v }

// TestCanonicalGroups checks digests and renderings: values are equal within a group, and differ
// between groups. The text is the rendering.
func TestCanonicalGroups(t *testing.T) {
	moment := time.Date(2024, 2, 29, 12, 0, 0, 5, time.UTC)
	now := time.Now()
	unlocked, held := &locked{N: 1}, &locked{N: 1}
	held.mu.Lock()
	groups := []struct {
		text   string
		values []any
	}{
		{"nil", []any{nil, error(nil)}},
		{"&nil", []any{(*int)(nil), (*point)(nil)}},
		{"true", []any{true}},
		{"false", []any{false}},
		{"1", []any{1, int8(1), int64(1), uint8(1), uint64(1), number(1), 'b' - 'a', uintptr(1)}},
		{"-1", []any{-1, int8(-1), number(-1)}},
		{"18446744073709551615", []any{uint64(math.MaxUint64)}},
		{"-9223372036854775808", []any{int64(math.MinInt64)}},
		{"9223372036854775808", []any{uint64(1 << 63)}},
		{"1.0", []any{1.0, float32(1)}},
		{"0.0", []any{0.0}},
		{"-0.0", []any{math.Copysign(0, -1)}},
		{"NaN", []any{math.NaN(), math.Float64frombits(0xfff8000000000001), float32(math.NaN())}},
		{"+Inf", []any{math.Inf(1)}},
		{"1e+21", []any{1e21}},
		{"0.10000000149011612", []any{float32(0.1)}},
		{"0.1", []any{0.1}},
		{"(1.0, 2.0i)", []any{complex(1, 2), complex64(complex(1, 2))}},
		{`""`, []any{"", []byte{}, []byte(nil), named(""), [0]byte{}, []octet(nil)}},
		{`"ab"`, []any{"ab", []byte("ab"), named("ab"), [2]byte{'a', 'b'}, []octet("ab"), [2]octet{'a', 'b'}}},
		{`"true"`, []any{"true"}},
		{`"\xff"`, []any{"\xff"}},
		{`"ÿ"`, []any{"ÿ"}},
		{"[]", []any{[]any{}, []any(nil), []int(nil), []string{}, list(nil), [0]int{}}},
		{"[1, 2]", []any{[]any{1, uint8(2)}, []int{1, 2}, [2]int16{1, 2}, list{1, 2}}},
		{"[2, 1]", []any{[]int{2, 1}}},
		{"[[1], 2]", []any{[]any{[]any{1}, 2}}},
		{"[[1, 2]]", []any{[]any{[]any{1, 2}}, [][]int{{1, 2}}}},
		{`["a", "b"]`, []any{[]string{"a", "b"}, []any{"a", "b"}, []named{"a", "b"}}},
		{`["a, b"]`, []any{[]string{"a, b"}}},
		{"{}", []any{map[string]any{}, map[string]any(nil), map[int]string(nil), map[any]any{}}},
		{`{"a": 1, "b": 2}`, []any{map[string]any{"a": 1, "b": 2}, map[named]int{"b": 2, "a": 1}, map[any]any{"a": 1, named("b"): 2}}},
		{`{"a": 2, "b": 1}`, []any{map[string]any{"a": 2, "b": 1}}},
		{`{1: "x", 1: "y"}`, []any{map[any]any{1: "x", int8(1): "y"}, map[any]string{int8(1): "x", 1: "y"}}},
		{`{NaN: 1, NaN: 2}`, []any{map[float64]int{math.NaN(): 1, math.NaN(): 2}, map[float64]int{math.NaN(): 2, math.NaN(): 1}}},
		{`{NaN: 1, NaN: 1}`, []any{map[float64]int{math.NaN(): 1, math.NaN(): 1}}},
		{"oracle.point{X: 1, Y: 2}", []any{point{1, 2}}},
		{"&oracle.point{X: 1, Y: 2}", []any{&point{1, 2}, &point{1, 2}}},
		{"oracle.other{X: 1, Y: 2}", []any{other{1, 2}}},
		{"oracle.private{x: 1, y: 2}", []any{private{1, 2}}},
		{"oracle.private{x: 2, y: 1}", []any{private{2, 1}}},
		{"struct{X: 1}", []any{struct{ X int }{1}, struct{ X uint8 }{1}}},
		{"oracle.blank{A: 2}", []any{blank{A: 2}}},
		{"&oracle.locked{mu: sync.Mutex{}, N: 1}", []any{unlocked, held}},
		{"oracle.box[int]{V: 1}", []any{box[int]{1}}},
		{"oracle.box[string]{V: \"1\"}", []any{box[string]{"1"}}},
		{"&oracle.linked{next: &^1}", []any{ring(1)}},
		{"&oracle.linked{next: &oracle.linked{next: &^2}}", []any{ring(2), ring(2).next}},
		{"&oracle.linked{next: &nil}", []any{&linked{}}},
		{"[&1, &1]", []any{[]*int{pointer(1), pointer(1)}, []any{pointer(1), pointer(int8(1))}}},
		{"&&1", []any{pointer(pointer(1))}},
		{"time(2024-02-29T12:00:00.000000005Z)", []any{moment, moment.In(time.FixedZone("x", 7200))}},
		{"&time(2024-02-29T12:00:00.000000005Z)", []any{&moment}},
		{"oracle.hasTime{At: time(2024-02-29T12:00:00.000000005Z)}", []any{hasTime{moment}, hasTime{moment.Local()}}},
		{"oracle.hidTime{at: time(2024-02-29T12:00:00.000000005Z)}", []any{hidTime{moment}, hidTime{moment.Local()}}},
		{"oracle.hidAny{v: time(2024-02-29T12:00:00.000000005Z)}", []any{hidAny{moment}, hidAny{moment.Local()}}},
		{"oracle.hidTime{at: " + rendering(now) + "}", []any{hidTime{now}, hidTime{now.Round(0)}}},
		{"oracle.hidMap{m: {\"a\": 1}}", []any{hidMap{map[string]int{"a": 1}}}},
		{`oracle.hidAny{v: "b"}`, []any{hidAny{"b"}, hidAny{[]byte("b")}, hidAny{[1]byte{'b'}}}},
		{"time(0001-01-01T00:00:00Z)", []any{time.Time{}}},
		{"time(253402300800 s, 0 ns)", []any{time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}},
		{`&time.Location("Over there")`, []any{time.FixedZone("Over there", 1), time.FixedZone("Over there", 2)}},
		{"func", []any{func() {}, digest}},
		{"func(nil)", []any{(func())(nil)}},
		{"chan", []any{make(chan int), make(chan bool, 1)}},
		{"chan(nil)", []any{(chan int)(nil)}},
		{"unsafe.Pointer", []any{unsafe.Pointer(&moment), unsafe.Pointer(&now)}},
		{"unsafe.Pointer(nil)", []any{unsafe.Pointer(nil)}},
	}
	digests := map[uint64]string{}
	texts := map[string]bool{}
	for _, g := range groups {
		first := digest(g.values[0])
		for _, v := range g.values {
			if got := rendering(v); got != g.text {
				t.Errorf("%T is rendered %s, want %s", v, got, g.text)
			}
			if digest(v) != first {
				t.Errorf("%T and %T, both %s, have different digests", v, g.values[0], g.text)
			}
		}
		if text, ok := digests[first]; ok {
			t.Errorf("%s and %s have one digest", g.text, text)
		}
		if texts[g.text] {
			t.Errorf("%s stands for two groups", g.text)
		}
		digests[first], texts[g.text] = g.text, true
	}
}

// random returns values of a small domain, so that equal ones are frequent, in typed and untyped
// forms.
func random(r *rand.Rand, depth int) any {
	kinds := 16
	if depth == 0 {
		kinds = 9
	}
	switch r.Intn(kinds) {
	case 0:
		return nil
	case 1:
		return r.Intn(2) == 0
	case 2:
		return r.Intn(3) - 1
	case 3:
		return int8(r.Intn(3) - 1)
	case 4:
		return []float64{0, 1, math.NaN(), math.Copysign(0, -1)}[r.Intn(4)]
	case 5:
		return []string{"", "a", "1", "true", "[]"}[r.Intn(5)]
	case 6:
		return []byte([]string{"", "a", "1"}[r.Intn(3)])
	case 7:
		return named([]string{"", "a"}[r.Intn(2)])
	case 8:
		return []time.Time{{}, time.Unix(0, 0), time.Unix(0, 0).UTC()}[r.Intn(3)]
	case 9, 10:
		l := make([]any, r.Intn(3))
		for i := range l {
			l[i] = random(r, depth-1)
		}
		if r.Intn(2) == 0 {
			return list(l)
		}
		return l
	case 11:
		m := map[string]any{}
		for i := r.Intn(3); i > 0; i-- {
			m[[]string{"a", "b", "c"}[r.Intn(3)]] = random(r, depth-1)
		}
		return m
	case 12:
		m := map[any]any{}
		for i := r.Intn(3); i > 0; i-- {
			m[[]any{"a", named("a"), "b", 1, int8(1), math.NaN()}[r.Intn(6)]] = random(r, depth-1)
		}
		return m
	case 13:
		return pointer(random(r, depth-1))
	case 14:
		return hidAny{random(r, depth-1)}
	}
	return box[any]{random(r, depth-1)}
}

func TestDigestAgreesWithRendering(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	byText, byDigest := map[string]uint64{}, map[uint64]string{}
	const n = 200_000
	for i := 0; i < n; i++ {
		v := random(r, 3)
		d, text := digest(v), rendering(v)
		if known, ok := byText[text]; ok && known != d {
			t.Fatalf("%s has two digests", text)
		}
		if known, ok := byDigest[d]; ok && known != text {
			t.Fatalf("%s and %s have one digest", text, known)
		}
		byText[text], byDigest[d] = d, text
	}
	if len(byText) < n/100 || len(byText) > n-n/100 {
		t.Errorf("%d of %d values are distinct: the test compares nothing", len(byText), n)
	}
}

// TestRenderingLimit checks that a limited rendering is a prefix of the full one.
func TestRenderingLimit(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for i := 0; i < 3000; i++ {
		v := random(r, 3)
		whole := rendering(v)
		limit := 1 + r.Intn(40)
		var res Result
		res.Any(v)
		d := res.Detail(limit)
		if d.Truncated != (len(whole) > limit) {
			t.Fatalf("%s, limit %d: truncated is %v", whole, limit, d.Truncated)
		}
		if len(d.Value) > limit || whole[:len(d.Value)] != d.Value {
			t.Fatalf("%s, limit %d: %s", whole, limit, d.Value)
		}
	}
}

func TestRenderingLimitInText(t *testing.T) {
	for _, unit := range []string{"a", "é", "€", "😀", "\xff", "\n", "a😀"} {
		v := strings.Repeat(unit, 20)
		whole := rendering(v)
		for limit := 1; limit <= len(whole)+1; limit++ {
			for _, v := range []any{v, []byte(v), map[string]int{v: 1}} {
				whole := rendering(v)
				var r Result
				r.Any(v)
				d := r.Detail(limit)
				if !strings.HasPrefix(whole, d.Value) || len(d.Value) > limit || d.Truncated != (len(whole) > limit) {
					t.Fatalf("limit %d: %s, truncated %v, of %s", limit, d.Value, d.Truncated, whole)
				}
			}
		}
	}
}

func deep(n int) any {
	var v any
	for i := 0; i < n; i++ {
		v = []any{v}
	}
	return v
}

func TestDepthLimit(t *testing.T) {
	if digest(deep(maxDepth)) == digest(deep(maxDepth-1)) {
		t.Error("a value at the limit is truncated")
	}
	if digest(deep(maxDepth+1)) != digest(deep(100_000)) || rendering(deep(maxDepth+1)) != rendering(deep(100_000)) {
		t.Error("values beyond the limit differ")
	}
	if digest([]any{deep(2000), 1}) == digest([]any{deep(2000), 2}) {
		t.Error("what stands beside a value that is too deep does not count")
	}
}

func TestNodeLimit(t *testing.T) {
	// 2^64 nodes, without a limit.
	var tower any = 1
	for i := 0; i < 64; i++ {
		tower = []any{tower, tower}
	}
	if first, second := digest(tower), digest(tower); first != second {
		t.Error("a hostile value has no digest of its own")
	}
	if digest([]any{1, tower}) == digest([]any{2, tower}) {
		t.Error("what stands before the limit does not count")
	}
	// The order of a map must not change the result.
	m := map[string]any{}
	for i := 0; i < 8; i++ {
		m[fmt.Sprint(i)] = map[string]any{"v": i, "t": tower}
	}
	large := []any{"before", m, "after"}
	want := digest(large)
	for i := 0; i < 10; i++ {
		if digest(large) != want {
			t.Fatal("the digest of a truncated map depends on its order")
		}
	}
	var r Result
	r.Any(large)
	if d := r.Detail(0); d.Value != `["before", truncated]` || !d.Truncated {
		t.Errorf("detail %.100s, truncated %v", d.Value, d.Truncated)
	}
	long := make([]int, maxNodes-1)
	if digest(long) == digest(make([]int, maxNodes-2)) {
		t.Error("a list below the limit is truncated")
	}
}

func TestMapOrder(t *testing.T) {
	m := map[string]any{}
	for i := 0; i < 50; i++ {
		m[fmt.Sprint(i)] = map[any]any{i: i, "x": []any{i}}
	}
	d, text := digest(m), rendering(m)
	for i := 0; i < 20; i++ {
		if digest(m) != d || rendering(m) != text {
			t.Fatal("map order reaches the result")
		}
	}
}

func TestTextHash(t *testing.T) {
	seen := map[uint64]string{}
	for n := 0; n < 40; n++ {
		for _, c := range []byte{0, 1, 'a'} {
			b := make([]byte, n)
			for i := range b {
				b[i] = c
			}
			s := string(b)
			if hash(1).text(s) != hash(1).bytes(b) {
				t.Fatalf("text and bytes differ for %q", s)
			}
			h := hash(1).text(s).sum()
			if known, ok := seen[h]; ok && known != s {
				t.Fatalf("%q and %q have one hash", s, known)
			}
			seen[h] = s
		}
	}
}

// TestDigestIsStable checks digests against recorded ones. Digests are stored on disk (tuples.log),
// so that a change of the hash changes that format.
func TestDigestIsStable(t *testing.T) {
	for _, c := range []struct {
		v    any
		want uint64
	}{
		{1, 0x3c50d1e183f9fa82},
		{"parallax", 0x8046e15c4101c746},
		{map[string]any{"a": []any{1.5, nil, true}}, 0x6185ba22a1b3825},
	} {
		if got := digest(c.v); got != c.want {
			t.Errorf("digest of %v is %#x, want %#x", c.v, got, c.want)
		}
	}
}
