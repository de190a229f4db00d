package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestVectorsDoc checks that testdata/script/vectors.txt runs the examples in
// docs/guides/vectors.md.
func TestVectorsDoc(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "guides", "vectors.md"))
	if err != nil {
		t.Fatal(err)
	}
	script, err := txtar.ParseFile(filepath.Join("..", "..", "testdata", "script", "vectors.txt"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, f := range script.Files {
		if f.Name != "consumer/vectors_test.go" && f.Name != "vectors.py" {
			continue
		}
		seen++
		var b strings.Builder
		for _, line := range strings.SplitAfter(string(f.Data), "\n") {
			if strings.TrimSpace(line) != "" {
				b.WriteString("    ")
			}
			b.WriteString(line)
		}
		if !strings.Contains(string(doc), b.String()) {
			t.Errorf("docs/guides/vectors.md does not hold %s of the script as it is", f.Name)
		}
	}
	if seen != 2 {
		t.Errorf("the script holds %d of the two examples", seen)
	}
}
