package causes

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parallax/internal/input"
)

func flatOf(t *testing.T, shape input.Shape, values ...any) []byte {
	t.Helper()
	flat, err := shape.Pack(values...)
	if err != nil {
		t.Fatal(err)
	}
	return flat
}

func TestDeleted(t *testing.T) {
	text, three := input.Shape{input.Bytes}, input.Shape{input.String, input.Int16, input.Bytes}
	type values = []any
	raw := func(s string) values { return values{[]byte(s)} }
	all := func(s string, n int16, b string) values { return values{s, n, []byte(b)} }
	for _, test := range []struct {
		name           string
		shape          input.Shape
		flat, neighbor values
		taken          string
		ok             bool
	}{
		{"nothing", text, raw("12"), raw("12"), "", false},
		{"a byte", text, raw("1-2"), raw("12"), "-", true},
		{"the first", text, raw("-12"), raw("12"), "-", true},
		{"the last", text, raw("12-"), raw("12"), "-", true},
		{"one of equal ones", text, raw("1--2"), raw("1-2"), "-", true},
		{"several", text, raw("1abc2"), raw("12"), "abc", true},
		{"all", text, raw("12"), raw(""), "12", true},
		{"a byte for another", text, raw("1-2"), raw("1+2"), "-", true},
		{"a byte for several", text, raw("1-2"), raw("1xyz2"), "-", true},
		{"two places, with what is between them", text, raw("a1b"), raw("c1d"), "a1b", true},
		{"a byte more", text, raw("12"), raw("1-2"), "", true},
		{"a byte more, like the one beside it", text, raw("12"), raw("112"), "", true},
		{"of an empty one", text, raw(""), raw("1"), "", true},

		{"of the first argument", three, all("1-2", 3, "x"), all("12", 3, "x"), "-", true},
		{"of the last one", three, all("1-2", 3, "x+y"), all("1-2", 3, "xy"), "+", true},
		{"of a number", three, all("1", 0x3132, "x"), all("1", 0x3133, "x"), "2", true},
		{"nothing of three", three, all("1", 2, "x"), all("1", 2, "x"), "", false},
		{"of two arguments", three, all("1-", 2, "x"), all("1", 3, "x"), "", false},
		{"of the first and the last one", three, all("1-", 2, "x+"), all("1", 2, "x"), "", false},
		{"of all", three, all("1", 2, "x"), all("", 0, ""), "", false},
		{"a byte more in one of them", three, all("1", 2, "x"), all("10", 2, "x"), "", true},
		{"what moves from one to the other", three, all("ab", 2, "c"), all("a", 2, "bc"), "", false},
	} {
		r := Deletions{shape: test.shape, flat: flatOf(t, test.shape, test.flat...)}
		taken, ok := r.deleted(flatOf(t, test.shape, test.neighbor...))
		if taken != test.taken || ok != test.ok {
			t.Errorf("%s: %q, %v, want %q, %v", test.name, taken, ok, test.taken, test.ok)
		}
	}
}

// TestDeletedIsThere checks that deleted bytes are in the argument, and that replacing them gives
// the neighbor.
func TestDeletedIsThere(t *testing.T) {
	shape := input.Shape{input.String, input.Int8, input.Bytes}
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 4))
		word := func() string {
			var b strings.Builder
			for range random.IntN(6) {
				b.WriteByte("ab-"[random.IntN(3)])
			}
			return b.String()
		}
		from, to, number, rest := word(), word(), int8(random.IntN(9)), word()
		r := Deletions{shape: shape, flat: flatOf(t, shape, from, number, []byte(rest))}
		taken, ok := r.deleted(flatOf(t, shape, to, number, []byte(rest)))
		found := false
		for at := range len(from) + 1 {
			if strings.HasPrefix(from[at:], taken) {
				before, after := from[:at], from[at+len(taken):]
				found = found || strings.HasPrefix(to, before) && strings.HasSuffix(to[len(before):], after)
			}
		}
		if ok != (from != to) || ok && !found || !ok && taken != "" {
			t.Errorf("%q to %q: %q, %v", from, to, taken, ok)
		}
	}
}

// TestDeletions checks that the kinds of bytes that accepted neighbors lack are listed once, in
// order.
func TestDeletions(t *testing.T) {
	shape := input.Shape{input.String, input.Bool, input.Bytes}
	r := Deletions{shape: shape, flat: flatOf(t, shape, "1.2-é", false, []byte("\x01ab")), kinds: map[string]bool{}, bytes: map[string]bool{}}
	if got := r.Kinds(); len(got) > 0 {
		t.Errorf("kinds %q of no neighbor", got)
	}
	for _, neighbor := range [][]any{
		{"1.2-é", false, []byte("ab")},       // ^
		{"12-é", false, []byte("\x01ab")},    // .
		{"1.3-é", false, []byte("\x01ab")},   // 9
		{"1.-é", false, []byte("\x01ab")},    // 9
		{"1.2", false, []byte("\x01ab")},     // -u
		{"1.2-é", false, []byte("\x01a")},    // a
		{"1.2-é", false, []byte("\x01xy")},   // a
		{"1.2-é", false, []byte("\x01abc")},  // nothing is taken
		{"1.2-é", false, []byte("\x01ab")},   // nor here
		{"12-é", true, []byte("\x01ab")},     // two arguments
		{"1.2-é", false, []byte("\x01ab-+")}, // an insertion
	} {
		r.Add(flatOf(t, shape, neighbor...))
	}
	if want := []string{"-u", ".", "9", "^", "a"}; !slices.Equal(r.Kinds(), want) {
		t.Errorf("kinds %q, want %q", r.Kinds(), want)
	}
}

// TestAlien checks which bytes are causes by themselves.
func TestAlien(t *testing.T) {
	shape := input.Shape{input.String}
	for _, test := range []struct {
		flat      string
		neighbors []string
		want      string
	}{
		{"1\f0", []string{"10", "1 0", ""}, "^"},
		{"1\xa00", []string{"10"}, "u"},
		{"1\x000", []string{"10"}, "\x00"},
		{"1,0", []string{"10"}, ""},
		{"1\n0", []string{"10"}, ""},
		{"1\f0", []string{"10", "1\f"}, ""},
		{"(1\f", []string{"(1", "\f"}, ""},
		{"1\f0", nil, ""},
	} {
		d := NewDeletions(shape, flatOf(t, shape, test.flat))
		for _, n := range test.neighbors {
			d.Add(flatOf(t, shape, n))
		}
		if got := d.Alien(); got != test.want {
			t.Errorf("%q: %q, want %q", test.flat, got, test.want)
		}
	}
}
