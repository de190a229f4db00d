package scaffold

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gomod"
	"parallax/cmd/internal/gobuild/library"
)

// defaultFolder is the place of the copy in the user's module: every package of the module can
// import it there, and no other.
const defaultFolder = "internal/" + library.Name

// place is the place of the library for tests of the user's module.
type place struct {
	path   string // import path
	dir    string // empty for a version of a module
	copied bool   // init keeps this copy up to date
}

// locate decides the place of the library: the user's choice, that of an existing copy, or a new
// folder.
func (s *scaffold) locate() (place, error) {
	m := s.module
	if library.Named(m.Path) && library.Holds(m.Dir) {
		return place{path: m.Path, dir: m.Dir}, nil
	}
	if to := replacement(s.module); to != nil {
		if s.Library != "" {
			return place{}, exit.Usage("--library: %s takes the library from elsewhere (%s): leave --library out, or remove that line first",
				s.shown(m.GoMod), s.line(to))
		}
		if to.New.Version != "" {
			return place{path: library.Path}, nil
		}
		return place{path: library.Path, dir: to.New.Path}, nil
	}
	if dir := s.sibling(); dir != "" && s.Library == "" {
		return place{path: library.Path, dir: dir}, nil
	}
	dir, err := s.folder()
	if err != nil {
		return place{}, err
	}
	importPath, err := s.importPath(dir)
	if err != nil {
		return place{}, err
	}
	if root, hidden := gocommand.InternalRoot(importPath); hidden && len(s.Functions) > 0 && !gocommand.Within(s.own(), root) {
		return place{}, exit.Usage("package %s cannot import the library at %s, which is internal to %s: choose another folder by --library, such as %s",
			s.own(), importPath, root, defaultFolder)
	}
	return place{path: importPath, dir: dir, copied: true}, nil
}

// own returns the import path of the package that gets the test.
func (s *scaffold) own() string {
	rel, err := filepath.Rel(s.module.Dir, s.Package)
	if err != nil {
		return s.module.Path
	}
	return path.Join(s.module.Path, filepath.ToSlash(rel))
}

// sibling returns the folder of the library's own module if the workspace has it.
func (s *scaffold) sibling() string {
	if replacement(s.module) != nil {
		return ""
	}
	for _, m := range s.module.Siblings {
		if m.Path == library.Path && library.Holds(m.Dir) {
			return m.Dir
		}
	}
	return ""
}

// replacement returns the line by which a user replaces the library, or nil.
func replacement(m *gomod.Module) *gomod.Replacement {
	for i := range m.Replace {
		if m.Replace[i].Old.Path == library.Path {
			return &m.Replace[i]
		}
	}
	return nil
}

// line formats a replace line as in go.mod.
func (s *scaffold) line(r *gomod.Replacement) string {
	to := gomod.WithVersion(r.New.Path, r.New.Version)
	if rel, err := filepath.Rel(s.module.Dir, r.New.Path); err == nil && r.New.Version == "" {
		if to = filepath.ToSlash(rel); !strings.HasPrefix(to, "../") {
			to = "./" + to
		}
	}
	return "replace " + r.Old.Path + " => " + to
}

// folder returns the place of the current or new copy.
func (s *scaffold) folder() (string, error) {
	if s.Library != "" {
		dir := absolute(s.Dir, s.Library)
		if filepath.Base(dir) != library.Name {
			return "", exit.Usage("--library %s: the folder's name is to be %s, by which the library is known: --library %s",
				s.Library, library.Name, filepath.ToSlash(filepath.Join(s.Library, library.Name)))
		}
		return dir, s.free(dir)
	}
	dir := filepath.Join(s.module.Dir, filepath.FromSlash(defaultFolder))
	if library.Made(dir) {
		return dir, s.free(dir)
	}
	var usable []string
	for _, at := range s.tree.copies {
		importPath, err := s.importPath(at)
		if err != nil {
			continue
		}
		if root, hidden := gocommand.InternalRoot(importPath); !hidden || len(s.Functions) == 0 || gocommand.Within(s.own(), root) {
			usable = append(usable, at)
		}
	}
	switch len(usable) {
	case 0:
		return dir, s.free(dir)
	case 1:
		return usable[0], nil
	}
	for i, at := range usable {
		usable[i] = s.shown(at)
	}
	return "", exit.Usage("there are several copies of the library: choose one by --library\n\t%s", strings.Join(usable, "\n\t"))
}

// free returns an error for a folder with anything but a copy.
func (s *scaffold) free(dir string) error {
	const other = "choose another folder by --library, such as internal/third_party/" + library.Name
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return exit.Usage("the folder for the library: %w", err)
	case !info.IsDir():
		return exit.Usage("%s is not a folder, and the library goes there: %s", s.shown(dir), other)
	}
	entries, err := os.ReadDir(dir)
	switch {
	case err != nil:
		return exit.Usage("the folder for the library: %w", err)
	case len(entries) > 0 && !library.Made(dir):
		return exit.Usage("%s exists already and is not a copy of the library: %s", s.shown(dir), other)
	}
	return nil
}

// importPath returns the import path of a folder, and checks that the user's module can have a
// package in it.
func (s *scaffold) importPath(dir string) (string, error) {
	m := s.module
	rel, err := filepath.Rel(m.Dir, dir)
	if err != nil || !filepath.IsLocal(rel) {
		return "", exit.Usage("the library is to be a package of the module that imports it, and %s is not below %s, the folder of module %s: choose another folder by --library",
			s.shown(dir), s.shown(m.Dir), m.Path)
	}
	at := m.Dir
	for _, name := range strings.Split(rel, string(filepath.Separator)) {
		if ignored(name) || name == "vendor" {
			return "", exit.Usage("the go command finds no packages in folders named %s, so the library cannot be in %s: choose another folder by --library", name, s.shown(dir))
		}
		at = filepath.Join(at, name)
		if isFile(filepath.Join(at, "go.mod")) {
			return "", exit.Usage("%s belongs to another module, that of %s: choose another folder by --library", s.shown(dir), s.shown(filepath.Join(at, "go.mod")))
		}
	}
	importPath := path.Join(m.Path, filepath.ToSlash(rel))
	if err := module.CheckImportPath(importPath); err != nil {
		return "", exit.Usage("the library cannot be in %s: %w: choose another folder by --library", s.shown(dir), err)
	}
	return importPath, nil
}

// ignored reports whether the go command ignores folders of a name.
func ignored(name string) bool {
	return name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}
