package implementation

import (
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"parallax/gen"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/tape"
)

// TestGenerate checks that generated values are the implementations' arguments, with []byte and
// string interchangeable.
func TestGenerate(t *testing.T) {
	first, second := func(s string, n int) bool { return n > 1 }, func(b []byte, n int) error { return nil }
	config := func(generators ...any) Config {
		c := Config{Names: []string{"a", "b"}, Functions: []reflect.Value{reflect.ValueOf(first), reflect.ValueOf(second)}}
		for _, g := range generators {
			c.Generators = append(c.Generators, reflect.ValueOf(g))
		}
		return c
	}
	draw := func(t *gen.T) ([]byte, int) { return []byte("abc"), t.IntRange("n", 0, 9) }
	s, err := New(config(draw))
	if err != nil {
		t.Fatal(err)
	}
	flat, end, text := s.Generator().Make((&tape.Tape{}).Append(nil))
	if args, err := s.Shape().Unpack(flat); end != "" || err != nil || len(args) != 2 || args[0] != "abc" || args[1] != 0 {
		t.Errorf("%q, %v, %s %s", args, err, end, text)
	}
	if latest := s.Generator().Latest(); string(latest) != string(flat) {
		t.Errorf("the latest is %q", latest)
	}
	if s, err := New(config()); err != nil || s.Generator() != nil {
		t.Errorf("without a generator: %v", err)
	}
	both := config(draw)
	both.Repairs = []reflect.Value{reflect.ValueOf(func(s string, n int) (string, int) { return s, n })}
	for want, c := range map[string]Config{
		"it has 2 times Generate": config(draw, draw),
		"it is nil":               config(nil),
		"it is a int":             config(1),
		"draws [string], and the implementations take (string, int)": config(func(*gen.T) string { return "" }),
		"the generator of Generate panics: not yet":                  config(func() gen.Gen[string] { panic("not yet") }),
		"it has Repair, and what":                                    both,
	} {
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestConvertConfig2 checks that Config2 converts all its fields.
func TestConvertConfig2(t *testing.T) {
	known := reflect.TypeOf(Config2{})
	now := reflect.TypeOf(Config{})
	later := 0
	for i := 0; i < now.NumField(); i++ {
		f := now.Field(i)
		old, ok := known.FieldByName(f.Name)
		if !ok {
			later++
		} else if old.Type != f.Type {
			t.Errorf("%s was a %v, and is a %v", f.Name, old.Type, f.Type)
		}
	}
	if later != 1 || known.NumField()+later != now.NumField() {
		t.Errorf("%d fields came later, of %d", later, now.NumField())
	}
	fn := []reflect.Value{reflect.ValueOf(strings.ToUpper)}
	c := Config2{
		Version: 2, Names: []string{"a"}, Functions: fn, Layers: []string{"value"}, Normalizers: fn, Preconditions: fn, Repairs: fn, Declined: errors.New("no"),
		Accepts: [][]any{{1}}, Rejects: [][]any{{2}}, Target: 3,
		Ignore: func(string, []int, []any, []string, [][]any, []error) (string, bool) { return "", true },
	}
	v := reflect.ValueOf(c.Config())
	for i := 0; i < known.NumField(); i++ {
		if v.FieldByName(known.Field(i).Name).IsZero() {
			t.Errorf("%s is lost", known.Field(i).Name)
		}
	}
}

type order struct {
	N     int
	Items map[string]int
}

// TestValues checks that values without a byte form are drawn separately for each implementation,
// and shown as drawn.
func TestValues(t *testing.T) {
	spoil := func(o *order) int {
		n := o.N
		o.N = -1
		o.Items["spoilt"] = 1
		return n
	}
	right := func(o *order) int { return o.N*10/10 + o.Items["spoilt"] }
	draw := func(t *gen.T) *order {
		o := &order{N: t.IntRange("n", 0, 9), Items: map[string]int{}}
		t.Assume(o.N != 9)
		return o
	}
	config := func(generator any, fns ...any) Config {
		c := Config{Generators: []reflect.Value{reflect.ValueOf(generator)}}
		for i, fn := range fns {
			c.Names, c.Functions = append(c.Names, string(rune('a'+i))), append(c.Functions, reflect.ValueOf(fn))
		}
		return c
	}
	c := config(draw, spoil, right, func(o *order) int { return o.N + o.N/8 })
	c.Preconditions = []reflect.Value{reflect.ValueOf(func(o *order) bool { return o.N != 7 })}
	c.Ignore = func(_ string, _ []int, args []any, _ []string, _ [][]any, _ []error) (string, bool) {
		return "known", args[0].(*order).N == 8
	}
	s, err := New(c)
	if err != nil || s.Shape() != nil {
		t.Fatal(s, err)
	}
	tapes := map[int][]byte{}
	for seed := uint64(0); len(tapes) < 9; seed++ {
		x := tape.Tape{Rest: seed}
		x.Reset()
		x.Rest = seed
		if _, end, _ := s.Generator().Make(x.Append(nil)); end == "" {
			tapes[s.Generator().Values()[0].(*order).N] = s.Generator().AppendDrawn(nil)
		} else if _, err := s.Try(x.Append(nil)); err == nil || !strings.Contains(err.Error(), "draws nothing from these choices") {
			t.Errorf("where the generator skips: %v", err)
		}
	}
	for n, x := range tapes {
		trial, err := s.Try(x)
		if err != nil {
			t.Fatal(n, err)
		}
		if got := trial.Args[0].(*order); got.N != n || len(got.Items) > 0 {
			t.Errorf("%d: it is shown as %+v", n, got)
		}
		if differs := trial.Layer != 0; differs != (n == 8) {
			t.Errorf("%d: %+v", n, trial)
		}
		if declined := trial.Runs[0].Observation.Outcome == oracle.Declined; declined != (n == 7) {
			t.Errorf("%d: %v", n, trial.Runs[0].Observation.Outcome)
		}
		if _, ignored := s.Ignored(x, 0); ignored != (n == 8) {
			t.Errorf("%d: ignored is %v", n, ignored)
		}
		if _, end, _ := s.Generator().Make(x); end != "" { // as a worker does
			t.Fatal(end)
		}
		var r oracle.Result
		s.Run(0, new(input.Args), &r)
		s.Generator().Redraw()
		var again oracle.Result
		s.Run(1, new(input.Args), &again)
		if first, second := r.Observe(true), again.Observe(true); first != second {
			t.Errorf("%d: %v and %v", n, first, second)
		}
	}
}

// TestControlsOfValues checks that control seeds can be values, mixed with kinds as in other
// control seeds.
func TestControlsOfValues(t *testing.T) {
	total := func(o order, name string, n int8) bool { return o.N+len(name)+int(n) > 3 }
	text := func(o order, name []byte, n int8) error { return nil }
	c := Config{Names: []string{"a", "b"}, Functions: []reflect.Value{reflect.ValueOf(total), reflect.ValueOf(text)}}
	c.Generators = []reflect.Value{reflect.ValueOf(func(t *gen.T) (order, string, int8) { return order{}, "x", int8(t.IntRange("n", 0, 9)) })}
	c.Accepts = [][]any{{order{N: 3}, []byte("ab"), 1}, {order{}, "a", 0}}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	if unmet := s.CheckControls(); len(unmet) != 1 || !strings.Contains(unmet[0], `implementation.order{N: 0`) || !strings.Contains(unmet[0], "a rejected") {
		t.Errorf("%q", unmet)
	}
	for want, args := range map[string][]any{
		"Accepts has 1 arguments, and the implementations take (implementation.order, string, int8)": {order{}},
		"argument 1 is a string, and the implementations take (implementation.order":                 {"x", "y", 1},
		"argument 1 is a <nil>":            {nil, "y", 1},
		"argument 3: int(1000) is no int8": {order{}, "y", 1000},
	} {
		c.Accepts = [][]any{args}
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestValueMistakes checks that mismatching types are reported.
func TestValueMistakes(t *testing.T) {
	f := func(order) bool { return true }
	config := func(generator any, fns ...any) Config {
		c := Config{Names: []string{"a", "b"}[:len(fns)]}
		if generator != nil {
			c.Generators = []reflect.Value{reflect.ValueOf(generator)}
		}
		for _, fn := range fns {
			c.Functions = append(c.Functions, reflect.ValueOf(fn))
		}
		return c
	}
	draw := func(*gen.T) order { return order{} }
	with := func(c Config, change func(*Config)) Config { change(&c); return c }
	for want, c := range map[string]Config{
		`Impl("a"): it is a func(implementation.order) bool: parameter 1 is a implementation.order`:                          config(nil, f, f),
		"the generator of Generate draws [int], and a is a func(implementation.order) bool":                                  config(func(*gen.T) int { return 1 }, f, f),
		"do not take the same arguments: a is a func(implementation.order) bool and b is a func(*implementation.order) bool": config(draw, f, func(*order) bool { return true }),
		"Precondition: it takes (string), and the implementations take (implementation.order)": with(config(draw, f, f), func(c *Config) {
			c.Preconditions = []reflect.Value{reflect.ValueOf(func(string) bool { return true })}
		}),
		"it has Repair, and what the implementations take is drawn": with(config(draw, f, f), func(c *Config) {
			c.Repairs = []reflect.Value{reflect.ValueOf(func(o order) order { return o })}
		}),
	} {
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	ends := config(func(t *gen.T) order { t.Flip("x"); runtime.Goexit(); return order{} }, f, f)
	s, err := New(ends)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Try(nil); err == nil || !strings.Contains(err.Error(), "ends its goroutine") {
		t.Error(err)
	}
}
