package fuzztest

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/gocommand"
)

// search is the state of one List.
type search struct {
	Request
	root    *buildroot.Root
	overlay buildroot.Overlay

	found   []*Package
	others  []string // FuzzXxx of the packages that are not wanted, by package and name
	diffs   int      // how many FuzzXxx call Diff
	looked  int      // packages read
	ignored []string // files with FuzzXxx that build constraints exclude
	foreign int      // packages of other modules that a pattern with ... reached
	failed  []error

	libraries map[string]bool // by import path that may be the library's: whether it is
}

// explicit reports whether the user named the package itself, and not a pattern.
func (s *search) explicit(q *gocommand.Package) bool {
	for _, p := range s.Patterns {
		if !wildcard(p) && (slices.Contains(q.Match, p) || q.ImportPath == p) {
			return true
		}
	}
	return false
}

func wildcard(pattern string) bool {
	switch pattern {
	case "all", "std", "cmd", "tool", "work": // names of the go command, under which there can be no package
		return true
	}
	return strings.Contains(pattern, "...")
}

// parse reads a test file of the package.
func (s *search) parse(q *gocommand.Package, name string) (*File, error) {
	f, err := ParseFile(gocommand.Absolute(q.Dir, name), s.overlay.Path(q.Dir, name), 0)
	return f, s.placed(err)
}

// placed names the file of an error as the go command does: relative to the user's folder, if that
// is shorter.
func (s *search) placed(err error) error {
	var at *placedError
	if errors.As(err, &at) {
		if rel, e := filepath.Rel(s.root.Dir, at.file); e == nil && len(rel) < len(at.file) {
			at.file = rel
		}
	}
	return err
}
