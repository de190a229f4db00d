package fuzztest

import (
	"path/filepath"
	"testing"

	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

func TestAnyFuzzTest(t *testing.T) {
	dir := moduletest.Tree(t, "-- none/a_test.go --\npackage a\n\nfunc TestFuzzy(t *testing.T) {}\n// func FuzzNo(f *testing.F)\nfunc Fuzzy() {}\n"+
		"-- none/testdata/b_test.go --\npackage b\n\nfunc FuzzB(f *testing.F) {}\n-- none/c.go --\npackage a\n\nfunc FuzzC(f *testing.F) {}\n"+
		"-- some/deep/d_test.go --\npackage d\n\nfunc FuzzD(f *testing.F) {}\n-- bare/e_test.go --\npackage e\n\nfunc Fuzz(f *testing.F) {}\n")
	for name, want := range map[string]bool{"none": false, "some": true, "bare": true} {
		if got, err := Any(filepath.Join(dir, name)); err != nil || got != want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if _, err := Any(filepath.Join(dir, "gone")); err == nil {
		t.Error("a folder that is not there is no error")
	}
}
