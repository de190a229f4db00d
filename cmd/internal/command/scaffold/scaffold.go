// Package scaffold owns what `parallax init` leaves in a user's repository: a fuzz test for chosen functions, and a copy of
// the library that the test imports.
//
// The copy is an internal package of the user's module. It has no tests and requires nothing, and go.mod does not know of
// it, so whoever depends on the module builds it like any other. Nothing of the user's is overwritten: a test file that
// exists is an error, and so is a folder that is not a copy of the library, or a copy that was changed. Everything is
// checked before anything is written. Files are written whole, and the copy is put in its place all at once.
//
// Called by cmd/parallax.
package scaffold

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/command/scaffold/newtest"
	"parallax/cmd/internal/gobuild/gomod"
)

// Options say what init is to write.
type Options struct {
	Dir       string   // where the user stands
	Package   string   // folder of the package that gets the test; empty: Dir
	Library   string   // folder for the copy of the library; empty: where there is one, else internal/parallax
	Functions []string // none: only the library
	Name      string   // FuzzXxx; empty: after the functions
	Parallax  string   // path of the parallax executable, for guard

	disk disk // of the tests; nil: the machine's
}

// Result is what was done, in the order in which it was.
type Result struct {
	Done  []string // what was written or found to be there, a line each
	Notes []string // what the user should know
	Next  []string // commands to go on with
	Test  string   // FuzzXxx; empty: only the library
}

// scaffold is the state of one Init.
type scaffold struct {
	Options
	module *gomod.Module
	tree   *tree         // nil: the library is not needed
	where  place         // of the library
	update update        // of the copy
	test   *newtest.File // nil: only the library
	result *Result
}

// next are the commands that make sense now.
func (s *scaffold) next() {
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

func (s *scaffold) done(format string, args ...any) {
	s.result.Done = append(s.result.Done, fmt.Sprintf(format, args...))
}
