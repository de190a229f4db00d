package finding

import (
	"path/filepath"
)

// Relative returns path relative to base if it is inside base. It returns other paths as they are.
func Relative(base, path string) string {
	if rel, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
