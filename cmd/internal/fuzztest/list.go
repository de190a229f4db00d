// Package fuzztest finds func FuzzXxx(f *testing.F) in packages of the user's, by their syntax, and writes the test file that
// makes a worker of such a package.
//
// Called by package target, which lists them for commands, and by package harness, which builds their test binaries. Nothing
// is built here and nothing of the user's is changed. What go test takes for a fuzz target, in which order, and how it words
// what is wrong with one, is go test's own.
package fuzztest

import (
	"context"
	"errors"
	"go/parser"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"parallax/cmd/internal/buildroot"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/gocommand"
	"parallax/cmd/internal/instrument/golang"
)

// oldestFuzz and newestFuzz are the Go minor releases between which the hook in package testing is known to fit.
const (
	oldestFuzz = 24
	newestFuzz = 26
)

// Request says which FuzzXxx to look for.
type Request struct {
	Dir      string            // where the user stands; empty: the working directory
	Parallax string            // path of the parallax executable, for guard; empty: no guard
	Patterns []string          // packages, as `go test` takes them; none: the one in Dir
	Match    *regexp.Regexp    // part of the names wanted; nil: all
	Diff     bool              // only those that call parallax.Diff
	Tags     string            // build tags, as -tags takes them
	Progress func(step string) // told of each long step; may be nil
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

// List finds the FuzzXxx of packages by their syntax: nothing is built. Packages come in the go command's order. What
// a pattern with ... reaches and cannot be read is noted while other packages remain.
func List(ctx context.Context, req Request) (pkgs []*Package, notes []string, err error) {
	root, err := buildroot.Open(ctx, buildroot.Options{Dir: req.Dir, Parallax: req.Parallax, Progress: req.Progress})
	if err != nil {
		return nil, nil, err
	}
	if err := checkRelease(root); err != nil {
		return nil, nil, err
	}
	s := &search{Request: req, root: root}
	if len(s.Patterns) == 0 {
		s.Patterns = []string{"."}
	}
	if err := s.checkPatterns(); err != nil {
		return nil, nil, err
	}
	root.Stand(req.Tags)
	root.Progress("looking for FuzzXxx")
	all, err := root.List(ctx, append([]string{"-find", "--"}, s.Patterns...)...)
	if err != nil {
		return nil, nil, err
	}
	if s.overlay, err = root.Overlay(); err != nil {
		return nil, nil, err
	}
	for _, q := range all {
		if err := s.look(q); err != nil {
			if s.explicit(q) {
				return nil, nil, err
			}
			s.failed = append(s.failed, err)
		}
	}
	if len(s.found) == 0 {
		return nil, nil, s.nothing()
	}
	for _, err := range s.failed {
		root.Note("left out: %v", err)
	}
	if s.foreign > 0 {
		root.Note("left out: packages that do not belong to a module of yours (%d)", s.foreign)
	}
	return s.found, root.Notes, nil
}

// checkRelease looks at whether the hook fits the toolchain in force.
func checkRelease(root *buildroot.Root) error {
	minor, ok := gocommand.Minor(root.Env.GOVERSION)
	switch {
	case ok && minor < oldestFuzz:
		return exit.Usage("the go command here is %s, and FuzzXxx need go1.%d or later: the harness hook is tested with %s; install one of these, or choose it by GOTOOLCHAIN", root.Env.GOVERSION, oldestFuzz, golang.TestedReleases)
	case !ok || minor > newestFuzz:
		root.Note("the go command here is %s, and the harness hook is tested with %s", root.Env.GOVERSION, golang.TestedReleases)
	}
	return nil
}

// search is the state of one ListFuzz.
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
}

func (s *search) checkPatterns() error {
	for _, p := range s.Patterns {
		switch {
		case strings.HasSuffix(p, ".go"):
			return exit.Usage("%s is a file: name packages, as in ./... or ./%s", p, filepath.ToSlash(filepath.Dir(p)))
		case p == "" || strings.ContainsAny(p, " \t\n"):
			return exit.Usage("%q is not a package: name packages as for go test, as in ./...", p)
		case strings.Contains(p, "@"):
			return exit.Usage("%s: FuzzXxx are built in the module of the current folder, so a package has no version here: clone the module's repository and run parallax there", p)
		}
	}
	if s.root.Env.InModule() {
		return nil
	}
	for _, p := range s.Patterns { // standing above the module?
		folder, _, _ := strings.Cut(p, "...")
		if dir := filepath.Join(s.root.Dir, filepath.FromSlash(folder)); strings.HasPrefix(p, ".") && holdsModule(dir) {
			return exit.Usage("there is no go.mod in %s or above it, but one in %s: run parallax there", s.root.Dir, dir)
		}
	}
	return exit.Usage("there is no go.mod in %s or above it: run parallax inside the module whose FuzzXxx it is to run, or make one with go mod init", s.root.Dir)
}

func holdsModule(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, "go.mod"))
	return err == nil
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

// look reads one package.
func (s *search) look(q *gocommand.Package) error {
	if q.Error != nil {
		return s.unreadable(q)
	}
	if err := s.checkOwner(q); err != nil {
		if !s.explicit(q) {
			s.foreign++
			return nil
		}
		return err
	}
	s.looked++
	p := &Package{ImportPath: q.ImportPath, Name: q.Name, Dir: q.Dir, Module: q.Module.Path, ModuleDir: q.Module.CodeDir(), Env: s.root.Env, Tags: s.Tags}
	for _, external := range []bool{false, true} {
		if err := s.readTests(p, q, external); err != nil {
			return exit.Build("%s does not build: %w", q.ImportPath, err)
		}
	}
	s.dropTwins(p)
	for _, name := range q.IgnoredGoFiles {
		s.readIgnored(q, name)
	}
	if len(p.Funcs) > 0 {
		s.found = append(s.found, p)
	} else if s.explicit(q) && len(s.Patterns) > 1 {
		s.root.Note("%s has none of the chosen FuzzXxx", q.ImportPath)
	}
	return nil
}

// readTests adds the FuzzXxx of the package's tests, internal or external, that are wanted.
func (s *search) readTests(p *Package, q *gocommand.Package, external bool) error {
	names := q.TestGoFiles
	if external {
		names = q.XTestGoFiles
	}
	var files []*File
	for _, name := range names {
		f, err := s.parse(q, name)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	with := diffs(files)
	if !external {
		for name := range diffs(s.helpers(q)) {
			with[name] = true
		}
	}
	for _, f := range files {
		decls, err := f.fuzzFuncs()
		if err != nil {
			return s.placed(err)
		}
		wanted := 0
		for _, d := range decls {
			fn := Func{Name: d.Name.Name, File: f.name, Line: f.fset.Position(d.Pos()).Line, Diff: callsDiff(d, with), External: external}
			if fn.Diff {
				s.diffs++
			}
			if s.Match != nil && !s.Match.MatchString(fn.Name) || s.Diff && !fn.Diff {
				s.others = append(s.others, q.ImportPath+"."+fn.Name)
				continue
			}
			p.Funcs = append(p.Funcs, fn)
			wanted++
		}
		if wanted > 0 {
			p.Files = append(p.Files, f.path)
			p.Imports = append(p.Imports, f.imports...)
		}
	}
	return nil
}

// parse reads a test file of the package.
func (s *search) parse(q *gocommand.Package, name string) (*File, error) {
	f, err := ParseFile(gocommand.Absolute(q.Dir, name), s.overlay.Path(q.Dir, name), 0)
	return f, s.placed(err)
}

// placed names the file of an error as the go command does: as seen from where the user stands, if that is shorter.
func (s *search) placed(err error) error {
	var at *placedError
	if errors.As(err, &at) {
		if rel, e := filepath.Rel(s.root.Dir, at.file); e == nil && len(rel) < len(at.file) {
			at.file = rel
		}
	}
	return err
}

// helpers are the package's own files that import the library.
func (s *search) helpers(q *gocommand.Package) []*File {
	var files []*File
	for _, name := range append(append([]string(nil), q.GoFiles...), q.CgoFiles...) {
		path := s.overlay.Path(q.Dir, name)
		if f, err := ParseFile(path, path, parser.ImportsOnly); err != nil || f.library == "" {
			continue // the compiler will say what is wrong
		}
		if f, err := ParseFile(path, path, 0); err == nil {
			files = append(files, f)
		}
	}
	return files
}

// dropTwins leaves out FuzzXxx of one name in both packages of tests: -test.run cannot tell them apart.
func (s *search) dropTwins(p *Package) {
	count := map[string]int{}
	for _, f := range p.Funcs {
		count[f.Name]++
	}
	keep := p.Funcs[:0]
	for _, f := range p.Funcs {
		if count[f.Name] == 1 {
			keep = append(keep, f)
		} else if f.External {
			s.root.Note("left out: %s.%s is declared in package %s and in %s_test, and go test cannot tell them apart: rename one", p.ImportPath, f.Name, p.Name, p.Name)
		}
	}
	p.Funcs = keep
}
