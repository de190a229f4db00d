package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// keep writes the normalized form of all files in left to kept, and sums them up.
func keep(left, kept string, here places) (r result, err error) {
	err = filepath.WalkDir(left, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(left, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		data, whole := normalize(rel, data, here)
		if !whole {
			return nil
		}
		r.count(rel, data)
		r.Files = append(r.Files, file{rel, fmt.Sprintf("%x", sha256.Sum256(data))})
		to := filepath.Join(kept, filepath.FromSlash(rel))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o644)
	})
	sort.Slice(r.Files, func(i, j int) bool { return r.Files[i].Name < r.Files[j].Name })
	return r, err
}

// count counts the contents of a file of a campaign's folder.
func (r *result) count(name string, data []byte) {
	parts := strings.Split(name, "/")
	last := parts[len(parts)-1]
	switch {
	case last == "summary.json":
		var s struct{ Inputs int }
		if json.Unmarshal(data, &s) == nil {
			r.Inputs += s.Inputs
		}
	case last == "tuples.log":
		r.Tuples += strings.Count(string(data), "\n")
	case last == "bucket.json":
		r.Findings++
	case len(parts) > 1 && parts[len(parts)-2] == "corpus" && !strings.Contains(last, "."):
		r.Corpus++
	}
}
