package text

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/goldentest"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/findingtest"
	"parallax/cmd/internal/finding/sample"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

func FuzzParseFinding(f *testing.F) {
	for _, x := range []*finding.Finding{findingtest.SemverFinding(), findingtest.CrashFinding()} {
		data, err := x.JSON()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := finding.ParseFinding(data)
		if err != nil {
			return
		}
		first, err := x.JSON()
		if err != nil {
			t.Fatal(err)
		}
		again, err := finding.ParseFinding(first)
		if err != nil {
			t.Fatal(err)
		}
		second, err := again.JSON()
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("%v\n%s\n%s", err, first, second)
		}
		harmless(t, string(first))
		harmless(t, string(Markdown(x, finding.Page{Source: noSource})))
		harmless(t, string(Terminal(x, finding.Page{Source: noSource, Here: "/x", Dir: "/x"}, TextOptions{Width: 80})))
		var b strings.Builder
		if err := Table(&b, []finding.Row{x.Summarize()}, TableOptions{Width: 100}); err != nil {
			t.Fatal(err)
		}
		harmless(t, b.String())
	})
}

func FuzzParseSummary(f *testing.F) {
	data, err := findingtest.FullSummary().Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := finding.ParseSummary(data)
		if err != nil {
			return
		}
		first, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		harmless(t, string(first))
		var b strings.Builder
		if err := End(&b, s, EndOptions{}); err != nil {
			t.Fatal(err)
		}
		harmless(t, b.String())
	})
}

func TestShortPath(t *testing.T) {
	for in, want := range map[string]string{
		"/home/u/go/pkg/mod/golang.org/x/mod@v0.30.0/semver/semver.go:3": "golang.org/x/mod@v0.30.0/semver/semver.go:3",
		"/usr/local/go/src/encoding/json/scanner.go:1":                   "encoding/json/scanner.go:1",
		"/home/u/project/h/parse.go:9":                                   "h/parse.go:9",
		"h/parse.go:9":                                                   "h/parse.go:9",
		"":                                                               "",
	} {
		if got := escape.ShortPath(in); got != want {
			t.Errorf("ShortPath(%s) = %s, want %s", in, got, want)
		}
	}
}

func TestDifference(t *testing.T) {
	for _, tt := range []struct{ parent, child, want string }{
		{"1.0.0", "1.0.01", "parent  \"1.0.0\"\n              ^\ninput   \"1.0.01\"\n              ^\n"},
		{"abc", "aXYc", "parent  \"abc\"\n          ^\ninput   \"aXYc\"\n          ^^\n"},
		{"", "\x00", "parent  \"\"\n         ^\ninput   \"\\x00\"\n         ^^^^\n"},
	} {
		if got := parentLines([]byte(tt.parent), []byte(tt.child)); got != tt.want {
			t.Errorf("%q -> %q:\n%s\nwant\n%s", tt.parent, tt.child, got, tt.want)
		}
	}
	long := parentLines(bytes.Repeat([]byte("a"), 1000), append(bytes.Repeat([]byte("a"), 1000), bytes.Repeat([]byte("b"), 1000)...))
	for l := range strings.Lines(long) {
		if columns.Width(l) > 320 {
			t.Errorf("%d columns: %s", columns.Width(l), l)
		}
	}
}

func noSource(string) ([]byte, error) { return nil, errNoSource }

type noSourceError struct{}

func (noSourceError) Error() string { return "no source" }

var errNoSource = noSourceError{}

func TestMarkdown(t *testing.T) {
	source := func(file string) ([]byte, error) {
		if strings.HasSuffix(file, "semver.go") {
			return []byte("package semver\n\nfunc IsValid(v string) bool {\n\t_, ok := parse(v) // ```\n\treturn ok\n}\n"), nil
		}
		return nil, errNoSource
	}
	f := findingtest.SemverFinding()
	page := Markdown(f, finding.Page{Source: source, Reproducer: "package discrepancy\n\nfunc TestDiscrepancy(t *testing.T) {}\n", GoMod: "module discrepancy\n"})
	goldentest.Compare(t, "semver.md", page)
	harmless(t, string(page))
	page = Markdown(findingtest.CrashFinding(), finding.Page{Source: source})
	goldentest.Compare(t, "crash.md", page)
	harmless(t, string(page))
	if bytes.Contains(page, []byte("/home/")) {
		t.Error("the page names folders of this machine")
	}
}

func TestTitles(t *testing.T) {
	outcome := func(name, outcome string) finding.Program {
		return finding.Program{Name: name, Detail: oracle.Detail{Outcome: outcome}}
	}
	three := []finding.Program{outcome("a", "accepted"), outcome("b", "timeout"), outcome("c", "accepted")}
	for _, tt := range []struct{ kind, layer, want string }{
		{"discrepancy", "verdict", "`a` and `c` disagree"},
		{"discrepancy", "value", "`a` and `c` accept the same input with different values"},
		{"discrepancy", "class", "`a` and `c` reject the same input for different reasons"},
		{"timeout", "", "`b` does not return"},
		{"change", "", "`a`, `b` and `c` differ"},
	} {
		f := &finding.Finding{Kind: tt.kind, Layer: tt.layer, Programs: three}
		if got := inline(findingTitle(f)); got != tt.want {
			t.Errorf("%s %s: %s", tt.kind, tt.layer, got)
		}
	}
}

// TestTitleOfParts checks that titles do not name programs without a part in a disagreement of
// values or classes.
func TestTitleOfParts(t *testing.T) {
	outcome := func(name, outcome string) finding.Program {
		return finding.Program{Name: name, Detail: oracle.Detail{Outcome: outcome}}
	}
	all := []finding.Program{outcome("a", "accepted"), outcome("b", "rejected"), outcome("c", "accepted"), outcome("d", "rejected"), outcome("e", "crashed")}
	for layer, want := range map[string]string{
		"value": "a and c accept the same input with different values", "class": "b and d reject the same input for different reasons",
	} {
		f := &finding.Finding{Kind: "discrepancy", Layer: layer, Programs: all}
		if got := Title(f); got != want {
			t.Errorf("%s: %s", layer, got)
		}
		if got := strings.ReplaceAll(inline(findingTitle(f)), "`", ""); got != want {
			t.Errorf("the page of %s: %s", layer, got)
		}
	}
}

// TestErrorTitle checks titles of calls that return an error in one version only. They name the
// error first.
func TestErrorTitle(t *testing.T) {
	long := strings.Repeat(`\x00`, 40)
	value := func(rest string) string {
		return "Len (p_test.go:7): 3\nParse (p_test.go:8): \"" + long + "\", " + rest
	}
	f := &finding.Finding{Kind: "discrepancy", Layer: "value", Programs: []finding.Program{
		{Name: "new", Detail: oracle.Detail{Outcome: "accepted", Value: value("error *e.E: too long")}},
		{Name: "old", Detail: oracle.Detail{Outcome: "accepted", Value: value("nil")}},
	}}
	if got := Title(f); got != "Parse (p_test.go:8) returns an error in new, and none in old" {
		t.Error(got)
	}
	if got := inline(findingTitle(f)); got != "`Parse (p_test.go:8)` returns an error in `new`, and none in `old`" {
		t.Error(got)
	}
	b := f.Summarize()
	for i, want := range []string{"Parse (p_test.go:8): error *e.E: too long", "Parse (p_test.go:8): no error"} {
		if p := &f.Programs[i]; f.Excerpt(p, 60) != want || b.Excerpt(p.Name, 60) != want {
			t.Errorf("%s: %s, in a list %s", p.Name, f.Excerpt(p, 60), b.Excerpt(p.Name, 60))
		}
	}
	// Excerpts show the first call whose values differ.
	f.Programs[0].Value = value("nil\nMod (p_test.go:9): -1; 2")
	f.Programs[1].Value = value("nil\nMod (p_test.go:9): 1; 2")
	b = f.Summarize()
	for i, want := range []string{"Mod (p_test.go:9): -1; 2", "Mod (p_test.go:9): 1; 2"} {
		if p := &f.Programs[i]; f.Excerpt(p, 60) != want || b.Excerpt(p.Name, 60) != want {
			t.Errorf("%s: %s, in a list %s", p.Name, f.Excerpt(p, 60), b.Excerpt(p.Name, 60))
		}
	}
	f.Programs[0].Value = value("error *e.E: too long")
	// Errors in both versions, or no errors at all, have no title of their own.
	for _, other := range []string{"error *e.E: odd", "7"} {
		f.Programs[1].Value = value(other)
		if got := Title(f); got != "new and old accept the same input with different values" {
			t.Errorf("%s: %s", other, got)
		}
	}
}

// TestOperationTitle checks that the title of a finding on sequences of operations names the first
// operation that differs.
func TestOperationTitle(t *testing.T) {
	f := &finding.Finding{Kind: "discrepancy", Layer: "value", Shape: input.Shape{input.Bytes}, Drawn: "fs.Create(`a`)\nfile0.Read(make([]byte, 4))", Programs: []finding.Program{
		{Name: "a", Detail: oracle.Detail{Outcome: "accepted", Value: "(\"fs.Create(`a`) = file0, nil\", \"file0.Read(make([]byte, 4)) = 0, nil\")"}},
		{Name: "b", Detail: oracle.Detail{Outcome: "accepted", Value: "(\"fs.Create(`a`) = file0, nil\", \"file0.Read(make([]byte, 4)) = 0, io.EOF\")"}},
	}}
	if got := Title(f); got != "a and b report different things about file.Read" {
		t.Error(got)
	}
	if got := inline(findingTitle(f)); got != "`a` and `b` report different things about `file.Read`" {
		t.Error(got)
	}
	f.Drawn = ""
	if got := Title(f); got != "a and b accept the same input with different values" {
		t.Error(got)
	}
}

// TestSingleFailure checks that a failing test does not crash, and that a single program has no
// other to differ from.
func TestSingleFailure(t *testing.T) {
	f := &finding.Finding{Kind: "failure", Programs: []finding.Program{{
		Name: "FuzzX", Detail: oracle.Detail{Outcome: "crashed"}, Message: "wrong", Deciding: "x_test.go:7",
		Stack: "\n\ngoroutine 1 [running]:\np.FuzzX.func1(...)\n\tx_test.go:7\n",
	}}}
	page := string(Markdown(f, finding.Page{Source: func(string) ([]byte, error) { return nil, errNoSource }}))
	for _, want := range []string{"# `FuzzX` fails: wrong\n", "| `FuzzX` | failed | `wrong` |", "```\ngoroutine 1 ", "\n## Where\n"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q\n%s", want, page)
		}
	}
	for _, other := range []string{"crash", "each program", "they part"} {
		if strings.Contains(page, other) {
			t.Errorf("the page has %q\n%s", other, page)
		}
	}
}

func TestTable(t *testing.T) {
	for _, tt := range []struct {
		name string
		list []finding.Row
		o    TableOptions
	}{
		{"table-2-80.txt", findingtest.TwoBuckets(), TableOptions{Width: 80, Programs: findingtest.FullSummary().Programs}},
		{"table-2-120.txt", findingtest.TwoBuckets(), TableOptions{Width: 120}},
		{"table-6-80.txt", findingtest.SixBuckets(), TableOptions{Width: 80, Programs: findingtest.SixPrograms}},
		{"table-6-160.txt", findingtest.SixBuckets(), TableOptions{Width: 160, Programs: findingtest.SixPrograms}},
		{"table-limit.txt", findingtest.SixBuckets(), TableOptions{Limit: 1, Programs: findingtest.SixPrograms}},
	} {
		var b bytes.Buffer
		if err := Table(&b, tt.list, tt.o); err != nil {
			t.Fatal(err)
		}
		goldentest.Compare(t, tt.name, b.Bytes())
		harmless(t, b.String())
		for l := range strings.Lines(b.String()) {
			if w := columns.Width(strings.TrimRight(l, "\n")); tt.o.Width > 0 && w > tt.o.Width {
				t.Errorf("%s: %d columns: %s", tt.name, w, l)
			}
		}
		var colored bytes.Buffer
		tt.o.Color = true
		if err := Table(&colored, tt.list, tt.o); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(colored.String(), "\x1b[") {
			t.Errorf("%s: no colors", tt.name)
		}
	}
	for _, brief := range []bool{false, true} { // those that are gone have a line each
		gone := findingtest.SixBuckets()
		for i := range gone {
			gone[i].Gone, gone[i].Accepted = true, i%2 == 0
		}
		var b bytes.Buffer
		err := Table(&b, gone, TableOptions{Width: 100, Programs: findingtest.SixPrograms, Brief: brief})
		if lines := strings.Count(b.String(), "\n"); err != nil || lines != len(gone) || strings.Count(b.String(), "can no longer be reproduced") != len(gone) {
			t.Errorf("%v, brief %v:\n%s", err, brief, b.String())
		}
	}
	var columns []int // results begin at the same column in the tables of several targets
	for _, outcome := range []string{"crashed", "timeout", "accepted", "oom"} {
		var b bytes.Buffer
		err := Table(&b, []finding.Row{{ID: "0123456789ab", Kind: "change", Count: 1, Outcomes: map[string]string{"new": outcome}, Results: map[string]string{"new": "RESULT"}}}, TableOptions{Width: 100})
		if err != nil {
			t.Fatal(err)
		}
		for l := range strings.Lines(b.String()) {
			if at := strings.Index(l, "RESULT"); at >= 0 {
				columns = append(columns, at)
			}
		}
	}
	if len(columns) != 4 || len(slices.Compact(columns)) != 1 {
		t.Errorf("results at columns %v", columns)
	}
	waits := findingtest.TwoBuckets()[:1]
	waits[0].Unminimized = true
	var w bytes.Buffer
	if err := Table(&w, waits, TableOptions{Width: 120}); err != nil || !strings.Contains(w.String(), NotMinimized) {
		t.Errorf("%v\n%s", err, w.String())
	}
	var b bytes.Buffer
	if err := Table(&b, nil, TableOptions{}); err != nil || b.Len() != 0 {
		t.Errorf("%v %q", err, b.String())
	}
}

// TestTableWidths checks that the list is legible on terminals of the usual widths, with two
// programs and with six.
func TestTableWidths(t *testing.T) {
	now := time.Date(2026, 1, 9, 0, 0, 0, 0, time.UTC)
	for n := 2; n <= len(findingtest.SixPrograms); n++ {
		buckets := findingtest.SixBuckets()
		for i := range buckets {
			b := &buckets[i]
			b.FirstSeenTime, b.LastSeenTime = "2026-01-02T03:04:05Z", "2026-01-08T23:04:05Z"
			b.Hex, b.Outcomes, b.Results, b.Deciding = "00 1b 5b 32 4a ff 00 1b 5b 32 4a ff 00 1b 5b 32 … (40 bytes in all)", map[string]string{}, map[string]string{}, map[string]string{}
			for k, p := range findingtest.SixPrograms[:n] {
				b.Outcomes[p] = []string{"accepted", "rejected", "crashed"}[(i+k)%3]
				b.Results[p] = strings.Repeat("result ", 3*k*k)
				b.Deciding[p] = fmt.Sprintf("/somewhere/package%d/file.go:%d", k, 100*k)
			}
		}
		for _, width := range []int{80, 100, 160} {
			var b bytes.Buffer
			if err := Table(&b, buckets, TableOptions{Width: width, Programs: findingtest.SixPrograms, Now: now}); err != nil {
				t.Fatal(err)
			}
			harmless(t, b.String())
			for l := range strings.Lines(b.String()) {
				if w := columns.Width(strings.TrimRight(l, "\n")); w > width {
					t.Errorf("%d programs: %d columns of %d: %s", n, w, width, l)
				}
			}
			for _, want := range []string{"first 6d ago, last 55m ago", "hex 00 1b 5b", "odd one out: blang/semver.Parse", "file.go:100", "accepted"} {
				if width == 80 && strings.HasPrefix(want, "first") {
					want = "first 6d ago"
				}
				if !strings.Contains(b.String(), want) {
					t.Errorf("%d programs, %d columns: %q is missing in\n%s", n, width, want, b.String())
				}
			}
			if n == 3 && width == 100 {
				goldentest.Compare(t, "table-3-100.txt", b.Bytes())
			}
		}
	}
}

func TestEnd(t *testing.T) {
	quiet := &finding.Summary{Target: "json", Inputs: 10, ElapsedSeconds: 3.2, Stopped: "interrupted"}
	for _, tt := range []struct {
		name string
		s    *finding.Summary
		o    EndOptions
	}{
		{"end.txt", findingtest.FullSummary(), EndOptions{Folder: ".parallax/semver", Flags: "--campaign x "}},
		{"end-verbose.txt", findingtest.FullSummary(), EndOptions{Folder: ".parallax/semver", Verbose: true}},
		{"end-quiet.txt", quiet, EndOptions{Folder: ".parallax/json"}},
		{"end-six.txt", &finding.Summary{Target: "t", Programs: findingtest.SixPrograms, Findings: finding.Findings{Buckets: findingtest.SixBuckets()}}, EndOptions{Width: 100, Limit: 2}},
	} {
		var b bytes.Buffer
		if err := End(&b, tt.s, tt.o); err != nil {
			t.Fatal(err)
		}
		goldentest.Compare(t, tt.name, b.Bytes())
		harmless(t, b.String())
	}
}

// TestCleanEnd checks the four lines of a run without findings, with the next commands.
func TestCleanEnd(t *testing.T) {
	s := &finding.Summary{Mode: "diff", Target: "a.A+b.B", Programs: []string{"a.A", "b.B"}, Inputs: 1000, ElapsedSeconds: 3.2,
		Coverage: []finding.Coverage{{Program: "a.A", Blocks: 100, Covered: 40}, {Program: "b.B", Blocks: 50, Covered: 7}}}
	var b strings.Builder
	if err := End(&b, s, EndOptions{Folder: ".parallax/p"}); err != nil {
		t.Fatal(err)
	}
	if want := `
a.A+b.B: no findings
  1,000 inputs in 3.2s, corpus 0 inputs
  coverage a.A 40 of 100 blocks, b.B 7 of 50 blocks
  .parallax/p (` + "`parallax report`" + `: coverage by line; the same command goes on)
`; b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// TestEndOfDiff checks that only crashes and timeouts count as failures when programs are compared.
func TestEndOfDiff(t *testing.T) {
	s := findingtest.FullSummary()
	s.Mode, s.DiscrepantInputs = "diff", 0
	s.Behavior = &finding.Behavior{Behavior: sample.Behavior{Traces: 1234, Failed: 1, RiskBound: 0.0003, Independent: &sample.Independent{Inputs: 90, RiskBound: 0.01}}}
	var b bytes.Buffer
	if err := End(&b, s, EndOptions{Verbose: true}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{", a crash or timeout below 0.030 %", ", a crash or timeout below 1.0 %", " 1 input with a crash or timeout of "} {
		if !strings.Contains(b.String(), want) || strings.Contains(b.String(), "fail") {
			t.Errorf("it lacks %q, or tells of failures:\n%s", want, b.String())
		}
	}
}

// TestEndBehavior checks that the end of a run shows how diverse the behaviors were. Without
// blocks, it shows nothing.
func TestEndBehavior(t *testing.T) {
	s := findingtest.FullSummary()
	s.Mode = "fuzz"
	s.Behavior = &finding.Behavior{
		Behavior: sample.Behavior{
			Traces: 1234, B0: 40, B1: 31.54, B2: 128.4, Valid: 3, Invalid: 1, Evenness: 0.788, ValidTraces: 70, NewTrace: 0.0123, RiskBound: 0.0003, Expected: 44.2,
			NewBranch: 0.002,
			Value:     &sample.Yield{Tried: 8, Won: 1}, Weight: 2,
		},
		Thin: []finding.Thin{{Program: "a\x1b", Location: "x.go:1\x1b", Traces: 1}, {Program: "b", Location: "y.go:2", Traces: 3}},
	}
	var b bytes.Buffer
	if err := End(&b, s, EndOptions{Verbose: true, Width: 200}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"behavior  about 1,234 unique traces, 70 of them of valid inputs; B(0) 40, B(1) 31.5, B(2) 128, evenness 0.79\n",
		"75 % of the inputs are valid; probabilities of the next: a new trace 1.2 %, a new branch about 0.20 %, a failure below 0.030 %\n",
		"at least 44.2 branches", "0 % of structural mutants, 12 % of value mutants", "executed by the fewest traces:\n", "            y.go:2      3 traces in b\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("it lacks %q:\n%s", want, b.String())
		}
	}
	harmless(t, b.String())
	// Each branch has a line within the width. Both versions share the line of a common branch.
	s.Programs = []string{"new", "old"}
	deep := "example.com/" + strings.Repeat("deep/", 30) + "last.go:77"
	s.Behavior.Thin = []finding.Thin{{Program: "new", Location: deep, Traces: 1}, {Program: "old", Location: deep, Traces: 1}, {Program: "new", Location: "p.go:6", Traces: 1}, {Program: "old", Location: "p.go:6", Traces: 2}, {Program: "old", Location: "q.go:7", Traces: 2}}
	if b.Reset(); End(&b, s, EndOptions{Verbose: true, Width: 80}) != nil {
		t.Error("an error")
	}
	for line := range strings.Lines(b.String()) {
		if columns.Width(strings.TrimRight(line, "\n")) > 80 {
			t.Errorf("more than 80 columns: %s", line)
		}
	}
	_, told, _ := strings.Cut(b.String(), "fewest traces:\n")
	lines := strings.Split(told, "\n")
	for i, want := range []string{"deep/last.go:77  1 trace in new and old", "  1 trace in new, 2 traces in old", "  2 traces in old"} {
		if !strings.HasSuffix(lines[i], want) || columns.Width(lines[i]) > 80 || !strings.HasPrefix(lines[i], [...]string{"            …", "            p.go:6 ", "            q.go:7 "}[i]) {
			t.Errorf("%q, want %q", lines[i], want)
		}
	}
	// Without a branch that one input alone executed, zero would claim to be certain.
	s.Behavior.NewBranch, s.Behavior.NewBranchBound = 0, 0.00015
	if b.Reset(); End(&b, s, EndOptions{Verbose: true}) != nil || !strings.Contains(b.String(), "a new branch below 0.015 %, a failure") {
		t.Errorf("no branch was executed once:\n%s", b.String())
	}
	// Few inputs say nothing, and an estimate of them would look like one that does.
	for n, want := range map[uint64]bool{29: false, 30: true} {
		s.Behavior.Independent = &sample.Independent{Inputs: n, NewBranch: 0.5, RiskBound: 0.1}
		if b.Reset(); End(&b, s, EndOptions{Verbose: true}) != nil || strings.Contains(b.String(), "inputs drawn from nothing") != want {
			t.Errorf("of %d inputs drawn from nothing:\n%s", n, b.String())
		}
	}
	// If nothing is compared, the end counts failing inputs: a bucket counts only those that triage
	// examined.
	s.DiscrepantInputs, s.Behavior.Failed, s.Behavior.Traces = 0, 2, 1
	if b.Reset(); End(&b, s, EndOptions{Verbose: true}) != nil || !strings.Contains(b.String(), "2 failing inputs of 1,234,567, 1 flaky") || !strings.Contains(b.String(), "about 1 unique trace, ") {
		t.Errorf("failing inputs:\n%s", b.String())
	}
	s.Behavior = &finding.Behavior{}
	if b.Reset(); End(&b, s, EndOptions{Verbose: true}) != nil || strings.Contains(b.String(), "behavior") {
		t.Errorf("without traces:\n%s", b.String())
	}
	for f, want := range map[float64]string{0: "0 %", 1: "100 %", 0.5: "50 %", 0.0995: "10 %", 0.0123: "1.2 %", 0.00015: "0.015 %", 2: "100 %", math.NaN(): "0 %"} {
		if got := units.Percent(f); got != want {
			t.Errorf("%v: %s, want %s", f, got, want)
		}
	}
}

func TestEndMore(t *testing.T) {
	for _, tt := range []struct {
		n, limit int
		flags    string
		want     string
	}{
		{12, 0, "", "  and 2 more: parallax show\n"},
		{12, 0, "--campaign d ", "  and 2 more: parallax show --campaign d\n"},
		{1300, 0, "--campaign d ", "  and 1,290 more: parallax show --campaign d --all\n"},
		{26, ShowLimit, "", "  and 1 more: parallax show --all\n"},
		{26, -1, "", ""},
	} {
		s := findingtest.FullSummary()
		s.Findings.Buckets = nil
		for i := range tt.n {
			s.Findings.Buckets = append(s.Findings.Buckets, finding.Row{ID: fmt.Sprintf("%012d", i), Kind: "crash"})
		}
		var b bytes.Buffer
		if err := End(&b, s, EndOptions{Limit: tt.limit, Flags: tt.flags}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), " more"); got != (tt.want != "") || !strings.Contains(b.String(), tt.want) {
			t.Errorf("%d findings, limit %d: want %q in\n%s", tt.n, tt.limit, tt.want, b.String())
		}
	}
}

// TestAcceptedInALine checks that the headline counts accepted and flaky findings, too. A campaign
// whose candidates are all flaky has not found nothing.
func TestAcceptedInALine(t *testing.T) {
	long := strings.Repeat("long ", 40)
	s := &finding.Summary{Target: "t", Programs: []string{"a"}, Findings: finding.Findings{Buckets: []finding.Row{
		{ID: "1", Kind: "crash", Count: 1, Quoted: `"x"`, Outcomes: map[string]string{"a": "crashed"}},
		{ID: "2", Kind: "crash", Count: 1, Quoted: `"y"`, Outcomes: map[string]string{"a": "crashed"}, Acceptance: finding.Acceptance{Accepted: true, Reason: "known"}},
		{ID: "3", Kind: "crash", Count: 1, Quoted: long, Outcomes: map[string]string{"a": "crashed"}, Acceptance: finding.Acceptance{Accepted: true, Reason: long, NewVariants: 2}},
		{ID: "4", Kind: "crash", Count: 1, Quoted: `"z"`, Acceptance: finding.Acceptance{Accepted: true, NewVariants: 1}},
	}}}
	var b bytes.Buffer
	if err := End(&b, s, EndOptions{Flags: "--campaign x "}); err != nil {
		t.Fatal(err)
	}
	goldentest.Compare(t, "end-accepted.txt", b.Bytes())
	for _, o := range []EndOptions{{Full: true}, {Verbose: true}} {
		b.Reset()
		if err := End(&b, s, o); err != nil {
			t.Fatal(err)
		}
		if strings.Count(b.String(), "crashed") != 3 || strings.Count(b.String(), "came after it was accepted") != 2 {
			t.Errorf("%+v: %s", o, b.String())
		}
	}
}

// TestNextNamesOpen checks that the next commands name the first open finding, wherever it is among
// settled ones.
func TestNextNamesOpen(t *testing.T) {
	settled := []finding.Row{{ID: "aaa", Acceptance: finding.Acceptance{Accepted: true}}, {ID: "bbb", Flaky: true}, {ID: "ccc", Gone: true}, {ID: "ddd", Acceptance: finding.Acceptance{Accepted: true, NewVariants: 1}}}
	for at := range len(settled) + 1 {
		s := &finding.Summary{Target: "t", Findings: finding.Findings{Buckets: slices.Insert(slices.Clone(settled), at, finding.Row{ID: "fff"})}}
		var b bytes.Buffer
		if err := End(&b, s, EndOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, hints, _ := strings.Cut(b.String(), "corpus"); !strings.Contains(hints, "parallax show fff ") || strings.Contains(hints, "show ddd") {
			t.Errorf("at %d: %s", at, hints)
		}
	}
}

// TestTextIsNoMarkdown checks that text on a terminal has no escapes of Markdown.
func TestTextIsNoMarkdown(t *testing.T) {
	const message = "a && b is not (1:3) *x*"
	f := findingtest.CrashFinding()
	for i := range f.Programs {
		f.Programs[i].Message = message
	}
	for _, page := range []finding.Page{{}, {Life: &finding.Life{Acceptance: finding.Acceptance{Accepted: true, Reason: message, NewVariants: 2}}}} {
		text := string(Terminal(f, page, TextOptions{Width: 120}))
		if !strings.Contains(text, message) || strings.Contains(text, `\&`) || strings.Contains(text, `\*`) {
			t.Errorf("%s", text)
		}
		if page.Life != nil && !strings.Contains(text, message+" (2 variants came after it was accepted)") {
			t.Errorf("%s", text)
		}
	}
}

// TestHeadline checks the words that count findings, also those that lists show elsewhere.
func TestHeadline(t *testing.T) {
	elsewhere := func(kind, status string) finding.Row {
		return finding.Row{Kind: kind, Status: status, Later: finding.Later{Shared: finding.Shared{Shower: &finding.Sharer{}}}}
	}
	open, accepted := finding.Row{Kind: "crash"}, finding.Row{Kind: "crash", Acceptance: finding.Acceptance{Accepted: true}}
	flaky, gone := finding.Row{Kind: "crash", Flaky: true}, finding.Row{Kind: "crash", Gone: true}
	for _, tt := range []struct {
		candidates uint64
		buckets    []finding.Row
		want       string
	}{
		{0, nil, "no findings"},
		{3, nil, "no findings (3 flaky candidates)"},
		{3, []finding.Row{open}, "1 crash"},
		{3, []finding.Row{accepted}, "no findings (1 accepted, 3 flaky candidates)"},
		{1, []finding.Row{flaky}, "no findings (1 flaky)"},
		{1, []finding.Row{open, accepted, flaky, gone}, "1 crash (not counted: 1 accepted, 1 flaky, 1 of earlier runs gone)"},
		{0, []finding.Row{{Kind: "crash", Status: "new"}, {Kind: "crash", Status: "old"}, {Kind: "change", Status: "changed"}, {Kind: "crash", Status: "fixed"}},
			"1 new crash, 1 change of behavior, 1 old failure, 1 fixed failure"},
		{0, []finding.Row{{Kind: "change", Status: "changed"}, {Kind: "change", Status: "changed"}, accepted}, "no new failures, 2 changes of behavior (not counted: 1 accepted)"},
		{0, []finding.Row{{Kind: "change", Status: "changed"}, elsewhere("change", "changed"), elsewhere("crash", "new")}, "1 new crash (not listed), 2 changes of behavior (1 listed)"},
	} {
		s := &finding.Summary{Target: "t", Flaky: tt.candidates}
		s.Findings.Buckets = tt.buckets
		if got := Headline(s); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestSummarize(t *testing.T) {
	b := findingtest.CrashFinding().Summarize()
	if b.ID != "a81c55e09f27" || b.Outcomes["p"] != "crashed" || b.Classes["a`b|c"] != "bad" || b.Quoted != `("\x00", 0, 0)` {
		t.Errorf("%+v", b)
	}
	harmless(t, b.Results["p"]+b.Results["a`b|c"])
}

// TestNotes checks that a note of several lines is printed as one sentence.
func TestNotes(t *testing.T) {
	var b bytes.Buffer
	s := &finding.Summary{Target: "t", Notes: []string{"it does not run:\n\tx.go:1: wrong\nThe new version is fuzzed alone."}}
	if err := End(&b, s, EndOptions{Width: 200}); err != nil || !strings.Contains(b.String(), "note      it does not run: x.go:1: wrong The new version is fuzzed alone.\n") {
		t.Errorf("%v %s", err, b.String())
	}
}

// TestNotesTogether checks that notes of several targets leave out the numbers of unverified
// findings, which are counted together.
func TestNotesTogether(t *testing.T) {
	var b bytes.Buffer
	list := []*finding.Summary{{Notes: []string{finding.Unverified(1) + ": the next run goes on", "other"}}, {Notes: []string{finding.Unverified(3) + ": the next run goes on", "other"}}}
	if err := Notes(&b, list, 100); err != nil || b.String() != "\nnote      other\n" {
		t.Errorf("%v %q", err, b.String())
	}
	b.Reset()
	for i, n := range []int{300, 97, 300} {
		list = append(list, &finding.Summary{Notes: []string{fmt.Sprint(n, " seeds are taken from the tests of p"), fmt.Sprint(i, " others")}})
	}
	if err := Notes(&b, list[2:], 100); err != nil || b.String() != "\nnote      97 to 300 seeds are taken from the tests of p, by target\nnote      0 others\nnote      1 others\nnote      2 others\n" {
		t.Errorf("%v %q", err, b.String())
	}
}

// parentLines shows two inputs as Go text one above the other, with what differs marked.
func parentLines(parent, child []byte) string {
	var b strings.Builder
	for _, line := range parentRows(string(parent), string(child), rowWidth) {
		for _, s := range line {
			b.WriteString(s.text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
