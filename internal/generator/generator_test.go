package generator

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"parallax/gen"
	"parallax/internal/input"
	"parallax/internal/tape"
)

type node struct {
	Value int
	Left  *node
}

func tree(t *gen.T) *node {
	n := &node{Value: t.IntRange("value", 0, 9)}
	if t.Flip("left") {
		n.Left = tree(t)
	}
	return n
}

// seeded returns an encoded tape that holds only a seed.
func seeded(seed uint64) []byte {
	t := &tape.Tape{}
	t.Reset()
	t.Rest = seed
	return t.Append(nil)
}

// TestForms checks that drawn values become the input for every form of generator, flat or as
// values.
func TestForms(t *testing.T) {
	words := gen.StringMatching(`[a-c]{2}`)
	pair := func(t *gen.T) (string, int) { return words.Draw(t, "word"), t.IntRange("n", 3, 5) }
	for name, generator := range map[string]any{
		"a function":               func(t *gen.T) string { return words.Draw(t, "word") },
		"a generator":              words,
		"a function that makes it": func() gen.Gen[string] { return words },
		"several values":           pair,
	} {
		g, err := New(name, generator)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		shape := input.Shape{input.Bytes, input.Int}[:len(g.Types())]
		if !g.Flat(shape) {
			t.Errorf("%s draws %v, and makes no %v", name, g.Types(), shape)
			continue
		}
		flat, end, text := g.Make(seeded(7))
		args, err := shape.Unpack(flat)
		if end != "" || err != nil {
			t.Errorf("%s: %s %s, %v", name, end, text, err)
			continue
		}
		if word := string(args[0].([]byte)); len(word) != 2 || strings.Trim(word, "abc") != "" {
			t.Errorf("%s makes %q", name, word)
		}
		if len(args) > 1 && (args[1].(int) < 3 || args[1].(int) > 5) {
			t.Errorf("%s makes %v", name, args[1])
		}
		drawn := g.AppendDrawn(nil)
		first := string(flat)
		if flat, _, _ = g.Make(drawn); string(flat) != first {
			t.Errorf("%s: what was drawn makes %q, and not %q", name, flat, first)
		}
		if why := g.Check(); why != "" {
			t.Errorf("%s: %s", name, why)
		}
	}
}

// TestRedraw checks that a program may modify a value. The next program gets an equal, new value.
func TestRedraw(t *testing.T) {
	g, err := New("tree", tree)
	if err != nil {
		t.Fatal(err)
	}
	if g.Flat(input.Shape{input.Bytes}) {
		t.Error("a *node is no input")
	}
	g.Detail(true)
	if _, end, text := g.Make([]byte{5, 1, 3, 0}); end != "" {
		t.Fatal(end, text)
	}
	first := As[*node](g, 0)
	shown := g.Text()
	if !strings.HasPrefix(shown, "input = ") || !strings.Contains(shown, "Value:5") {
		t.Errorf("shown as %s", shown)
	}
	first.Value, first.Left = 8, nil
	if !g.Redraw() || As[*node](g, 0) == first || g.Text() != shown {
		t.Errorf("the next program is given %s, and not %s", g.Text(), shown)
	}
}

type interfaced interface{ F() }

func TestMistakes(t *testing.T) {
	var none func(*gen.T) string
	for name, generator := range map[string]any{
		"nil":                 nil,
		"a nil function":      none,
		"no generator":        3,
		"no parameter":        func() string { return "" },
		"another parameter":   func(*testing.T) string { return "" },
		"no result":           func(*gen.T) {},
		"two parameters":      func(*gen.T, int) string { return "" },
		"an empty interface":  any(nil),
		"a named interface":   interfaced(nil),
		"a struct without it": struct{}{},
	} {
		if _, err := New(name, generator); err == nil || !strings.Contains(err.Error(), "a generator is a func(t *gen.T)") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFault distinguishes a generator that does not end from one that draws without bound.
func TestFault(t *testing.T) {
	g, err := New("it", func(t *gen.T) int { return t.IntRange("n", 0, 9) })
	if err != nil {
		t.Fatal(err)
	}
	for end, want := range map[string]string{
		"timeout": "the generator it does not end: it is at a.go:3: a loop",
		"endless": "the generator it draws without bound (: it is at a.go:3)", "panic": "the generator it panics (",
	} {
		if got := g.Fault(end, ": it is at a.go:3"); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", end, got)
		}
	}
}

// TestFaults checks the messages about a generator's errors. Occasional errors are no reason to
// reject it.
func TestFaults(t *testing.T) {
	n := 0
	for _, test := range []struct {
		name      string
		generator any
		want      string
	}{
		{"panics", func(t *gen.T) int { t.IntRange("n", 0, 9); panic("oops") }, "the generator it panics (oops, at generator/generator_test.go:"},
		{"fails", func(t *gen.T) int { t.Fatalf("no %d", t.IntRange("n", 4, 4)); return 0 }, "fails (generator_test.go:"},
		{"endless", func(t *gen.T) int {
			for i := 0; ; i++ {
				t.IntRange("n", 0, 9)
			}
		}, "draws without bound"},
		{"deep", func(t *gen.T) int {
			var f func() int
			f = func() int {
				return gen.Custom(func(t *gen.T) int { return f() + t.IntRange("n", 0, 9) }).Draw(t, "deeper")
			}
			return f()
		}, "draws without bound"},
		{"nothing", func(*gen.T) int { return 3 }, "the generator it draws nothing"},
		{"chance", func(t *gen.T) int { return t.IntRange("n", 0, 9) + rand.Intn(1000000) }, "the generator it is not deterministic"},
		{"memory", func(t *gen.T) int { n++; return t.IntRange(fmt.Sprint(n), 0, 9) }, "the generator it is not deterministic"},
		{"now and then", func(t *gen.T) int {
			if t.Flip("bad") {
				panic("oops")
			}
			return t.IntRange("n", 0, 9)
		}, ""},
		{"invalid now and then", func(t *gen.T) int {
			t.Assume(t.Flip("good"))
			return t.IntRange("n", 0, 9)
		}, ""},
		{"with a cleanup", func(t *gen.T) int {
			t.Helper()
			t.Cleanup(func() { n = 0 })
			return t.IntRange("n", 0, 9)
		}, ""},
	} {
		g, err := New("it", test.generator)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := g.Check(); test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	// A panic while the generator is made is reported as unusable.
	g := Open("it", func() any { panic("a tag") }, nil)
	if got := g.Check(); !strings.Contains(got, "the generator it cannot be used: a tag") {
		t.Error(got)
	}
	g = Open("it", func() any { return func(t *gen.T) int { return t.IntRange("n", 0, 9) } }, input.Shape{input.Bytes})
	if got := g.Check(); !strings.Contains(got, "the generator it draws [int], and the programs take ([]byte)") {
		t.Error(got)
	}
}
