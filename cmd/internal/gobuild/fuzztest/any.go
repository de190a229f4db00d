package fuzztest

import (
	"go/parser"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
)

// fuzzFunction is a FuzzXxx in the text of a test file, as gofmt writes it.
var fuzzFunction = lazyregexp.New(`(?m)^func Fuzz(?:[^a-z(]\w*)?\(`)

// fuzzAnywhere matches the beginning of a possible FuzzXxx.
var fuzzAnywhere = lazyregexp.New(`\bfunc\s+Fuzz`)

// Any reports whether a folder, or one below it, has a test file with a FuzzXxx. The go command is
// not asked, so that nothing has to build and a file that is left out here counts too.
func Any(dir string) (found bool, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		switch {
		case d.IsDir() && path != dir && (name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil && fuzzFunction().Match(text) {
			found = true
			return filepath.SkipAll
		}
		return err
	})
	return found, err
}

// Names lists the FuzzXxx of a test file, with the name of its package. It returns none for a file
// that cannot be read, or with a FuzzXxx that go test refuses: the build reports those.
func Names(file string) (pkg string, names []string) {
	text, err := os.ReadFile(file)
	if err != nil || !fuzzAnywhere().Match(text) {
		return "", nil
	}
	f, err := ParseFile(file, file, parser.SkipObjectResolution)
	if err != nil {
		return "", nil
	}
	found, err := f.fuzzFuncs()
	if err != nil {
		return "", nil
	}
	for _, fn := range found {
		names = append(names, fn.Name.Name)
	}
	return f.Tree.Name.Name, names
}
