package csource

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/compiler"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/original"
	"parallax/cmd/internal/model/prototype"
)

// load compiles and links a source.
func load(t *testing.T, s Source) *Code {
	t.Helper()
	compiled, err := Compile(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(compiled)
	if err != nil {
		t.Fatal(err)
	}
	var read Sources // as a process without a compiler reads it
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	c, err := read.Load()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// written writes files into a folder.
func written(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func signature(t *testing.T, text string, parameters map[string]prototype.Parameter) *call.Signature {
	t.Helper()
	s, err := prototype.Read(text, parameters)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// answered renders the compared part of a model's answer, or its kind and reason if the call does
// not return.
func answered(t *testing.T, m *Model, s *call.Signature, c call.Call) string {
	t.Helper()
	a, err := m.Evaluate(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if a.Kind != formula.Returned {
		return a.Kind.String() + ": " + a.Detail
	}
	return s.Text(c, &a.Effect, s.Comparator())
}

func run(t *testing.T, o *original.Original, c call.Call) string {
	t.Helper()
	r, err := o.Run(c)
	if err != nil {
		t.Fatal(err)
	}
	if r.Undefined != "" {
		return "undefined: " + r.Undefined
	}
	return o.Signature.Text(c, &r.Effect, o.Signature.Comparator())
}

// TestStubs compares stubs with musl. Three have mistakes, one rejects calls, and the others agree
// on many calls.
func TestStubs(t *testing.T) {
	code := load(t, Source{Dir: "testdata", Files: []string{"stubs.c"}, Model: true})
	type parameters = map[string]prototype.Parameter
	for _, test := range []struct {
		prototype      string
		parameters     parameters
		input          string // of a call that differs
		model, correct string // both effects of it
	}{
		{prototype: "size_t strlen(const char *s)"},
		{"int strcmp(const char *a, const char *b)", nil, "a\x80\x00\x00\x00\x00\x00\x00aa", "returns a negative number", "returns a positive number"},
		{prototype: "char *strcpy(char *to, const char *from)"},
		{"char *strncpy(char *to, const char *from, size_t n)", nil, "\x03xxxx\x00\x00\x00\x00a", `returns to, writes "a\000" at to+0`, `returns to, writes "a\000\000" at to+0`},
		{prototype: "char *strcat(char *to, const char *from)"},
		{prototype: "char *strrchr(const char *s, int c)", parameters: parameters{"c": {AtMost: 255}}},
		{prototype: "void *memset(void *to, int c, size_t n)"},
		{prototype: "int memcmp(const void *a, const void *b, size_t n)"},
		{prototype: "size_t strnlen(const char *s, size_t n)"},
		{"int toupper(int c)", parameters{"c": {AtMost: 255}}, "\x80",
			"crashed: out-of-bounds read in @toupper, stubs.c:92: 1 bytes at offset 128 of @upper, which has 128 bytes", "returns 128"},
		{"long strtol(const char *s, char **end, int base)", parameters{"s": {Elements: 20}, "end": {Null: true}, "base": {AtMost: 12}}, "\x08-12",
			"declined: klee_silent_exit is called, in @strtol, stubs.c:103", "returns -10, stores s+3 in *end"},
		{"long strtol(const char *s, char **end, int base)", parameters{"s": {Elements: 20}, "base": {Value: "10"}}, "1111111111111111111",
			"declined: klee_assume assumes what is not so, in @strtol, stubs.c:109", "returns 1111111111111111111, stores s+19 in *end"},
		{prototype: "long strtol(const char *s, char **end, int base)", parameters: parameters{"s": {Elements: 18}, "end": {Null: true}, "base": {Value: "10"}}},
	} {
		s := signature(t, test.prototype, test.parameters)
		m, err := code.Model(s, s.Function)
		if err != nil {
			t.Fatal(err)
		}
		o, err := original.Musl(s)
		if err != nil {
			t.Fatal(err)
		}
		if test.model != "" {
			c := s.Decode([]byte(test.input))
			if got, want := answered(t, m, s, c), run(t, o, c); got != test.model || want != test.correct {
				t.Errorf("%s: %s, and the original: %s; not %s and %s", s.Quote(c), got, want, test.model, test.correct)
			}
		}
		rng := rand.New(rand.NewPCG(7, 7))
		for range 500 {
			input := make([]byte, s.Size())
			for i := range input {
				input[i] = "\x00\x00\x01ab0129 -+\x0a\x80\xff"[rng.IntN(15)]
			}
			c := s.Decode(input)
			got, want := answered(t, m, s, c), run(t, o, c)
			if got != want && test.model == "" {
				t.Errorf("%s: %s, not %s", s.Quote(c), got, want)
				break
			}
		}
	}
}

// TestOriginal checks users' originals: two files, macros, an include folder, a static function,
// memory, state, and undefined behavior.
func TestOriginal(t *testing.T) {
	dir := written(t, map[string]string{
		"include.h": "int half(int x);\n#define LOW 3\n",
		"first.c": `#include <ctype.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "include.h"
int clamp(int x, const char *s, size_t n) {
  int high = (int)strnlen(s, n) + HIGH;
  if (n && isdigit((unsigned char)s[0])) return half(x);
  return x < LOW ? LOW : x > high ? high : x;
}
char *copy(const char *s) { char *t = malloc(strlen(s) + 1); return t ? strcpy(t, s) : t; }
char *last(const char *s) { char c = *s; char *p = &c; return p; }
const char *name(int n) { return n ? "one" : 0; }
static int counter;
int next(int by) { return counter += by; }
static int twice(int x) { return x * 2; }
int square(int x) { return x * x; }
void half_set(int *to) { int v[2]; v[0] = 1; memcpy(to, v, 8); }
int positive(int x) { assert(x >= 0); return x; }
int endless(int x) { while (x) ; return 0; }
int sum(const int *v, size_t n) { int s = 0; for (size_t i = 0; i < n; i++) s += v[i]; return s; }
void take(char **s) { while (**s == ' ') ++*s; }
_Bool odd(unsigned char c) { return c & 1; }
void split(const char *s, const char **end) { *end = s + 1; }
`,
		"second.c": "#include \"include.h\"\nint half(int x) { return x / 2; }\nstatic int twice(int x) { return x + x; }\nint uses(int x) { return twice(x); }\n",
	})
	code := load(t, Source{Dir: dir, Files: []string{"first.c", "./second.c"}, Flags: []string{"-I", ".", "-DHIGH=10", "-std=gnu11"}})
	for _, test := range []struct {
		prototype  string
		parameters map[string]prototype.Parameter
		input      string
		want       string
	}{
		{"int clamp(int x, const char *s, size_t n)", nil, "\x64\x00\x00\x00\x08abc", "returns 13"},
		{"int clamp(int x, const char *s, size_t n)", nil, "\x64\x00\x00\x00\x081", "returns 50"},
		{"char *copy(const char *s)", nil, "abc", "returns memory of its own"},
		{"char *last(const char *s)", nil, "abc", "returns an address outside of all buffers"},
		{"const char *name(int n)", nil, "\x01", "returns memory of its own"},
		{"const char *name(int n)", nil, "", "returns NULL"},
		{"int next(int by)", nil, "\x02", "returns 2"},
		{"int next(int by)", nil, "\x03", "returns 3"},
		{"int square(int x)", nil, "\x00\x00\x01", "undefined: poison in @square, first.c:17: it is the result, and arithmetic overflowed or left an object"},
		{"void half_set(int *to)", map[string]prototype.Parameter{"to": {Elements: 2}}, "", "undefined: uninitialized value in @half_set: the byte at to+4 has none when it returns"},
		{"int positive(int x)", nil, "\xff\xff\xff\xff", "undefined: the assertion x >= 0 fails, in @positive, first.c:19"},
		{"int endless(int x)", nil, "\x01", "undefined: step limit in @endless, first.c:20"},
		{"int sum(const int v[3], size_t n)", nil, "\x03\x01\x00\x00\x00\x02\x00\x00\x00\xff\xff\xff\xff", "returns 2"},
		{"void take(char **s)", nil, "", "undefined: null pointer in @take, first.c:22: the pointer is null"},
		{"_Bool odd(unsigned char c)", nil, "\x03", "returns 1"},
		{"void split(const char *s, const char **end)", nil, "abc", "stores s+1 in *end"},
	} {
		s := signature(t, test.prototype, test.parameters)
		o, err := code.Original(s, s.Function)
		if err != nil {
			t.Errorf("%s: %v", s.Function, err)
			continue
		}
		if got := run(t, o, s.Decode([]byte(test.input))); got != test.want {
			t.Errorf("%s: %s, not %s", s.Quote(s.Decode([]byte(test.input))), got, test.want)
		}
	}
	if _, err := code.Original(signature(t, "int twice(int x)", nil), "twice"); exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), "both define") {
		t.Errorf("a function that two files have for themselves: %v", err)
	}
	if got := code.Functions(); !slices.Contains(got, "half") || slices.Contains(got, "strlen") {
		t.Errorf("functions: %v", got)
	}
}

// TestRefused checks that refusals name the line, and that the prototype must match the function.
func TestRefused(t *testing.T) {
	code := load(t, Source{Dir: written(t, map[string]string{"odd.c": `#include <stdio.h>
#include <stdarg.h>
double real(double x) { return x * 2; }
int scaled(int x) {
  float f = x;
  return f * 1.5f;
}
int outer(int x) { return scaled(x) + 1; }
int through(int x, int (*f)(int)) { return f(x); }
int print(int x) {
  x++;
  return printf("%d", x);
}
int unknown(int), table[4];
int calls(int x) {
  return x +
    unknown(x);
}
int add(int n, ...) { va_list a; va_start(a, n); va_end(a); return n; }
int assembly(int x) { __asm__("nop"); return x; }
int address(int x) { int (*f)(int) = calls; return f == 0; }
__int128 wide(__int128 x) { return x + 1; }
int fine(int x) { return x; }
struct pair { int a, b; };
struct pair both(struct pair p) { return p; }
`}), Files: []string{"odd.c"}})
	for _, test := range []struct {
		prototype, function, want string
		code                      int
	}{
		{"int scaled(int x)", "scaled", "odd.c:5: scaled cannot be run: it computes with floating point (sitofp), which is not supported", exit.BuildCode},
		{"int outer(int x)", "outer", "odd.c:5: outer cannot be run: scaled, which it calls, computes with floating point", exit.BuildCode},
		{"int real(int x)", "real", "odd.c:3: real cannot be run: it computes with floating point (double)", exit.BuildCode},
		{"int through(int x, void *f)", "through", "odd.c:9: through cannot be run: it calls through a pointer to a function", exit.BuildCode},
		{"int print(int x)", "print", "odd.c:12: print cannot be run: it needs printf, which is defined neither there nor by musl 1.2.3", exit.BuildCode},
		{"int calls(int x)", "calls", "odd.c:17: calls cannot be run: it needs unknown, which is defined neither there nor by musl 1.2.3", exit.BuildCode},
		{"int add(int n)", "add", "odd.c:19: add cannot be run: it has a variable number of arguments, which is not supported", exit.BuildCode},
		{"int assembly(int x)", "assembly", "odd.c:20: assembly cannot be run: it has assembly, which is not supported", exit.BuildCode},
		{"int address(int x)", "address", "odd.c:21: address cannot be run: it takes the address of calls, which is not supported of a function", exit.BuildCode},
		{"int missing(int x)", "missing", "odd.c defines no function missing: it has real, scaled, outer", exit.UsageCode},
		{"unsigned long strlen(char *s)", "strlen", "odd.c defines no function strlen", exit.UsageCode},
		{"int fine(int x, int y)", "fine", "fine of odd.c is not as the prototype says: it takes 1 arguments, and the prototype 2", exit.UsageCode},
		{"int fine(long x)", "fine", "its argument 0 has 32 bits, and the prototype's 64", exit.UsageCode},
		{"int fine(char *x)", "fine", "its argument 0 is of type i32, and the prototype's a string", exit.UsageCode},
		{"void fine(int x)", "fine", "its result is of type i32, and the prototype's void", exit.UsageCode},
		{"long fine(int x)", "fine", "its result is of type i32", exit.UsageCode},
	} {
		_, err := code.Original(signature(t, test.prototype, nil), test.function)
		if exit.Code(err) != test.code || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v; not %d: %s", test.prototype, err, test.code, test.want)
		} else {
			t.Log(err)
		}
	}
}

// TestSupplied checks the analyzer functions of stubs. Originals cannot use them.
func TestSupplied(t *testing.T) {
	dir := written(t, map[string]string{"said.c": `unsigned __VERIFIER_nondet_uint(void);
void __CPROVER_precondition(_Bool, const char *);
void __VERIFIER_error(void);
void klee_warning(const char *);
void klee_make_symbolic(void *, unsigned long, const char *);
int our_gap(int, int);
void our_assumption(int);
long our_value(void);
void __VERIFIER_assume(int);
void abort(void);
void klee_assume(unsigned long x) { (void)x; }
int said(int x) {
  int y;
  switch (x) {
  case 1: return __VERIFIER_nondet_uint();
  case 2: __CPROVER_precondition(x != 2, "x is\n\"other\""); break;
  case 3: __VERIFIER_error(); break;
  case 4: klee_warning("four"); break;
  case 5: klee_make_symbolic(&y, sizeof y, "y"); return y;
  case 6: return our_gap(x, x);
  case 7: __VERIFIER_assume(x == 7); break;
  case 8: __VERIFIER_assume(x == 7); break;
  case 9: abort();
  case 10: klee_assume(0); break;
  case 11: our_assumption(1); break;
  case 12: our_assumption(0); break;
  case 13: return our_value();
  }
  return x;
}
`})
	source := Source{Dir: dir, Files: []string{"said.c"}, Model: true, Speech: Speech{Unsupported: []string{"our_gap"}, Assume: []string{"our_assumption"}, Any: []string{"our_value"}}}
	code := load(t, source)
	s := signature(t, "int said(int x)", nil)
	m, err := code.Model(s, "said")
	if err != nil {
		t.Fatal(err)
	}
	for x, want := range []string{"returns 0", "unconstrained: __VERIFIER_nondet_uint gives any value, in @said, said.c:15",
		`crashed: __CPROVER_precondition fails: x is "other", in @said, said.c:16`, "crashed: __VERIFIER_error is called, in @said, said.c:17", "returns 4",
		"unconstrained: klee_make_symbolic gives any value, in @said, said.c:19", "declined: our_gap is called, in @said, said.c:20", "returns 7",
		"declined: __VERIFIER_assume assumes what is not so, in @said, said.c:22", "crashed: it calls abort, in @said, said.c:23", "returns 10",
		"returns 11", "declined: our_assumption assumes what is not so, in @said, said.c:26", "unconstrained: our_value gives any value, in @said, said.c:27"} {
		if got := answered(t, m, s, s.Decode([]byte{byte(x)})); got != want {
			t.Errorf("said(%d): %s, not %s", x, got, want)
		}
	}
	source.Model, source.Speech = false, Speech{}
	if _, err := load(t, source).Original(s, "said"); exit.Code(err) != exit.BuildCode || !strings.Contains(err.Error(), "it needs __VERIFIER_nondet_uint, which is defined neither there nor by musl") {
		t.Errorf("an original: %v", err)
	}
}

// TestMistakes checks sources that do not compile, do not link, or are missing.
func TestMistakes(t *testing.T) {
	dir := written(t, map[string]string{"wrong.c": "int f(int x) {\n  return y;\n}\n" + strings.Repeat("int g(void) { return z; }\n", 30), "a.c": "int f(void) { return 1; }\n",
		"b.c": "int f(void) { return 2; }\n", "a.txt": "", "empty.c": ""})
	for _, test := range []struct {
		files, flags []string
		want         string
		code         int
	}{
		{[]string{"wrong.c"}, nil, "wrong.c does not compile:\nwrong.c:2:10: error: use of undeclared identifier 'y'", exit.BuildCode},
		{[]string{"a.c", "b.c"}, nil, "the C files do not link: f is defined by b.c and by another file", exit.BuildCode},
		{[]string{"none.c"}, nil, "there is no file " + filepath.Join(dir, "none.c"), exit.UsageCode},
		{[]string{"."}, nil, "is no C file", exit.UsageCode},
		{[]string{"a.txt"}, nil, "a.txt is no C file: its name does not end with .c", exit.UsageCode},
		{nil, nil, "there is no C file", exit.UsageCode},
		{[]string{"a.c"}, []string{"-O2"}, `the flag "-O2" of a C file cannot be used`, exit.UsageCode},
		{[]string{"a.c"}, []string{"-I", ".", "other.c"}, `the flag "other.c" of a C file cannot be used`, exit.UsageCode},
		{[]string{"a.c"}, []string{"-fsanitize=address"}, "cannot be used", exit.UsageCode},
		{[]string{"a.c"}, []string{"-D"}, "the flag -D of a C file has no value", exit.UsageCode},
		{[]string{"a.c"}, []string{"-m32"}, "cannot be used", exit.UsageCode},
	} {
		compiled, err := Compile(context.Background(), Source{Dir: dir, Files: test.files, Flags: test.flags})
		if err == nil {
			_, err = compiled.Load()
		}
		if exit.Code(err) != test.code || err == nil || !strings.Contains(err.Error(), test.want) || strings.Count(err.Error(), "\n") > lines+1 {
			t.Errorf("%v %v: %v; not %d: %s", test.files, test.flags, err, test.code, test.want)
		}
	}
	if _, err := load(t, Source{Dir: dir, Files: []string{"empty.c"}}).Original(signature(t, "int f(void)", nil), "f"); err == nil || !strings.Contains(err.Error(), "and no other") {
		t.Errorf("an empty file: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Compile(ctx, Source{Dir: dir, Files: []string{"a.c"}}); err != context.Canceled {
		t.Errorf("a context that is over: %v", err)
	}
	if _, err := (&Sources{Units: []Unit{{"a.c", "define", ""}}}).Load(); exit.Code(err) != exit.BuildCode || !strings.Contains(err.Error(), "a.c cannot be read") {
		t.Errorf("text that is no IR: %v", err)
	}
	t.Setenv("PARALLAX_CLANG", "/nowhere/clang")
	if _, err := Compile(context.Background(), Source{Dir: dir, Files: []string{"a.c"}}); exit.Code(err) != exit.InfraCode {
		t.Errorf("no compiler: %v", err)
	}
}

// TestSlowCompiler checks that a hanging compiler is ended, and is not run a second time for the
// native function.
func TestSlowCompiler(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	for name, text := range map[string]string{"clang": "#!/bin/sh\nsleep 600\n", "a.c": "int f(void) { return 1; }\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PARALLAX_CLANG", filepath.Join(dir, "clang"))
	defer func(was time.Duration) { compiler.Limit = was }(compiler.Limit)
	compiler.Limit = 200 * time.Millisecond
	_, err := Compile(context.Background(), Source{Dir: dir, Files: []string{"a.c"}})
	if want := "a.c: the C compiler " + filepath.Join(dir, "clang") + " did not end within 200ms"; exit.Code(err) != exit.BuildCode || !strings.Contains(err.Error(), want) {
		t.Errorf("%v", err)
	}
	p := &Part{Sources: &Sources{Units: []Unit{{"a.c", "define i32 @f() {\n  ret i32 1\n}\n", ""}}}, Function: "f"}
	var slow *compiler.SlowError
	if _, err := p.Shared(context.Background()); !errors.As(err, &slow) {
		t.Errorf("for this machine: %v", err)
	}
	compiler.Limit = time.Hour
	if _, err := p.Shared(context.Background()); !errors.As(err, &slow) {
		t.Errorf("a second time: %v", err)
	}
}

// TestState checks that a function with state between calls can be compared by a function that
// makes several calls.
func TestState(t *testing.T) {
	const second = "#include <string.h>\nchar *second(char *s, const char *sep) { char *state; strtok_r(s, sep, &state); return strtok_r(NULL, sep, &state); }\n"
	const stub = `#include <string.h>
char *strtok_r(char *s, const char *sep, char **state) {
  if (!s) s = *state;
  s += strspn(s, sep);
  if (!*s) return NULL;
  char *end = s + strcspn(s, sep);
  *state = end;
  if (*end) { *end = 0; (*state)++; }
  return s;
}
`
	dir := written(t, map[string]string{"second.c": second, "stub.c": stub})
	o, err := load(t, Source{Dir: dir, Files: []string{"second.c"}}).Original(signature(t, "char *second(char *s, const char *sep)", nil), "second")
	if err != nil {
		t.Fatal(err)
	}
	m, err := load(t, Source{Dir: dir, Files: []string{"stub.c", "second.c"}, Model: true}).Model(o.Signature, "second")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ s, original, model string }{
		{"a,b", `returns s+2, writes "\000" at s+1`, `returns s+2, writes "\000" at s+1`},
		{"a", "returns NULL", "returns NULL"},
		{"", "returns NULL", "crashed: "}, // the stub leaves its state unchanged
	} {
		c := o.Signature.Decode([]byte(test.s + strings.Repeat("\x00", 8-len(test.s)) + ","))
		if got := run(t, o, c); got != test.original {
			t.Errorf("%s: the original %s", o.Signature.Quote(c), got)
		}
		if got := answered(t, m, o.Signature, c); !strings.HasPrefix(got, test.model) {
			t.Errorf("%s: the model %s", o.Signature.Quote(c), got)
		}
	}
}

// TestSpeech checks that a name in Speech that no file calls is an error that lists the called
// functions.
func TestSpeech(t *testing.T) {
	dir := written(t, map[string]string{"stub.c": "void gap(void);\nint any(int);\nint f(int x) { if (x) gap(); return any(x); }\n", "quiet.c": "int f(int x) { return x; }\n"})
	for _, test := range []struct {
		file   string
		speech Speech
		want   string
	}{
		{"stub.c", Speech{Unsupported: []string{"gap"}, Any: []string{"any"}}, ""},
		{"stub.c", Speech{Unsupported: []string{"gap", "gapp"}}, "unsupported: stub.c calls no function gapp: those that it calls and does not define are any, gap"},
		{"stub.c", Speech{Assume: []string{"f"}}, ""},
		{"quiet.c", Speech{Any: []string{"gap"}}, "any: quiet.c calls no function gap, and none that is not defined there: a function that nothing calls says nothing"},
	} {
		s, err := Compile(context.Background(), Source{Dir: dir, Files: []string{test.file}, Model: true, Speech: test.speech})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := s.Check(); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: %+v: %q", test.file, test.speech, got)
		}
	}
}
