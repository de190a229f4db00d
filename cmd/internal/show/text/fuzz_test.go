package text

import (
	"testing"

	"parallax/cmd/internal/base/goldentest"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/findingtest"
)

func TestFuzzReproducerText(t *testing.T) {
	f := findingtest.CrashFinding()
	f.Kind = "oom"
	f.Fuzz = &finding.FuzzHarness{Package: "p", ImportPath: "example.com/p", Name: "FuzzX", Constraint: "linux"}
	src, err := f.Reproducer()
	if err != nil {
		t.Fatal(err)
	}
	goldentest.Compare(t, "fuzz.go.txt", src)
	goldentest.Compare(t, "fuzz.md", Markdown(f, finding.Page{Reproducer: string(src)}))
}
