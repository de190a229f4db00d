package similar

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parallax/cmd/internal/base/myers"
)

func random(r *rand.Rand, n int, alphabet string) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return b
}

// TestBagDistance checks that the distance of bags is a lower bound of the edit distance.
func TestBagDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 4000 {
		most := 20
		if i%10 == 0 {
			most = 300 // several words
		}
		a, b := random(r, r.IntN(most), "ab\x00\xff"), random(r, r.IntN(most), "ab\x00\xff")
		x, y := bagOf(a), bagOf(b)
		if d, edits := x.distance(&y), myers.Distance(a, b); d > edits {
			t.Fatalf("%q, %q: the bags' distance %d is more than %d", a, b, d, edits)
		}
	}
}

func parts(list ...string) [][]byte {
	var out [][]byte
	for _, s := range list {
		out = append(out, []byte(s))
	}
	return out
}

func TestScore(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	long := string(random(r, 20000, "abcdefghijklmnopqrstuvwxyz \n"))
	other := string(random(r, 20000, "abcdefghijklmnopqrstuvwxyz \n"))
	zeros := func(n int) string { return strings.Repeat("\x00", n) }
	for _, tt := range []struct {
		name     string
		a, b     [][]byte
		from, to int
	}{
		{"the same", parts("x"), parts("x"), 100, 100},
		{"both empty", parts(""), parts(""), 100, 100},
		{"one empty", parts(""), parts("x"), 0, 0},
		{"one of five characters", parts("1.0.0"), parts("1.0.1"), 80, 80},
		{"rounded down", parts("abc"), parts("abd"), 66, 66},
		{"nothing in common", parts("abc"), parts("xyz"), 0, 0},
		{"the mean of the arguments", parts("1.0.0", "5"), parts("1.0.1", "6"), 40, 40},
		{"another number of arguments", parts("a"), parts("a", "b"), 0, 0},
		{"short and very long", parts("abc"), parts(long), 0, 0},
		{"long, a byte replaced", parts(long), parts(long[:9000] + "!" + long[9001:]), 90, 100},
		{"long, a piece inserted", parts(long), parts(long[:7000] + "inserted text" + long[7000:]), 90, 100},
		{"long, pieces swapped", parts(long), parts(long[10000:] + long[:10000]), Threshold, 99},
		{"long, nothing in common", parts(long), parts(other), 0, 30},
		{"zeros have no hash that tells", parts(zeros(5000)), parts(zeros(10000)), 50, 50},
		{"nor have other repeated bytes", parts(zeros(5000)), parts(strings.Repeat("a", 5000)), 0, 0},
		{"around the limit", parts(long[:4096]), parts(long[:4097]), 99, 99},
	} {
		for range 2 {
			if got := Score(tt.a, tt.b); got < tt.from || got > tt.to {
				t.Errorf("%s: %d, want %d to %d", tt.name, got, tt.from, tt.to)
			}
			tt.a, tt.b = tt.b, tt.a
		}
	}
}

func TestNearBuckets(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	long := random(r, 9000, "abcdefghijklmnopqrstuvwxyz \n")
	changed := bytes.Clone(long)
	copy(changed[4000:], "something else")
	var x Index
	for _, it := range []Item{
		{"a", []string{"f.go:1"}, parts("1.0.0-01")},
		{"b", []string{"f.go:2"}, parts("1.0.0-02")},
		{"c", []string{"f.go:1"}, parts("completely different")},
		{"d", nil, parts("1.0.0-0")},
		{"e", nil, parts("nothing")},
		{"l", nil, [][]byte{long}},
		{"m", nil, [][]byte{changed}},
		{"both", []string{"f.go:1"}, parts("1.0.0-07")},
	} {
		x.Put(it)
	}
	for _, tt := range []struct{ id, want string }{
		{"a", "[{both 87 true true} {c 0 false true} {b 87 true false} {d 87 true false}]"},
		{"c", "[{a 0 false true} {both 0 false true}]"},
		{"e", "[]"},
	} {
		if got := fmt.Sprint(x.Near(x.items[x.at[tt.id]].Item)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.id, got, tt.want)
		}
	}
	if got := x.Near(Item{ID: "new", Parts: [][]byte{long}}); len(got) != 2 || got[0] != (Link{"l", 100, true, false}) || got[1].ID != "m" {
		t.Errorf("long inputs: %v", got)
	}

	// An item that is put again has only its new input and place.
	x.Put(Item{"both", []string{"f.go:9"}, parts("nothing!")})
	x.Put(Item{"l", nil, parts("nothing at")})
	x.Put(Item{"m", nil, parts("short")})
	if got := fmt.Sprint(x.Near(Item{ID: "a", Places: []string{"f.go:1"}, Parts: parts("1.0.0-01")})); got != "[{c 0 false true} {b 87 true false} {d 87 true false}]" {
		t.Error(got)
	}
	if got := fmt.Sprint(x.Near(Item{ID: "e", Parts: parts("nothing")})); got != "[{both 87 true false} {l 70 true false}]" {
		t.Error(got)
	}
	if got := x.Near(Item{ID: "new", Parts: [][]byte{long}}); len(got) != 0 {
		t.Errorf("long inputs that are gone: %v", got)
	}
}

// TestBounded checks that a query computes a bounded number of distances and still finds the
// nearest items.
func TestBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	var x Index
	for i := range 10000 {
		x.Put(Item{ID: fmt.Sprintf("%05d", i), Places: []string{fmt.Sprint("f.go:", i%3), fmt.Sprint("all:", i%5)}, Parts: [][]byte{random(r, 5+r.IntN(40), "0123456789.-+ab")}})
	}
	for i := range 200 {
		it := x.items[i*50].Item
		e := newEntry(it)
		if n := len(x.candidates(&e)); n > maxCompared {
			t.Fatalf("%d inputs are compared", n)
		}
		twin := Item{ID: "twin", Parts: [][]byte{append(bytes.Clone(it.Parts[0]), 'x')}}
		links := x.Near(twin)
		if len(links) == 0 || links[0].ID != it.ID || len(links) > Most {
			t.Errorf("the twin of %s is near %v", it.ID, links)
		}
	}
}

func FuzzScore(f *testing.F) {
	f.Add([]byte("1.0.0"), []byte("1.0.1"))
	f.Add(bytes.Repeat([]byte("ab\x00"), 2000), bytes.Repeat([]byte("a\xffb"), 3000))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		one, two := Score([][]byte{a}, [][]byte{b}), Score([][]byte{b}, [][]byte{a})
		if one != two || one < 0 || one > 100 || bytes.Equal(a, b) && one != 100 {
			t.Errorf("%d and %d", one, two)
		}
		x, y := newEntry(Item{Parts: [][]byte{a}}), newEntry(Item{Parts: [][]byte{b}})
		if bound := x.bound(&y); bound < one && min(len(a), len(b)) <= hashFrom && bound != 0 {
			t.Errorf("the bound %d is less than %d", bound, one)
		}
	})
}

func BenchmarkNear(b *testing.B) {
	for _, size := range []int{10, 200, 4000, 20000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			r := rand.New(rand.NewPCG(5, 5))
			base := random(r, size, "0123456789.-+abcdefgh\n")
			var x Index
			for i := range 10000 {
				p := bytes.Clone(base)
				for range size / 5 {
					p[r.IntN(size)] = byte(r.IntN(256))
				}
				x.Put(Item{ID: fmt.Sprint(i), Parts: [][]byte{p}})
			}
			for i := 0; b.Loop(); i++ {
				x.Near(x.items[i%10000].Item)
			}
		})
	}
}
