package state

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parallax/internal/atomicfile"
)

// TestSeal checks that a seal holds for the content of campaign.json and for the user who made it,
// wherever the folder is.
func TestSeal(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
	t.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
	dir := filepath.Join(t.TempDir(), "out")
	f, _, err := Open(atomicfile.OS, dir, Config{Target: "t", Identity: Identity{Mode: "fuzz", Programs: []Program{{Name: "a"}}, Shape: "[]byte"}})
	if err != nil {
		t.Fatal(err)
	}
	if f.Sealed() {
		t.Error("a new folder is sealed")
	}
	if err := f.Seal(); err != nil || !f.Sealed() {
		t.Errorf("%v, sealed: %v", err, f.Sealed())
	}
	f.Close()

	sealed := func(dir string) bool {
		t.Helper()
		f, err := OpenExisting(atomicfile.OS, dir)
		if err != nil {
			t.Fatal(err)
		}
		return f.Sealed()
	}
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.CopyFS(moved, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if !sealed(dir) || !sealed(moved) {
		t.Errorf("sealed: %v, the copy: %v", sealed(dir), sealed(moved))
	}
	config := filepath.Join(moved, configFile)
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(string(text), `"t"`, `"u"`, 1)
	if err := os.WriteFile(config, []byte(other), 0o666); err != nil || other == string(text) || sealed(moved) {
		t.Errorf("another campaign.json is sealed, or %v", err)
	}
	// Consent seals even a read-only folder.
	view, err := OpenExisting(atomicfile.OS, moved)
	if err != nil {
		t.Fatal(err)
	}
	if err := view.Seal(); err != nil || !sealed(moved) {
		t.Errorf("%v, sealed: %v", err, sealed(moved))
	}

	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "other"))
	if sealed(dir) {
		t.Error("another user's key makes the same seal")
	}
}

// TestUserKey checks that processes that start at the same time agree on one key, which is in the
// cache if there is no configuration.
func TestUserKey(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, config := range []string{filepath.Join(home, "config"), file} {
		t.Setenv("XDG_CONFIG_HOME", config)
		t.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
		keys := make([]string, 8)
		var all sync.WaitGroup
		for i := range keys {
			all.Add(1)
			go func() {
				defer all.Done()
				key, err := userKey()
				if err != nil {
					t.Error(err)
				}
				keys[i] = string(key)
			}()
		}
		all.Wait()
		for _, key := range keys {
			if key != keys[0] || len(key) != keySize {
				t.Errorf("keys %x", keys)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(home, "cache", "parallax", "key"), []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := userKey(); err == nil || !strings.Contains(err.Error(), "key") {
		t.Errorf("a damaged key: %v", err)
	}
}
