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

// Results is a folder of computed results. A key names all inputs of its result, such as the hashes
// of files. Read and Write never fail: a missing result is computed again. The empty Results stores
// nothing.
type Results string

// OpenResults returns the folder of that name in the user's cache.
func OpenResults(name string) Results {
	r, err := openRoot()
	if err != nil {
		return ""
	}
	return Results(filepath.Join(string(r), name))
}

// Read returns the result of a key, or nil if there is none.
func (k Results) Read(key string) []byte {
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

// Write stores the result of a key.
func (k Results) Write(key string, data []byte) {
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

// HashFile writes a file's name to the hash of a key. Unless the file is fixed, it adds a hash of
// its content.
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
