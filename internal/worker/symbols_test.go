package worker

import (
	"bytes"
	"debug/elf"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestNamedSymbols compares the symbols with those of debug/elf, and checks that a damaged or other
// file is an error.
func TestNamedSymbols(t *testing.T) {
	source, name := filepath.Join(t.TempDir(), "main.go"), filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", name, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	suffixes := []string{".init", ".main", "Error"}
	var want []symbol
	f, err := elf.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		for _, suffix := range suffixes {
			if strings.HasSuffix(s.Name, suffix) {
				want = append(want, symbol{s.Name, s.Value, s.Size})
				break
			}
		}
	}
	read := func(text []byte) ([]symbol, error) {
		return namedSymbols(bytes.NewReader(text), int64(len(text)), suffixes)
	}
	if got, err := read(text); err != nil || len(want) < 20 || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %d symbols, want %d", err, len(got), len(want))
	}
	for _, n := range []int{0, 63, 64, len(text) / 2} {
		if got, err := read(text[:n]); err == nil {
			t.Errorf("%d symbols of %d bytes", len(got), n)
		}
	}
	other := bytes.Clone(text[:4096])
	other[4] = 1
	if _, err := read(other); !errors.Is(err, errNoELF) {
		t.Error(err)
	}
}
