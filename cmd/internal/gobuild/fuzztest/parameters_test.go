package fuzztest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestParameters(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x_test.go")
	const source = `package x
import "testing"
func FuzzTwo(f *testing.F) { f.Add("", 1); f.Fuzz(func(t *testing.T, text string, n int) {}) }
func FuzzGroup(g *testing.F) { g.Fuzz(func(_ *testing.T, from, to uint8) {}) }
func FuzzBlank(f *testing.F) { f.Fuzz(func(t *testing.T, _ string, n int) {}) }
func FuzzNamed(f *testing.F) { f.Fuzz(check) }
func check(t *testing.T, s string) {}
`
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{
		"FuzzTwo": {"text", "n"}, "FuzzGroup": {"from", "to"}, "FuzzBlank": nil, "FuzzNamed": nil, "FuzzNot": nil,
	} {
		f := Func{Name: name, File: file}
		if got := f.Parameters(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
