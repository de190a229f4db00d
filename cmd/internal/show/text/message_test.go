package text

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/quote"
	"parallax/cmd/internal/finding"
	"parallax/internal/oracle"
)

// asserted returns a message as testify's labeledOutput writes it: labels of one width, and spaces
// before further lines.
func asserted(indent string, contents ...string) string {
	var b strings.Builder
	b.WriteString("\n")
	for i := 0; i < len(contents); i += 2 {
		for k, l := range strings.Split(contents[i+1], "\n") {
			label := contents[i] + ":"
			if k > 0 {
				label = ""
			}
			fmt.Fprintf(&b, "%s\t%-12s\t%s\n", indent, label, l)
		}
	}
	return b.String()
}

const diff = "\nDiff:\n--- Expected\n+++ Actual\n@@ -1,3 +1,3 @@\n (p.T) {\n- A: (int) 1\n+ A: (int) 2\n }\n"

func TestOneLine(t *testing.T) {
	trace := "/m/x_test.go:18\nC:/m/y_test.go:3"
	for _, tt := range []struct{ message, line, subject string }{
		{"", "", ""},
		{"index out of range", "index out of range", "index out of range"},
		{"a\nb", "a; b", "a"},
		{"\n\n a \r\n\tb\n", "a; b", "a"},
		{"red \x1b[31mtext\x1b[0m\x00", `red \x1b[31mtext\x1b[0m\x00`, `red \x1b[31mtext\x1b[0m\x00`},
		{"Error: x\nTest: y\nDiff:\nz", "Error: x; Test: y; Diff:; z", "Error: x"}, // not testify's
		{asserted("", "Error Trace", trace, "Error", "Not equal: \nexpected: 1\nactual  : 2", "Test", "FuzzX"),
			"Not equal: expected: 1; actual: 2", "Not equal: expected: 1; actual: 2"},
		{asserted("    ", "Error Trace", trace, "Error", "Not equal: \nexpected: p.T{A:1}\nactual  : p.T{A:2}\n"+diff, "Test", "FuzzX/seed", "Messages", "the first\nbyte"),
			"Not equal: expected: p.T{A:1}; actual: p.T{A:2}; the first; byte", "Not equal: expected: p.T{A:1}; actual: p.T{A:2}; the first; byte"},
		{strings.TrimSpace(asserted("", "Error Trace", trace, "Error", "Should be true", "Test", "FuzzX")), "Should be true", "Should be true"},
		{asserted("", "Error Trace", trace, "Error", "Should be true", "Test", "A") + asserted("", "Error Trace", trace, "Error", "Received unexpected error:\nbad \x1b[1mid", "Test", "A"),
			`Should be true; Received unexpected error: bad \x1b[1mid`, `Should be true; Received unexpected error: bad \x1b[1mid`},
	} {
		if got := quote.OneLine(tt.message); got != tt.line {
			t.Errorf("%q:\n%q, want\n%q", tt.message, got, tt.line)
		}
		if got := quote.Subject(tt.message); got != tt.subject {
			t.Errorf("%q: subject\n%q, want\n%q", tt.message, got, tt.subject)
		}
	}
}

// TestAssertions checks assertions of any values. Lists show one line with the assertion and both
// values, without labels, files and tests.
func TestAssertions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	value := func() string {
		var b strings.Builder
		for range 1 + r.IntN(6) {
			b.WriteString([]string{"7", "x", "Test:", "Error:", " ", "\t", "\x1b[2J", "é", "\x00", ";", "Diff:", "Messages:"}[r.IntN(12)])
		}
		return "v" + b.String() + "w"
	}
	for range 2000 {
		want, got, said := value(), value(), value()
		contents := []string{"Error Trace", "/m/x_test.go:18\n/m/trace_test.go:7", "Error", "Not equal: \nexpected: " + want + "\nactual  : " + got}
		if r.IntN(2) == 0 {
			contents[3] += "\n" + diff
		}
		contents = append(contents, "Test", "FuzzTarget")
		if r.IntN(2) == 0 {
			contents = append(contents, "Messages", said)
		} else {
			said = ""
		}
		f := &finding.Finding{Kind: "failure", Programs: []finding.Program{{Name: "p", Detail: oracle.Detail{Outcome: "crashed"}, Message: asserted(strings.Repeat(" ", r.IntN(2)*4), contents...)}}}
		line := "Not equal: expected: " + escape.Text(want) + "; actual: " + escape.Text(got)
		if said != "" {
			line += "; " + escape.Text(said)
		}
		if got := f.Programs[0].Line(); got != line {
			t.Fatalf("%q:\n%q, want\n%q", f.Programs[0].Message, got, line)
		}
		if title := Title(f); title != "p fails: "+escape.Cut(line, 120) {
			t.Fatalf("title %q", title)
		}
	}
}
