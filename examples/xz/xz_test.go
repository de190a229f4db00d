package xz

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestSeeds checks that both decoders unpack the seeds alike. Repair leaves seeds alone, and
// restores broken checksums.
func TestSeeds(t *testing.T) {
	files, err := filepath.Glob("seeds/*.xz")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d seeds, %v", len(files), err)
	}
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		a, errA := Ulikunitz(file)
		b, errB := TheRoot(file)
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: %q, %v and %q, %v", name, a, errA, b, errB)
		}
		if got := Repair(bytes.Clone(file)); !bytes.Equal(got, file) {
			t.Errorf("%s: repaired to %x", name, got)
		}
		broken := bytes.Clone(file)
		for _, at := range []int{8, len(file) - 12} {
			broken[at] ^= 0xff
		}
		if _, err := TheRoot(broken); err == nil {
			t.Errorf("%s: wrong checksums are accepted", name)
		}
		if got := Repair(broken); !bytes.Equal(got, file) {
			t.Errorf("%s: repaired to %x, want %x", name, got, file)
		}
	}
}
