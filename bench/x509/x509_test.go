package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parallax/internal/judge"
)

// TestBudget: both configurations ask for the same, so that their trials can be put side by side.
func TestBudget(t *testing.T) {
	var all [2][3]int
	for i, file := range []string{"x509.toml", "frankencert.toml"} {
		trials, inputs, seed, err := budget(file)
		if err != nil {
			t.Fatal(err)
		}
		all[i] = [3]int{trials, inputs, seed}
	}
	if all[0] != all[1] || slices.Contains(all[0][:], 0) {
		t.Errorf("trials, inputs and seed are %v and %v", all[0], all[1])
	}
}

func TestTarget(t *testing.T) {
	o := options{examples: "../../examples"}
	got, err := o.target()
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"go", "openssl", "gnutls", "mbedtls", "wolfssl", "botan", "boringssl"}; !slices.Equal(got.programs, want) {
		t.Errorf("programs %v", got.programs)
	}
	if len(got.classes) != 16 || got.classes[0] != "frame" || got.classes[15] != "other" {
		t.Errorf("classes %v", got.classes)
	}
}

func hashOf(t *testing.T, v vector) string {
	t.Helper()
	var obs []judge.Observation
	for _, class := range v {
		obs = append(obs, observation(class))
	}
	h, ok := judge.UniqueDiscrepancy(obs)
	if !ok {
		t.Fatalf("%v is no discrepancy", v)
	}
	return fmt.Sprintf("%016x", h)
}

func TestDecode(t *testing.T) {
	three := target{programs: []string{"a", "b", "c"}, classes: []string{"parse", "expired", "other"}}
	shown, hidden := vector{accepted, "parse", accepted}, vector{"expired", accepted, "other"}
	all := []campaign{{
		Tuples:  []string{hashOf(t, shown), hashOf(t, hidden), "0123456789abcdef"},
		Buckets: []bucket{{Outcomes: map[string]string{"a": "accepted", "b": "rejected", "c": "accepted"}, Classes: map[string]string{"b": "parse"}}},
	}}
	got, err := three.decode(all)
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	for _, v := range got {
		vectors = append(vectors, v)
	}
	slices.SortFunc(vectors, slices.Compare)
	if want := []vector{shown, hidden}; !reflect.DeepEqual(vectors, want) {
		t.Errorf("got %v, want %v", vectors, want)
	}
	// No bucket at all: everything is tried.
	if got, err = three.decode([]campaign{{Tuples: all[0].Tuples[:1]}}); err != nil || len(got) != 1 {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := three.decode([]campaign{{Tuples: []string{"no hash"}}}); err == nil {
		t.Error("no hash is taken for one")
	}
}

func TestPairs(t *testing.T) {
	p := pairs{}
	p.add(vector{accepted, "parse", accepted})
	p.add(vector{accepted, "parse", "expired"}) // of a and b, the same as before
	p.add(vector{accepted, "expired", accepted})
	p.add(vector{"other", accepted, accepted})
	for _, test := range []struct{ a, b, byA, byB int }{{0, 1, 2, 1}, {0, 2, 1, 1}, {1, 2, 0, 2}} {
		if byA, byB := p.count(test.a, test.b); byA != test.byA || byB != test.byB {
			t.Errorf("%d and %d: %d and %d", test.a, test.b, byA, byB)
		}
	}
}

func TestRanked(t *testing.T) {
	of := func(id, input string, count uint64) bucket { return bucket{ID: id, Input: input, Count: count} }
	got := ranked([]campaign{
		{Buckets: []bucket{of("rare", `"\x00\x01\xff"`, 900), of("often", `"abc"`, 1)}},
		{Buckets: []bucket{of("often", `"ab"`, 1), of("twice", `"x"`, 5)}},
		{Buckets: []bucket{of("often", `"ac"`, 1), of("twice", `"x"`, 5)}},
	})
	var ids []string
	for _, s := range got {
		ids = append(ids, fmt.Sprintf("%s %d %x", s.ID, s.trials, s.bytes))
	}
	if want := []string{"often 3 6162", "twice 2 78", "rare 1 0001ff"}; !slices.Equal(ids, want) {
		t.Errorf("%q", ids)
	}
}

func TestSplit(t *testing.T) {
	for input, want := range map[string][]string{
		"": nil, "\x00\x00\x02ab\x00\x00\x01c": {"ab", "c"}, "\x00\x00\x09ab": {"ab"}, "\x00\x00": nil, "\x00\x00\x00\x00\x00\x01x": {"", "x"},
	} {
		var got []string
		for _, der := range split([]byte(input)) {
			got = append(got, string(der))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q", input, got)
		}
	}
}

// TestTables: the tables of a few samples, one of which was killed half-way.
func TestTables(t *testing.T) {
	dir := t.TempDir()
	o := options{examples: "../../examples"}
	of, err := o.target()
	if err != nil {
		t.Fatal(err)
	}
	v := slices.Repeat(vector{accepted}, len(of.programs))
	v[2] = "parse"
	line := fmt.Sprintf(`{"version":1,"subject":"x509","configuration":"coverage","trial":0,"inputs":100,"cpu_seconds":2,"unique_discrepancies":1,"tuples":[%q],`+
		`"buckets":[{"id":"abc","kind":"discrepancy","outcomes":{"go":"accepted","gnutls":"rejected"},"classes":{"gnutls":"parse"},"input":"\"\\x00\\x00\\x01c\"","count":3}]}`, hashOf(t, v))
	file := filepath.Join(dir, "a.jsonl")
	if err := os.WriteFile(file, []byte(line+"\n"+line[:40]), 0o644); err != nil {
		t.Fatal(err)
	}
	o.bench, o.File = []string{file, filepath.Join(dir, "none.jsonl")}, filepath.Join(dir, "none.jsonl")
	var b strings.Builder
	if err := o.table(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| coverage | 1 | 100 | 1 | 1 to 1 | 1 | 1 |", "| go, gnutls | 1 | 1 | 1 | 0 |", "| gnutls, mbedtls | 1 | 1 | 0 | 1 |", "| go, openssl | 0 | 0 | 0 | 0 |",
		"| abc | discrepancy | 1 | 4 | go | openssl",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if o.bench = nil; o.table(&b) == nil {
		t.Error("tables of nothing")
	}
}
