package gen

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"parallax/internal/tape"
)

type node struct {
	Name string
	next *node
	Any  any
	Each map[*int]bool
}

// TestLiteral checks that pointers are followed, and that a value which holds itself ends.
func TestLiteral(t *testing.T) {
	n := 7
	loop := &node{Name: "a"}
	loop.next = &node{Name: "b", next: loop}
	var list []any
	list = append(list, 1, nil)
	list[1] = list
	deep := &node{}
	for i := 0; i < 100; i++ {
		deep = &node{next: deep}
	}
	for want, v := range map[string]any{
		"&7":          &n,
		"(*int)(nil)": (*int)(nil),
		`&gen.node{Name:"a", next:&gen.node{Name:"b", next:(*gen.node)(itself), Any:interface {}(nil), Each:map[*int]bool(nil)}, Any:interface {}(nil), Each:map[*int]bool(nil)}`: loop,
		`[]interface {}{1, []interface {}(itself)}`:                                     list,
		`gen.node{Name:"", next:(*gen.node)(nil), Any:&7, Each:map[*int]bool{&7:true}}`: node{Any: &n, Each: map[*int]bool{&n: true}},
		`[]*int{&7, &7, (*int)(nil)}`:                                                   []*int{&n, &n, nil},
		`(func())(...)`:                                                                 func() {},
		`map[string]int{"a":1, "b":2}`:                                                  map[string]int{"b": 2, "a": 1},
		`map[int8]bool{-3:true, 2:true, 10:false}`:                                      map[int8]bool{10: false, 2: true, -3: true},
		`struct { B []uint8 }{B:[]uint8("x")}`:                                          struct{ B []byte }{[]byte("x")},
		`time.Date(2001, time.February, 3, 4, 5, 6, 0, time.UTC)`:                       time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC),
		`nil`: nil,
	} {
		for i := 0; i < 5; i++ {
			got, whole := literal(v, longest)
			if _, ok := v.(time.Time); ok {
				got, whole = literal([]time.Time{v.(time.Time)}, longest)
				want = "[]time.Time{" + want + "}"
			}
			if got != want || !whole {
				t.Errorf("%s, want %s", got, want)
			}
			if _, ok := v.(time.Time); ok {
				break
			}
		}
	}
	if text, _ := literal(deep, longest); !strings.Contains(text, "*gen.node(...)") {
		t.Errorf("%s", text)
	}
	if text := render(make([]bool, longest)); len(text) != longest+3 || !strings.HasSuffix(text, "...") {
		t.Errorf("%d bytes, %s", len(text), text[len(text)-10:])
	}
}

// FuzzLiteral checks that values without pointers are printed as by fmt.
func FuzzLiteral(f *testing.F) {
	type small struct {
		A int
		B []string
		C map[string]float64
		D [2]bool
		E uint16
		F any
		g complex64
	}
	Fuzz(f, func(t *T) {
		v := Custom(func(t *T) small {
			s := small{A: Int[int]().Draw(t, "a"), B: SliceOf(String()).Draw(t, "b"), C: MapOf(String(), Float[float64]()).Draw(t, "c"), E: Int[uint16]().Draw(t, "e"), g: 3i}
			s.D[1] = Bool().Draw(t, "d")
			s.F = OneOf(Map(Int[int8](), func(n int8) any { return n }), Just[any](nil), Just[any](small{})).Draw(t, "f")
			return s
		}).Draw(t, "v")
		if got, _ := literal(v, 1<<20); got != fmt.Sprintf("%#v", v) {
			t.Errorf("%s, want %#v", got, v)
		}
	})
}

// TestUnfinished checks that the inner draws of a generator that did not return are shown.
func TestUnfinished(t *testing.T) {
	pair := func(fail func(t *T)) Gen[int] {
		return Custom(func(t *T) int {
			n := IntRange(0, 9).Draw(t, "n")
			Custom(func(t *T) int {
				Custom(func(t *T) int { return IntRange(3, 9).Draw(t, "deep") }).Draw(t, "done")
				t.Choose("which", 3)
				fail(t)
				return 0
			}).Draw(t, "inner")
			return n
		})
	}
	for name, fail := range map[string]func(*T){"panic": func(*T) { panic("broken") }, "fatal": func(t *T) { t.Fatal("broken") }} {
		f := checked(t, t.TempDir(), name, func(t *T) {
			Bool().Draw(t, "first")
			pair(fail).Draw(t, "outer")
		})
		if want := "    first = false\n    outer > n = 0\n    outer > inner > done = 3\n    outer > inner > which = 0\n"; !strings.Contains(f.fatal, want) {
			t.Errorf("%s: want %s in\n%s", name, want, f.fatal)
		}
	}
	var s shown
	for i := 0; i < 1000; i++ {
		s.enter(1, fmt.Sprint(i))
		s.enter(1, "n")
		s.leave("n", i)
	}
	lines := s.all()
	if len(lines) > 2*openLevels+1 || lines[0] != "0 > n = 0" || lines[len(lines)-1] != "0 > 1 > 2 > 3 > ... (992 more) > 996 > 997 > 998 > 999 > n = 999" {
		t.Errorf("%q", lines)
	}
}

// TestSkipInGenerator checks that an action that skips within a generator leaves no state behind.
func TestSkipInGenerator(t *testing.T) {
	f := checked(t, t.TempDir(), "skips", func(t *T) {
		t.Repeat(map[string]func(*T){
			"skip": func(t *T) { Custom(func(t *T) int { t.Skip(); return 0 }).Draw(t, "s") },
			"fail": func(t *T) {
				if Bool().Draw(t, "b") {
					panic("here")
				}
			},
		})
	})
	if want := "    action = fail\n    b = true\npanic: here\n"; !strings.Contains(f.fatal, want) {
		t.Errorf("%s", f.fatal)
	}
}

// faulty enables tests that fail. TestFuzzFaults runs them in a process of their own.
const faulty = "PARALLAX_GEN_FAULTY"

func fuzzFaulty(f *testing.F, property func(*T)) {
	if os.Getenv(faulty) == "" {
		f.Skip("fails")
	}
	Fuzz(f, property)
}

func FuzzFaultyNothing(f *testing.F) { fuzzFaulty(f, func(*T) {}) }

func FuzzFaultyInvalid(f *testing.F) {
	fuzzFaulty(f, func(t *T) { t.Assume(Int[int]().Draw(t, "n") == 7777777) })
}

func FuzzFaultyEndless(f *testing.F) {
	var more Gen[int]
	more = Custom(func(t *T) int { return IntRange(1, 2).Draw(t, "n") + more.Draw(t, "more") })
	fuzzFaulty(f, func(t *T) { more.Draw(t, "x") })
}

func FuzzFaultyGenerator(f *testing.F) {
	fuzzFaulty(f, func(t *T) {
		Custom(func(t *T) int { panic(fmt.Sprint("broken by ", IntRange(5, 5).Draw(t, "n"))) }).Draw(t, "x")
	})
}

func FuzzFaultySeed(f *testing.F) {
	var src tape.Source
	src.Random(1)
	(&T{src: &src}).Count("n", 3)
	whole := src.Tape().Append(nil)
	f.Add(whole[:len(whole)-1])
	fuzzFaulty(f, func(t *T) { t.Fatal("it fails on ", Int[int]().Draw(t, "n")) })
}

// FuzzSeldomValid has few seeds, which are invalid by chance. That is not a fault.
func FuzzSeldomValid(f *testing.F) {
	Fuzz(f, func(t *T) { t.Assume(IntRange(0, 9).Draw(t, "n") == 7) })
}

// TestFuzzShowsDrawn checks that a failing mutant of go test -fuzz is shown as drawn values,
// although go test reruns it to minimize it.
func TestFuzzShowsDrawn(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^$", "-test.fuzz=^FuzzFaultyMutant$", "-test.fuzztime=1000x", "-test.parallel=1", "-test.fuzzcachedir="+t.TempDir())
	cmd.Env, cmd.Dir = append(os.Environ(), faulty+"=1"), t.TempDir()
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "too many") || !strings.Contains(string(out), "gen: drawn:\n") || !strings.Contains(string(out), "n = ") {
		t.Errorf("%v\n%s", err, out)
	}
	// The values are also shown without minimization, and for a saved input that fails.
	for _, more := range []string{"first", "saved"} {
		again := exec.Command(cmd.Path, append(cmd.Args[1:len(cmd.Args):len(cmd.Args)], "-test.fuzzminimizetime=0x")...)
		again.Env, again.Dir = cmd.Env, cmd.Dir
		if more == "first" {
			again.Dir = t.TempDir()
		}
		if out, err := again.CombinedOutput(); err == nil || strings.Count(string(out), "gen: drawn:\n") != 1 || !strings.Contains(string(out), "n = ") || strings.Count(string(out), "too many") != 1 {
			t.Errorf("%s: %v\n%s", more, err, out)
		}
	}
}

// TestShownDraws checks that only the first and the last of many draws are shown.
func TestShownDraws(t *testing.T) {
	var s shown
	for i := range 1000 {
		s.lines = append(s.lines, strconv.Itoa(i))
	}
	lines := s.all()
	if len(lines) != shownDraws+1 || lines[99] != "99" || lines[100] != "... (800 more)" || lines[101] != "900" || lines[200] != "999" || s.lines[100] != "100" {
		t.Errorf("%d lines: %q", len(lines), lines[95:105])
	}
}

func FuzzFaultyMutant(f *testing.F) {
	fuzzFaulty(f, func(t *T) {
		if n := IntRange(0, 9).Draw(t, "n"); n > 6 { // the seed draws less
			t.Fatal("too many")
		}
	})
}

func FuzzFaultyLines(f *testing.F) {
	fuzzFaulty(f, func(t *T) {
		Just("a\n\"b\"").Draw(t, "text")
		Just(3).Draw(t, "n")
		t.Fatal("failed")
	})
}

func TestFuzzFaults(t *testing.T) {
	for name, wants := range map[string][]string{
		"Lines":     {"--- FAIL", "fuzz.go:", " text = `a\n                \"b\"`\n            n = 3\n"},
		"Nothing":   {"--- FAIL", "the property draws nothing"},
		"Invalid":   {"--- FAIL", "100 of 100 inputs are invalid (skipped): make the generator draw what is wanted"},
		"Endless":   {"--- FAIL", "the generator draws without bound", "The generator is at fault", "x > n = ", "x > more > more > more > ..."},
		"Seed":      {"--- FAIL", "the tape is damaged at byte ", "The input is taken as plain choices", "it fails on "},
		"Generator": {"panic: broken by 5", "x > n = 5", "the panic is in a generator"},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^FuzzFaulty"+name+"$")
		cmd.Env = append(os.Environ(), faulty+"=1")
		out, err := cmd.CombinedOutput()
		if err == nil {
			t.Errorf("%s: passed", name)
		}
		for _, want := range wants {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s: %q is missing in\n%s", name, want, out)
			}
		}
		if strings.Contains(string(out), "panic.go:") && name != "Generator" {
			t.Errorf("%s: a line of the runtime's:\n%s", name, out)
		}
		if strings.Contains(string(out), "goroutine ") != (name == "Generator") {
			t.Errorf("%s: a stack:\n%s", name, out)
		}
	}
}

// TestTooLongMutants checks that a mutant longer than the limit is invalid. Its generator may have
// a bound, as this one has.
func TestTooLongMutants(t *testing.T) {
	long := func(t *T) int {
		sum := 0
		for n := t.Count("n", 100); n > 0; n-- {
			for m := t.Count("m", 1); m > 0; m-- {
				sum += t.IntRange("value", 0, 9)
			}
		}
		return sum
	}
	src := &tape.Source{}
	src.Random(1)
	long(&T{TB: t, src: src})
	tp := *src.Tape()
	tp.Rest = 1
	for i := range tp.Choices {
		if c := &tp.Choices[i]; c.Channel == tape.Structural {
			c.Value = c.Bound
		}
	}
	mutant := tp.Append(nil)
	d := &driven{}
	if end, text := d.Draw(mutant, func() []any { return []any{long(&d.drawing.T)} }); end != endInvalid || text != tooLong {
		t.Errorf("a generator of its own: %q, %q", end, text)
	}
	if end, text := d.Draw(nil, func() []any { return []any{long(&d.drawing.T)} }); end != "" {
		t.Errorf("by chance: %q, %q", end, text)
	}
	z := &fuzzer{property: func(t *T) { long(t) }}
	t.Run("mutant", func(t *testing.T) {
		defer func() {
			if !t.Skipped() || t.Failed() {
				t.Error("it was not skipped")
			}
		}()
		z.run(t, mutant)
	})
}
