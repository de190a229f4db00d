package scaffold

import (
	"io/fs"
	"path/filepath"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/library"
)

// tree is the result of a walk over the user's module.
type tree struct {
	copies []string // folders of copies of the library
}

// readTree walks over the module, without the modules inside. Unreadable folders are skipped: their
// tests cannot run either.
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
		}
		return nil
	})
	if err != nil {
		return nil, exit.Usage("looking for copies of the library: %w", err)
	}
	return t, nil
}

// folder adds a copy, or skips a folder.
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
