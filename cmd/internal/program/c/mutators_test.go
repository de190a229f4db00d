package c

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"parallax/cmd/internal/program/programtest"
	"parallax/internal/cmplog"
	"parallax/internal/oracle"
)

// TestCmpLog checks that operands of integer and string comparisons are reported, even if the input
// ends the process.
func TestCmpLog(t *testing.T) {
	const source = head + `
#include <strings.h>
int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {
  uint32_t w = 0;
  if (n < 8) return 1;
  memcpy(&w, d, 4);
  if (w == 0x11223344) return 0;
  if (!memcmp(d + 4, "word", 4)) return 2;
  if (n > 9 && !strncasecmp((const char *)d + 4, "Fold", 4)) return 3;
  switch (d[3]) { case 200: return 4; case 201: return 5; case 202: return 6; case 90: abort(); case 7: return 9; }
  return 1;
}`
	g := open(t, Config{Path: harness(t, source, "operands"), Build: "operands"})
	for _, in := range []string{"abcdefghijk", "abcZefghijk"} {
		ops, err := g.Comparisons(t.Context(), []byte(in))
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, op := range ops {
			all = append(all, fmt.Sprintf("%d/%d %x %x %q %q", op.Kind, op.Width, op.A, op.B, op.S, op.T))
		}
		text := strings.Join(all, "\n")
		for _, want := range []string{
			fmt.Sprintf("%d/4 11223344 ", cmplog.IntOrder), fmt.Sprintf("%d/0 0 0 %q %q", cmplog.StringEqual, "efgh", "word"),
			fmt.Sprintf("%d/0 0 0 %q %q", cmplog.Fold, "efgh", "Fold"), fmt.Sprintf("%d/1 %x c8 ", cmplog.Lookup, in[3]),
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", in, want, text)
			}
		}
	}
	again, err := g.Comparisons(t.Context(), []byte("abcdefghijk"))
	first, _ := g.Comparisons(t.Context(), []byte("abcdefghijk"))
	if err != nil || len(again) != len(first) || again[0].Site != first[0].Site {
		t.Errorf("%v: the same comparisons have other sites", err)
	}
	if r := try(t, g, "abcdefghijk"); r[0].Outcome != oracle.Rejected {
		t.Errorf("%+v", r)
	}
}

// TestMutate checks that a harness's mutators work, with LLVMFuzzerMutate. The same seed gives the
// same mutants.
func TestMutate(t *testing.T) {
	const source = head + `
size_t LLVMFuzzerMutate(uint8_t *d, size_t n, size_t max);
int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) { return 0; }
size_t LLVMFuzzerCustomMutator(uint8_t *d, size_t n, size_t max, unsigned seed) {
  if (is(d, n, "die")) abort();
  d[0] = 'M';
  return 1 + LLVMFuzzerMutate(d + 1, n - 1, max - 1);
}
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t an, const uint8_t *b, size_t bn, uint8_t *o, size_t max, unsigned seed) {
  if (an + bn > max) return 0;
  memcpy(o, a, an); memcpy(o + an, b, bn); return an + bn;
}`
	g := open(t, Config{Path: harness(t, source, "")})
	if mutate, cross := g.Can(); !mutate || !cross {
		t.Fatal("its mutators are not seen")
	}
	mutate := func(seed uint64, inputs ...string) (texts []string) {
		results := make([]Result, len(inputs))
		if err := g.Mutate(t.Context(), programtest.Inputs(inputs...), seed, 64, results); err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			if r.End != nil {
				texts = append(texts, r.Message)
			} else {
				texts = append(texts, string(r.Output))
			}
		}
		return texts
	}
	a, b, c := mutate(1, "abcdefgh", "xyz"), mutate(1, "abcdefgh", "xyz"), mutate(2, "abcdefgh", "xyz")
	if a[0] != b[0] || a[0] == c[0] || a[0][0] != 'M' || a[0] == "Mbcdefgh" {
		t.Errorf("%q, %q with the same seed, %q with another", a, b, c)
	}
	if x := mutate(4, "abc", "xyz"); x[0] != "abcxyz" {
		t.Errorf("crossed: %q", x)
	}
	if x := mutate(1, "abc", "die", "xyz"); x[0][0] != 'M' || x[1] != "signal: aborted" || x[2][0] != 'M' {
		t.Errorf("%q", x)
	}
	if r := try(t, g, "abc"); r[0].Outcome != oracle.Accepted {
		t.Errorf("%+v", r)
	}
}

// TestSanitizers checks that reports of sanitizers have the stack's addresses. A leak is attributed
// to its input.
func TestSanitizers(t *testing.T) {
	const source = head + `
static void *volatile keep;
int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {
  char *volatile p = malloc(4);
  if (is(d, n, "heap")) p[n] = 1;
  if (is(d, n, "over")) return ((volatile const uint8_t *)d)[n];
  if (is(d, n, "null")) *(volatile int *)0 = 1;
  if (is(d, n, "shift")) return (int)n << (d[0] + n);
  if (is(d, n, "leak")) { keep = malloc(10); keep = 0; }
  if (is(d, n, "abort")) abort();
  free(p);
  if (is(d, n, "free")) { free(p); }
  return 0;
}`
	g := open(t, Config{Path: harness(t, source, "sanitize"), Build: "sanitize", Leaks: true})
	results := try(t, g, "a", "heap", "over", "null", "shift", "leak", "abort", "free", "b")
	for i, want := range []string{
		"", "AddressSanitizer: heap-buffer-overflow", "AddressSanitizer: heap-buffer-overflow", "AddressSanitizer: SEGV",
		"UndefinedBehaviorSanitizer: shift exponent 120 is too large for 32-bit type 'int'",
		"LeakSanitizer: detected memory leaks", "signal: aborted", "AddressSanitizer: attempting double-free", "",
	} {
		r := results[i]
		if r.Message != want || (want == "") != (r.End == nil) {
			t.Errorf("input %d: %q, want %q", i, r.Message, want)
		}
		if r.End != nil && len(r.End.Frames) == 0 {
			t.Errorf("input %d: no frames in\n%s", i, r.End.Text)
		}
	}
}

// TestMessages checks that C++ exceptions and messages of the C library before it aborts are
// reported.
func TestMessages(t *testing.T) {
	const source = head + `
#include <stdexcept>
#include <cassert>
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {
  try { if (is(d, n, "caught")) throw 1; } catch (int) { return 2; }
  if (is(d, n, "throw")) throw std::runtime_error("too bad");
  assert(n != 4);
  return 0;
}`
	g := open(t, Config{Path: harness(t, source, "")})
	for i, want := range []string{"", "uncaught exception std::runtime_error: too bad", "int LLVMFuzzerTestOneInput(const uint8_t *, size_t): Assertion `n != 4' failed.", ""} {
		if r := try(t, g, "caught", "throw", "four", "x")[i]; r.Message != want {
			t.Errorf("%d: %q, want %q\n%+v", i, r.Message, want, r.End)
		}
	}
}

// TestLargeOutput checks that outputs that are too large are cut, and marked as cut.
func TestLargeOutput(t *testing.T) {
	const source = head + `
int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {
  static char b[1 << 16];
  if (!n) return 0;
  memset(b, 'x', sizeof b);
  for (int i = 0; i < 64; i++) parallax_output(b, sizeof b);
  return 0;
}`
	g := open(t, Config{Path: harness(t, source, "")})
	for i, r := range try(t, g, "", "", "b", "", "") {
		if want := []int{0, 0, 1 << 20, 0, 0}[i]; len(r.Output) < want || r.Lost > 0 && want == 0 {
			t.Errorf("input %d: %d bytes, %d lost", i, len(r.Output), r.Lost)
		}
	}
	r := try(t, g, "a")[0]
	if len(r.Output)+r.Lost != 4<<20 || r.Lost == 0 || bytes.Trim(r.Output, "x") != nil && len(bytes.Trim(r.Output, "x")) > 0 {
		t.Errorf("%d bytes and %d lost", len(r.Output), r.Lost)
	}
}
