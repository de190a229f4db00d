// Package codegen writes Go code: text that refers to packages by aliases, and wrappers of
// functions that cannot be called directly. Package gobuild writes the main package of a target
// with it, and package scaffold the test of `parallax init`.
//
// Invariant: the text depends only on the order of calls.
package codegen

import (
	"fmt"
	"go/types"
	"strings"
)

// Writer writes the text of a Go file. Each package that the text refers to has an alias. The zero
// value is ready.
type Writer struct {
	Choose func(path string) (alias string) // nil: p0, p1, and so on

	text    strings.Builder
	aliases map[string]string // import path of a package that the text refers to -> its alias
	paths   []string          // in the order of their aliases
}

// Printf adds to the text.
func (w *Writer) Printf(format string, args ...any) { fmt.Fprintf(&w.text, format, args...) }

// Flush returns what was written since the last Take.
func (w *Writer) Flush() string {
	text := w.text.String()
	w.text.Reset()
	return text
}

// Alias returns the name under which the package is imported.
func (w *Writer) Alias(path string) string {
	if a, ok := w.aliases[path]; ok {
		return a
	}
	a := fmt.Sprintf("p%d", len(w.paths))
	if w.Choose != nil {
		a = w.Choose(path)
	}
	if w.aliases == nil {
		w.aliases = map[string]string{}
	}
	w.aliases[path] = a
	w.paths = append(w.paths, path)
	return a
}

// Paths are the packages that the text refers to, in the order in which it did so first.
func (w *Writer) Paths() []string { return w.paths }

// Imports writes an import line for each of Paths.
func (w *Writer) Imports() {
	for _, path := range w.paths {
		w.Printf("%s %q\n", w.aliases[path], path)
	}
}

// TypeName writes a type as it is named in the file.
func (w *Writer) TypeName(t types.Type) string {
	return types.TypeString(types.Unalias(t), func(p *types.Package) string { return w.Alias(p.Path()) })
}
