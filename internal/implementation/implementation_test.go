package implementation

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"parallax/internal/input"
	"parallax/internal/oracle"
)

var errDeclined = errors.New("declined")

// config returns a harness of functions named a, b, c and so on.
func config(functions ...any) Config {
	c := Config{Version: 1, Declined: errDeclined}
	for i, fn := range functions {
		c.Names = append(c.Names, string(rune('a'+i)))
		c.Functions = append(c.Functions, reflect.ValueOf(fn))
	}
	return c
}

func newSet(t testing.TB, c Config) *Set {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func values(list ...any) []reflect.Value {
	var v []reflect.Value
	for _, e := range list {
		v = append(v, reflect.ValueOf(e))
	}
	return v
}

type (
	text    string
	data    []byte
	truth   bool
	small   float32
	failure struct{ code int }
	parser  func(string) error
	coder   interface {
		error
		Code() int
	}
)

func (f *failure) Error() string { return fmt.Sprint("code ", f.code) }
func (f *failure) Code() int     { return f.code }

func TestMistakes(t *testing.T) {
	valid := func([]byte) bool { return true }
	parse := func([]byte) (int, error) { return 0, nil }
	name := func([]byte) (string, error) { return "", nil }
	var none func([]byte) bool
	cases := []struct {
		name   string
		config Config
		want   string
	}{
		{"none", config(), "it needs two implementations or more, and has 0"},
		{"one", config(valid), "and has 1"},
		{"too many", func() Config {
			c := config()
			for i := 0; i < 49; i++ {
				c.Names = append(c.Names, fmt.Sprint(i))
				c.Functions = append(c.Functions, reflect.ValueOf(valid))
			}
			return c
		}(), "49 implementations, and at most 48"},
		{"a name twice", func() Config { c := config(valid, valid); c.Names[1] = "a"; return c }(), `two implementations are named "a"`},
		{"no name", func() Config { c := config(valid, valid); c.Names[1] = " "; return c }(), "implementation 2 has no name"},
		{"no function", config(valid, 3), `Impl("b"): it is a int, not a function`},
		{"nil", config(valid, nil), `Impl("b"): it is nil, not a function`},
		{"a nil function", config(valid, none), `Impl("b"): it is a nil func([]uint8) bool`},
		{"no parameter", config(func() bool { return true }, valid), "there is no parameter to fuzz"},
		{"only variadic", config(func(...string) bool { return true }, valid), "there is no parameter to fuzz"},
		{"an unsupported parameter", config(valid, func(io.Reader) error { return nil }), `Impl("b"): it is a func(io.Reader) error: parameter 1 is a io.Reader`},
		{"a slice of another kind", config(valid, func([]int) bool { return true }), "parameter 1 is a []int"},
		{"uintptr", config(valid, func(uintptr) bool { return true }), "parameter 1 is a uintptr"},
		{"complex", config(valid, func(complex64) bool { return true }), "parameter 1 is a complex64"},
		{"any with values", config(valid, func([]byte, any) int { return 0 }), "parameter 2 is a interface {}"},
		{"other arguments", config(valid, func(string, int) bool { return true }), "do not take the same arguments: a is a func([]uint8) bool and b is a func(string, int) bool"},
		{"a verdict that another gives as a value", config(valid, func([]byte) (truth, error) { return true, nil }),
			`false means rejected for a, and is an accepted value of b, which also returns an error: a is a func([]uint8) bool and b is a func([]uint8) (implementation.truth, error). Give Impl("a") a function that returns the results of b`},
		{"a verdict behind a value that another gives as a value", config(func(string) (int, bool, *failure) { return 0, true, nil }, parse, func([]byte) (int, bool) { return 0, true }),
			"false means rejected for c, and is an accepted value of a, which also returns an error"},
		{"an unknown layer", func() Config { c := config(valid, valid); c.Layers = []string{"values"}; return c }(), `Layers: unknown comparison layer "values": use verdict, value or class`},
		{"values that differ", func() Config { c := config(parse, name); c.Layers = []string{"value"}; return c }(), "values cannot be compared, since their types differ (a gives int; b gives string)"},
		{"nothing to compare", config(func(string) int { return 0 }, func(string) string { return "" }), "there is nothing to compare: no implementation returns an error or a bool, and the types"},
		{"nothing returned", config(func(string) {}, func(string) {}), "no implementation returns anything"},
		{"a normalizer that is none", func() Config { c := config(valid, valid); c.Normalizers = values(3); return c }(), "Normalize: it is a int"},
		{"a normalizer that is nil", func() Config { c := config(valid, valid); c.Normalizers = values(nil); return c }(), "Normalize: it is nil"},
		{"a normalizer of two", func() Config {
			c := config(parse, parse)
			c.Normalizers = values(func(a, b int) int { return a })
			return c
		}(), "it must take one value"},
		{"a normalizer of nothing", func() Config {
			c := config(parse, parse)
			c.Normalizers = values(func(s string) int { return 0 })
			return c
		}(), "no implementation returns a string as a value"},
		{"two normalizers", func() Config {
			c := config(parse, parse)
			c.Normalizers = values(func(int) int { return 0 }, func(int) string { return "" })
			return c
		}(), "two Normalize take a int"},
		{"a precondition of other arguments", func() Config {
			c := config(valid, valid)
			c.Preconditions = values(func(int) bool { return true })
			return c
		}(), "Precondition: it takes (int), and the implementations take ([]byte)"},
		{"a precondition without a verdict", func() Config {
			c := config(valid, valid)
			c.Preconditions = values(func(string) error { return nil })
			return c
		}(), "Precondition: it must return a bool and nothing else"},
		{"too many arguments", func() Config { c := config(valid, valid); c.Accepts = [][]any{{"a", "b"}}; return c }(), "Accepts has 2 arguments, and the implementations take ([]byte)"},
		{"an argument of another kind", func() Config { c := config(valid, valid); c.Rejects = [][]any{{3}}; return c }(), "Rejects: argument 1: int(3) is no []byte"},
		{"both", func() Config {
			c := config(valid, valid)
			c.Accepts, c.Rejects = [][]any{{"x"}}, [][]any{{[]byte("x")}}
			return c
		}(), `[]byte("x") is both in Accepts and in Rejects`},
	}
	for _, c := range cases {
		_, err := New(c.config)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: more than one line: %v", c.name, err)
		}
	}
}

// run runs an input on the hot path.
func run(s *Set, i int, flat []byte) (oracle.Observation, oracle.Detail) {
	var a input.Args
	var r oracle.Result
	a.Load(s.Shape(), flat)
	s.Run(i, &a, &r)
	return r.Observe(s.CompareValues()), r.Detail(0)
}

// TestOutcomesAndValues checks every ending of a signature, on the hot path and by Try.
func TestOutcomesAndValues(t *testing.T) {
	no := errors.New("no")
	cases := []struct {
		fn      any
		outcome oracle.Outcome
		value   string
	}{
		{func(s string) bool { return s == "in" }, oracle.Accepted, ""},
		{func(b []byte) bool { return string(b) != "in" }, oracle.Rejected, ""},
		{func(s text) truth { return s == "in" }, oracle.Accepted, ""},
		{func(d data) error { return nil }, oracle.Accepted, ""},
		{func(d []byte) error { return no }, oracle.Rejected, ""},
		{func(s string) error { return fmt.Errorf("too long: %w", errDeclined) }, oracle.Declined, ""},
		{parser(func(s string) error { return errDeclined }), oracle.Declined, ""},
		{func(s string) *failure { return nil }, oracle.Accepted, ""},
		{func(s string) *failure { return &failure{3} }, oracle.Rejected, ""},
		{func(s string) coder { return nil }, oracle.Accepted, ""},
		{func(s string) coder { return &failure{3} }, oracle.Rejected, ""},
		{func(s string) (int8, bool) { return -3, true }, oracle.Accepted, "-3"},
		{func(s string) (int8, bool) { return -3, false }, oracle.Rejected, ""},
		{func(s string) (bool, error) { return false, nil }, oracle.Accepted, "false"},
		{func(s string) string { return s + "!" }, oracle.Accepted, `"in!"`},
		{func(s []byte) []byte { return s }, oracle.Accepted, `"in"`},
		{func(s string) data { return data(s) }, oracle.Accepted, `"in"`},
		{func(s string) text { return text(s) }, oracle.Accepted, `"in"`},
		{func(s string) (string, uint16, float32) { return s, 7, 1.5 }, oracle.Accepted, `("in", 7, 1.5)`},
		{func(s string) (any, error) { return []any{s, nil}, nil }, oracle.Accepted, `["in", nil]`},
		{func(s string) (map[string]int, error) { return map[string]int{s: 1}, nil }, oracle.Accepted, `{"in": 1}`},
		{func(s string) (*failure, error) { return &failure{1}, nil }, oracle.Accepted, `&implementation.failure{code: 1}`},
		{func(s string, more ...int) int { return len(more) }, oracle.Accepted, "0"},
		{func(b []byte, v any) error { *v.(*any) = string(b); return nil }, oracle.Accepted, `"in"`},
		{func(s string, v any) { *v.(*any) = s }, oracle.Accepted, `"in"`},
		{func(s string, v any) (int, error) { *v.(*any) = s; return len(s), nil }, oracle.Accepted, `(2, "in")`},
	}
	for _, c := range cases {
		s := newSet(t, config(c.fn, func(s string) (int, bool) { return 0, true }))
		s.values = true
		obs, detail := run(s, 0, []byte("in"))
		if obs.Outcome != c.outcome || detail.Value != c.value {
			t.Errorf("%T: %v %s, want %v %s", c.fn, obs.Outcome, detail.Value, c.outcome, c.value)
		}
		trial, err := s.Try([]byte("in"))
		if err != nil {
			t.Fatal(err)
		}
		if got := trial.Runs[0].Observation; got != obs {
			t.Errorf("%T: Try observes %+v, Run %+v", c.fn, got, obs)
		}
	}
}

// TestArguments checks that every kind of argument arrives unchanged, also as a named type.
func TestArguments(t *testing.T) {
	type number int16
	nan := math.Float32frombits(0x7fa00001) // signaling
	var got []any
	fn := func(b data, s text, t truth, i int, i8 int8, n number, r rune, i64 int64, u uint, y byte, u16 uint16, u32 uint32, u64 uint64, f small, g float64) bool {
		got = []any{[]byte(b), string(s), bool(t), i, i8, int16(n), r, i64, u, y, u16, u32, u64, math.Float32bits(float32(f)), g}
		return true
	}
	s := newSet(t, config(fn, fn))
	want := []any{[]byte("b"), "s", true, -1, int8(-2), int16(-3), rune(-4), int64(-5), uint(1), byte(2), uint16(3), uint32(4), uint64(5), nan, 2.5}
	flat, err := s.Shape().Pack(want...)
	if err != nil {
		t.Fatal(err)
	}
	want[13] = math.Float32bits(nan)
	run(s, 0, flat)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestArgumentsAreFresh checks that changes to an argument do not affect other runs.
func TestArgumentsAreFresh(t *testing.T) {
	spoil := func(b []byte) string { s := string(b); clear(b); return s }
	s := newSet(t, config(spoil, spoil))
	flat := []byte("abc")
	for i := 0; i < 2; i++ {
		trial, err := s.Try(flat)
		if err != nil || trial.Layer != 0 || trial.Runs[1].Values[0] != "abc" {
			t.Fatalf("%+v, %v", trial, err)
		}
		for p := 0; p < 2; p++ {
			if _, d := run(s, p, flat); d.Value != `"abc"` {
				t.Fatalf("program %d: %s", p, d.Value)
			}
		}
	}
}

func TestDecoder(t *testing.T) {
	s := newSet(t, config(json.Unmarshal, func(b []byte) (map[string]any, error) {
		var v map[string]any
		return v, json.Unmarshal(b, &v)
	}))
	if !s.CompareValues() {
		t.Fatal("a decoded any and a tree are not compared")
	}
	for in, layer := range map[string]oracle.Layers{`{"a":1}`: 0, `[1]`: oracle.VerdictLayer, `{`: 0, `null`: oracle.ValueLayer} {
		trial, err := s.Try([]byte(in))
		if err != nil || trial.Layer != layer {
			t.Errorf("%s: layer %v, want %v (%v)", in, trial.Layer, layer, err)
		}
	}
}

func TestLayers(t *testing.T) {
	a := func(s string) (int, error) { return len(s), nil }
	b := func(s string) (uint8, bool) { return uint8(len(s)), true }
	c := func(s string) (*failure, error) { return nil, nil }
	cases := []struct {
		config  Config
		layers  string
		compare bool
		notes   int
	}{
		{config(a, b), "verdict,value", true, 0},
		{config(a, c), "verdict,value", false, 1},
		{config(a, func(string) bool { return true }), "verdict,value", false, 1},
		{config(parser(func(string) error { return nil }), func(string) bool { return true }), "verdict", false, 0},
		{config(c, c), "verdict,value", true, 0},
		{func() Config { c := config(a, c); c.Layers = []string{"class", "verdict"}; return c }(), "verdict,class", false, 0},
		{func() Config {
			c := config(a, c)
			c.Normalizers = values(func(f *failure) int { return f.code })
			return c
		}(), "verdict,value", true, 0},
	}
	for i, c := range cases {
		s := newSet(t, c.config)
		if s.Layers().String() != c.layers || s.CompareValues() != c.compare || len(s.Notes()) != c.notes {
			t.Errorf("%d: %v, %v, %q; want %s, %v", i, s.Layers(), s.CompareValues(), s.Notes(), c.layers, c.compare)
		}
	}
}

func TestNormalizers(t *testing.T) {
	c := config(
		func(s string) (text, error) { return text(strings.ToUpper(s)), nil },
		func(s string) (any, error) { return text(s), nil },
		func(s string) (string, error) { return s, nil },
		func(s string) (any, error) { return nil, nil },
	)
	c.Normalizers = values(func(v text) string { return strings.ToLower(string(v)) })
	s := newSet(t, c)
	trial, err := s.Try([]byte("aB"))
	if err != nil {
		t.Fatal(err)
	}
	want := []any{"ab", "ab", "aB", nil}
	for i, r := range trial.Runs {
		if !reflect.DeepEqual(r.Values, []any{want[i]}) {
			t.Errorf("%d: %v, want %v", i, r.Values, want[i])
		}
		if obs, _ := run(s, i, []byte("aB")); obs != r.Observation {
			t.Errorf("%d: Run and Try differ", i)
		}
	}
	if trial.Layer != oracle.ValueLayer || trial.Odd != nil {
		t.Errorf("layer %v, odd %v", trial.Layer, trial.Odd)
	}
}

func TestPrecondition(t *testing.T) {
	calls := 0
	fn := func(s string) bool { calls++; return true }
	c := config(fn, fn)
	c.Preconditions = values(func(b []byte) bool { return len(b) > 2 }, func(s string) bool { return s[0] == 'x' })
	s := newSet(t, c)
	for in, want := range map[string]oracle.Outcome{"x": oracle.Declined, "abc": oracle.Declined, "xyz": oracle.Accepted} {
		if obs, _ := run(s, 1, []byte(in)); obs.Outcome != want {
			t.Errorf("%s: %v, want %v", in, obs.Outcome, want)
		}
		if trial, _ := s.Try([]byte(in)); trial.Runs[0].Observation.Outcome != want {
			t.Errorf("%s: Try says %v, want %v", in, trial.Runs[0].Observation.Outcome, want)
		}
	}
	if calls != 3 {
		t.Errorf("%d calls, want one by Run and two by Try", calls)
	}
}

type rude struct{}

func (rude) Error() string { panic("rude") }

func TestCrashes(t *testing.T) {
	var table []int
	s := newSet(t, config(
		func(s string) error { _ = table[len(s)]; return nil },
		func(s string) error { runtime.Goexit(); return nil },
		func(s string) error { return nil },
		func(s string) error { return rude{} },
		func(s string) error { return errors.New("no") },
	))
	trial, err := s.Try([]byte("ab"))
	if err != nil {
		t.Fatal(err)
	}
	var outcomes []string
	for _, r := range trial.Runs {
		outcomes = append(outcomes, r.Observation.Outcome.String())
	}
	if got := strings.Join(outcomes, " "); got != "crashed crashed accepted crashed rejected" {
		t.Errorf("outcomes %s", got)
	}
	first, second := trial.Runs[0], trial.Runs[1]
	if !strings.Contains(first.Panic, "index out of range [2] with length 0") || second.Panic != "runtime.Goexit" || second.Stack != "" {
		t.Errorf("panics %q and %q", first.Panic, second.Panic)
	}
	if lines := strings.Split(first.Stack, "\n"); !strings.Contains(lines[0], "TestCrashes.func1(") || len(lines) != 2 {
		t.Errorf("stack:\n%s", first.Stack)
	}
	if trial.Layer != oracle.VerdictLayer {
		t.Errorf("layer %v: the two that ended as they should disagree", trial.Layer)
	}
}

func TestIgnored(t *testing.T) {
	c := config(
		func(s string) (int, error) { return len(s), nil },
		func(s string) (int, error) {
			if s == "" {
				return 0, io.EOF
			}
			return len(s) - len(s)%2, nil
		},
		func(s string) (int, error) { return len(s), nil },
	)
	var arguments string
	c.Ignore = func(layer string, odd []int, args []any, outcomes []string, values [][]any, errs []error) (string, bool) {
		arguments = fmt.Sprintf("%v %v %v %v %v %v", layer, odd, args, outcomes, values, errs)
		return "empty", layer == "verdict" && args[0] == ""
	}
	s := newSet(t, c)
	if reason, ok := s.Ignored(nil, 0); !ok || reason != "empty" {
		t.Errorf("%q, %v", reason, ok)
	}
	if want := "verdict [1] [] [accepted rejected accepted] [[0] [] [0]] [<nil> EOF <nil>]"; arguments != want {
		t.Errorf("told %s, want %s", arguments, want)
	}
	if _, ok := s.Ignored([]byte("abc"), 0); ok || !strings.HasPrefix(arguments, "value [1] [abc] ") {
		t.Errorf("ignored %v, told %s", ok, arguments)
	}
	arguments = ""
	if _, ok := s.Ignored([]byte("ab"), 0); ok || arguments != "" {
		t.Errorf("asked about an input on which all agree: %s", arguments)
	}

	// The tool may compare other layers than the harness.
	c.Layers = []string{"verdict"}
	s = newSet(t, c)
	if s.Ignored([]byte("abc"), 0); !strings.HasPrefix(arguments, "value [1] [abc] ") {
		t.Errorf("told %s", arguments)
	}
	c.Ignore = func(string, []int, []any, []string, [][]any, []error) (string, bool) { panic("no") }
	if _, ok := newSet(t, c).Ignored(nil, 0); ok {
		t.Error("a predicate that panics ignores")
	}
}

func TestControls(t *testing.T) {
	c := config(
		func(s string, n uint8, f float32) error {
			if s == "x" {
				return io.EOF
			}
			return nil
		},
		func(b []byte, n uint8, f float32) bool { return n != 7 },
	)
	c.Accepts = [][]any{{[]byte("a"), 1, 0.1}, {"a", byte(1), float32(0.1)}, {text("b"), 7.0, 2}}
	c.Rejects = [][]any{{"x", 7, 0}, {"x", 'y', 0}}
	s := newSet(t, c)
	var got []string
	for _, c := range s.Controls() {
		got = append(got, strings.Join(Quote(c.Args, 10), " ")+" "+c.Outcome.String())
		if s.Control(c.Flat) == nil {
			t.Errorf("%v is not found again", c.Args)
		}
	}
	want := []string{`"a" uint8(1) float32(0.1) accepted`, `"b" uint8(7) float32(2) accepted`, `"x" uint8(7) float32(0) rejected`, `"x" uint8(121) float32(0) rejected`}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("controls %q, want %q", got, want)
	}
	wantUnmet := []string{
		`control seed ("b", uint8(7), float32(2)) is to be accepted by every implementation; b rejected`,
		`control seed ("x", uint8(121), float32(0)) is to be rejected by every implementation; b accepted`,
	}
	if got := s.CheckControls(); !reflect.DeepEqual(got, wantUnmet) {
		t.Errorf("unmet %q", got)
	}
}

func TestConvert(t *testing.T) {
	cases := []struct {
		kind input.Kind
		v    any
		want any // nil if the conversion fails
	}{
		{input.Bytes, "a", []byte("a")}, {input.String, []byte("a"), "a"}, {input.Bytes, data("a"), []byte("a")},
		{input.String, 'a', nil}, {input.Bytes, []int{1}, nil}, {input.Bytes, nil, nil}, {input.Int, "1", nil},
		{input.Bool, true, true}, {input.Bool, truth(true), true}, {input.Bool, 1, nil}, {input.Int, true, nil},
		{input.Uint8, 255, uint8(255)}, {input.Uint8, 256, nil}, {input.Uint8, -1, nil}, {input.Uint64, -1, nil},
		{input.Int64, uint64(math.MaxUint64), nil}, {input.Int8, uint64(127), int8(127)}, {input.Int8, 128, nil},
		{input.Int32, 'a', 'a'}, {input.Int, 1.0, 1}, {input.Int, 1.5, nil}, {input.Uint, -1.0, nil}, {input.Int, math.NaN(), nil},
		{input.Float64, 1, 1.0}, {input.Float32, 0.1, float32(0.1)}, {input.Float64, float32(0.5), 0.5},
		{input.Float64, 1<<53 + 1, nil}, {input.Float32, small(0.5), float32(0.5)}, {input.Int, uintptr(1), nil},
	}
	for _, c := range cases {
		got, err := convert(c.kind, c.v)
		if !reflect.DeepEqual(got, c.want) || (err != nil) != (c.want == nil) {
			t.Errorf("%v of %T(%v): %T(%v), %v", c.kind, c.v, c.v, got, got, err)
		}
	}
}

func TestQuote(t *testing.T) {
	got := strings.Join(Quote([]any{[]byte("ab\x00"), "abcdef", 3, int8(3), true, 'x', 1.5}, 4), " ")
	if want := `[]byte("ab\x00") "abcd"… /* 6 bytes */ 3 int8(3) true int32(120) 1.5`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestShortcutsAllocateNothing checks that the hot path allocates nothing of its own for common
// function types.
func TestShortcutsAllocateNothing(t *testing.T) {
	s := newSet(t, config(func(b []byte) bool { return true }, func(s string) error { return nil }, func(b []byte) []byte { return b }))
	var a input.Args
	var r oracle.Result
	flat := []byte("abc")
	allocs := testing.AllocsPerRun(1000, func() {
		for i := 0; i < s.Len(); i++ {
			a.Load(s.Shape(), flat)
			r.Reset()
			s.Run(i, &a, &r)
		}
	})
	if allocs > 0.1 { // an occasional chunk of arguments
		t.Errorf("%v allocations", allocs)
	}
}

func BenchmarkRun(b *testing.B) {
	pair := func(b []byte) (*failure, error) { return nil, nil }
	for _, c := range []struct {
		name string
		fn   any
	}{{"shortcut", func(b []byte) bool { return true }}, {"reflection", pair}, {"integers", func(a, b int32) bool { return a < b }}} {
		b.Run(c.name, func(b *testing.B) {
			s := newSet(b, config(c.fn, c.fn))
			var a input.Args
			var r oracle.Result
			flat := s.Shape().Zero()
			b.ReportAllocs()
			for i := 0; i < b.N; i++ {
				a.Load(s.Shape(), flat)
				r.Reset()
				s.Run(0, &a, &r)
			}
		})
	}
}

// TestVerdictsOfBools checks that a bool is the verdict unless other functions return the same bool
// and an error. They may return an error only, other values, or a bool behind other values.
func TestVerdictsOfBools(t *testing.T) {
	valid := func([]byte) bool { return true }
	for _, fn := range []any{
		func([]byte) error { return nil },
		func([]byte) (int, error) { return 0, nil },
		func([]byte) (int, bool, error) { return 0, true, nil },
		func([]byte) (bool, bool) { return true, true },
		func([]byte) int { return 0 },
		func([]byte, any) error { return nil },
	} {
		if _, err := New(config(valid, fn)); err != nil {
			t.Errorf("%T: %v", fn, err)
		}
	}
}
