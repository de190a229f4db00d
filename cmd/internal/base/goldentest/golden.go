// Package goldentest compares what tests make with files in testdata, and writes these with the flag -update.
package goldentest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

// Update reports that files are to be written.
var Update = flag.Bool("update", false, "rewrite the golden files")

// Compare compares with testdata/name.
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
