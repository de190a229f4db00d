package scaffold

import (
	"bytes"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/library"
)

// tree is what a walk over the folders of the user's module found.
type tree struct {
	copies  []string // folders of copies of the library
	imports []string // Go files that import the library by the path that it has in its own module
	ignored []string // more of them, which are left as they are
}

// readTree walks over the module. Modules inside of it are others. What cannot be read has no tests that can be run.
func readTree(dir string) (*tree, error) {
	t := &tree{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == dir:
			return err
		case err != nil:
			return nil
		case d.IsDir() && name != dir:
			return t.folder(name, d.Name())
		case !d.IsDir() && strings.HasSuffix(name, ".go") && !ignored(d.Name()):
			t.file(dir, name)
		}
		return nil
	})
	if err != nil {
		return nil, exit.Usage("looking for what imports the library: %w", err)
	}
	return t, nil
}

// file notes a file that imports the library. One in testdata may be there to be read as it is, and a link may lead to what
// others import too.
func (t *tree) file(dir, name string) {
	text, err := os.ReadFile(name)
	if err != nil || !bytes.Contains(text, []byte(library.Path)) || len(oldImports(text)) == 0 {
		return
	}
	rel, err := filepath.Rel(dir, name)
	info, failed := os.Lstat(name)
	if err != nil || failed != nil || !info.Mode().IsRegular() || slices.Contains(strings.Split(rel, string(filepath.Separator)), "testdata") {
		t.ignored = append(t.ignored, name)
		return
	}
	t.imports = append(t.imports, name)
}

// folder notes a copy, and says which folders are left out.
func (t *tree) folder(path, name string) error {
	if name == "vendor" || ignored(name) && name != "testdata" || isFile(filepath.Join(path, "go.mod")) {
		return fs.SkipDir
	}
	if name == library.Name && library.Made(path) {
		t.copies = append(t.copies, path)
		return fs.SkipDir
	}
	return nil
}

// oldPaths are the import paths of the library in its own module.
var oldPaths = []string{library.Path, library.Path + "/" + library.Repair, library.Path + "/" + library.Gen}

// span is an import path as it stands in a file, with its quotes.
type span struct {
	from, to int
	path     string
}

// oldImports finds what a file imports of the library by its old paths, the first last.
func oldImports(text []byte) []span {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, "", text, parser.ImportsOnly)
	if err != nil {
		return nil
	}
	var found []span
	for _, spec := range parsed.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		for _, old := range oldPaths {
			if err == nil && name == old {
				at := set.PositionFor(spec.Path.Pos(), false).Offset
				found = append([]span{{at, at + len(spec.Path.Value), name}}, found...)
			}
		}
	}
	return found
}

// importing is the text of a file with the library at another import path. One that was formatted stays so.
func importing(text []byte, importPath string) []byte {
	formatted, err := format.Source(text)
	clean := err == nil && bytes.Equal(formatted, text)
	for _, s := range oldImports(text) {
		to := strconv.Quote(importPath + strings.TrimPrefix(s.path, library.Path))
		text = append(append(append([]byte(nil), text[:s.from]...), to...), text[s.to:]...)
	}
	if clean {
		if formatted, err := format.Source(text); err == nil {
			return formatted
		}
	}
	return text
}
