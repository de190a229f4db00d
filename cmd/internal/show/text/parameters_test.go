package text

import (
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/reproducer"
	"parallax/internal/input"
)

// TestParameters checks that arguments have the names of their parameters in rows, reports and
// reproducers. That needs several arguments, each with a valid name.
func TestParameters(t *testing.T) {
	shape := input.Shape{input.String, input.Int}
	flat, err := shape.Pack("a, b", 7)
	if err != nil {
		t.Fatal(err)
	}
	found := func(names ...string) *finding.Finding {
		return &finding.Finding{
			Bucket: "b", Kind: "failure", Target: "m.FuzzX", Shape: shape, Parameters: names, Input: flat, Minimized: flat,
			Programs: []finding.Program{{Name: "FuzzX", Message: "bad"}}, Program: "FuzzX", Fuzz: &finding.FuzzHarness{ImportPath: "m", Package: "m", Name: "FuzzX"},
		}
	}
	f := found("text", "n")
	if got, want := f.Summarize().Named, `(text: "a, b", n: 7)`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	files, err := reproducer.FuzzTest{}.Files(f)
	if err != nil || !strings.Contains(string(files[reproducer.TestFile]), `f.Add("a, b", int(7)) // text, n`) {
		t.Errorf("%s, %v", files, err)
	}
	if page := string(Markdown(f, finding.Page{})); !strings.Contains(page, "\"a, b\" // text\nint(7) // n\n") {
		t.Error(page)
	}
	data, err := f.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := finding.ParseFinding(data); err != nil || again.Summarize().Named != f.Summarize().Named {
		t.Errorf("read again: %v", err)
	}
	for _, names := range [][]string{nil, {"text"}, {"text", "n\nevil()"}, {"a", "b", "c"}} {
		f := found(names...)
		files, err := reproducer.FuzzTest{}.Files(f)
		if err != nil || f.Summarize().Named != "" || strings.Contains(string(files[reproducer.TestFile]), "evil") || strings.Contains(string(Markdown(f, finding.Page{})), "evil") {
			t.Errorf("%q: %s, %v", names, files, err)
		}
	}
}
