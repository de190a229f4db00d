package newtest

import (
	"path/filepath"
	"strings"

	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/signature"
	"parallax/internal/input"
)

// Request says which functions a fuzz test is wanted for, and where.
type Request struct {
	Dir       string   // where the user stands; empty: the working directory
	Package   string   // folder of the package that is to hold the test; empty: Dir
	Functions []string // as written; of the package itself also ones that are not exported
	Name      string   // FuzzXxx; empty: after the functions
	Library   string   // import path of the library, whose last element is its name; for two functions and more
	Parallax  string   // path of the parallax executable, for guard; empty: no guard
}

// File is a file with a FuzzXxx, which is not on disk yet.
type File struct {
	Name     string // FuzzXxx
	Path     string // absolute
	Text     []byte
	Compares bool // functions with each other, by the library; else there is one function, and no library
	Notes    []string
}

// plan is a File being made.
type plan struct {
	Request
	root      *buildroot.Root
	funcs     []funcname.Func
	graph     *gocommand.Graph
	own       *gocommand.Package // the package that gets the test
	inside    bool               // the test is in the package itself and not in an external one
	taken     map[string]string  // top-level names of the files that it is compiled with, and where they stand
	calls     []*signature.Function
	problems  []*signature.Problem
	shape     input.Shape
	differing bool // values are not compared, since their types differ
	seeds     [][]byte
}

func (t *plan) compares() bool { return len(t.Functions) > 1 }

// shown is a path as seen from where the user stands, if it is below.
func (t *plan) shown(path string) string {
	if rel, err := filepath.Rel(t.Dir, path); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return path
}
