package scaffold

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/command/scaffold/newtest"
	"parallax/cmd/internal/gobuild/gomod"
	"parallax/cmd/internal/gobuild/library"
	"parallax/internal/atomicfile"
)

// Init writes a copy of the library and, if functions are given, a fuzz test.
func Init(ctx context.Context, o Options) (*Result, error) {
	var err error
	if o.Dir, err = filepath.Abs(o.Dir); err != nil {
		return nil, exit.Infra("finding the current folder: %w", err)
	}
	s := &scaffold{Options: o, result: &Result{}}
	if s.disk == nil {
		s.disk = machine{atomicfile.OS}
	}
	where := cmp.Or(o.Package, s.folderOfTest())
	if s.Package = absolute(o.Dir, where); !isFolder(s.Package) {
		return nil, exit.Usage("there is no folder %s", s.shown(s.Package))
	}
	if s.module, err = gomod.Find(ctx, s.Package, o.Parallax); err != nil {
		return nil, err
	}
	if o.Name != "" && len(o.Functions) == 0 {
		return nil, exit.Usage("--name names a fuzz test, and no function is given")
	}
	if len(o.Functions) == 1 && o.Library != "" {
		return nil, exit.Usage("--library: the test of one function needs no library; name a second function to compare it with")
	}
	needed := len(o.Functions) != 1
	if needed {
		if s.tree, err = readTree(s.module.Dir); err != nil {
			return nil, err
		}
		if s.where, err = s.locate(); err != nil {
			return nil, err
		}
	}
	if len(o.Functions) > 0 {
		s.test, err = newtest.Plan(ctx, newtest.Request{
			Dir: o.Dir, Package: s.Package, Functions: o.Functions, Name: o.Name, Library: s.where.path, Parallax: o.Parallax,
		})
		if err != nil {
			return nil, err
		}
		s.result.Notes = s.test.Notes
	}
	if needed {
		if err := s.library(); err != nil {
			return nil, err
		}
	}
	if s.test != nil {
		if err := atomicfile.Write(s.disk, s.test.Path, s.test.Text); err != nil {
			return nil, exit.Infra("writing the test: %w", err)
		}
		s.done("wrote %s with %s", s.shown(s.test.Path), s.test.Name)
	}
	s.next()
	return s.result, nil
}

// library updates the copy of the library. It checks everything before it writes, except that it
// first removes the remains of a killed init.
func (s *scaffold) library() error {
	switch {
	case s.where.copied:
	case s.where.dir == "":
		to := replacement(s.module).New
		s.done("%s replaces %s with %s, which is left unchanged", s.shown(s.module.GoMod), library.Path, gomod.WithVersion(to.Path, to.Version))
		return nil
	case s.where.dir == s.module.Dir:
		s.done("the module of this folder is the library itself")
		return library.Check(s.where.path, s.where.dir)
	default:
		s.done("the library in %s is not a copy made by parallax init, and is left unchanged", s.shown(s.where.dir))
		return library.Check(s.where.path, s.where.dir)
	}
	if err := s.recover(s.where.dir); err != nil {
		return s.unwritten(err)
	}
	if err := s.prepareCopy(); err != nil {
		return err
	}
	return s.writeCopy()
}

// folderOfTest returns the default folder of the test: the current one, unless that is no package
// and all functions are of one folder below it.
func (s *scaffold) folderOfTest() string {
	if files, _ := filepath.Glob(filepath.Join(s.Dir, "*.go")); len(files) > 0 || len(s.Functions) == 0 {
		return "."
	}
	folder := ""
	for i, function := range s.Functions {
		name := function[strings.LastIndexByte(function, '/')+1:]
		dir, _, _ := strings.Cut(name, ".")
		dir = strings.TrimSuffix(function, name) + dir
		if !strings.HasPrefix(dir, "./") || !isFolder(absolute(s.Dir, dir)) || i > 0 && dir != folder {
			return "."
		}
		folder = dir
	}
	return folder
}
