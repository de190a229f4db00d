package scaffold

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"parallax/cmd/internal/base/spdx"
)

// TestLicense checks that all files of init name the license, in every language, except Go code and
// seeds.
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
	n := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		seed := filepath.Base(filepath.Dir(path)) == seedFolder || filepath.Base(filepath.Dir(path)) == "drivers-"+seedFolder
		if has := bytes.Contains(text, []byte(spdx.Line+"\n")) || bytes.Contains(text, []byte(spdx.Line+" */\n")); has == seed {
			t.Errorf("%s: license %t:\n%.200s", path, has, text)
		}
		n++
		return nil
	})
	if err != nil || n < 15 {
		t.Errorf("%d files, %v", n, err)
	}
}
