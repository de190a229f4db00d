package gocommand

import (
	"path/filepath"
	"strings"
)

// InternalRoot returns, for a package with an internal element in its path, the path below which it
// may be imported.
func InternalRoot(path string) (root string, internal bool) {
	elements := strings.Split(path, "/")
	for i := len(elements) - 1; i >= 0; i-- {
		if elements[i] == "internal" {
			return strings.Join(elements[:i], "/"), true
		}
	}
	return "", false
}

// Within reports whether the import path lies at or below root.
func Within(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }

// Absolute joins a path to dir unless it is absolute or empty (a file that an overlay deletes).
func Absolute(dir, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
