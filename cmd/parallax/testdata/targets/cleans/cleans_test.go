// Package cleans has a fuzz test that makes folders and removes them, and notes which process has ended as it should.
package cleans

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

func TestMain(m *testing.M) {
	left := os.Getenv("PARALLAX_TARGET_LEFT")
	dir, err := os.MkdirTemp(left, "main")
	if err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(dir)
	name := "ended-" + os.Getenv("PARALLAX_WORKER") + "-" + strconv.Itoa(os.Getpid())
	if err := os.WriteFile(filepath.Join(left, name), nil, 0o600); err != nil {
		panic(err)
	}
	os.Exit(code)
}

func FuzzCleans(f *testing.F) {
	dir, err := os.MkdirTemp(os.Getenv("PARALLAX_TARGET_LEFT"), "fuzz")
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { os.RemoveAll(dir) })
	f.Fuzz(func(t *testing.T, s string) {
		if s == "the needle" {
			t.Fatal("found")
		}
	})
}
