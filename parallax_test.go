package parallax

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"parallax/internal/implementation"
)

// FuzzAgree passes: its implementations agree, and its harness has every kind of part.
func FuzzAgree(f *testing.F) {
	f.Add([]byte(`{"a": [1, 2.5, null]}`))
	f.Add([]byte("no"))
	Diff(f,
		Impl("Valid", json.Valid),
		Impl("Unmarshal", json.Unmarshal),
		Impl("Decoder", func(s string) (any, error) {
			if len(s) > 1000 {
				return nil, fmt.Errorf("too long: %w", ErrDeclined)
			}
			var v any
			return v, json.Unmarshal([]byte(s), &v)
		}),
		Layers("verdict"),
		Precondition(func(b []byte) bool { return !bytes.Contains(b, []byte{0}) }),
		Accepts(`{}`), Accepts([]byte("[1]")),
		Rejects(`{`),
	)
}

func FuzzArguments(f *testing.F) {
	f.Add("x", 3, uint8(4), 0.5, true)
	sum := func(s string, a int, b byte, c float64, d bool) (float64, error) {
		return float64(len(s)+a) + float64(b) + c, nil
	}
	Diff(f, Impl("a", sum), Impl("b", sum), Accepts("y", 'a', 'b', 1, false))
}

func TestAssembleMistakes(t *testing.T) {
	valid := Impl("a", json.Valid)
	cases := []struct {
		parts []Part
		want  string
	}{
		{nil, "it needs two implementations or more, and has 0"},
		{[]Part{valid, Impl("a", json.Valid)}, `two implementations are named "a"`},
		{[]Part{valid, {}}, "part 2 is empty"},
		{[]Part{valid, Impl("b", json.Valid), Layers()}, "Layers names none"},
		{[]Part{valid, Impl("b", json.Valid), Layers("verdict", "all")}, `unknown comparison layer "all"`},
		{[]Part{valid, Impl("b", json.Valid), Ignore("", func(Difference) bool { return true })}, "Ignore has no reason"},
		{[]Part{valid, Impl("b", json.Valid), Ignore("old", nil)}, `Ignore("old"): the function is nil`},
		{[]Part{valid, Impl("b", nil)}, `Impl("b"): it is nil, not a function`},
		{[]Part{valid, Impl("b", json.Valid), Accepts()}, "Accepts has 0 arguments"},
	}
	for _, c := range cases {
		_, _, err := assemble(c.parts)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestHarnessIsOfTheStandardLibrary checks that the types of Harness are shared by both copies. The
// tool converts the Harness of the user's copy to its own.
func TestHarnessIsOfTheStandardLibrary(t *testing.T) {
	var visit func(from string, typ reflect.Type)
	visit = func(from string, typ reflect.Type) {
		if strings.HasPrefix(typ.PkgPath(), "parallax") {
			t.Errorf("%s is a %v", from, typ)
		}
		switch typ.Kind() {
		case reflect.Slice, reflect.Pointer:
			visit(from, typ.Elem())
		case reflect.Func:
			for i := 0; i < typ.NumIn(); i++ {
				visit(from, typ.In(i))
			}
			for i := 0; i < typ.NumOut(); i++ {
				visit(from, typ.Out(i))
			}
		}
	}
	typ := reflect.TypeOf(Harness{})
	for i := 0; i < typ.NumField(); i++ {
		visit(typ.Field(i).Name, typ.Field(i).Type)
		if !typ.Field(i).IsExported() {
			t.Errorf("%s is not exported", typ.Field(i).Name)
		}
	}
}

// FuzzDriver checks that with a driver, Diff adds the control seeds, calls the driver, and runs no
// inputs itself.
func FuzzDriver(f *testing.F) {
	calls := 0
	Driver = func(g *testing.F, h *Harness) {
		calls++
		if g != f || h.Version != Version || len(h.Functions) != 2 || h.Names[1] != "b" || h.Target == nil {
			f.Errorf("handed over %+v", h)
		}
		if want := "func(*testing.T, string, int)"; reflect.TypeOf(h.Target).String() != want {
			f.Errorf("the target is a %T, want %s", h.Target, want)
		}
		reason, ignored := h.Ignore("verdict", []int{1}, []any{"x", 1}, []string{"accepted", "rejected"}, [][]any{{1}, nil}, []error{nil, errors.New("no")})
		if !ignored || reason != "second" {
			f.Errorf("ignored %q, %v", reason, ignored)
		}
		f.Fuzz(func(*testing.T, string, int) { calls += 10 })
	}
	defer func() { Driver = nil }()
	fn := func(s string, n int) (int, error) { calls += 100; return n, nil }
	Diff(f, Impl("a", fn), Impl("b", fn), Accepts("x", 1),
		Ignore("first", func(d Difference) bool { return d.Results[0].Outcome == "rejected" }),
		Ignore("second", func(d Difference) bool { return d.Odd[0] == "b" && d.Results[1].Err != nil && d.Args[0] == "x" }))
	if calls != 11 {
		f.Errorf("%d calls, want the driver's and that of its target on the control seed", calls)
	}
}

// try runs one input and describes the trial.
func try(t *testing.T, flat string, parts ...Part) Difference {
	t.Helper()
	_, set, err := assemble(parts)
	if err != nil {
		t.Fatal(err)
	}
	trial, err := set.Try([]byte(flat))
	if err != nil {
		t.Fatal(err)
	}
	return difference(set, trial)
}

func TestDifferenceText(t *testing.T) {
	long := strings.Repeat("0123456789", 100)
	tail := func(end string) func(string) (string, error) {
		return func(s string) (string, error) { return long + s + end, nil }
	}
	cases := []struct {
		name  string
		parts []Part
		want  string
	}{
		{"verdict", []Part{
			Impl("Atoi", strconv.Atoi),
			Impl("length", func(b []byte) (uint8, error) { return uint8(len(b)), nil }),
			Impl("nothing", func(b []byte) bool { return false }),
			Impl("declines", func(b []byte) error { return ErrDeclined }),
		}, `implementations disagree (verdict); odd one out: length
  input: "4x"
  Atoi      rejected  strconv.Atoi: parsing "4x": invalid syntax
  length    accepted  2
  nothing   rejected
  declines  declined  parallax: input declined`},
		{"value", []Part{
			Impl("a", func(s string) (map[string]int, []int, error) { return map[string]int{"b": 2, "a": 1}, nil, nil }),
			Impl("bb", func(s string) (map[string]int, []int, error) { return map[string]int{"a": 1, "b": 2}, []int{3}, nil }),
		}, `implementations disagree (value)
  input: "4x"
  a   accepted  ({"a": 1, "b": 2}, [])
  bb  accepted  ({"a": 1, "b": 2}, [3])`},
		{"long values", []Part{Impl("a", tail("a")), Impl("b", tail("b"))}, `implementations disagree (value)
  input: "4x"
  a  accepted  …23456789012345678901234567894xa"
  b  accepted  …23456789012345678901234567894xb"`},
		{"class", []Part{
			Impl("a", func(s string) error { return errors.New("two\nlines") }),
			Impl("b", func(s string) error { return &json.SyntaxError{} }),
			Layers("class"),
		}, `implementations disagree (class)
  input: "4x"
  a  rejected  "two\nlines"  (*errors.errorString)
  b  rejected    (*json.SyntaxError)`},
		{"wrapped class", []Part{
			Impl("a", func(s string) error { return fmt.Errorf("no: %w", errors.New("end")) }),
			Impl("b", func(s string) error { return fmt.Errorf("no: %w", ErrDeclined) }),
			Impl("c", func(s string) error { return fmt.Errorf("no: %w", wrapped("end")) }),
			Layers("class"),
		}, `implementations disagree (class)
  input: "4x"
  a  rejected  no: end  (*fmt.wrapError, wraps *errors.errorString: end)
  b  declined  no: parallax: input declined  (*fmt.wrapError, wraps *errors.errorString: parallax: input declined)
  c  rejected  no: end  (*fmt.wrapError, wraps parallax.wrapped: end)`},
	}
	for _, c := range cases {
		if got := try(t, "4x", c.parts...).String(); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

type wrapped string

func (w wrapped) Error() string { return string(w) }

func TestCrashText(t *testing.T) {
	d := try(t, "ab",
		//lint:ignore SA5000 a panic of the runtime
		Impl("breaks", func(s string) error { var m map[string]int; m[s] = 1; return nil }),
		Impl("works", func(s string) error { return nil }))
	want := `breaks crashed
  input: "ab"
  breaks  crashed   assignment to entry in nil map
  works   accepted

  breaks panicked at:
    parallax.TestCrashText.func1(`
	if got := d.String(); !strings.HasPrefix(got, want) || !strings.Contains(got, "parallax_test.go:") {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestResultText(t *testing.T) {
	cases := []struct {
		r    Result
		want string
	}{
		{Result{Outcome: "accepted"}, "accepted"},
		{Result{Outcome: "accepted", Values: []any{1, "x"}}, `accepted  (1, "x")`},
		{Result{Outcome: "accepted", Values: []any{strings.Repeat("é", 1000)}}, `accepted  "` + strings.Repeat("é", 299) + "… (2002 bytes)"},
		{Result{Outcome: "rejected"}, "rejected"},
		{Result{Outcome: "rejected", Err: errors.New("no")}, "rejected  no"},
		{Result{Outcome: "rejected", Err: rude{}}, "rejected  %!v(PANIC=Error method: rude)"},
		{Result{Outcome: "crashed", Panic: "a\tb"}, `crashed  "a\tb"`},
	}
	for _, c := range cases {
		if got := c.r.String(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

type rude struct{}

func (rude) Error() string { panic("rude") }

func TestArgumentsInText(t *testing.T) {
	d := Difference{Args: []any{[]byte("a"), int8(3), strings.Repeat("x", 2000)}}
	want := `  argument 1: []byte("a")
  argument 2: int8(3)
  argument 3: "` + strings.Repeat("x", 1000) + `"… /* 2000 bytes */`
	if got := d.String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestSources(t *testing.T) {
	text, err := Sources.ReadFile("driver.go")
	if err != nil || !strings.Contains(string(text), fmt.Sprintf("\nconst Version = %d\n", Version)) {
		t.Errorf("the tool finds the version of a copy by this line: %v", err)
	}
	var c implementation.Config = Harness{}
	_ = c
}
