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

// Request describes a fuzz test.
type Request struct {
	Dir       string   // the user's folder; empty means the working directory
	Package   string   // folder of the package that gets the test; empty means Dir
	Functions []string // as written; those of the package itself may be unexported
	Name      string   // FuzzXxx; empty means a name from the functions
	Library   string   // import path of the library, whose last element is its name; needed for two or more functions
	Parallax  string   // path of the parallax executable, for guard; empty means no guard
}

// File is a file with a FuzzXxx that is not written yet.
type File struct {
	Name     string // FuzzXxx
	Path     string // absolute
	Text     []byte
	Compares bool // the test compares functions by the library; otherwise it has one function and no library
	Notes    []string
}

// plan is the state of Plan.
type plan struct {
	Request
	root      *buildroot.Root
	funcs     []funcname.Func
	graph     *gocommand.Graph
	own       *gocommand.Package // the package that gets the test
	inside    bool               // the test is in the package itself, not in an external one
	taken     map[string]string  // top-level names of the files that are compiled with the test, and their places
	calls     []*signature.Function
	problems  []*signature.Problem
	shape     input.Shape
	differing bool // values are not compared, since their types differ
	seeds     [][]byte
}

func (t *plan) compares() bool { return len(t.Functions) > 1 }

// shown returns a path relative to the user's folder if it is below that.
func (t *plan) shown(path string) string {
	if rel, err := filepath.Rel(t.Dir, path); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return path
}
