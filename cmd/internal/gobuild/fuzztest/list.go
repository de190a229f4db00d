// Package fuzztest finds FuzzXxx functions in packages of the user, by syntax. It also writes the
// test file that makes a worker of such a package. Package subject lists the functions for
// commands, and package gobuild builds their test binaries.
//
// A test of parallax.Diff is found by the end of the import path and by the declarations of the
// imported package (recognize.go). The path itself differs, since each user's module has its own
// copy of the library. The written file (inject.go) fits the version of that copy.
//
// A FuzzXxx can run next to an older version of itself. The harness is then the new version's. Its
// test files, testdata and helper packages are laid over the old tree (over.go). If that does not
// compile, only the needed files are laid over (needed.go), and then only the needed functions
// (prune.go). The last resort is the old tree's own harness of that name.
//
// Invariants: the package builds nothing, and changes no file of the user. It follows go test in
// which functions are fuzz targets, in their order, and in the words of its errors.
package fuzztest

import (
	"context"
	"go/parser"
	"os"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/golang"
)

// List finds the FuzzXxx of packages by their syntax, without a build. Packages have the go
// command's order. If a pattern with ... reaches a package that cannot be read, a note says so, as
// long as other packages remain.
func List(ctx context.Context, req Request) (pkgs []*Package, notes []string, err error) {
	root, err := buildroot.Open(ctx, buildroot.Options{Dir: req.Dir, Out: req.Out, Parallax: req.Parallax, Environ: req.Environ, Laid: req.Laid, Progress: req.Progress})
	if err != nil {
		return nil, nil, err
	}
	if !req.Gen { // which needs no hook
		if err := checkRelease(root); err != nil {
			return nil, nil, err
		}
	}
	s := &search{Request: req, root: root}
	if len(s.Patterns) == 0 {
		s.Patterns = []string{"."}
	}
	if err := s.checkPatterns(); err != nil {
		return nil, nil, err
	}
	root.UseModule(req.Tags)
	root.Progress("looking for FuzzXxx")
	all, err := root.List(ctx, append([]string{"-find", "--"}, s.Patterns...)...)
	if err != nil {
		return nil, nil, err
	}
	if s.overlay, err = root.Overlay(); err != nil {
		return nil, nil, err
	}
	for _, q := range all {
		if err := s.scan(ctx, q); err != nil {
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

// checkRelease checks that the hook fits the toolchain in force.
func checkRelease(root *buildroot.Root) error {
	minor, ok := gocommand.Minor(root.Env.GOVERSION)
	switch {
	case ok && minor < golang.OldestTested:
		return exit.Usage("the go command here is %s, and FuzzXxx need go1.%d or later: the harness hook is tested with %s; install one of these, or choose it by GOTOOLCHAIN", root.Env.GOVERSION, golang.OldestTested, golang.TestedReleases)
	case !ok || minor > golang.NewestTested:
		root.Note("the go command here is %s, and the harness hook is tested with %s", root.Env.GOVERSION, golang.TestedReleases)
	}
	return nil
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

// scan reads one package.
func (s *search) scan(ctx context.Context, q *gocommand.Package) error {
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
		if err := s.readTests(ctx, p, q, external); err != nil {
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
func (s *search) readTests(ctx context.Context, p *Package, q *gocommand.Package, external bool) error {
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
	if !external {
		files = append(files, s.helpers(q)...)
	}
	if err := s.recognize(ctx, p, files); err != nil {
		return err
	}
	with, generating := diffs(files), map[string]bool{}
	if s.Gen {
		generating = properties(files)
	}
	files = files[:len(names)]
	for _, f := range files {
		decls, err := f.fuzzFuncs()
		if err != nil {
			return s.placed(err)
		}
		if s.Gen {
			decls = f.propertyFuncs(generating)
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
			if text, err := os.ReadFile(f.path); err != nil || !golang.Generates(text) {
				p.Imports = append(p.Imports, f.imports...)
			}
		}
	}
	return nil
}

// helpers are the package's own files that may import the library.
func (s *search) helpers(q *gocommand.Package) []*File {
	var files []*File
	for _, name := range append(append([]string(nil), q.GoFiles...), q.CgoFiles...) {
		path := s.overlay.Path(q.Dir, name)
		if f, err := ParseFile(path, path, parser.ImportsOnly); err != nil || len(f.named)+len(f.gens) == 0 {
			continue // the compiler will say what is wrong
		}
		if f, err := ParseFile(path, path, 0); err == nil {
			files = append(files, f)
		}
	}
	return files
}

// CountedImports lists the imports of a package without its tests, and without files that hold only
// generators of inputs (golang.GeneratorDirective). Branches of the generators' callees are not
// behavior under test.
func CountedImports(q *gocommand.Package, overlay buildroot.Overlay) []string {
	var imports []string
	marked := false
	for _, name := range append(append([]string(nil), q.GoFiles...), q.CgoFiles...) {
		path := overlay.Path(q.Dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return q.Imports // the compiler will say what is wrong
		}
		if golang.Generates(text) {
			marked = true
			continue
		}
		f, err := ParseFile(path, path, parser.ImportsOnly)
		if err != nil {
			return q.Imports
		}
		imports = append(imports, f.imports...)
	}
	if !marked {
		return q.Imports
	}
	return imports
}

// dropTwins leaves out FuzzXxx of one name in both packages of tests: -test.run cannot distinguish
// them.
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
			s.root.Note("left out: %s.%s is declared in package %s and in %s_test, and go test cannot distinguish them: rename one", p.ImportPath, f.Name, p.Name, p.Name)
		}
	}
	p.Funcs = keep
}
