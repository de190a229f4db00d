package mining

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestChanged checks which literals of changed lines are taken.
func TestChanged(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	old := []string{
		write("old/a.go", "package a\n\nvar t = []any{\n\t1, \"same\",\n\t0x10, 'é', `raw`,\n}\n"),
		write("old/gone.go", "package a\n\nvar x = 77\n"),
	}
	now := []string{
		write("new/a.go", "package a\n\nvar t = []any{\n  1, \"same\",\n\t0x11, '\\xff', // 99\n\t1.5, \"\",\n}\n\nfunc f() { panic(\"words\") }\n"),
		write("new/added.go", "package a\n\nvar y = 88\n"),
	}
	want := []Literal{
		{Number: 0x11, Integer: true, At: "a.go:5"},
		{Text: "\xff", Number: 0xff, Integer: true, At: "a.go:5"},
		{Number: 0x10, Integer: true, At: "a.go:5"},
		{Text: "é", Number: 'é', Integer: true, At: "a.go:5"},
		{Text: "raw", At: "a.go:5"},
	}
	if got := Changed(old, now); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if got := Changed(old, old); got != nil {
		t.Errorf("of the same files: %v", got)
	}
}
