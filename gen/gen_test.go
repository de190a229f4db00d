package gen

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"sort"
	"strings"
	"testing"
	"unicode/utf8"

	"parallax/internal/tape"
)

// draws calls use with a generator's values for n seeds. It checks that a value's tape draws the
// same value again, and that the simplest tape draws a value.
func draws[V any](t *testing.T, g Gen[V], n int, use func(V)) {
	t.Helper()
	src := &tape.Source{}
	tt := &T{TB: t, src: src}
	for seed := range n {
		src.Random(uint64(seed))
		v := g.Draw(tt, "v")
		first := src.Tape().Clone()
		use(v)
		src.Replay(first, 99)
		if again := g.Draw(tt, "v"); render(v) != render(again) || src.Fresh != 0 || !src.Tape().Equal(first) {
			t.Fatalf("%v draws %v of the same tape, %d choices fresh", v, again, src.Fresh)
		}
	}
	src.Simplest(&tape.Tape{})
	use(g.Draw(tt, "v"))
}

// share counts the values for which holds returns true.
func share[V any](t *testing.T, g Gen[V], n int, holds func(V) bool) (count int) {
	t.Helper()
	draws(t, g, n, func(v V) {
		if holds(v) {
			count++
		}
	})
	return count
}

func TestOutwardOrder(t *testing.T) {
	ranges := [][2]int64{{0, 5}, {-5, 5}, {-2, 7}, {-7, 2}, {3, 9}, {-9, -3}, {0, 0}, {math.MinInt64, math.MaxInt64}, {math.MinInt64, 1}, {-1, math.MaxInt64}, {math.MinInt64, -5}, {math.MinInt8, math.MaxInt8}}
	for _, r := range ranges {
		min, max := r[0], r[1]
		bound := uint64(max) - uint64(min)
		last := int64(0)
		for v := uint64(0); v <= bound && v < 300; v++ {
			n := inward(v, min, max)
			if n < min || n > max || outward(n, min, max) != v {
				t.Fatalf("[%d, %d]: place %d is %d, whose place is %d", min, max, v, n, outward(n, min, max))
			}
			if v > 0 && abs(n) < abs(last) {
				t.Fatalf("[%d, %d]: %d comes before %d", min, max, last, n)
			}
			last = n
		}
		for _, v := range []uint64{bound, bound - 1, bound / 2, bound/2 + 1} {
			if v <= bound && outward(inward(v, min, max), min, max) != v {
				t.Errorf("[%d, %d]: place %d is %d, whose place is %d", min, max, v, inward(v, min, max), outward(inward(v, min, max), min, max))
			}
		}
	}
}

func abs(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

func TestIntegers(t *testing.T) {
	draws(t, Int[int8](), 3000, func(int8) {})
	for name, count := range map[string]int{
		"0 of int64":        share(t, Int[int64](), 5000, func(n int64) bool { return n == 0 }),
		"least of int64":    share(t, Int[int64](), 5000, func(n int64) bool { return n == math.MinInt64 }),
		"largest of uint64": share(t, Int[uint64](), 5000, func(n uint64) bool { return n == math.MaxUint64 }),
		"small of int":      share(t, Int[int](), 1000, func(n int) bool { return n >= -100 && n <= 100 && n != 0 }),
		"large of int":      share(t, Int[int](), 1000, func(n int) bool { return n > math.MaxInt/4 || n < math.MinInt/4 }),
		"200 of uint8":      share(t, Int[uint8](), 5000, func(n uint8) bool { return n == 200 }),
		"7 of [5, 9]":       share(t, IntRange(5, 9), 100, func(n int) bool { return n == 7 }),
	} {
		if count == 0 {
			t.Errorf("%s: none", name)
		}
	}
	draws(t, IntRange[int16](-3, 20), 2000, func(n int16) {
		if n < -3 || n > 20 {
			t.Fatal(n)
		}
	})
	draws(t, IntRange[uint64](math.MaxUint64-3, math.MaxUint64), 200, func(n uint64) {
		if n < math.MaxUint64-3 {
			t.Fatal(n)
		}
	})
	if n := share(t, Bool(), 100, func(b bool) bool { return b }); n < 20 || n > 80 {
		t.Errorf("%d of 100 are true", n)
	}
}

func TestFloats(t *testing.T) {
	for v := uint64(0); v <= floats; v += floats/1000 + 1 {
		floatOf(v)
	}
	if f := floatOf(floats); !math.IsNaN(f) {
		t.Errorf("the last float is %v", f)
	}
	seen := map[string]int{}
	draws(t, Float[float64](), 20000, func(f float64) {
		switch {
		case math.IsNaN(f):
			seen["NaN"]++
		case math.IsInf(f, 0):
			seen["Inf"]++
		case f == 0 && math.Signbit(f):
			seen["-0"]++
		case f == math.Trunc(f):
			seen["whole"]++
		case math.Abs(f) < 1:
			seen["below 1"]++
		default:
			seen["above 1"]++
		}
	})
	for _, name := range []string{"NaN", "Inf", "-0", "whole", "below 1", "above 1"} {
		if seen[name] == 0 {
			t.Errorf("no %s in %v", name, seen)
		}
	}
	for _, r := range [][2]float64{{0, 1}, {-5, 5}, {-math.MaxFloat64, math.MaxFloat64}, {3, 3}} {
		draws(t, FloatRange(r[0], r[1]), 500, func(f float64) {
			if !(f >= r[0] && f <= r[1]) {
				t.Fatalf("%v of %v", f, r)
			}
		})
	}
}

func TestRunes(t *testing.T) {
	for v := uint64(0); v <= tape.Runes; v++ {
		if r := tape.RuneAt(v); !utf8.ValidRune(r) || tape.RunePlace(r) != v {
			t.Fatalf("place %d is %U, whose place is %d", v, r, tape.RunePlace(r))
		}
	}
	if tape.RuneAt(0) != 'a' || tape.RuneAt(tape.Runes) != utf8.MaxRune {
		t.Error("the order of runes")
	}
	draws(t, String(), 2000, func(s string) {
		if !utf8.ValidString(s) {
			t.Fatalf("%q", s)
		}
	})
	if n := share(t, String(), 1000, func(s string) bool { return strings.ContainsAny(s, "\x00\n\u202e\U0001f600") }); n == 0 {
		t.Error("no special runes")
	}
	if n := share(t, Bytes(), 1000, func(b []byte) bool { return len(b) == 0 }); n == 0 || n > 500 {
		t.Errorf("%d of 1000 are empty", n)
	}
	draws(t, StringN(Rune(), 2, 3), 100, func(s string) {
		if n := utf8.RuneCountInString(s); n < 2 || n > 3 {
			t.Fatalf("%q", s)
		}
	})
}

func TestStringMatching(t *testing.T) {
	for _, expr := range []string{
		`[a-z]+`, `\d{4}-\d\d-\d\d`, `(?i)select|insert (into)?`, `a*b+c?`, `(a|bc|[^d-z\n]){2,5}`, `^\w+@\w+\.com$`, `.*`, `(?s).{3}`, `\x{1F600}|é`, `a{0}`, `\bword\b`, `[[:upper:]]{1,}`, ``, `[^\x00-\x{10FFF0}]`,
	} {
		whole := regexp.MustCompile(`^(?:` + expr + `)$`)
		distinct := map[string]bool{}
		draws(t, StringMatching(expr), 300, func(s string) {
			distinct[s] = true
			if !whole.MatchString(s) {
				t.Fatalf("%q does not match %s", s, expr)
			}
		})
		if len(distinct) < 2 && expr != `a{0}` && expr != `` && expr != `\bword\b` {
			t.Errorf("%s: only %v", expr, distinct)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a broken expression is taken")
		}
	}()
	StringMatching(`(`)
}

type tree struct {
	left, right *tree
	n           int
}

func (t *tree) depth() int {
	if t == nil {
		return 0
	}
	return 1 + max(t.left.depth(), t.right.depth())
}

func (t *tree) String() string {
	if t == nil {
		return "."
	}
	return fmt.Sprintf("(%v %d %v)", t.left, t.n, t.right)
}

var trees = Recursive(Just[*tree](nil), func(self Gen[*tree]) Gen[*tree] {
	return Custom(func(t *T) *tree {
		return &tree{left: self.Draw(t, "left"), n: IntRange(0, 9).Draw(t, "n"), right: self.Draw(t, "right")}
	})
})

func TestCollections(t *testing.T) {
	draws(t, SliceOfN(Int[int](), 2, 4), 200, func(l []int) {
		if len(l) < 2 || len(l) > 4 {
			t.Fatal(l)
		}
	})
	sizes := 0
	draws(t, SliceOf(Bool()), 1000, func(l []bool) { sizes += len(l) })
	if sizes < 4000 || sizes > 9000 {
		t.Errorf("%d elements in 1000 slices", sizes)
	}
	draws(t, MapOfN(IntRange(0, 5), String(), 3, 5), 200, func(m map[int]string) {
		if len(m) < 3 || len(m) > 5 {
			t.Fatal(m)
		}
	})
	seen := map[string]int{}
	draws(t, OneOf(Just("a"), SampledFrom([]string{"b", "c"}), Map(IntRange(1, 3), func(n int) string { return fmt.Sprint(n) })), 200, func(s string) { seen[s]++ })
	if len(seen) != 6 {
		t.Errorf("%v", seen)
	}
	draws(t, Permutation([]int{1, 2, 3, 4}), 100, func(l []int) {
		l = append([]int(nil), l...)
		sort.Ints(l)
		if fmt.Sprint(l) != "[1 2 3 4]" {
			t.Fatal(l)
		}
	})
	draws(t, Int[int]().Filter(func(n int) bool { return n%2 == 1 || n == 0 }), 500, func(n int) {
		if n%2 == -1 || n%2 == 0 && n != 0 {
			t.Fatal(n)
		}
	})
	src := &tape.Source{}
	tt := &T{TB: t, src: src}
	nils := 0
	for seed := range 100 {
		src.Random(uint64(seed))
		if Optional(Bool()).Draw(tt, "p") == nil {
			nils++
		}
	}
	if nils < 20 || nils > 80 {
		t.Errorf("%d of 100 are nil", nils)
	}
	deepest := 0
	draws(t, trees, 1000, func(t *tree) { deepest = max(deepest, t.depth()) })
	if deepest < 5 || deepest > depth+1 {
		t.Errorf("trees are %d deep", deepest)
	}
}

// TestChannels checks that combinators set the channel of a choice, and that overrides change it.
func TestChannels(t *testing.T) {
	src := &tape.Source{}
	tt := &T{TB: t, src: src}
	for name, test := range map[string]struct {
		draw              func()
		structural, value int
	}{
		"int":                    {func() { Int[int]().Draw(tt, "x") }, 0, 1},
		"structural int":         {func() { Int[int]().Structural().Draw(tt, "x") }, 1, 0},
		"one of":                 {func() { OneOf(Bool(), Bool()).Draw(tt, "x") }, 1, 1},
		"value one of":           {func() { OneOf(Bool(), Bool()).Value().Draw(tt, "x") }, 0, 2},
		"slice":                  {func() { SliceOfN(Bool(), 2, 2).Draw(tt, "x") }, 1, 2},
		"slice of structural":    {func() { SliceOfN(Bool().Structural(), 2, 2).Draw(tt, "x") }, 3, 0},
		"sample":                 {func() { SampledFrom([]int{1, 2}).Draw(tt, "x") }, 0, 1},
		"choose":                 {func() { tt.Choose("x", 4); tt.IntRange("y", 1, 3) }, 1, 1},
		"value around structure": {func() { SliceOfN(Bool().Structural(), 2, 2).Value().Draw(tt, "x") }, 2, 1},
	} {
		src.Random(1)
		test.draw()
		tp := src.Tape()
		if s, v := tp.Count(tape.Structural), tp.Count(tape.Value); s != test.structural || v != test.value {
			t.Errorf("%s: %d structural choices and %d values", name, s, v)
		}
	}
}

// fake replaces the enclosing test of a Check.
type fake struct {
	testing.TB
	name  string
	fatal string
	log   string
}

type stopped struct{}

func (f *fake) Name() string      { return f.name }
func (f *fake) Helper()           {}
func (f *fake) Fatal(args ...any) { f.fatal += fmt.Sprint(args...); panic(stopped{}) }
func (f *fake) Fatalf(format string, args ...any) {
	f.fatal += fmt.Sprintf(format, args...)
	panic(stopped{})
}
func (f *fake) Error(args ...any)                 { f.fatal += fmt.Sprint(args...) + "\n" }
func (f *fake) Errorf(format string, args ...any) { f.fatal += fmt.Sprintf(format, args...) + "\n" }
func (f *fake) Logf(format string, args ...any)   { f.log += fmt.Sprintf(format, args...) + "\n" }

// checked runs Check in a folder of its own.
func checked(t *testing.T, dir, name string, property func(*T)) *fake {
	t.Helper()
	return seededCheck(t, dir, name, 7, property)
}

func seededCheck(t *testing.T, dir, name string, seed uint64, property func(*T)) *fake {
	t.Helper()
	back, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chdir(dir); err != nil {
		t.Fatal(err)
	}
	defer os.Chdir(back)
	if err := flag.Set("gen.checks", "100"); err != nil { // also with -short
		t.Fatal(err)
	}
	before := *seeded
	*seeded = seed
	defer func() { *seeded = before }()
	f := &fake{TB: t, name: name}
	func() {
		defer func() {
			if r := recover(); r != nil && r != (stopped{}) {
				panic(r)
			}
		}()
		Check(f, property)
	}()
	return f
}

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	runs := 0
	if f := checked(t, dir, "TestFine", func(t *T) { runs++; Int[int]().Draw(t, "n") }); f.fatal != "" || runs < 100 {
		t.Errorf("%d runs: %s", runs, f.fatal)
	}
	property := func(t *T) {
		list := SliceOf(IntRange(0, 1000)).Draw(t, "list")
		name := String().Draw(t, "name")
		t.Logf("list has %d elements", len(list))
		for _, n := range list {
			if n >= 100 {
				t.Errorf("%d is too much, %s", n, name)
			}
		}
	}
	f := checked(t, dir, "TestBad/a b", property)
	for _, want := range []string{"list = []int{100}", `name = ""`, "gen_test.go:", "list has 1 elements", "100 is too much", "testdata/gen/TestBad/a_b/", "tried first"} {
		if !strings.Contains(f.fatal, want) {
			t.Errorf("%s is missing in\n%s", want, f.fatal)
		}
	}
	runs = 0
	f = checked(t, dir, "TestBad/a b", func(t *T) { runs++; property(t) })
	if !strings.Contains(f.fatal, "failed on testdata/gen/TestBad/a_b/") || strings.Contains(f.fatal, "Saved as") {
		t.Errorf("the second time: %s", f.fatal)
	}
	// After a fix of the property, the saved tape passes and the log says so. After a change of a
	// label, its values are drawn at random.
	if f = checked(t, dir, "TestBad/a b", func(t *T) { SliceOf(IntRange(0, 1000)).Draw(t, "list") }); f.fatal != "" || !strings.Contains(f.log, ".tape does not fail any more") {
		t.Error(f.fatal, f.log)
	}
	f = checked(t, dir, "TestBad/a b", func(t *T) { IntRange(0, 1000).Draw(t, "other") })
	if f.fatal != "" || !strings.Contains(f.log, ".tape does not fail any more, and the property now draws otherwise from choice 1 of ") {
		t.Error(f.fatal, f.log)
	}
	f = checked(t, dir, "TestPanic", func(t *T) {
		if l := SliceOf(Bool()).Draw(t, "l"); len(l) > 2 {
			_ = l[len(l)]
		}
	})
	for _, want := range []string{"l = []bool{false, false, false}", "panic: runtime error: index out of range [3] with length 3", "gen_test.go:"} {
		if !strings.Contains(f.fatal, want) {
			t.Errorf("%s is missing in\n%s", want, f.fatal)
		}
	}
	if strings.Contains(f.fatal, "checker") {
		t.Errorf("the stack is not cut:\n%s", f.fatal)
	}
}

// TestSaveDisabled checks that a failing input is not saved with -gen.nosave, under parallax, and
// in a read-only testdata. All else is the same.
func TestSaveDisabled(t *testing.T) {
	dir := t.TempDir()
	fails := func(t *T) {
		if IntRange(0, 1000).Draw(t, "n") >= 10 {
			t.Fatalf("too much")
		}
	}
	for want, set := range map[string]func() (back func()){
		"not saved (-gen.nosave). The seed is 7": func() func() {
			*noSave = true
			return func() { *noSave = false }
		},
		"not saved (parallax writes testdata by export only). The seed is 7": func() func() {
			Driver = func(*testing.F, *Harness) {}
			return func() { Driver = nil }
		},
		// root ignores permissions, so that a file takes the folder's place
		"could not be saved: ": func() func() {
			if err := os.WriteFile(dir+"/testdata", nil, 0o666); err != nil {
				t.Fatal(err)
			}
			return func() { os.Remove(dir + "/testdata") }
		},
	} {
		back := set()
		f := checked(t, dir, "TestNotSaved", fails)
		back()
		if !strings.Contains(f.fatal, want) || !strings.Contains(f.fatal, "n = 10\n") {
			t.Errorf("%q is missing in\n%s", want, f.fatal)
		}
		if _, err := os.Stat(dir + "/testdata"); !os.IsNotExist(err) {
			t.Errorf("%s: testdata is there: %v", want, err)
		}
	}
	if f := checked(t, dir, "TestNotSaved", fails); !strings.Contains(f.fatal, "Saved as") {
		t.Errorf("%s", f.fatal)
	}
}

// TestCheckFaults checks that mistakes of a generator are reported as such, not as failures of the
// property.
func TestCheckFaults(t *testing.T) {
	dir := t.TempDir()
	errSyntax, errOther := errors.New("syntax"), errors.New("other")
	calls := 0
	var endless func(t *T) int
	endless = func(t *T) int { return 1 + Custom(endless).Draw(t, "more") }
	for _, test := range []struct {
		name     string
		property func(*T)
		want     string
	}{
		{"invalid", func(t *T) { t.Assume(Int[int]().Draw(t, "n") == 12345678) }, "inputs are invalid"},
		{"nothing", func(t *T) {}, "draws nothing"},
		{"panics", func(t *T) {
			Custom(func(t *T) int {
				if Bool().Draw(t, "b") {
					panic("broken")
				}
				return 0
			}).Draw(t, "n")
		}, "panic: broken, in a generator"},
		{"endless", func(t *T) { Custom(endless).Draw(t, "x") }, "draws without bound"},
		{"unsteady", func(t *T) {
			calls++
			if calls > 1 && Int[int]().Draw(t, "n") > -1 || calls == 1 {
				t.Fatalf("failed")
			}
		}, "did not show again"},
		{"kinds", func(t *T) {
			if Bool().Draw(t, "b") {
				t.Valid(fmt.Errorf("at 3: %w", errSyntax), errSyntax)
			}
			t.Valid(errOther, errSyntax)
		}, "other"},
		{"valid", func(t *T) {
			Bool().Draw(t, "b")
			t.Valid(nil)
		}, ""},
		{"no number", func(t *T) { t.IntRange("index", 0, -1) }, `"index" is to be from 0 to -1`},
		{"filter", func(t *T) { Int[int]().Filter(func(int) bool { return false }).Draw(t, "n") }, "no value of int passed a filter"},
	} {
		if f := checked(t, dir, test.name, test.property); (f.fatal == "") != (test.want == "") || !strings.Contains(f.fatal, test.want) {
			t.Errorf("%s: %q", test.name, f.fatal)
		}
	}
	n := 0
	if f := checked(t, dir, "nondeterministic", func(t *T) {
		n++
		SliceOfN(Bool(), n, n+1).Draw(t, "l")
	}); !strings.Contains(f.fatal, "not deterministic") || !strings.Contains(f.fatal, `"l"`) {
		t.Errorf("%q, %q", f.log, f.fatal)
	}
	stamped := Map(Bool(), func(bool) string { n++; return fmt.Sprintf("stamp %d", n) })
	if f := checked(t, dir, "values", func(t *T) {
		Bool().Draw(t, "b")
		stamped.Draw(t, "s")
	}); !strings.Contains(f.fatal, "it draws another value") || !strings.Contains(f.fatal, `s = "stamp `) {
		t.Errorf("%q, %q", f.log, f.fatal)
	}
	if f := checked(t, dir, "addresses", func(t *T) { // addresses differ, but the draws do not
		Map(Bool(), func(bool) map[*int]func() { return map[*int]func(){new(int): func() {}} }).Draw(t, "m")
		Map(Bool(), func(bool) map[string]chan int { return map[string]chan int{"a": make(chan int), "b": nil} }).Draw(t, "c")
	}); f.fatal != "" {
		t.Errorf("%q", f.fatal)
	}
	if err := os.MkdirAll(dir+"/testdata/gen/corrupt", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/testdata/gen/corrupt/x.tape", []byte("no tape"), 0o666); err != nil {
		t.Fatal(err)
	}
	if f := checked(t, dir, "corrupt", func(t *T) { Bool().Draw(t, "b") }); !strings.Contains(f.fatal, "x.tape: ") {
		t.Errorf("%q", f.fatal)
	}
}

// TestCheckLines checks that the lines of a value are distinct from the next value.
func TestCheckLines(t *testing.T) {
	f := checked(t, t.TempDir(), "lines", func(t *T) {
		Just("a\n\"b\"").Draw(t, "text")
		Just(3).Draw(t, "n")
		t.Fatal("failed")
	})
	if !strings.Contains(f.fatal, "\n    text = `a\n        \"b\"`\n    n = 3\n") {
		t.Errorf("%s", f.fatal)
	}
}

func TestCleanup(t *testing.T) {
	var order []string
	f := checked(t, t.TempDir(), "cleanup", func(t *T) {
		order = order[:0]
		Bool().Draw(t, "b")
		t.Cleanup(func() { order = append(order, "first") })
		t.Cleanup(func() { order = append(order, "second") })
		order = append(order, "run")
	})
	if f.fatal != "" || strings.Join(order, " ") != "run second first" {
		t.Errorf("%v, %q", order, f.fatal)
	}
}

func FuzzList(f *testing.F) {
	Fuzz(f, func(t *T) {
		list := SliceOf(IntRange(0, 1000)).Draw(t, "list")
		sorted := append([]int(nil), list...)
		sort.Ints(sorted)
		t.Assume(len(list) < 1000)
		if !sort.IntsAreSorted(sorted) {
			t.Errorf("%v", sorted)
		}
	})
}

// TestFuzzBytes checks that all bytes of a fuzzing engine are an input: another tape, or
// consecutive choices.
func TestFuzzBytes(t *testing.T) {
	z := &fuzzer{property: func(t *T) {
		SliceOf(OneOf(Map(String(), func(s string) any { return s }), Map(Int[int](), func(n int) any { return n }))).Draw(t, "list")
	}}
	src := &tape.Source{}
	tapes := 0
	for seed := range 2000 {
		src.Random(uint64(seed))
		z.run(t, nil)
		data := z.drawn(nil)
		for range src.UpTo(4) {
			data[src.UpTo(uint64(len(data)-1))] = byte(src.Uint64())
		}
		if seed%3 == 0 {
			data = data[:src.UpTo(uint64(len(data)))]
		}
		if seed%5 == 0 && len(data) > 3 {
			data = data[3:]
		}
		z.run(t, data)
		first := z.drawn(nil)
		z.run(t, data)
		if again := z.drawn(nil); string(first) != string(again) {
			t.Fatalf("%q is drawn in two ways", data)
		}
		if tape.IsTape(data) && new(tape.Tape).Decode(data) == nil {
			tapes++
		}
		z.run(t, first)
		if again := z.drawn(nil); string(first) != string(again) {
			t.Fatalf("what %q draws is not drawn again", data)
		}
	}
	if tapes == 0 || tapes == 2000 {
		t.Errorf("%d of 2000 are tapes", tapes)
	}
}

// TestRepeat finds a queue of at most three that loses the fourth push, with as few actions as
// possible.
func TestRepeat(t *testing.T) {
	property := func(t *T) {
		var queue, want []int
		t.Repeat(map[string]func(*T){
			"push": func(t *T) {
				n := IntRange(0, 100).Draw(t, "n")
				if want = append(want, n); len(queue) < 3 {
					queue = append(queue, n)
				}
			},
			"pop": func(t *T) {
				t.Assume(len(queue) > 0)
				queue, want = queue[1:], want[1:]
			},
			"": func(t *T) {
				if len(queue) != len(want) {
					t.Fatalf("%d of %d are left", len(queue), len(want))
				}
			},
		})
	}
	f := checked(t, t.TempDir(), "repeat", property)
	if want := strings.Repeat("    action = push\n    n = 0\n", 4); !strings.Contains(f.fatal, want) || !strings.Contains(f.fatal, "3 of 4 are left") || strings.Contains(f.fatal, "pop") {
		t.Errorf("%s", f.fatal)
	}
	f = checked(t, t.TempDir(), "panics", func(t *T) {
		t.Repeat(map[string]func(*T){"boom": func(t *T) {
			if Bool().Draw(t, "b") {
				panic("here")
			}
		}})
	})
	if !strings.Contains(f.fatal, "panic: here") || !strings.Contains(f.fatal, "gen.TestRepeat.func") {
		t.Errorf("%s", f.fatal)
	}
	distinct := SliceOfDistinct(IntRange(0, 9), func(n int) int { return n })
	draws(t, distinct, 200, func(l []int) {
		seen := map[int]bool{}
		for _, n := range l {
			if seen[n] {
				t.Fatal(l)
			}
			seen[n] = true
		}
	})
}

// TestSmallest checks that minimized failing inputs are small.
func TestSmallest(t *testing.T) {
	for _, test := range []struct {
		name     string
		property func(*T) bool // whether it fails
		want     []string      // one of these
	}{
		{"negative", func(t *T) bool { return Int[int]().Draw(t, "n") < 0 }, []string{"n = -1\n"}},
		{"odd", func(t *T) bool { n := Int[int64]().Draw(t, "n"); return n > 5 && n%2 == 1 }, []string{"n = 7\n"}},
		{"of a residue", func(t *T) bool { n := Int[uint64]().Draw(t, "n"); return n > 100 && n%7 == 3 }, []string{"n = 0x65\n"}},
		{"two that are ordered", func(t *T) bool { a, b := Int[int]().Draw(t, "n"), Int[int]().Draw(t, "b"); return a < b && b < 0 }, []string{"n = -2\n    b = -1\n"}},
		{"a float", func(t *T) bool { return Float[float64]().Draw(t, "n") < -0.5 }, []string{"n = -1\n"}},
		{"a sum", func(t *T) bool {
			sum := 0
			for range 3 {
				sum += IntRange(0, 1000).Draw(t, "n")
			}
			return sum > 1500
		}, []string{"n = 0\n    n = 501\n    n = 1000\n"}},
	} {
		failed := 0
		for seed := range 8 {
			f := seededCheck(t, t.TempDir(), test.name, uint64(seed+1), func(t *T) {
				if test.property(t) {
					t.Fatal("it fails")
				}
			})
			if f.fatal == "" {
				continue
			}
			failed++
			if !strings.Contains(f.fatal, test.want[0]) {
				t.Errorf("%s, seed %d: %s", test.name, seed, f.fatal)
			}
		}
		if failed == 0 {
			t.Errorf("%s: no seed shows it", test.name)
		}
	}
}

// TestIndependent checks that no input of Check draws the choices of another one, shifted by one. A
// source whose seeds are its own states would do so.
func TestIndependent(t *testing.T) {
	drawn := map[int]int{} // which choice of an input it was
	Check(t, func(t *T) {
		for i := 0; i < 8; i++ {
			n := t.Choose("n", 1<<40)
			if at, ok := drawn[n]; ok && at != i {
				t.Fatalf("choice %d is %d, and choice %d was before", i, n, at)
			}
			drawn[n] = i
		}
	})
}
