package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/model/original"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/model/smt/solver"
)

const recording = "../../model/extract/testdata/angr-9.2.213.jsonl.gz"

// opened returns a function of the recording.
func opened(t *testing.T, function string) *subject {
	t.Helper()
	answers, err := recorded(recording)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range answers {
		if a.Function == function {
			s, err := load(a)
			if err != nil || s == nil {
				t.Fatal(s, err)
			}
			t.Cleanup(func() { s.z3.Close() })
			return s
		}
	}
	t.Fatalf("%s has no %s", recording, function)
	return nil
}

// TestRows checks rows with angr's strchr, which is wrong about the end of a string and drops calls
// beyond a zero. The published row checks only kept inputs, ours checks each input, and all results
// repeat.
func TestRows(t *testing.T) {
	if _, err := exec.LookPath(solver.Z3.Name); err != nil {
		t.Fatalf("z3 is missing: %s", solver.Z3.Install)
	}
	s := opened(t, "strchr")
	if err := s.find(context.Background()); err != nil {
		t.Fatal(err)
	}
	f := s.scopes
	if f.Ways != 14 || f.Matched != 13 || len(f.Paths) != 6 || f.Blocks < 19 || covered(f.Published) > f.Blocks {
		t.Errorf("the scopes: %d of %d ways matched, %d paths, %d blocks", f.Matched, f.Ways, len(f.Paths), f.Blocks)
	}
	suite := []string{`strchr("a", 'a')`, `strchr("", 0)`, `strchr("abc abc", 'c')`, `strchr("ab\0c", 'c')`}
	got := map[string]*trial{}
	for i := range rows {
		r := &rows[i]
		var twice [2]*trial
		for k := range twice {
			one, err := run(context.Background(), s, r, 1, 8000, suite)
			if err != nil {
				t.Fatal(err)
			}
			one.CPU = 0
			twice[k] = one
		}
		if !reflect.DeepEqual(twice[0], twice[1]) {
			t.Errorf("%s does not repeat: %+v, %+v", r.name, twice[0], twice[1])
		}
		got[r.name] = twice[0]
		if last := twice[0].Coverage[len(twice[0].Coverage)-1]; last.At != twice[0].Executions || last.Published > len(f.Published) {
			t.Errorf("%s: the last point of coverage %+v, of %d executions", r.name, last, twice[0].Executions)
		}
	}
	for name, one := range got {
		r := named([]string{name})[0]
		switch {
		case r.suite:
			if one.Calls != 4 || one.Fitting != 3 || one.Executions != 3 || len(one.Reports) != 1 || one.Details[one.Reports[0].ID].Kind != scope.Dropped {
				t.Errorf("%s: %+v", name, one)
			}
		case r.asks:
			if fewest := map[kind]int{matching: 1, agreement: 3}[r.scope]; len(one.Reports) < fewest || one.Questions < 1000 {
				t.Errorf("%s: %d reports after %d questions", name, len(one.Reports), one.Questions)
			}
		case one.Questions > one.Kept:
			t.Errorf("%s asks %d questions, and keeps %d inputs", name, one.Questions, one.Kept)
		}
		if !r.suite && (one.Executions < 8000 || one.Executions > 8400) {
			t.Errorf("%s: %d executions", name, one.Executions)
		}
	}
	if asks := len(got["sediff_asks"].Reports); asks < len(got["sediff"].Reports) {
		t.Errorf("the published row has %d reports, and %d if it asks about each input", len(got["sediff"].Reports), asks)
	}
	if len(got["sediff"].Reports) >= len(got["ours"].Reports) {
		t.Errorf("the published row has %d reports, and ours %d", len(got["sediff"].Reports), len(got["ours"].Reports))
	}
}

func TestParseCall(t *testing.T) {
	strchr, strncpy, strtol := opened(t, "strchr").sig, opened(t, "strncpy").sig, opened(t, "strtol").sig
	for _, test := range []struct {
		line  string
		quote string
		fits  bool
	}{
		{`strchr("a\0bb", 'b')  # a comment`, `strchr("a\000bb", 98)`, true},
		{`strchr("abcde", 'b')`, "", false},
		{`strchr("", 0)`, `strchr("", 0)`, true},
		{`strncpy("abcx", "abc", 3)`, `strncpy("abcx", "abc", 3)`, true},
		{`strncpy("xxxx", "abc", 31)`, "", false},
		{`strtol("-1", _, 0)`, `strtol("-1", &end, 0)`, true},
		{`strtol("1", NULL, 0)`, "", false},
	} {
		sig := strchr
		switch {
		case strings.HasPrefix(test.line, "strncpy"):
			sig = strncpy
		case strings.HasPrefix(test.line, "strtol"):
			sig = strtol
		}
		c, fits, err := parseCall(sig, test.line)
		if err != nil || fits != test.fits || fits && sig.Quote(c) != test.quote {
			t.Errorf("%s: %v, %v, %s", test.line, fits, err, sig.Quote(c))
		}
	}
	for line, want := range map[string]string{
		`strchr("a)`: "no end", `strchr("a", 'b)`: "no end", `strchr("a", x)`: "invalid syntax", `strchr("a", 1, 2)`: "more than strchr takes", `strchr(1, )`: "missing",
		`strchr("a", "b")`: "no buffer", `strchr("a", _)`: "is a number",
	} {
		if _, _, err := parseCall(strchr, line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

// TestSuite checks that the committed suite has readable calls of modeled functions.
func TestSuite(t *testing.T) {
	calls, err := readSuite("../../../../bench/model/libc-test.txt")
	if err != nil {
		t.Fatal(err)
	}
	answers, err := recorded("../../../../bench/model/musl.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, a := range answers {
		s, err := load(a)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range calls[a.Function] {
			if _, _, err := parseCall(s.sig, line); err != nil {
				t.Error(err)
			}
			n++
		}
		s.z3.Close()
		delete(calls, a.Function)
	}
	if n < 80 || len(calls) > 0 {
		t.Errorf("%d calls; of no model: %v", n, calls)
	}
}

// TestSamples checks that the next line replaces the incomplete line of a killed run.
func TestSamples(t *testing.T) {
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	f := flags{samples: file, revision: "r"}
	want := []string{"strchr", "strcpy"}
	for i, function := range want {
		if err := f.add(sample{Function: function, Row: "ours", Trial: i + 1, Budget: 9, Result: &trial{Executions: 9}}); err != nil {
			t.Fatal(err)
		}
		out, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString(`{"function":"half`)
		out.Close()
		list, err := read(file)
		if err != nil || len(list) != i+1 || list[i].Function != function || list[i].Revision != "r" {
			t.Fatalf("%v, %v", list, err)
		}
	}
	if err := appendLine(file, []byte("{}\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := read(file); err == nil || !strings.Contains(err.Error(), "samples.jsonl:3 is no sample") {
		t.Errorf("rubbish: %v", err)
	}
	f.rows, f.trials, f.budget, f.recording, f.suite = "lunar", 1, 1, recording, "../../../../bench/model/libc-test.txt"
	if err := f.run(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "unknown row") {
		t.Errorf("an unknown row: %v", err)
	}
	f.rows = "ours"
	if err := f.run(context.Background(), []sample{{Row: "ours", Budget: 2, Result: &trial{}}}); err == nil || !strings.Contains(err.Error(), "give -budget 2") {
		t.Errorf("trials of another budget: %v", err)
	}
}

func TestTables(t *testing.T) {
	file := filepath.Join(t.TempDir(), "verdicts.txt")
	if err := os.WriteFile(file, []byte("# a comment\nstrchr wrong-value true . end the end\nstrchr dropped true \\(3\\).*drops zero zero\nstrchr dropped false . - \"not meant\" (strchr.py)\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	v, err := readVerdicts(file)
	if err != nil {
		t.Fatal(err)
	}
	details := map[string]*report{
		"a": {Path: 1, Kind: scope.Wrong, Call: "strchr(1)"}, "b": {Path: 1, Kind: scope.Dropped, Call: "strchr(2)"}, "c": {Path: 2, Kind: scope.Dropped, Call: "strchr(3)"},
		"d": {Path: 2, Kind: scope.Failed, Call: "strchr(4)"},
	}
	list := []sample{{Function: "strchr", Scopes: &scopes{Ways: 4, Matched: 3, Paths: []path{{Key: 1, Published: true, Suspect: true}, {Key: 2, Agreement: true}}, Blocks: 8}}}
	list[0].Scopes.Published = append(list[0].Scopes.Published, step(-1, 0), step(0, 1), step(1, 0))
	list[0].Scopes.Agreement = append(list[0].Scopes.Agreement, step(-1, 0), step(0, 2))
	for number := 1; number <= 4; number++ {
		for _, name := range []string{"sediff", "ours"} {
			r := &trial{Questions: 7, Reports: []finding{{"a", 1}}, Coverage: []point{{10, 1, 1}, {30, 3, 1}}}
			if name == "ours" {
				r.Reports = []finding{{"a", 1}, {"b", 2}, {"c", 3}, {"d", 4}}
			}
			if number == 1 {
				r.Details = details
			}
			list = append(list, sample{Function: "strchr", Row: name, Trial: number, Budget: 30, Result: r})
		}
	}
	// an interrupted trial, with one function of two
	list = append(list, sample{Function: "strlen", Row: "ours", Trial: 9, Budget: 30, Result: &trial{Reports: []finding{{"a", 1}}}})
	list = append(list, sample{Function: "strlen", Scopes: &scopes{}})
	for number := 1; number <= 4; number++ {
		for _, name := range []string{"sediff", "ours"} {
			list = append(list, sample{Function: "strlen", Row: name, Trial: number, Budget: 30, Result: &trial{}})
		}
	}
	// with few trials
	list = append(list, sample{Function: "stpcpy", Scopes: &scopes{}}, sample{Function: "stpcpy", Row: "ours", Trial: 1, Budget: 30, Result: &trial{}})
	var b strings.Builder
	if err := tables(&b, list, v); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"have few trials yet: stpcpy.", "| string | 3 | 4 | 3 | 75.0 % | 2 | 1 | 50.0 % | 1 | 50.0 % | 8 | 2 | 25.0 % | 2 | 25.0 % |",
		"| sediff | 1 / 0 | 1 / 0 | 0 / 0 |",
		"| ours | 2 / 1 (1 unjudged) | 2 / 1 (1 unjudged) | 0 / 0 | 0 / 0 | 0 / 0 | 25.0 % | 2 |",
		"| ours | 4 | 2 / 1 (1 unjudged) | 1 / 1 | 1 / 0 (1 unjudged) | 1 / 1 | 2 / 1 (1 unjudged) | 2 | 2.0, 2.0 to 2.0 | 1 | 2.0, 2.0 to 2.0 | 7 |",
		"| defects, by trials that found them | sediff | ours |\n|---|---|---|\n| end | 4 of 4 | 4 of 4 |\n| zero | - | 4 of 4 |\n",
		"| ours and sediff | defects | 1.00 | 0.029 | 0.11 |", "| ours and sediff | true unique bugs | 1.00 | 0.029 | 0.11 |",
		"| sediff | 33.3 | 100.0 |", "| sediff | 50.0 | 50.0 |",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the tables lack %q:\n%s", want, b.String())
		}
	}
	b.Reset()
	if err := reports(&b, list, v); err != nil || !strings.Contains(b.String(), "strchr dropped 0000000000000002: 1 traces: 1 true, zero: zero\n    strchr(3): the original ; the model: drops it\n") ||
		!strings.Contains(b.String(), "strchr failed 0000000000000002: 1 traces: 1 unjudged\n") {
		t.Errorf("the reports: %v\n%s", err, b.String())
	}
	for _, r := range rows { // a judge does not know who reported a call
		if strings.Contains(b.String(), r.name) {
			t.Errorf("the reports name the row %s:\n%s", r.name, b.String())
		}
	}
	for line, want := range map[string]string{
		"strchr dropped maybe . end so": "a line has", "strchr dropped true . end": "a line has", "strchr dropped true . - so": "true names a defect",
		"strchr dropped false . - not meant": "false quotes", `strchr dropped false . - "not meant"`: "false quotes", "strchr dropped true ( end so": "missing closing",
	} {
		if err := os.WriteFile(file, []byte(line+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readVerdicts(file); err == nil || !strings.Contains(err.Error(), "verdicts.txt:1: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

// TestLateCoverage checks that functions whose model edges a row covers late have a table of their
// own.
func TestLateCoverage(t *testing.T) {
	f := &scopes{Agreement: []original.Step{step(-1, 0), step(0, 1)}}
	list := []sample{{Function: "strtol", Scopes: f}, {Function: "strlen", Scopes: f}}
	for _, function := range []string{"strtol", "strlen"} {
		r := &trial{Coverage: []point{{10, 0, 2}}}
		if function == "strtol" {
			r = &trial{Coverage: []point{{10, 0, 1}, {1000, 0, 2}}}
		}
		list = append(list, sample{Function: function, Row: "ours", Trial: 1, Budget: 3000, Result: r})
	}
	var b strings.Builder
	if err := tables(&b, list, nil); err != nil {
		t.Fatal(err)
	}
	want := "| strtol: model coverage in %, scope by agreement, after executions | 10 | 30 | 100 | 300 | 1000 | 3000 |\n|---|---|---|---|---|---|---|\n| ours | 50.0 | 50.0 | 50.0 | 50.0 | 100.0 | 100.0 |\n"
	if !strings.Contains(b.String(), want) || strings.Contains(b.String(), "| strlen: ") {
		t.Errorf("the tables lack %q:\n%s", want, b.String())
	}
}

// TestVerdicts checks that the committed verdicts can be read.
func TestVerdicts(t *testing.T) {
	if v, err := readVerdicts("../../../../bench/model/verdicts.txt"); err != nil || len(v) < 20 {
		t.Errorf("%d verdicts: %v", len(v), err)
	}
}

// TestNamed checks that rows differ from the published one in their settings, and that names are
// unique.
func TestNamed(t *testing.T) {
	var names []string
	for _, r := range rows {
		if slices.Contains(names, r.name) {
			t.Errorf("two rows are %s", r.name)
		}
		names = append(names, r.name)
	}
	if got := named(names); len(got) != len(rows) {
		t.Errorf("%d rows", len(got))
	}
	if n := len(named([]string{"sediff", "lunar"})); n != 1 {
		t.Errorf("%d rows are named", n)
	}
}

func step(from, to int) original.Step { return original.Step{From: from, To: to} }
