package clang

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"parallax/cmd/internal/flow"
)

func TestCachedTable(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	program := filepath.Join(t.TempDir(), "program")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(program, "one")
	reads, slow := 0, false
	read := func(path string) (*flow.Table, error) {
		reads++
		if slow {
			time.Sleep(worthKeeping)
		}
		return &flow.Table{Funcs: []flow.Func{{Name: "f", Count: 1}}, Blocks: []flow.Block{{Kind: flow.Entry}}}, nil
	}
	kept := func() []string {
		files, _ := filepath.Glob(filepath.Join(cache, "parallax", "table", tableVersion, "*"))
		return files
	}
	step := func(name string, wantReads, wantKept int) {
		t.Helper()
		table, err := cachedTable(program, read)
		if err != nil || len(table.Blocks) != 1 || table.Funcs[0].Name != "f" {
			t.Errorf("%s: %+v, %v", name, table, err)
		}
		if reads != wantReads || len(kept()) != wantKept {
			t.Errorf("%s: read %d times, %d kept; want %d and %d", name, reads, len(kept()), wantReads, wantKept)
		}
	}
	step("quick: is not kept", 1, 0)
	slow = true
	step("slow: is kept", 2, 1)
	step("from the cache", 2, 1)
	write(program, "two")
	step("another content", 3, 2)
	for _, path := range kept() {
		write(path, "damaged")
	}
	step("damaged: is read again", 4, 2)
	step("and kept again", 4, 2)
	old := time.Now().Add(-2 * tableUnused)
	for _, path := range kept() {
		os.Chtimes(path, old, old)
	}
	write(program, "three")
	step("the unused are removed", 5, 1)

	failed := errors.New("failed")
	write(program, "four")
	if _, err := cachedTable(program, func(string) (*flow.Table, error) { return nil, failed }); !errors.Is(err, failed) || len(kept()) != 1 {
		t.Errorf("an error is %v, and %d are kept", err, len(kept()))
	}
	t.Setenv("XDG_CACHE_HOME", filepath.Join(program, "no folder"))
	if _, err := cachedTable(program, read); err != nil {
		t.Errorf("without a cache: %v", err)
	}
}
