// Package scaffold owns what `parallax init` leaves in a user's repository: a fuzz test for chosen functions, a copy of the
// library that the test imports, and the two lines of go.mod that lead there.
//
// The copy is a module of its own in a folder of the user's module, so that ./... does not reach it; it has no tests and
// requires nothing. Nothing of the user's is overwritten: a test file that exists is an error, and so is a folder that is
// not a copy of the library. Everything is checked before anything is written.
//
// Called by cmd/parallax.
package scaffold

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/gomod"
	"parallax/cmd/internal/scaffold/newtest"
	"parallax/internal/atomicfile"
)

// Options say what init is to write.
type Options struct {
	Dir       string   // where the user stands
	Package   string   // folder of the package that gets the test; empty: Dir
	Library   string   // folder for the copy of the library; empty: where go.mod says, else third_party/parallax
	Functions []string // none: only the library
	Name      string   // FuzzXxx; empty: after the functions
	Parallax  string   // path of the parallax executable, for guard
}

// Result is what was done, in the order in which it was.
type Result struct {
	Done  []string // what was written or found to be there, a line each
	Notes []string // what the user should know
	Next  []string // commands to go on with
	Test  string   // FuzzXxx; empty: only the library
}

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

// scaffold is the state of one Init.
type scaffold struct {
	Options
	module *gomod.Module
	test   *newtest.File // nil: only the library
	result *Result

	changed bool // the library or go.mod: what is vendored is out of date
}

// next are the commands that make sense now.
func (s *scaffold) next() {
	if s.changed && vendored(s.module.Dir) {
		s.result.Next = append(s.result.Next, "go mod vendor")
	}
	if s.changed && s.module.Work != "" && vendored(filepath.Dir(s.module.Work)) {
		s.result.Next = append(s.result.Next, "go work vendor")
	}
	if s.test == nil {
		return
	}
	pattern := s.pattern()
	s.result.Next = append(s.result.Next, "go test "+pattern)
	command := "parallax fuzz"
	if s.test.Compares {
		command = "parallax diff"
	}
	s.result.Next = append(s.result.Next, command+" "+pattern+" --fuzz '^"+s.test.Name+"$' --fuzztime 30s")
}

func vendored(dir string) bool { return isFile(filepath.Join(dir, "vendor", "modules.txt")) }

// pattern is the package of the test as the user writes it.
func (s *scaffold) pattern() string {
	rel, err := filepath.Rel(s.Dir, s.Package)
	switch {
	case err != nil:
		return s.Package
	case rel == "." || strings.HasPrefix(rel, ".."):
		return filepath.ToSlash(rel)
	}
	return "./" + filepath.ToSlash(rel)
}

// shown is a path as the user would write it.
func (s *scaffold) shown(path string) string {
	if rel, err := filepath.Rel(s.Dir, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
