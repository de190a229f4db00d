// Package goldentest compares results of tests with files in testdata. The flag -update rewrites
// the files.
package goldentest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

// Update makes Compare write the files.
var Update = flag.Bool("update", false, "rewrite the golden files")

// Compare compares got with testdata/name.
func Compare[T string | []byte](t *testing.T, name string, got T) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *Update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s differs; got\n%s", file, got)
	}
}
