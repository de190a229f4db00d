package csource

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/original"
	"parallax/cmd/internal/model/prototype"
	"parallax/cmd/internal/model/scope"
)

// TestExample checks the example's stubs: wrong results in scope, and deviations outside of it.
func TestExample(t *testing.T) {
	code := load(t, Source{Dir: "../../../../examples/model-stubs", Files: []string{"stubs.c"}, Model: true, Speech: Speech{Unsupported: []string{"analyser_gap"}}})
	byte := map[string]prototype.Parameter{"c": {AtMost: 255}}
	for _, test := range []struct {
		prototype  string
		parameters map[string]prototype.Parameter
		deviation  string // in scope: the call, its effect, and the stub's effect
		outside    string
	}{
		{"size_t strlen(const char *s)", nil, "", ""},
		{"char *strchr(const char *s, int c)", byte, "", "wrong value"},
		{"char *strrchr(const char *s, int c)", byte, "wrong value", "wrong value"},
		{"void *memchr(const void *s, int c, size_t n)", byte, "wrong value", ""},
		{"int strncmp(const char *a, const char *b, size_t n)", nil, "", ""},
		{"char *strncat(char *to, const char *from, size_t n)", nil, "wrong value", "wrong value"},
		{"size_t strspn(const char *s, const char *accept)", map[string]prototype.Parameter{"accept": {Elements: 3}}, "", "declined"},
		{"int isspace(int c)", byte, "", ""},
		{"int toupper(int c)", byte, "", ""},
		{"int atoi(const char *s)", nil, "", "wrong value"},
		{"int memcmp(const void *a, const void *b, size_t n)", nil, "", "declined"},
	} {
		sig := signature(t, test.prototype, test.parameters)
		m, err := code.Model(sig, sig.Function)
		if err != nil {
			t.Fatal(err)
		}
		o, err := original.Musl(sig)
		if err != nil {
			t.Fatal(err)
		}
		found, err := scope.Find(context.Background(), o, m.Evaluate, scope.Options{Samples: 1500, Seed: 1, Compare: sig.Comparator()})
		if err != nil {
			t.Fatal(err)
		}
		within := map[scope.Kind]int{}
		for _, p := range found.Paths {
			if p.InScope {
				for kind, n := range p.Deviations {
					within[kind] += n
				}
			}
			t.Logf("%s: %v: %s; %s: %s, and not %s", sig.Function, p.InScope, p.Why, p.Deviating, p.Original, p.Model)
			// the shortest sampled call
			if sig.Function == "strrchr" && !p.InScope && p.Deviating != `strrchr("", 0)` {
				t.Errorf("the example is %s", p.Deviating)
			}
		}
		if got, outside := words(within), words(found.Outside()); got != test.deviation || outside != test.outside {
			t.Errorf("%s: %d of %d paths are in scope, with deviations %q; outside are %q", sig.Function, found.InScope(), len(found.Paths), got, outside)
		}
	}
}

func words(kinds map[scope.Kind]int) string {
	var all []string
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		all = append(all, string(k))
	}
	return strings.Join(all, ", ")
}

// TestOwnOriginal checks the example's original that is not a C library function.
func TestOwnOriginal(t *testing.T) {
	code := load(t, Source{Dir: "../../../../examples/model-stubs", Files: []string{"shorten.c"}})
	sig := signature(t, "unsigned shorten(unsigned n)", nil)
	o, err := code.Original(sig, "shorten")
	if err != nil {
		t.Fatal(err)
	}
	if got := run(t, o, call.Call{{Int: 16}}); got != "returns 15" {
		t.Error(got)
	}
}
