package text

import (
	"os"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/base/parting"
	"parallax/cmd/internal/finding"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

// TestTranscripts checks that a table shows the first call of a transcript that differs, the call
// before, and the number of the others.
func TestTranscripts(t *testing.T) {
	const one, two = `("fs.Create(` + "`a`" + `) = nil", "fs.Open(` + "`a`" + `) = nil", "file0.Read(4) = 4", "file0.Close() = nil", "fs.Remove(` + "`a`" + `) = nil")`,
		`("fs.Create(` + "`a`" + `) = nil", "fs.Open(` + "`a`" + `) = nil", "file0.Read(4) = 4", "file0.Close() = EOF", "fs.Remove(` + "`a`" + `) = nil")`
	for _, tt := range []struct {
		results, want []string
	}{
		{[]string{one, two}, []string{"... 2 more; file0.Read(4) = 4; file0.Close() = nil; 1 more ...", "... 2 more; file0.Read(4) = 4; file0.Close() = EOF; 1 more ..."}},
		{[]string{`("s.A() = 1", "s.B() = 2")`, `"s.A() = 1"`}, []string{"s.A() = 1; s.B() = 2", "s.A() = 1; no more"}},
		{[]string{`("s.A() = 1", "s.B() = 2")`, `("s.A() = 2", "s.B() = 2")`}, []string{"s.A() = 1; 1 more ...", "s.A() = 2; 1 more ..."}},
		{[]string{`("a", "b")`, `("a", "c")`}, nil}, // texts that are no calls
		{[]string{`"s.A()"`, `"s.B()"`}, nil},
		{[]string{one, one}, nil},
		{[]string{one, two, two}, nil},
	} {
		if got, ok := parting.Focus(tt.results); ok != (tt.want != nil) || ok && !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, %v", tt.results, got, ok)
		}
	}
	b := &finding.Row{Layer: "value", Outcomes: map[string]string{"fake": "accepted", "real": "accepted"}, Results: map[string]string{"real": one, "fake": two}}
	for name, want := range map[string]string{"real": "... 2 more; file0.Read(4) = 4; file0.Close() = nil; 1 more ...", "fake": "... 2 more; file0.Read(4) = 4; file0.Close() = EOF; 1 more ..."} {
		if got := b.Excerpt(name, 70); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	f := finding.Finding{Kind: "discrepancy", Layer: "value", Shape: input.Shape{input.Bytes}, Programs: []finding.Program{
		{Name: "fake", Detail: oracle.Detail{Outcome: "accepted", Value: one}}, {Name: "real", Detail: oracle.Detail{Outcome: "accepted", Value: two}},
	}}
	source := func(string) ([]byte, error) { return nil, os.ErrNotExist }
	for width, want := range map[int]string{
		90:  "\n  fake  accepted  ... 2 more; file0.Read(4) = 4; file0.Close() = nil; 1 more ...\n  real  accepted  ... 2 more; file0.Read(4) = 4; file0.Close() = EOF; 1 more ...\n",
		160: "\n  fake  accepted  " + one + "\n  real  accepted  " + two + "\n",
	} {
		if got := string(Terminal(&f, finding.Page{Source: source}, TextOptions{Width: width})); !strings.Contains(got, want) {
			t.Errorf("%d columns: %s", width, got)
		}
	}
	if got := b.Excerpt("real", 400); got != one {
		t.Errorf("where there is room: %q", got)
	}
}
