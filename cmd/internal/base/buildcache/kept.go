package buildcache

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
	r, err := openRoot()
	if err != nil {
		return ""
	}
	return Kept(filepath.Join(string(r), name))
}

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

// Write keeps something.
func (k Kept) Write(key string, data []byte) {
	if k == "" || key == "" || MkdirAll(string(k)) != nil {
		return
	}
	if atomicfile.Write(atomicfile.OS, filepath.Join(string(k), key), data) != nil {
		return
	}
	if r, err := openRoot(); err == nil && r.holds(string(k)) {
		r.grow(int64(len(data)), time.Now())
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
