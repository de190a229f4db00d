// Package scaffold owns the files that `parallax init` writes into a user's repository. These are a
// fuzz test of chosen functions, and a copy of the library that the test imports.
//
// The copy is an internal package of the user's module. It has no tests and no requirements, so
// users of the module build it like any other package. No file of the user is overwritten. An
// existing test file is an error, and so is a folder that is not a copy of the library, or a
// changed copy. All checks precede all writes. Files are written atomically, and so is the whole
// copy.
//
// cmd/parallax calls it.
package scaffold

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/command/scaffold/newtest"
	"parallax/cmd/internal/gobuild/gomod"
)

// Options configures init.
type Options struct {
	Dir       string   // the user's working directory
	Package   string   // folder of the package that gets the test; empty means Dir
	Library   string   // folder of the copy; empty means that of the existing copy, or internal/parallax
	Functions []string // empty means only the library
	Name      string   // FuzzXxx; empty means a name from the functions
	Parallax  string   // path of the parallax executable, for guard

	disk disk // set by tests; nil means the machine's
}

// Result reports the steps in their order.
type Result struct {
	Done  []string // written or existing files, a line each
	Notes []string // for the user
	Next  []string // the next commands
}

// scaffold is the state of one Init.
type scaffold struct {
	Options
	module *gomod.Module
	tree   *tree         // nil if the library is not needed
	where  place         // of the library
	update update        // of the copy
	test   *newtest.File // nil if only the library is written
	result *Result
}

// next adds the next commands.
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

// pattern returns the package of the test as the user would write it.
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

// shown returns a path as the user would write it.
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
