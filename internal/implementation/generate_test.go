package implementation

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"parallax/gen"
	"parallax/internal/tape"
)

// What is drawn is what the implementations take, text in either form.
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
		"it has Generate and Repair":                                 both,
	} {
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// An earlier copy says all that it knows.
func TestOlder(t *testing.T) {
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
