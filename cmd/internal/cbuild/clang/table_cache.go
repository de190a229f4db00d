package clang

import (
	"os"
	"path/filepath"
	"time"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/flow"
	"parallax/internal/atomicfile"
)

const (
	// worthKeeping is how long reading a table takes that is written to the cache.
	worthKeeping = 200 * time.Millisecond

	tableUnused = 30 * 24 * time.Hour // after that a table is removed
)

// tableVersion names the folder of cached tables. It changes with the result of buildTable. The
// encoding has its own version.
const tableVersion = "1"

// cachedTable reads a table by way of the user's cache, where tables are kept by the content of
// their program. A cache that cannot be used is none.
func cachedTable(path string, read func(string) (*flow.Table, error)) (*flow.Table, error) {
	began := time.Now()
	base, err := os.UserCacheDir()
	if err != nil {
		return read(path)
	}
	dir := filepath.Join(base, "parallax", "table", tableVersion)
	name, err := digestFile(path)
	if err != nil {
		return nil, err
	}
	kept := filepath.Join(dir, name)
	if data, err := os.ReadFile(kept); err == nil {
		if t, err := flow.Decode(data); err == nil {
			now := time.Now()
			os.Chtimes(kept, now, now)
			return t, nil
		}
	}
	t, err := read(path)
	if err != nil || time.Since(began) < worthKeeping {
		return t, err
	}
	if buildcache.MkdirAll(dir) == nil {
		removeUnused(dir, time.Now().Add(-tableUnused))
		atomicfile.Write(atomicfile.OS, kept, flow.Encode(t))
	}
	return t, nil
}

func removeUnused(dir string, before time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().Before(before) {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
