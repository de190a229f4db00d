package finding

import (
	"path/filepath"
)

// Relative is a path as it is typed in a folder: relative where it lies inside.
func Relative(base, path string) string {
	if rel, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
