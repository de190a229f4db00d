package text

import (
	"testing"

	"parallax/cmd/internal/base/goldentest"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/findingtest"
	"parallax/cmd/internal/finding/reproducer"
)

func TestFuzzReproducerText(t *testing.T) {
	f := findingtest.CrashFinding()
	f.Kind = "oom"
	f.Fuzz = &finding.FuzzHarness{Package: "p", ImportPath: "example.com/p", Name: "FuzzX", Constraint: "linux"}
	files, err := reproducer.FuzzTest{}.Files(f)
	if err != nil {
		t.Fatal(err)
	}
	src := files[reproducer.TestFile]
	goldentest.Compare(t, "fuzz.go.txt", src)
	goldentest.Compare(t, "fuzz.md", Markdown(f, finding.Page{Reproducer: string(src)}))
}
