package cache

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"parallax/internal/atomicfile"
)

// Kept is a folder of what was computed, each under a key that names all it was computed from, such as the hashes of files. What cannot be
// read or written there is computed again, so that nothing fails. "" keeps nothing.
type Kept string

// OpenKept is such a folder in the user's cache.
func OpenKept(name string) Kept {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return Kept(filepath.Join(dir, "parallax", name))
}

// Unused is how long something is kept after its last use.
const Unused = 30 * 24 * time.Hour

// Read returns nil for what is not there.
func (k Kept) Read(key string) []byte {
	if k == "" || key == "" {
		return nil
	}
	name := filepath.Join(string(k), key)
	data, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	now := time.Now()
	os.Chtimes(name, now, now)
	return data
}

// Write keeps something, and removes what nobody has used for a month.
func (k Kept) Write(key string, data []byte) {
	if k == "" || key == "" || os.MkdirAll(string(k), 0o755) != nil {
		return
	}
	k.removeUnused(time.Now().Add(-Unused))
	atomicfile.Write(atomicfile.OS, filepath.Join(string(k), key), data)
}

func (k Kept) removeUnused(before time.Time) {
	entries, err := os.ReadDir(string(k))
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().Before(before) {
			os.Remove(filepath.Join(string(k), e.Name()))
		}
	}
}

// HashFile writes a file's name for a key and, unless it is fixed, a hash of its content.
func HashFile(h io.Writer, name string, fixed bool) error {
	fmt.Fprintf(h, "file %q\n", name)
	if fixed {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	content := sha256.New()
	if _, err := io.Copy(content, f); err != nil {
		return err
	}
	fmt.Fprintf(h, "%x\n", content.Sum(nil))
	return nil
}
