package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFormatsFullDisk checks that a disk without room for a file ends the command with exit code 4.
// The earlier file remains, no half of a file is left, and the other files are written.
func TestFormatsFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	t.Parallel()
	tool := newTool(t)
	disk, other := t.TempDir(), t.TempDir()
	junit := filepath.Join(disk, "x.xml")
	args := []string{
		"./puzzles/agree.A", "./puzzles/agree.B", "--junit", junit, "--sarif", filepath.Join(other, "x.sarif"), "--markdown", filepath.Join(other, "x.md"),
	}
	s := tool.script(t, filepath.Join(other, "out"), args, fmt.Sprintf(`
mount -t tmpfs -o size=64k tmpfs %[1]s || exit 77
echo before >%[2]s
head -c 1000000 /dev/zero >%[1]s/ballast
campaign 1
ls -A %[1]s >%[3]s/list
cat %[2]s >>%[3]s/list`, disk, junit, other))
	r := s.result(t, 1)
	r.exits(t, 4)
	r.readable(t)
	if !strings.Contains(string(r.stderr), "write "+junit+": disk full") {
		t.Errorf("the file is not named\n%s", r.stderr)
	}
	if list, err := os.ReadFile(filepath.Join(other, "list")); err != nil || string(list) != "ballast\nx.xml\nbefore\n" {
		t.Errorf("the disk has %q, %v", list, err)
	}
	for _, name := range []string{"x.sarif", "x.md"} {
		if _, err := os.Stat(filepath.Join(other, name)); err != nil {
			t.Error(err)
		}
	}
}
