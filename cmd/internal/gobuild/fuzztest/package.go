package fuzztest

import (
	"regexp"

	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/gocommand"
)

// Request says which FuzzXxx to look for.
type Request struct {
	Dir      string            // the user's folder; empty: the working directory
	Parallax string            // path of the parallax executable, for guard; empty: no guard
	Patterns []string          // packages, as `go test` takes them; none: the one in Dir
	Match    *regexp.Regexp    // part of the wanted names; nil means all
	Diff     bool              // only those that call parallax.Diff
	Gen      bool              // instead those that call gen.Fuzz, and the TestXxx that call gen.Check
	Tags     string            // build tags, as -tags takes them
	Environ  []string          // additions to the environment of the go command
	Progress func(step string) // called at each long step; may be nil

	Laid buildroot.Overlay // files of another tree that are laid over the module, and
	Out  string            // a folder for the overlay, if there are any
}

// Func is a func FuzzXxx(f *testing.F).
type Func struct {
	Name     string
	File     string // absolute
	Line     int
	Diff     bool // it calls parallax.Diff, or a function of its package that does
	External bool // it belongs to the package's external tests, package foo_test
}

// Package is a package with the FuzzXxx wanted of it.
type Package struct {
	ImportPath, Name, Dir string
	Module, ModuleDir     string
	Funcs                 []Func // as go test has them: in the order of files and lines, those of external tests last

	Env     gocommand.Env // as the go command gave it when the package was listed
	Tags    string        // build tags with which it was listed
	Files   []string      // that hold the FuzzXxx
	Imports []string      // of these files

	// Libraries are the import paths by which files of the package and its tests know the library,
	// sorted. More than one is in use where tests are being moved from one to the other.
	Libraries []string
	Behind    []string // those of them that are of an earlier version, which the tool knows
	// Generators are the import paths of the library's package gen that the test binary has and the
	// package may import, sorted.
	Generators []string
}

// External is the import path of the package's external tests.
func (p *Package) External() string { return p.ImportPath + "_test" }

// CallsDiff reports whether one of the FuzzXxx wanted calls Diff.
func (p *Package) CallsDiff() bool {
	for _, f := range p.Funcs {
		if f.Diff {
			return true
		}
	}
	return false
}
