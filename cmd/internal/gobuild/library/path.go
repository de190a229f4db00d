package library

import (
	"path"
	"strings"
)

// The folders of the library's other public packages.
const (
	Repair = "repair"
	Gen    = "gen"
)

// Named reports whether the library may have an import path: its last element is the library's
// name. Whether it is the library is for Holds to say, since others may call a package parallax.
func Named(importPath string) bool { return path.Base(importPath) == Name }

// Root returns the import path of the library that a package would belong to by its path. The
// package may be the library itself, its packages repair and gen, or one of its internal packages.
func Root(importPath string) (root string, ok bool) {
	elements := strings.Split(importPath, "/")
	for i := len(elements) - 1; i >= 0; i-- {
		if elements[i] != Name {
			continue
		}
		rest := elements[i+1:]
		ok := len(rest) == 0 || rest[0] == "internal" || len(rest) == 1 && (rest[0] == Repair || rest[0] == Gen)
		return strings.Join(elements[:i+1], "/"), ok
	}
	return "", false
}

// Has reports whether a function as stack traces name it, or a package, is one of the library with
// that import path. The library's own module holds more than the library.
func Has(root, name string) bool {
	rest, ok := strings.CutPrefix(name, root)
	if !ok {
		return false
	}
	for _, below := range []string{"", "/" + Repair, "/" + Gen, "/internal"} {
		if more, ok := strings.CutPrefix(rest, below); ok && (more == "" || more[0] == '.' || below == "/internal" && more[0] == '/') {
			return true
		}
	}
	return false
}
