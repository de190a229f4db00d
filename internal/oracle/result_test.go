package oracle

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
)

func TestOutcomeOfResult(t *testing.T) {
	cases := []struct {
		name  string
		store func(*Result)
		want  Outcome
	}{
		{"nothing", func(r *Result) {}, Accepted},
		{"nil error", func(r *Result) { r.Error(nil) }, Accepted},
		{"error", func(r *Result) { r.Error(io.EOF) }, Rejected},
		{"true", func(r *Result) { r.Verdict(true) }, Accepted},
		{"false", func(r *Result) { r.Verdict(false) }, Rejected},
		{"value and false", func(r *Result) { r.Int(1); r.Verdict(false) }, Rejected},
		{"value and nil error", func(r *Result) { r.Int(1); r.Error(nil) }, Accepted},
		{"a bool that is no verdict", func(r *Result) { r.Bool(false); r.Error(nil) }, Accepted},
		{"declined", func(r *Result) { r.Decline(); r.Error(io.EOF) }, Declined},
		{"an error that declines", func(r *Result) { r.ErrorOrDecline(fmt.Errorf("too long: %w", io.EOF), io.EOF) }, Declined},
		{"an error that does not", func(r *Result) { r.ErrorOrDecline(io.ErrUnexpectedEOF, io.EOF) }, Rejected},
		{"no error that could decline", func(r *Result) { r.ErrorOrDecline(nil, io.EOF) }, Accepted},
	}
	for _, c := range cases {
		var r Result
		r.ErrorOrDecline(io.EOF, io.EOF)
		r.Verdict(false)
		r.Decline()
		r.Any(t)
		r.Normalized(t, func(any) any { t.Error("a normalizer survived Reset"); return nil })
		r.Reset()
		c.store(&r)
		if got := r.Observe(true).Outcome; got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if got := r.Detail(0).Outcome; got != c.want.String() {
			t.Errorf("%s: detail says %v, want %v", c.name, got, c.want)
		}
	}
}

func TestResetDropsReferences(t *testing.T) {
	var r Result
	r.Any(new(int))
	r.Reset()
	if kept := r.slots[:1][0].any; kept != nil {
		t.Errorf("Reset kept %v", kept)
	}
}

func TestNormalized(t *testing.T) {
	calls := 0
	upper := func(v any) any { calls++; return strings.ToUpper(v.(string)) }
	var a, b Result
	a.Int(1)
	a.Normalized("x", upper)
	a.Normalized("y", upper)
	b.Int(1)
	b.String("X")
	b.String("Y")
	if calls != 0 {
		t.Error("called while results are stored")
	}
	if got := a.Detail(0).Value; got != `(1, "X", "Y")` {
		t.Errorf("rendered %s", got)
	}
	if a.Observe(true) != b.Observe(true) {
		t.Error("the normalized value has another digest than the value it becomes")
	}
	if calls != 2 {
		t.Errorf("%d calls for two values", calls)
	}

	var rejected Result
	rejected.Normalized("x", upper)
	rejected.Error(io.EOF)
	rejected.Observe(true)
	rejected.Detail(0)
	if calls != 2 {
		t.Error("called for a result that was rejected")
	}

	var broken Result
	broken.Normalized("x", func(any) any { panic("no") })
	func() {
		defer func() { recover() }()
		broken.Observe(true)
		t.Error("the panic of a normalizer was lost")
	}()
	if got := broken.Detail(0).Value; got != `"x"` {
		t.Errorf("after the panic: %s", got)
	}
	broken.Reset()
	broken.String("z")
	if got := broken.Detail(0).Value; got != `"z"` {
		t.Errorf("after Reset: %s", got)
	}
}

func TestObserveFields(t *testing.T) {
	var r Result
	r.String("x")
	if o := r.Observe(false); o.Value != 0 || o.Class != 0 {
		t.Errorf("accepted without values: %+v", o)
	}
	if o := r.Observe(true); o.Value == 0 || o.Class != 0 {
		t.Errorf("accepted with values: %+v", o)
	}
	r.Error(io.EOF)
	if o := r.Observe(true); o.Value != 0 || o.Class == 0 {
		t.Errorf("rejected: %+v", o)
	}
	r.Reset()
	r.Verdict(false)
	if o := r.Observe(true); o.Value != 0 || o.Class != 0 {
		t.Errorf("rejected without an error: %+v", o)
	}
}

func TestSlotsEqualBoxedValues(t *testing.T) {
	var typed, boxed Result
	typed.Bool(true)
	typed.String("s")
	typed.Bytes([]byte("b"))
	typed.Int(-7)
	typed.Uint(7)
	typed.Float(1.5)
	for _, v := range []any{true, "s", "b", int8(-7), 7, float32(1.5)} {
		boxed.Any(v)
	}
	if typed.Observe(true) != boxed.Observe(true) {
		t.Error("typed slots and boxed values have different digests")
	}
	want := `(true, "s", "b", -7, 7, 1.5)`
	for _, r := range []*Result{&typed, &boxed} {
		if got := r.Detail(0).Value; got != want {
			t.Errorf("value %s, want %s", got, want)
		}
	}
}

// TestSlotBoundaries checks that the boundaries between results belong to the value.
func TestSlotBoundaries(t *testing.T) {
	store := []func(*Result){
		func(r *Result) {},
		func(r *Result) { r.String("") },
		func(r *Result) { r.String("ab") },
		func(r *Result) { r.String("a"); r.String("b") },
		func(r *Result) { r.String("b"); r.String("a") },
		func(r *Result) { r.Any([]any{"a", "b"}) },
		func(r *Result) { r.Any(complex(1, 2)) },
		func(r *Result) { r.Float(1); r.Float(2) },
		func(r *Result) { r.Int(1) },
		func(r *Result) { r.Any(nil) },
		func(r *Result) { r.Bool(true) },
	}
	digests, texts := map[uint64]int{}, map[string]int{}
	for i, s := range store {
		var r Result
		s(&r)
		digest, text := r.Observe(true).Value, r.Detail(0).Value
		if j, ok := digests[digest]; ok {
			t.Errorf("results %d and %d have one digest", i, j)
		}
		if j, ok := texts[text]; ok {
			t.Errorf("results %d and %d are both rendered %s", i, j, text)
		}
		digests[digest], texts[text] = i, i
	}
}

type ownError struct{ msg string }

func (e *ownError) Error() string { return e.msg }

// hiding wraps an error without mentioning it in the message.
type hiding struct{ inner error }

func (h hiding) Error() string { return "it failed" }
func (h hiding) Unwrap() error { return h.inner }

type selfWrapping struct{}

func (s selfWrapping) Error() string { return "again" }
func (s selfWrapping) Unwrap() error { return s }

func parseInt(s string) error {
	_, err := strconv.ParseInt(s, 10, 64)
	return err
}

func TestErrorClasses(t *testing.T) {
	groups := map[string][]error{
		"syntax":          {parseInt("abc"), parseInt(`q"x`), parseInt("")},
		"range":           {parseInt("99999999999999999999"), parseInt("-99999999999999999999")},
		"wrapped syntax":  {fmt.Errorf("line %d: %w", 3, parseInt("a")), fmt.Errorf("line %d: %w", 77, parseInt("b"))},
		"text, no wrap":   {errors.New("line 3: " + parseInt("a").Error())},
		"EOF":             {io.EOF},
		"own EOF":         {&ownError{"EOF"}},
		"unexpected":      {io.ErrUnexpectedEOF},
		"wrapped EOF":     {fmt.Errorf("read: %w", io.EOF)},
		"hidden EOF":      {hiding{io.EOF}, hiding{hiding{io.EOF}}},
		"hidden other":    {hiding{io.ErrUnexpectedEOF}},
		"joined":          {errors.Join(io.EOF, io.ErrClosedPipe), errors.Join(nil, io.EOF, io.ErrClosedPipe)},
		"self":            {selfWrapping{}},
		"value at offset": {errors.New("bad value 'x' at offset 12"), errors.New(`bad value "yy" at offset -1`)},
	}
	classes := map[uint64]string{}
	details := map[string]string{}
	for name, group := range groups {
		var first Observation
		var firstDetail Detail
		for i, err := range group {
			var r Result
			r.Error(err)
			o, d := r.Observe(false), r.Detail(0)
			d.Error = ""
			if i == 0 {
				first, firstDetail = o, d
			}
			if o != first || d != firstDetail {
				t.Errorf("%s: %q is of another class than %q", name, err, group[0])
			}
		}
		if other, ok := classes[first.Class]; ok {
			t.Errorf("%s and %s have one class", name, other)
		}
		key := firstDetail.ErrorType + "|" + firstDetail.ErrorClass + "|" + firstDetail.Sentinel
		if other, ok := details[key]; ok {
			t.Errorf("%s and %s have one detail %s", name, other, key)
		}
		classes[first.Class], details[key] = name, name
	}
}

func TestErrorDetail(t *testing.T) {
	var r Result
	r.Error(fmt.Errorf("line 3: %w", parseInt("abc")))
	want := Detail{
		Outcome:    "rejected",
		Error:      `line 3: strconv.ParseInt: parsing "abc": invalid syntax`,
		ErrorType:  "*fmt.wrapError",
		ErrorClass: "line <n>: strconv.ParseInt: parsing <q>: invalid syntax",
		Sentinel:   "*errors.errorString: invalid syntax",
	}
	if got := r.Detail(0); got != want {
		t.Errorf("detail %+v\nwant   %+v", got, want)
	}
	r.Error(parseInt("abc"))
	if got := r.Detail(0); got.ErrorType != "*strconv.NumError" || got.ErrorClass != "strconv.ParseInt: parsing <q>: invalid syntax" {
		t.Errorf("detail %+v", got)
	}
}

func TestDetailLimit(t *testing.T) {
	long := strings.Repeat("é", 1000)
	for limit := 1; limit < 60; limit++ {
		var r Result
		r.Any(map[string]any{"a": []any{1, 2, 3}, "b": long})
		d := r.Detail(limit)
		if len(d.Value) > limit || !d.Truncated || !strings.HasPrefix(`{"a": [1, 2, 3], "b": "`+long, d.Value) {
			t.Errorf("limit %d: %d bytes, %+v", limit, len(d.Value), d)
		}
		r.Error(errors.New(long))
		if d := r.Detail(limit); len(d.Error) > limit || !d.Truncated || !strings.HasPrefix(long, d.Error) {
			t.Errorf("limit %d: %+v", limit, d)
		}
	}
	var r Result
	r.String("abc")
	if d := r.Detail(5); d.Value != `"abc"` || d.Truncated {
		t.Errorf("a value of exactly the limit: %+v", d)
	}
	if d := r.Detail(4); d.Value != `"abc` || !d.Truncated {
		t.Errorf("a value one longer than the limit: %+v", d)
	}
}

type panicking struct{}

func (panicking) Error() string { panic("from Error") }

func TestPanicInErrorIsLeftToTheCaller(t *testing.T) {
	var r Result
	r.Error(panicking{})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic of Error did not reach the caller")
			}
		}()
		r.Observe(true)
	}()
	r.Reset()
	r.Int(1)
	var fresh Result
	fresh.Int(1)
	if r.Observe(true) != fresh.Observe(true) {
		t.Error("the result is not usable after a panic")
	}
}

func TestOutcomeNames(t *testing.T) {
	want := []string{"unknown", "accepted", "rejected", "declined", "crashed", "timeout", "oom", "unknown"}
	for i, name := range want {
		if got := Outcome(i).String(); got != name {
			t.Errorf("Outcome(%d) is %q, want %q", i, got, name)
		}
		o, err := ParseOutcome(name)
		if (err == nil) != (name != "unknown") || err == nil && o != Outcome(i) {
			t.Errorf("ParseOutcome(%q) = %v, %v", name, o, err)
		}
	}
}

func tree() any {
	return map[string]any{
		"id": 12.0, "name": "gopher", "ok": true, "none": nil,
		"tags":  []any{"a", "b", "c", 1.0, 2.0},
		"child": map[string]any{"x": 1.0, "y": 2.0, "z": []any{true, false}, "w": "text"},
	}
}

func TestObserveAllocatesNothing(t *testing.T) {
	shared := tree()
	data := []byte("text")
	plain := &ownError{`parsing "abc" at 12: bad`}
	type point struct {
		X, Y int
		name string
	}
	points := &point{1, 2, "p"}
	cases := map[string]func(*Result){
		"bool":   func(r *Result) { r.Verdict(true) },
		"string": func(r *Result) { r.String("text"); r.Error(nil) },
		"error":  func(r *Result) { r.String(""); r.Error(plain) },
		"bytes":  func(r *Result) { r.Bytes(data); r.Int(-1); r.Uint(2); r.Float(3) },
		"tree":   func(r *Result) { r.Any(shared) },
		"struct": func(r *Result) { r.Any(points) },
	}
	for name, store := range cases {
		var r Result
		n := testing.AllocsPerRun(100, func() {
			r.Reset()
			store(&r)
			r.Observe(true)
		})
		if n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func BenchmarkObserve(b *testing.B) {
	shared := tree()
	bad := &ownError{`strconv.ParseInt: parsing "abc": invalid syntax`}
	bench := func(name string, store func(*Result)) {
		b.Run(name, func(b *testing.B) {
			var r Result
			b.ReportAllocs()
			for i := 0; i < b.N; i++ {
				r.Reset()
				store(&r)
				r.Observe(true)
			}
		})
	}
	bench("bool", func(r *Result) { r.Verdict(true) })
	bench("string,nil", func(r *Result) { r.String("some output of the program"); r.Error(nil) })
	bench("string,error", func(r *Result) { r.String(""); r.Error(bad) })
	bench("tree", func(r *Result) { r.Any(shared) })
	value := partsSample()
	bench("struct", func(r *Result) { r.Any(&value) })
}

func BenchmarkDisagree(b *testing.B) {
	obs := []Observation{{Outcome: Accepted, Value: 1}, {Outcome: Accepted, Value: 1}, {Outcome: Accepted, Value: 1}}
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		if Disagree(VerdictLayer|ValueLayer|ClassLayer, obs) {
			b.Fatal("equal observations disagree")
		}
		TupleHash(obs)
	}
}
