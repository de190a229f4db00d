package scaffold

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"parallax/cmd/internal/base/spdx"
)

// TestLicense checks that copies of drivers name the license, in every language. Files that are the
// user's from the start do not: functions, configurations, workflows and seeds.
func TestLicense(t *testing.T) {
	dir := t.TempDir()
	if _, err := Drivers(dir, "drivers.toml", Languages()); err != nil {
		t.Fatal(err)
	}
	if _, err := Config(dir, "parallax.toml"); err != nil {
		t.Fatal(err)
	}
	for _, service := range Services {
		if _, err := Workflows(dir, service); err != nil {
			t.Fatal(err)
		}
	}
	copied := map[string]bool{}
	for _, l := range languages {
		for _, driver := range l.drivers {
			copied[driver] = true
		}
	}
	n := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if has := bytes.Contains(text, []byte(spdx.Line+"\n")) || bytes.Contains(text, []byte(spdx.Line+" */\n")); has != copied[filepath.Base(path)] {
			t.Errorf("%s: license %t:\n%.200s", path, has, text)
		}
		n++
		return nil
	})
	if err != nil || n < 15 {
		t.Errorf("%d files, %v", n, err)
	}
}
