package scaffold

import (
	"context"
	"path/filepath"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/gomod"
	"parallax/cmd/internal/scaffold/newtest"
	"parallax/internal/atomicfile"
)

// Init writes.
func Init(ctx context.Context, o Options) (*Result, error) {
	var err error
	if o.Dir, err = filepath.Abs(o.Dir); err != nil {
		return nil, exit.Infra("finding the current folder: %w", err)
	}
	s := &scaffold{Options: o, result: &Result{}}
	where := o.Package
	if where == "" {
		where = "."
	}
	if s.Package = absolute(o.Dir, where); !isFolder(s.Package) {
		return nil, exit.Usage("there is no folder %s", s.shown(s.Package))
	}
	if s.module, err = gomod.Find(ctx, s.Package, o.Parallax); err != nil {
		return nil, err
	}
	if len(o.Functions) > 0 {
		s.test, err = newtest.Plan(ctx, newtest.Request{Dir: o.Dir, Package: s.Package, Functions: o.Functions, Name: o.Name, Parallax: o.Parallax})
		if err != nil {
			return nil, err
		}
		s.result.Notes, s.result.Test = s.test.Notes, s.test.Name
	} else if o.Name != "" {
		return nil, exit.Usage("--name names a fuzz test, and no function is given")
	}
	if s.test == nil || s.test.Compares {
		if err := s.library(ctx); err != nil {
			return nil, err
		}
	} else if o.Library != "" {
		return nil, exit.Usage("--library: the test of one function needs no library; name a second function to compare it with")
	}
	if s.test != nil {
		if err := atomicfile.Write(atomicfile.OS, s.test.Path, s.test.Text); err != nil {
			return nil, exit.Infra("writing the test: %w", err)
		}
		s.done("wrote %s with %s", s.shown(s.test.Path), s.test.Name)
	}
	s.next()
	return s.result, nil
}
