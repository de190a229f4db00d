package archives

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestRepairGzip checks that a valid file stays as it is, and that wrong checksums are restored.
func TestRepairGzip(t *testing.T) {
	files, err := filepath.Glob("seeds-gzip/*.gz")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := Gzip(file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := RepairGzip(bytes.Clone(file)); !bytes.Equal(got, file) {
			t.Errorf("%s was changed to % x", name, got)
		}
		broken := bytes.Clone(file)
		for i := range 8 {
			broken[len(broken)-1-i] ^= 0xff
		}
		if got := RepairGzip(broken); !bytes.Equal(got, file) {
			t.Errorf("%s was repaired to % x", name, got)
		}
		if got, err := Klauspost(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
}

// FuzzRepairGzip checks that the repair of any input ends and keeps its length.
func FuzzRepairGzip(f *testing.F) {
	f.Add([]byte("\x1f\x8b\x08\x1e\x00\x00\x00\x00\x00\xff\x02\x00ab"))
	f.Fuzz(func(t *testing.T, file []byte) {
		once := RepairGzip(bytes.Clone(file))
		if len(once) != len(file) {
			t.Error(len(once), len(file))
		}
		if twice := RepairGzip(bytes.Clone(once)); !bytes.Equal(once, twice) {
			t.Errorf("% x, and again % x", once, twice)
		}
	})
}
