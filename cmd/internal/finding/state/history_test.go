package state

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/internal/atomicfile"
	"parallax/internal/atomicfile/faultfs"
)

func historyOf(t *testing.T, f *Folder) string {
	t.Helper()
	data, err := f.ReadHistory("b")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestHistory checks that a process appends while another one has the lock, and that a part of a
// line that a kill left stays apart.
func TestHistory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	writer := mustOpen(t, dir)
	if err := writer.WriteBucket(finding.Bucket{ID: "b", Kind: "crash"}); err != nil {
		t.Fatal(err)
	}
	reader, err := OpenExisting(atomicfile.OS, dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := historyOf(t, reader); got != "" {
		t.Errorf("at first: %q", got)
	}
	for _, f := range []*Folder{reader, writer} {
		if err := f.AppendHistory("b", []byte("{1}\n")); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.OpenFile(reader.HistoryPath("b"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	file.WriteString("{cut")
	file.Close()
	if err := reader.AppendHistory("b", []byte("{2}\n")); err != nil {
		t.Fatal(err)
	}
	if got := historyOf(t, writer); got != "{1}\n{1}\n{cut\n{2}\n" {
		t.Errorf("%q", got)
	}
	if err := reader.AppendHistory("../b", nil); err == nil {
		t.Error("a name leads outside")
	}
	if err := reader.AppendHistory("c", []byte("x\n")); err == nil {
		t.Error("it made a bucket")
	}
	if err := reader.AppendHistory("b", bytes.Repeat([]byte("x"), maxHistory)); err == nil || !strings.Contains(err.Error(), "limit") {
		t.Errorf("beyond the limit: %v", err)
	}
}

// TestHistoryOfALink checks that a log that leads out of the folder is neither read nor written.
func TestHistoryOfALink(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	mustOpen(t, dir).WriteBucket(finding.Bucket{ID: "b", Kind: "crash"})
	reader, err := OpenExisting(atomicfile.OS, dir)
	if err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "file")
	os.WriteFile(outside, []byte("secret"), 0o600)
	if err := os.Symlink(outside, reader.HistoryPath("b")); err != nil {
		t.Fatal(err)
	}
	if err := reader.AppendHistory("b", []byte("x\n")); err == nil {
		t.Error("it is written")
	}
	if data, err := reader.ReadHistory("b"); err == nil {
		t.Errorf("it is read: %q", data)
	}
	if data, _ := os.ReadFile(outside); string(data) != "secret" {
		t.Errorf("outside: %q", data)
	}
}

// TestHistoryTogether checks that writers at the same time lose no line.
func TestHistoryTogether(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	mustOpen(t, dir).WriteBucket(finding.Bucket{ID: "b", Kind: "crash"})
	var wg sync.WaitGroup
	const writers, lines = 8, 25
	for w := range writers {
		wg.Go(func() {
			f, err := OpenExisting(atomicfile.OS, dir)
			for i := 0; i < lines && err == nil; i++ {
				err = f.AppendHistory("b", fmt.Appendf(nil, "{%d %d}\n", w, i))
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	f, _ := OpenExisting(atomicfile.OS, dir)
	all := historyOf(t, f)
	for w := range writers {
		for i := range lines {
			if line := fmt.Sprintf("{%d %d}\n", w, i); strings.Count(all, line) != 1 {
				t.Errorf("%q is there %d times", line, strings.Count(all, line))
			}
		}
	}
}

// TestHistoryKilled ends a process at each change of the disk. The earlier lines stay, and the next
// process appends a line of its own.
func TestHistoryKilled(t *testing.T) {
	for k := int64(0); ; k++ {
		dir := filepath.Join(t.TempDir(), "out")
		first := mustOpen(t, dir)
		first.WriteBucket(finding.Bucket{ID: "b", Kind: "crash"})
		if err := first.AppendHistory("b", []byte("{old}\n")); err != nil {
			t.Fatal(err)
		}
		first.Close()
		fsys := faultfs.New(atomicfile.OS).CrashAfter(k)
		f, err := OpenExisting(fsys, dir)
		if err == nil {
			err = f.AppendHistory("b", []byte("{announced}\n"))
		}
		after, openErr := OpenExisting(atomicfile.OS, dir)
		if openErr != nil {
			t.Fatal(openErr)
		}
		if err := after.AppendHistory("b", []byte("{new}\n")); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(historyOf(t, after), "\n")
		has := func(line string) bool {
			for _, l := range lines {
				if l == line {
					return true
				}
			}
			return false
		}
		if !has("{old}") || !has("{new}") || err == nil && !has("{announced}") {
			t.Errorf("after %d changes, %v: %q", k, err, lines)
		}
		if !fsys.Crashed() {
			return
		}
	}
}
