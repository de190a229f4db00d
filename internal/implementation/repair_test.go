package implementation

import (
	"reflect"
	"strings"
	"testing"

	"parallax/internal/input"
)

func TestRepair(t *testing.T) {
	type text string
	type number int16
	shape := input.Shape{input.Bytes, input.String, input.Bool, input.Int16, input.Uint32, input.Float32, input.Float64}
	fn := func(b text, s []byte, ok bool, n number, u uint32, f float32, g float64) (text, []byte, bool, number, uint32, float32, float64) {
		return b + "!", s[1:], !ok, -n, u + 1, f / 2, -g
	}
	repair, err := NewRepair(shape, reflect.ValueOf(fn))
	if err != nil {
		t.Fatal(err)
	}
	flat, err := shape.Pack([]byte("ab"), "cd", true, int16(300), uint32(7), float32(3), 2.5)
	if err != nil {
		t.Fatal(err)
	}
	want, err := shape.Pack([]byte("ab!"), "d", false, int16(-300), uint32(8), float32(1.5), -2.5)
	if err != nil {
		t.Fatal(err)
	}
	var a input.Args
	var b input.Builder
	a.Load(shape, flat)
	b.Reset(shape)
	repair(&a, &b)
	if got, n := b.Flat(); string(got) != string(want) || n != len(shape) {
		t.Errorf("%x, want %x", got, want)
	}
	for _, raw := range []any{func(b []byte) []byte { return b[1:] }, func(s string) string { return s[1:] }, func(s text) []byte { return []byte(s[1:]) }} {
		repair, err := NewRepair(input.Shape{input.String}, reflect.ValueOf(raw))
		if err != nil {
			t.Fatal(err)
		}
		a.Load(input.Shape{input.String}, []byte("xyz"))
		b.Reset(input.Shape{input.String})
		repair(&a, &b)
		if got, _ := b.Flat(); string(got) != "yz" {
			t.Errorf("%T: %q", raw, got)
		}
	}
}

func TestWrongRepair(t *testing.T) {
	impl := func([]byte, int) error { return nil }
	for want, fns := range map[string][]any{
		"Repair: it is a func([]uint8) []uint8: it must take and return what is fuzzed, as a func([]byte, int) ([]byte, int) does": {func(b []byte) []byte { return b }},
		"must take and return":                        {func(b []byte, n int) ([]byte, error) { return b, nil }},
		"Repair: it is a func([]uint8, int): it must": {func([]byte, int) {}},
		"Repair: it is a string, not a function":      {"no"},
		"Repair: it is nil, not a function":           {nil},
		"it has 2 times Repair: join":                 {func(b []byte, n int) ([]byte, int) { return b, n }, func(b []byte, n int) ([]byte, int) { return b, n }},
	} {
		c := Config{Names: []string{"a", "b"}, Functions: []reflect.Value{reflect.ValueOf(impl), reflect.ValueOf(impl)}}
		for _, fn := range fns {
			c.Repairs = append(c.Repairs, reflect.ValueOf(fn))
		}
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
