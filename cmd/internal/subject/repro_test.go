package subject

import (
	"os"
	"path/filepath"
	"testing"
)

func TestBuildConstraint(t *testing.T) {
	for text, want := range map[string]string{
		"package p\n": "",
		"// Copyright\n\n//go:build a && !b\n\n// Package p does.\npackage p\n\n//go:build never\n": "a && !b",
		"//go:build linux // +build\n\npackage p\n":                                                 "linux // +build",
		"/*\n//go:build no\n*/\npackage p\n":                                                        "",
		"// +build old\n\npackage p\n":                                                              "",
		"not Go":                                                                                    "",
	} {
		file := filepath.Join(t.TempDir(), "x_test.go")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := buildConstraint(file); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := buildConstraint("nowhere.go"); got != "" {
		t.Errorf("%q", got)
	}
}
