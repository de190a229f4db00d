package fuzztest

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/library"
)

// recognize finds out which packages that files import are the library, of those whose path ends as
// its does. The files are of a package, which may know it by several paths.
func (s *search) recognize(ctx context.Context, p *Package, files []*File) error {
	for _, f := range files {
		for name, root := range f.gens {
			if is, err := s.isLibrary(ctx, p, root); err != nil {
				return err
			} else if !is {
				delete(f.gens, name)
			}
		}
		for name, path := range f.named {
			is, err := s.isLibrary(ctx, p, path)
			if err != nil {
				return err
			}
			if !is {
				continue
			}
			if f.library == nil {
				f.library = map[string]string{}
			}
			f.library[name] = path
			if !slices.Contains(p.Libraries, path) {
				p.Libraries = append(p.Libraries, path)
			}
		}
	}
	slices.Sort(p.Libraries)
	return nil
}

// isLibrary reports whether the package is the library. Another package of that name is not,
// whatever it declares. If a module's tests import a missing package of the module with that name,
// the library is missing.
func (s *search) isLibrary(ctx context.Context, p *Package, path string) (bool, error) {
	is, known := s.libraries[path]
	if known {
		return is, nil
	}
	if s.libraries == nil {
		s.libraries = map[string]bool{}
	}
	if dir := p.siblingDir(path); dir != "" && library.Holds(dir) { // as a copy that parallax init made lies: the go command need not be asked
		s.libraries[path] = true
		return true, nil
	}
	list, err := s.root.List(ctx, "-find", "--", path)
	if err != nil {
		return false, err
	}
	if q := gocommand.Written(list, path); q != nil && library.Holds(q.Dir) {
		is = true
	} else if q == nil || len(q.GoFiles)+len(q.CgoFiles)+len(q.IgnoredGoFiles) == 0 {
		is = path == library.Path || gocommand.Within(path, p.Module)
	}
	s.libraries[path] = is
	return is, nil
}

// siblingDir returns the folder of another package of the same module, or "" for a path outside of
// the module. A folder with a go.mod begins another module.
func (p *Package) siblingDir(path string) string {
	if !gocommand.Within(path, p.Module) {
		return ""
	}
	dir := p.ModuleDir
	for _, name := range strings.Split(strings.TrimPrefix(path[len(p.Module):], "/"), "/") {
		if dir = filepath.Join(dir, name); dir != p.ModuleDir && holdsModule(dir) {
			return ""
		}
	}
	return dir
}
