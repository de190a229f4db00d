package state

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"parallax/internal/atomicfile"
)

// TestBrokenFilesAreBounded checks that eight damaged files of one name stay: the first seven, and
// the last.
func TestBrokenFilesAreBounded(t *testing.T) {
	f, _, err := Open(atomicfile.OS, filepath.Join(t.TempDir(), "out"), testConfig())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const n = maxBroken + 4
	for i := range n {
		if err := f.PutPending("000000000001.json", fmt.Append(nil, i)); err != nil {
			t.Fatal(err)
		}
		f.BreakPending("000000000001.json", errors.New("damaged"))
	}
	dir := f.path(pendingDir, brokenDir)
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != maxBroken {
		t.Fatalf("%d files, %v", len(entries), err)
	}
	for i := range maxBroken {
		name, want := "000000000001.json", i
		if i > 0 {
			name += fmt.Sprint(".", i+1)
		}
		if i == maxBroken-1 {
			want = n - 1
		}
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != fmt.Sprint(want) {
			t.Errorf("%s: %q, %v, want %d", name, got, err, want)
		}
	}
}

// TestLongFilesAreRefused checks that a file larger than any of parallax is rejected before it is
// read.
func TestLongFilesAreRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	f, _, err := Open(atomicfile.OS, dir, testConfig())
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	for _, name := range []string{summaryFile, configFile} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(dir, name), MaxFile+1); err != nil { // a sparse file
			t.Fatal(err)
		}
		existing, err := OpenExisting(atomicfile.OS, dir)
		if err == nil {
			_, err = existing.ReadSummary()
		}
		if err == nil {
			t.Errorf("%s is read", name)
		} else {
			t.Log(err)
		}
	}
}
