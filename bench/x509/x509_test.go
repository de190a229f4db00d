package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parallax/internal/oracle"
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

// TestPlans checks that plans name the same files as the configurations of parallax bench.
func TestPlans(t *testing.T) {
	for name := range plans {
		o := options{folder: ".", planName: name}
		if err := o.choose(nil); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(name + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{fmt.Sprintf("targets = [%q]", o.plan.target), fmt.Sprintf("keep_inputs = %q", o.plan.inputs)} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s.toml has no line %s", name, want)
			}
		}
	}
	o := options{planName: "none"}
	if o.choose(nil) == nil {
		t.Error("a plan that does not exist")
	}
}

// TestClaims checks which claims trials confirm. Few trials decide nothing.
func TestClaims(t *testing.T) {
	trials := func(n, least int) (all []campaign) {
		for i := range n {
			var c campaign
			for k := range least + i {
				c.Tuples = append(c.Tuples, fmt.Sprint(k))
			}
			all = append(all, c)
		}
		return all
	}
	by := map[string][]campaign{
		"output": trials(8, 50), "path-coarse": trials(8, 20), "path-fine": trials(7, 1), "blocks": trials(8, 49), "random": trials(10, 80),
	}
	var c classified
	var b strings.Builder
	claims(&b, by, c.ways()[0])
	for _, want := range []string{
		"| more, by codes |", "| output | path-coarse | 53.5, 23.5 | 2.28 | 1.00 | 0.000466 | confirmed |", "| path-coarse | blocks | 23.5, 52.5 | 0.45 | 0.00 |",
		"| output | blocks | 53.5, 52.5 | 1.02 | 0.62 | 0.481 | undecided |", "| output | path-fine | | | | | not tested: 8 and 7 trials |",
		"refuted |",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// TestTargets checks that a target needs the median and the union. Trials share what they show.
func TestTargets(t *testing.T) {
	trials := func(n, least, own int) (all []campaign) {
		for i := range n {
			var c campaign
			for k := range least {
				c.Tuples = append(c.Tuples, fmt.Sprint(k))
			}
			for k := range own {
				c.Tuples = append(c.Tuples, fmt.Sprint(i, " ", k))
			}
			all = append(all, c)
		}
		return all
	}
	by := map[string][]campaign{
		mucert: trials(8, 0, 20), "default": trials(10, 0, 30), "default-der": trials(8, 30, 0), "default-unbounded": trials(8, 0, 29), "default-der-unbounded": trials(7, 0, 90),
	}
	var c classified
	var b strings.Builder
	targets(&b, by, c.ways()[0])
	for _, want := range []string{
		"| default | 30, 20 | 1.50 | 240, 160 | met |", "| default-der | 30, 20 | 1.50 | 30, 160 | missed |", "| default-unbounded | 29, 20 | 1.45 | 232, 160 | missed |",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "default-der-unbounded") {
		t.Error("too few trials reach a target")
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
	var obs []oracle.Observation
	for _, class := range v {
		obs = append(obs, observation(class))
	}
	h, ok := oracle.UniqueDiscrepancy(obs)
	if !ok {
		t.Fatalf("%v is no discrepancy", v)
	}
	return fmt.Sprintf("%016x", h)
}

func TestDecode(t *testing.T) {
	three := target{programs: []string{"a", "b", "c"}, classes: []string{"parse", "expired", "other"}}
	shown, hidden := vector{accepted, "parse", accepted}, vector{"expired", accepted, "other"}
	all := []campaign{{Tuples: []string{hashOf(t, shown), hashOf(t, hidden), "0123456789abcdef"}}}
	j := &triaged{Buckets: []bucket{{Outcomes: map[string]string{"a": "accepted", "b": "rejected", "c": "accepted"}, Classes: map[string]string{"b": "parse"}}}}
	got, err := three.decode(all, j)
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
	if got, err = three.decode([]campaign{{Tuples: all[0].Tuples[:1]}}, nil); err != nil || len(got) != 1 {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := three.decode([]campaign{{Tuples: []string{"no hash"}}}, nil); err == nil {
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
	j := &triaged{Buckets: []bucket{{ID: "known", Tuples: []string{"05"}}, {ID: "rare", Tuples: []string{"01"}}, {ID: "often", Tuples: []string{"02", "03"}}, {ID: "never"}, {ID: "twice", Tuples: []string{"04"}}}}
	var got []string
	for _, s := range j.ranked([]campaign{
		{Configuration: "a", Tuples: []string{"01", "02"}}, {Configuration: "a", Tuples: []string{"02", "03", "04"}}, {Configuration: "b", Tuples: []string{"03", "04", "05"}},
		{Configuration: seedsOnly, Tuples: []string{"05"}},
	}) {
		got = append(got, fmt.Sprint(s.ID, " ", s.trials))
	}
	if want := []string{"often 3", "twice 2", "rare 1", "never 0", "known 1"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if (*triaged)(nil).ranked(nil) != nil {
		t.Error("buckets of nothing")
	}
}

// TestTriaged: what a summary and the campaign's folder say comes into the file.
func TestTriaged(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"findings/abc/1/input": "first", "findings/abc/1/minimized": "fi", "findings/abc/2/input": "second", "findings/abc/3/input": "unknown", "findings/def/4/input": "made", "findings/def/4/minimized": "ma", "inputs/00aa": "second", "inputs/00bb": "first",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tuples, kept, sum, err := inputs(filepath.Join(dir, "inputs"), 1)
	if err != nil || len(tuples) != 1 || tuples["second"] != "00aa" || kept != 2 {
		t.Fatal(tuples, kept, sum, err)
	}
	tuples, kept, sum, err = inputs(filepath.Join(dir, "inputs"), 0)
	if err != nil || len(tuples) != 2 || kept != 2 || len(sum) != 16 {
		t.Fatal(tuples, kept, sum, err)
	}
	summary := fmt.Sprintf(`{"version":1,"flaky":2,"findings":{"total":3,"buckets":[{"id":"abc","kind":"discrepancy","outcomes":{"go":"accepted","gnutls":"rejected"},`+
		`"classes":{"gnutls":"parse"},"deciding":{"go":"/usr/local/go/src/crypto/x509/parser.go:7"},"input":"findings/abc/1/input","minimized":%q,"count":3},`+
		`{"id":"def","minimized":%q}]}}`, filepath.Join(dir, "findings/abc/1/minimized"), filepath.Join(dir, "findings/def/4/minimized"))
	var j triaged
	if err := j.read([]byte(summary), tuples); err != nil {
		t.Fatal(err)
	}
	want := triaged{Flaky: 2, Buckets: []bucket{{
		ID: "abc", Kind: "discrepancy", Outcomes: map[string]string{"go": "accepted", "gnutls": "rejected"}, Classes: map[string]string{"gnutls": "parse"},
		Deciding: map[string]string{"go": "crypto/x509/parser.go:7"}, Count: 3, Input: []byte("fi"), Tuples: []string{"00aa", "00bb"},
	}}}
	if !reflect.DeepEqual(j, want) {
		t.Errorf("got %+v\nwant %+v", j, want)
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

// TestTables checks the tables of a few samples. One sample belongs to a run that was killed
// half-way.
func TestTables(t *testing.T) {
	dir := t.TempDir()
	o := options{examples: "../../examples"}
	of, err := o.target()
	if err != nil {
		t.Fatal(err)
	}
	v := make(vector, len(of.programs))
	for i := range v {
		v[i] = accepted
	}
	v[2] = "parse"
	hash := hashOf(t, v)
	line := fmt.Sprintf(`{"version":1,"subject":"x509","configuration":"coverage","trial":0,"inputs":100,"cpu_seconds":2,"unique_discrepancies":1,"tuples":[%q],"buckets":[]}`, hash)
	o.findings = filepath.Join(dir, "judged.json")
	text := fmt.Sprintf(`{"version":1,"inputs":1,"of":1,"judged":[%q],"buckets":[{"id":"abc","kind":"discrepancy","outcomes":{"go":"accepted","gnutls":"rejected"},"classes":{"gnutls":"parse"},"smallest":"AAABYw==","tuples":[%q]}]}`, hash, hash)
	if err := os.WriteFile(o.findings, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
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
		"| coverage | 1 | 100 | 1 | 1 to 1 | 1 | 1 | 1 | 1 | 1 |", "| go, gnutls | 1 | 1 | 1 | 0 |", "| gnutls, mbedtls | 1 | 1 | 0 | 1 |", "| go, openssl | 0 | 0 | 0 | 0 |",
		"| abc | discrepancy | 1 |  | 4 | go | openssl",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if o.bench = nil; o.table(&b) == nil {
		t.Error("tables of nothing")
	}
}

// TestClasses checks that a vector has the tuple that samples have of its codes. The class precedes
// the code.
func TestClasses(t *testing.T) {
	const vectors = `{"version": 1, "vectors": [
		{"results": [{"program": "go", "outcome": "accepted"}, {"program": "botan", "outcome": "rejected", "error": "parse Some text 12"}]},
		{"results": [{"program": "go", "outcome": "rejected", "error": "frame "}, {"program": "botan", "outcome": "accepted"}]},
		{"results": [{"program": "go", "outcome": "crashed"}, {"program": "botan", "outcome": "rejected", "error": "parse Some text 3"}]},
		{"results": [{"program": "go", "outcome": "rejected", "error": "frame "}, {"program": "botan", "outcome": "rejected", "error": "parse x"}]}]}`
	h, _ := oracle.UniqueDiscrepancy([]oracle.Observation{observation(accepted), observation(oracle.MessageClass("parse Some text 7"))})
	tuple := fmt.Sprintf("%016x", h)
	got, missing, err := read([]byte(vectors), map[string]bool{tuple: true, "03": true})
	if err != nil || missing != 1 || !maps.Equal(got, map[string]string{tuple: "accepted,parse"}) {
		t.Errorf("%v, %d, %v", got, missing, err)
	}
}
