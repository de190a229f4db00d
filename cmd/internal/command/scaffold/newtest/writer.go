package newtest

import (
	"go/token"
	"go/types"
	"path"
	"strconv"
	"strings"
	"unicode"

	"parallax/cmd/internal/gobuild/codegen"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/library"
)

// ownAlias is a placeholder for the package of the test while its text is written. The qualifier is
// removed at the end.
const ownAlias = "plxOwnPackage"

// identifier reports whether s is a Go identifier and no keyword.
func identifier(s string) bool { return token.IsIdentifier(s) }

// reserved holds the names that the test or its wrappers use: variables, the library, and imported
// packages with their paths.
var reserved = map[string]string{
	"f": "", "t": "", "v": "", "x": "", "s": "", "err": "", "ok": "", "data": "",
	"testing": "testing", library.Path: "", "bytes": "bytes", "strings": "strings", "bufio": "bufio", "io": "io",
	"utf16": "unicode/utf16", "context": "context",
}

// writer writes the text of a test.
type writer struct {
	*plan
	*codegen.Wrapper
	names map[string]string // names of imports, and their paths
}

// importName returns the name of an import: that of the package, or one from its path if that is
// taken.
func (w *writer) importName(importPath string) string {
	if importPath == w.own.ImportPath && w.inside {
		return ownAlias
	}
	name := path.Base(importPath)
	if p := w.graph.Package(importPath); p != nil && p.Name != "" {
		name = p.Name
	}
	parts := strings.Split(importPath, "/")
	if last := parts[len(parts)-1]; funcname.IsMajor(last) && len(parts) > 1 {
		parts = parts[:len(parts)-1]
	}
	last := plain(parts[len(parts)-1])
	candidates := []string{name, last}
	if len(parts) > 1 {
		candidates = append(candidates, plain(parts[len(parts)-2])+last)
	}
	for i := 2; ; i++ {
		for _, c := range candidates {
			if w.free(c, importPath) {
				w.names[c] = importPath
				return c
			}
		}
		candidates = []string{name + strconv.Itoa(i)}
	}
}

// plain converts an element of an import path to a name.
func plain(element string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, element)
}

// free reports whether an import can have the name.
func (w *writer) free(name, importPath string) bool {
	_, used := w.names[name]
	whose, kept := reserved[name]
	return identifier(name) && !used && (!kept || whose == importPath) && !w.Taken[name] && types.Universe.Lookup(name) == nil
}
