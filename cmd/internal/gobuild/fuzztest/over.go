package fuzztest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/gocommand"
)

// A Tree is a version of a module, and the package in it whose FuzzXxx are meant.
type Tree struct {
	Dir     string // of the module, absolute
	Package string // its folder below Dir, with slashes; "." for the module's own
}

func (t Tree) path(elem ...string) string {
	return filepath.Join(append([]string{t.Dir, filepath.FromSlash(t.Package)}, elem...)...)
}

// Over describes how the harness of one version of a package replaces that of another. The harness
// is the package's test files, their files in testdata, and the packages that only tests import.
type Over struct {
	Overlay buildroot.Overlay // for the go command: by the place in the old tree, "" for what is taken away
	Tests   []string          // base names of the test files that there are
	Dropped []string          // and of those that only the old tree has
	Helpers []string          // folders below the module that are laid over whole
	// Data are the files of testdata, by their path below the package with slashes, where they are.
	// It is nil where the old tree has all of them: then its own folder serves.
	Data map[string]string
}

// LayOver decides which files of the new tree are laid over the old one. All test files of the
// package are the new tree's: those of the old one that it does not have are taken away. In
// testdata a file of the new tree counts before one of that name, and what only the old tree has
// stays. Helpers are folders below the module that the harness needs: those that the old tree has
// not are laid over with all their Go files. Where only names test files, by base name, no others
// are there.
func LayOver(from, onto Tree, helpers, only []string) (*Over, error) {
	o := &Over{Overlay: buildroot.Overlay{}}
	tests, err := testFiles(from.path())
	if err != nil {
		return nil, err
	}
	if only != nil {
		tests = slices.DeleteFunc(tests, func(name string) bool { return !slices.Contains(only, name) })
	}
	old, err := testFiles(onto.path())
	if err != nil {
		return nil, err
	}
	for _, name := range tests {
		if o.Tests = append(o.Tests, name); !sameFile(from.path(name), onto.path(name)) {
			o.Overlay[onto.path(name)] = from.path(name)
		}
	}
	for _, name := range old {
		if !slices.Contains(tests, name) {
			o.Overlay[onto.path(name)] = ""
			o.Dropped = append(o.Dropped, name)
		}
	}
	for _, dir := range helpers {
		if err := o.help(from, onto, dir); err != nil {
			return nil, err
		}
	}
	return o, o.data(from, onto)
}

// testFiles are the test files of a package, for whatever system, by name.
func testFiles(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !e.IsDir() && strings.HasSuffix(e.Name(), "_test.go") {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// help lays a folder over, if the old tree has no package there.
func (o *Over) help(from, onto Tree, dir string) error {
	entries, err := os.ReadDir(filepath.Join(from.Dir, filepath.FromSlash(dir)))
	if err != nil {
		return err
	}
	if there, err := filepath.Glob(filepath.Join(escapeGlob(onto.Dir), filepath.FromSlash(dir), "*.go")); err != nil || len(there) > 0 {
		return err
	}
	for _, e := range entries {
		name := filepath.Join(filepath.FromSlash(dir), e.Name())
		if e.IsDir() || strings.HasSuffix(name, "_test.go") {
			continue
		}
		o.Overlay[filepath.Join(onto.Dir, name)] = filepath.Join(from.Dir, name)
	}
	o.Helpers = append(o.Helpers, dir)
	return nil
}

// escapeGlob is a path as a pattern that matches it alone.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// data joins the files of testdata.
func (o *Over) data(from, onto Tree) error {
	all := map[string]string{}
	for _, t := range []Tree{onto, from} {
		root := t.path("testdata")
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) && path == root {
				return nil
			}
			if err != nil {
				return err
			}
			if rel, _ := filepath.Rel(t.path(), path); !d.IsDir() {
				all[filepath.ToSlash(rel)] = path
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for rel, path := range all {
		at := onto.path(filepath.FromSlash(rel))
		if path == at || sameFile(path, at) {
			continue
		}
		o.Data = all
		o.Overlay[at] = path // for go:embed
	}
	return nil
}

// sameFile reports whether two files hold the same.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	if err != nil || x.Size() != y.Size() || x.IsDir() || y.IsDir() {
		return false
	}
	s, err := os.ReadFile(a)
	if err != nil {
		return false
	}
	t, err := os.ReadFile(b)
	return err == nil && string(s) == string(t)
}

// Helpers lists folders, below the module, of packages that the tests of a package need and that
// only tests import. deps is the output of go list -deps -test for the package, and all is that for
// the whole module.
func Helpers(module, pkg string, deps, all []*gocommand.Package) []string {
	folders := map[string]string{}
	for _, p := range deps {
		path, _, _ := strings.Cut(p.ImportPath, " ")
		if rel, ok := strings.CutPrefix(path, module+"/"); ok && path != pkg && path != pkg+"_test" && path != pkg+".test" && len(p.GoFiles) > 0 {
			folders[path] = rel
		}
	}
	for changed := true; changed; { // what another package imports that is no helper is none
		changed = false
		for _, p := range all {
			if _, helper := folders[p.ImportPath]; helper || p.Name == "" {
				continue
			}
			for _, path := range p.Imports {
				if _, ok := folders[path]; ok {
					delete(folders, path)
					changed = true
				}
			}
		}
	}
	var list []string
	for _, rel := range folders {
		list = append(list, rel)
	}
	slices.Sort(list)
	return list
}

// Mirror creates a folder in which the package's tests run as in its own, with the joined testdata.
// The path from the module to the package consists of folders, and everything else of links. It
// returns the package's folder there.
func (o *Over) Mirror(onto Tree, dir string) (string, error) {
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	at, from := dir, onto.Dir
	elems := strings.Split(onto.Package, "/")
	if onto.Package == "." {
		elems = nil
	}
	for _, elem := range append(elems, "") {
		if err := os.MkdirAll(at, 0o755); err != nil {
			return "", err
		}
		entries, err := os.ReadDir(from)
		if err != nil {
			return "", err
		}
		skip := elem
		if elem == "" {
			skip = "testdata"
		}
		for _, e := range entries {
			if e.Name() != skip {
				if err := os.Symlink(filepath.Join(from, e.Name()), filepath.Join(at, e.Name())); err != nil {
					return "", err
				}
			}
		}
		if elem != "" {
			at, from = filepath.Join(at, elem), filepath.Join(from, elem)
		}
	}
	for rel, path := range o.Data {
		name := filepath.Join(at, filepath.FromSlash(rel))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return "", err
		}
		if err := os.Symlink(path, name); err != nil {
			return "", err
		}
	}
	return at, nil
}
