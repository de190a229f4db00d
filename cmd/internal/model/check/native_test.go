package check

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/model/confirm"
	"parallax/cmd/internal/model/csource"
	"parallax/cmd/internal/model/prototype"
	"parallax/cmd/internal/model/record"
	"parallax/cmd/internal/model/scope"
)

const originals = `#include <stdlib.h>
#include <string.h>
int unknown(void);
int unused(void) { return unknown(); }
static int limit = 100;
static int clamp(int x) { return x > limit ? limit : x; }
char *copy(const char *s) { char *t = malloc(strlen(s) + 1); return t ? strcpy(t, s) : t; }
_Bool even(unsigned char c) { return c % 2 == 0; }
void skip(const char *s, char **end) { while (*s == ' ') s++; *end = (char *)s; }
`

const models = `#include <stddef.h>
int clamp(int x) { return x >= 99 ? 100 : x; }
char *copy(const char *s) { return s[0] == 'x' ? NULL : (char *)s; }
_Bool even(unsigned char c) { return c == 6 ? 0 : !(c & 1); }
void skip(const char *s, char **end) { while (*s == ' ' || *s == '\t') s++; *end = (char *)s; }
`

// TestNative checks that the user's own C function, run on this machine, confirms a deviation of a
// C model.
func TestNative(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	parts := map[string]*csource.Sources{}
	for name, text := range map[string]string{"original.c": originals, "model.c": models} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		var err error
		if parts[name], err = csource.Compile(context.Background(), csource.Source{Dir: dir, Files: []string{name}, Model: name == "model.c"}); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ prototype, input, right string }{
		{"int clamp(int x)", "\x63", "returns 99"},
		{"int clamp(int x)", "\x62", ""},
		{"char *copy(const char *s)", "abc", "returns memory of its own"},
		{"_Bool even(unsigned char c)", "\x06", "returns 1"},
		{"void skip(const char *s, char **end)", " \tx", "stores s+1 in *end"},
	} {
		s, err := prototype.Read(test.prototype, nil)
		if err != nil {
			t.Fatal(err)
		}
		r := record.New(s, &record.Code{Model: &csource.Part{Sources: parts["model.c"], Function: s.Function}, Original: &csource.Part{Sources: parts["original.c"], Function: s.Function}})
		m, err := Prepare(context.Background(), r, Options{Dir: t.TempDir(), Scope: scope.Options{Samples: 20, Seed: 1, Compare: s.Comparator()}})
		if err != nil {
			t.Fatal(err)
		}
		judge := m.Judge(nil, confirm.Options{})
		why, err := judge.Veto(context.Background(), "bucket", []byte(test.input))
		if (why == "") != (test.right != "") || err != nil {
			t.Errorf("%s: %q: %s, %v", s.Function, test.input, why, err)
		}
		for _, a := range judge.Asked {
			if text := ""; test.right != "" {
				for _, step := range a.Verdict.Steps {
					if step.State == confirm.Confirms {
						text += step.By + ": " + step.Answer
					}
				}
				if text != "the original, compiled for this machine: "+test.right {
					t.Errorf("%s: %+v", s.Function, a.Verdict)
				}
			}
		}
		judge.Close()
		m.Close()
	}
	odd := &csource.Part{Sources: &csource.Sources{Units: []csource.Unit{{File: "a.c", IR: "@llvm.global_ctors = appending global"}}}, Function: "f"}
	if _, err := odd.Shared(context.Background()); err == nil || !strings.Contains(err.Error(), "a.c has code that runs when it is loaded") {
		t.Errorf("a constructor: %v", err)
	}
	odd.Units[0].IR = "define"
	if _, err := odd.Shared(context.Background()); err == nil || !strings.Contains(err.Error(), "does not compile for this machine") {
		t.Errorf("text that is no IR: %v", err)
	}
}
