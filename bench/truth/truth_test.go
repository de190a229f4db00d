package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestPairs: each pair has its folder, and the witness is no seed and has the shape that is sought.
func TestPairs(t *testing.T) {
	folders, err := filepath.Glob("testdata/*")
	all := append(slices.Clone(pairs), candidates...)
	if err != nil || len(folders) != len(all) {
		t.Errorf("%d folders for %d pairs: %v", len(folders), len(all), err)
	}
	seen := map[string]bool{}
	for _, p := range all {
		if seen[p.name] || seen[p.advisory] {
			t.Errorf("two of %s", p.name)
		}
		seen[p.name], seen[p.advisory] = true, true
		dir := filepath.Join("testdata", p.name)
		witness, err := os.ReadFile(filepath.Join(dir, "witness"))
		if err != nil {
			t.Fatal(err)
		}
		input := regexp.MustCompile(p.known.input)
		if !input.Match(witness) {
			t.Errorf("%s: the witness %q has not the shape %s", p.name, witness, input)
		}
		seeds, err := filepath.Glob(filepath.Join(dir, "seeds", "*"))
		if err != nil || len(seeds) == 0 {
			t.Errorf("%s: no seeds: %v", p.name, err)
		}
		for _, name := range seeds {
			if seed, err := os.ReadFile(name); err != nil || bytes.Equal(seed, witness) {
				t.Errorf("%s is the witness: %v", name, err)
			}
		}
	}
}

func TestKnown(t *testing.T) {
	for _, test := range []struct {
		known      known
		in         string
		old, fixed outcome
		want       bool
	}{
		{known{value: true, input: `\(`}, "(", outcome{accepted, "a"}, outcome{accepted, "b"}, true},
		{known{value: true, input: `\(`}, "(", outcome{accepted, "a"}, outcome{accepted, "a"}, false},
		{known{value: true, input: `\(`}, "(", outcome{accepted, "a"}, outcome{rejected, ""}, false},
		{known{value: true, input: `\(`}, ")", outcome{accepted, "a"}, outcome{accepted, "b"}, false},
		{known{old: crashed, fixed: rejected}, "", outcome{crashed, ""}, outcome{rejected, ""}, true},
		{known{old: crashed, fixed: rejected}, "", outcome{crashed, ""}, outcome{accepted, ""}, false},
		{known{old: timeout}, "", outcome{timeout, ""}, outcome{accepted, ""}, true},
	} {
		if got := test.known.matches([]byte(test.in), test.old, test.fixed); got != test.want {
			t.Errorf("%+v: %q, %v, %v: %v", test.known, test.in, test.old, test.fixed, got)
		}
	}
}

func TestShare(t *testing.T) {
	var list []result
	for _, r := range []result{{0, 10_000, 5_000}, {1, 10_000, 0}, {1, 100_000, 20_000}, {2, 100_000, 0}, {3, 10_000, 0}} {
		list = add(list, r)
	}
	for _, test := range []struct {
		budget, found, of int
		ok                bool
	}{{10_000, 1, 4, true}, {100_000, 0, 0, false}} {
		if found, of, ok := share(list, test.budget); found != test.found || of != test.of || ok != test.ok {
			t.Errorf("within %d: %d of %d, %v", test.budget, found, of, ok)
		}
	}
	if found, of, ok := share(list[:3], 100_000); found != 2 || of != 3 || !ok {
		t.Errorf("within 100000: %d of %d, %v", found, of, ok)
	}
}
