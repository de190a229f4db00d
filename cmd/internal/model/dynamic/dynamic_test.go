package dynamic

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/model/campaignfiles"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/model/verdict"
)

func function(form string, parameters ...extract.Parameter) *Function {
	return &Function{Engine: "fake", Version: "1", Function: "f", Form: form, Elements: 4, Parameters: parameters}
}

func takes(optional bool, kinds ...string) extract.Parameter {
	return extract.Parameter{Name: "p", Kinds: kinds, Optional: optional}
}

// TestDecode checks that any bytes decode to a call. Missing values are empty, zero, or defaults.
func TestDecode(t *testing.T) {
	find := function("{0}.find({...})", takes(false, "str"), takes(false, "str"), takes(true, "int", "none"), takes(true, "int", "none"))
	pow := function("{0} ** {1}", takes(false, "int"), takes(false, "int"))
	bits := function("{0}.bit_length({...})", takes(false, "int"))
	for _, test := range []struct {
		f    *Function
		flat string
		want string
	}{
		{find, "", `''.find('')`},
		{find, "abc\x00b", `'abc'.find('b')`},
		{find, "abc\x00b\x00\x01\x05\x02", `'abc'.find('b', 5, None)`},
		// after a default, all arguments have defaults
		{find, "abc\x00b\x00\x00\x01", `'abc'.find('b')`},
		{find, "abcdefg\x00\x82\x00", `'abcd'.find('ß')`},
		{find, "\xff'\\\n\x1b\xfe\x01\xf6\x00", `'\x00\'\\\n'.find('')`},
		{find, "\xfe\x00\xd8\x00", `''.find('')`}, // half a pair of surrogates is no character
		{pow, "\x03\x04", `3 ** 4`},
		{pow, "\x81\x04", `(-2) ** 4`},
		{pow, "\xfe\x01\xfe\x00", `(-4611686018427387904) ** 64`},
		{bits, "\x05", `(5).bit_length()`},
		{function("{1} in {0}", takes(false, "str"), takes(false, "str")), "abc\x00b", `'b' in 'abc'`},
		{function("divmod({0}, {1})", takes(false, "int"), takes(false, "int")), "\x80\x81", `divmod(-1, -2)`},
		{function("round({0}, {...})", takes(false, "int"), takes(true, "int")), "\x05", `round(5)`},
		{function("round({0}, {...})", takes(false, "int"), takes(true, "int")), "\x05\x01\x80", `round(5, -1)`},
		{function("int.from_bytes({...})", takes(false, "bytes"), takes(true, "=little", "=big")), "a\xfe\x00\xff'\x00\x02", `int.from_bytes(b'a\x00\x00\'', 'big')`},
		{function("{0}.join({...})", takes(false, "str"), takes(false, "list:str")), ",\x00\x02a\x00b", `','.join(['a', 'b'])`},
		{function("f({...})", takes(false, "bool"), takes(false, "none")), "\x01", `f(True, None)`},
	} {
		c := test.f.Decode([]byte(test.flat))
		if got := test.f.Quote(c); got != test.want {
			t.Errorf("%q is %s, not %s", test.flat, got, test.want)
		}
		if !json.Valid(c.JSON()) {
			t.Errorf("%q as JSON: %s", test.flat, c.JSON())
		}
	}
	if got, want := string(find.Decode([]byte("\x80\"\x00a\x00\x01\x80\x02")).JSON()), `[{"str":"é\""},{"str":"a"},{"int":"-1"},{"none":true}]`; got != want {
		t.Errorf("as JSON: %s, not %s", got, want)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("abc\x00\x01\x05\xfe\x01\xf6\x00"))
	list := []*Function{
		function("{0}.find({...})", takes(false, "str"), takes(true, "list:bytes", "none"), takes(true, "int", "=x")),
		function("{0} << {1}", takes(false, "int", "bool"), takes(false, "bytes")),
	}
	f.Fuzz(func(t *testing.T, flat []byte) {
		for _, fn := range list {
			c := fn.Decode(flat)
			if data := c.JSON(); !json.Valid(data) || strings.Contains(string(data), "\\ufffd") {
				t.Errorf("as JSON: %s", data)
			}
			if q := fn.Quote(c); strings.ContainsAny(q, "\n\x00\x1b") {
				t.Errorf("not on one line: %q", q)
			}
		}
	})
}

// fake is an engine whose original doubles a number, and whose model is wrong for some numbers.
type fake struct {
	err   error
	wrong func(n int64) (extract.Said, bool)
	asked map[extract.Side]int
}

func (f *fake) Calls(_ context.Context, _ string, side extract.Side, list []json.RawMessage) (said []extract.Said, err error) {
	for _, data := range list {
		f.asked[side]++
		var args []struct {
			Int json.Number `json:"int"`
		}
		if err := json.Unmarshal(data, &args); err != nil {
			return nil, err
		}
		n, err := args[0].Int.Int64()
		if err != nil || n > 1<<40 {
			said = append(said, extract.Said{How: extract.Failed, Value: "too large"})
			continue
		}
		right := extract.Said{How: extract.Returns, Kind: "int", Value: json.Number(args[0].Int + "*2").String(), Unique: true}
		if n < 0 {
			right = extract.Said{How: extract.Raises, Kind: "ValueError", Value: "ValueError", Unique: true}
		}
		if side == extract.OfModel {
			if w, is := f.wrong(n); is {
				right = w
			}
		}
		said = append(said, right)
	}
	return said, f.err
}

func double() *Function { return function("double({...})", takes(false, "int")) }

// TestScope checks that cells with mostly agreeing calls are in scope, and the others are not.
func TestScope(t *testing.T) {
	engine := &fake{asked: map[extract.Side]int{}, wrong: func(n int64) (extract.Said, bool) {
		switch {
		case n%10 == 7: // a mistake
			return extract.Said{How: extract.Returns, Kind: "int", Value: "13", Unique: true}, true
		case n == 8:
			return extract.Said{How: extract.Returns, Kind: "int", Value: "0"}, true
		case n == 9:
			return extract.Said{How: extract.Unknown, Value: "IgnoreAttempt"}, true
		case n < 0: // not meant to be modeled
			return extract.Said{How: extract.Returns, Kind: "int", Value: "-1", Unique: true}, true
		}
		return extract.Said{}, false
	}}
	dir := t.TempDir()
	found, err := Prepare(t.Context(), double(), engine, dir, "fake-double", Options{Samples: 400, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	in := map[string]bool{}
	for _, p := range found.Scope.Paths {
		in[p.Lines[0]] = p.InScope
	}
	for cell, want := range map[string]bool{"returns int for positive int": true, "raises ValueError for negative int": false, "returns int for 0": false} {
		if is, there := in[cell]; !there || is != want {
			t.Errorf("%s: there %v, in scope %v", cell, there, is)
		}
	}
	outside := found.Scope.Outside()
	if outside[scope.Wrong] == 0 || outside[scope.Unknown] != 1 || outside[scope.Unconstrained] != 1 {
		t.Errorf("outside are %v", outside)
	}
	text := Explain(double(), found.Scope)
	for _, want := range []string{"f: 3 outcome cells of the original, 1 in scope", "agreement over how calls end", "never agrees: wrong value", "differs on   double(-"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	// Deviations in scope are among the seeds.
	seeds, _ := filepath.Glob(filepath.Join(dir, "seeds", "*"))
	seven := false
	for _, path := range seeds {
		flat, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		seven = seven || strings.HasSuffix(double().Quote(double().Decode(flat)), "7)")
	}
	if !seven {
		t.Errorf("no call that deviates is among %d seeds", len(seeds))
	}
	for _, name := range []string{campaignfiles.Config, functionFile, scopeFile} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if f, err := Read(filepath.Join(dir, functionFile)); err != nil || f.Form != "double({...})" {
		t.Errorf("%+v: %v", f, err)
	}
}

// TestJudge checks that a fresh process confirms findings. Deviations that do not repeat, agree, or
// lie out of scope are no findings.
func TestJudge(t *testing.T) {
	mistaken := func(n int64) (extract.Said, bool) {
		if n == 7 || n == 0 {
			return extract.Said{How: extract.Returns, Kind: "int", Value: "13", Unique: true}, true
		}
		if n == 8 {
			return extract.Said{How: extract.Returns, Kind: "int", Value: "13"}, true
		}
		return extract.Said{}, false
	}
	running := &fake{asked: map[extract.Side]int{}, wrong: mistaken}
	starts, ends := 0, 0
	right := false
	fresh := func(context.Context) (Asker, func(), error) {
		starts++
		one := &fake{asked: map[extract.Side]int{}, wrong: mistaken}
		if right {
			one.wrong = func(int64) (extract.Said, bool) { return extract.Said{}, false }
		}
		return one, func() { ends++ }, nil
	}
	found, err := Find(t.Context(), double(), running, Options{Samples: 100})
	if err != nil {
		t.Fatal(err)
	}
	judge := NewJudge(double(), found.Scope, running, fresh, Options{})
	for _, test := range []struct{ bucket, flat, want string }{
		{"a", "\x07", ""},
		{"b", "\x06", "fake, asked for this call alone: agrees: returns 6*2"},
		{"c", "\x08", "fake, asked for this call alone: unconstrained: returns 13"},
	} {
		if why, err := judge.Veto(t.Context(), test.bucket, []byte(test.flat)); why != test.want || err != nil {
			t.Errorf("%q: %q, %v, not %q", test.flat, why, err, test.want)
		}
	}
	// A cell that samples did not reach has only this call.
	found.Scope = &scope.Scope{Version: scope.Version, Function: "f", Threshold: scope.DefaultThreshold}
	other := NewJudge(double(), found.Scope, running, fresh, Options{})
	if why, err := other.Veto(t.Context(), "d", []byte("\x00")); verdict.Kind(why) != string(scope.Wrong) || err != nil {
		t.Errorf("a cell of its own: %q, %v", why, err)
	}
	if starts != ends || starts != 4 {
		t.Errorf("%d processes were started, and %d ended", starts, ends)
	}
	lost := NewJudge(double(), found.Scope, running, func(context.Context) (Asker, func(), error) {
		return &fake{err: extract.ErrUnavailable, asked: map[extract.Side]int{}}, func() {}, nil
	}, Options{})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if why, err := lost.Veto(ended, "a", []byte("\x07")); why != "" || err == nil || lost.Err != nil {
		t.Errorf("interrupted: %q, %v, and later %v", why, err, lost.Err)
	}
	if why, err := lost.Veto(t.Context(), "a", []byte("\x07")); why != "" || err == nil || lost.Err == nil {
		t.Errorf("an engine that cannot be had confirms: %q, %v, %v", why, err, lost.Err)
	}
	right = true
	again := NewJudge(double(), found.Scope, running, fresh, Options{})
	if why, err := again.Veto(t.Context(), "a", []byte("\x07")); !strings.Contains(why, "agrees") || err != nil {
		t.Errorf("what does not repeat: %q, %v", why, err)
	}
	text := judge.Explain()
	if !strings.Contains(text, "  confirmed: double(7)\n    by a fresh process of both sides\n") || !strings.Contains(text, "  not confirmed: double(6): ") {
		t.Error(text)
	}
	for range verdict.Patience + 2 { // some deviations of an unconfirmed bucket are asked about
		judge.Veto(t.Context(), "e", []byte{byte(20 + starts)})
	}
	if starts != 5+verdict.Patience {
		t.Errorf("%d processes were started", starts)
	}
}

// TestRead checks that a file without a function is refused.
func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		`{`:  "says no function",
		`{}`: "says no function",
		`{"function":"f","form":"f({...})","elements":8,"parameters":[{"name":"a","kinds":["dict"]}]}`: `takes "dict", which is no kind of value`,
		`{"function":"f","form":"f({...})","elements":8,"parameters":[{"name":"a","kinds":[]}]}`:       "parameter a of f takes nothing",
	} {
		path := filepath.Join(t.TempDir(), "f.json")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
