package text

import (
	"bytes"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/findingtest"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

// versions returns a finding in which two versions of a program end alike with other results.
func versions(layer, outcome, a, b string) *finding.Finding {
	f := &finding.Finding{Bucket: "0123456789ab", Kind: "change", Layer: layer, Shape: input.Shape{input.String}, Minimized: findingtest.Pack(input.Shape{input.String}, "s")}
	for _, p := range []struct{ name, result string }{{"new", a}, {"old", b}} {
		d := oracle.Detail{Outcome: outcome, Value: p.result}
		if outcome == "rejected" {
			d.Value, d.Error = "", p.result
		}
		f.Programs = append(f.Programs, finding.Program{Name: p.name, Detail: d, Deciding: "p/p.go:18"})
	}
	return f
}

// TestSummarizeDifference checks that compared results are shown with their beginnings and their
// first difference, wherever it is.
func TestSummarizeDifference(t *testing.T) {
	long := strings.Repeat("é=1 ", 50)
	head := long[:50]
	for _, tt := range []struct{ a, b, wantA, wantB string }{
		{"short 1", "short 2", "short 1", "short 2"},
		{long + long + "x\n", long + long + "y", head + "…=1 é=1 é=1 é=1 x\\n (502 bytes in all)", head + "…=1 é=1 é=1 é=1 y (501 bytes in all)"},
		{long + long, long + long + "y", head + "…=1 é=1 é=1 é=1  (500 bytes in all)", head + "…=1 é=1 é=1 é=1 y (501 bytes in all)"},
		{"1" + long + long, "2" + long, "1" + long[:248] + "… (501 bytes in all)", "2" + long[:248] + "… (251 bytes in all)"},
	} {
		for layer, outcome := range map[string]string{"value": "accepted", "class": "rejected"} {
			if layer == "class" && strings.Contains(tt.a, "\n") {
				continue // an end of line in an error is no part of it
			}
			got := versions(layer, outcome, tt.a, tt.b).Summarize().Results
			if got["new"] != tt.wantA || got["old"] != tt.wantB {
				t.Errorf("%q, %q: got\n%q\n%q\nwant\n%q\n%q", tt.a, tt.b, got["new"], got["old"], tt.wantA, tt.wantB)
			}
		}
	}
}

// TestTableDifference checks that a table of any width distinguishes compared results. It shows
// them at the same columns, and in full if there is room.
func TestTableDifference(t *testing.T) {
	for _, n := range []int{10, 30, 60, 100, 150, 1000} {
		begin := "Kind (p_test.go:10): {\"alpha\": \"" + strings.Repeat("x", n)
		for layer, outcome := range map[string]string{"value": "accepted", "class": "rejected"} {
			f := versions(layer, outcome, begin+"one\", 1}", begin+"two\", 12345}")
			for _, width := range []int{60, 80, 160} {
				var b bytes.Buffer
				if err := Table(&b, []finding.Row{f.Summarize()}, TableOptions{Width: width, Programs: []string{"new", "old"}}); err != nil {
					t.Fatal(err)
				}
				text := string(Terminal(f, finding.Page{}, TextOptions{Width: width}))
				_, did, _ := strings.Cut(text, "What each program did")
				did, _, _ = strings.Cut(did, "Where the")
				for what, lines := range map[string][]string{"list": strings.Split(b.String(), "\n")[2:4], "show": strings.Split(did, "\n")[1:3]} {
					one, two := strings.Index(lines[0], "one"), strings.Index(lines[1], "two")
					if one < 0 || one != two || !strings.Contains(lines[0], "Kind (") {
						t.Errorf("%d columns, a difference after %d, %s:\n%s", width, len(begin), what, strings.Join(lines, "\n"))
					}
					if full := len(begin) + 60; full < width && !strings.Contains(lines[1], begin+"two\", 12345}") {
						t.Errorf("%d columns, %s: what has room is cut:\n%s", width, what, strings.Join(lines, "\n"))
					}
				}
			}
		}
	}
}

// TestResultLines checks that lines of recorded calls and messages follow each other on one line.
// An end of line in a value stays as it is.
func TestResultLines(t *testing.T) {
	calls := "Kind (p_test.go:8): 3, nil\nRight (p_test.go:12): true"
	for _, tt := range []struct {
		p    finding.Program
		want string
	}{
		{finding.Program{Detail: oracle.Detail{Outcome: "accepted", Value: calls}}, "Kind (p_test.go:8): 3, nil; Right (p_test.go:12): true"},
		{finding.Program{Detail: oracle.Detail{Outcome: "rejected", Error: "skipped (t.Skip)\n" + calls}}, "skipped (t.Skip); Kind (p_test.go:8): 3, nil; Right (p_test.go:12): true"},
		{finding.Program{Detail: oracle.Detail{Outcome: "crashed"}, Message: "p_test.go:9: wrong:\n    a\n\n    b\n"}, "p_test.go:9: wrong:; a; b"},
		{finding.Program{Detail: oracle.Detail{Outcome: "accepted", Value: "a\nb\n"}}, `a\nb\n`},
	} {
		f := &finding.Finding{Programs: []finding.Program{tt.p}}
		if got := f.Excerpt(&f.Programs[0], 200); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// TestSkipped checks the page of two versions of a test that differ before both skip.
func TestSkipped(t *testing.T) {
	f := versions("value", "rejected", "skipped (t.Skip)\nKind (p_test.go:8): 3, error *e.E: a", "skipped (t.Skip)\nKind (p_test.go:8): 4, error *e.E: a")
	f.Kind = "discrepancy"
	text := string(Markdown(f, finding.Page{}))
	for _, want := range []string{"# `new` and `old` skip the same input after different results", "## Where the results differ", "At `Kind (p_test.go:8)`:", "new  3, error *e.E: a"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if got := Title(f); got != "new and old skip the same input after different results" {
		t.Error(got)
	}
}

// TestErrorTrace checks that a list shows the assertion of testify, and not the files of its
// callers.
func TestErrorTrace(t *testing.T) {
	p := &finding.Program{Message: "\n\tError Trace:\tx_test.go:18\n\t            \ty_test.go:3\n\tError:      \tNot equal: \n\t            \texpected: 1\n\t            \tactual  : 2\n\tTest:       \tFuzzX\n"}
	if got := p.Line(); got != "Not equal: expected: 1; actual: 2" {
		t.Errorf("%q", got)
	}
}

// TestErrorKinds checks that errors with one text are distinguished by their types, or by the
// errors that they wrap.
func TestErrorKinds(t *testing.T) {
	detail := func(kind, sentinel string) oracle.Detail {
		return oracle.Detail{Outcome: "rejected", Error: "line 1: bad", ErrorType: kind, ErrorClass: "line #: bad", Sentinel: sentinel}
	}
	other := detail("*p.Error", "")
	other.Error = "line 2: bad"
	elsewhere := other
	elsewhere.Error, elsewhere.ErrorClass = "line 1: end", "line #: end"
	for _, tt := range []struct {
		layer     string
		a, b      oracle.Detail
		wantA     string
		wantB     string
		sameTexts bool
	}{
		{"class", detail("*errors.errorString", ""), detail("p.Bad", ""), "line 1: bad (*errors.errorString)", "line 1: bad (p.Bad)", true},
		{"class", detail("*errors.errorString", ""), other, "line 1: bad (*errors.errorString)", "line 2: bad (*p.Error)", false},
		{"class", detail("*fmt.wrapError", "p.Bad: bad"), detail("*fmt.wrapError", "p.Worse: bad"), "line 1: bad (*fmt.wrapError, wraps p.Bad: bad)", "line 1: bad (*fmt.wrapError, wraps p.Worse: bad)", true},
		{"class", detail("p.E", "p.Bad: bad"), detail("p.E", ""), "line 1: bad (p.E, wraps p.Bad: bad)", "line 1: bad (p.E, wraps none)", true},
		{"class", detail("p.E", ""), elsewhere, "line 1: bad", "line 1: end", false},
		{"verdict", detail("p.E", ""), other, "line 1: bad", "line 2: bad", false},
	} {
		f := versions(tt.layer, "rejected", "", "")
		f.Programs[0].Detail, f.Programs[1].Detail = tt.a, tt.b
		got := f.Summarize().Results
		if got["new"] != tt.wantA || got["old"] != tt.wantB {
			t.Errorf("%s: got\n%q\n%q\nwant\n%q\n%q", tt.layer, got["new"], got["old"], tt.wantA, tt.wantB)
		}
		text := string(Markdown(f, finding.Page{}))
		if says := strings.Contains(text, "Their types differ:"); says != tt.sameTexts {
			t.Errorf("types differ: %v in\n%s", says, text)
		}
	}
}
