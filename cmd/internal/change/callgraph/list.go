package callgraph

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/gocommand"
)

// source lists the files of a package and of its tests.
type source struct {
	path, goVersion string
	standard        bool
	files           []string // absolute, as compiled
	written         []string // as the user wrote them, which differ for files that use cgo
	tests           []string
	imports         map[string]string // import paths in the source, mapped to packages
	tested          string            // for external tests: the tested package
	problem         string            // why it cannot be checked
	compiled        bool              // files include output of cgo
}

// list holds the packages of a request as the go command lists them, dependencies first and
// external tests last.
type list struct {
	sources []*source
	matched []string // packages that match the patterns
	root    *buildroot.Root
}

func open(ctx context.Context, req Request) (*buildroot.Root, error) {
	if req.Root != nil {
		return req.Root, nil
	}
	root, err := buildroot.Open(ctx, buildroot.Options{Dir: req.Dir, Parallax: req.Parallax, Toolchain: req.Toolchain, Environ: req.Environ, Progress: req.Progress})
	if err != nil {
		return nil, err
	}
	if !root.Env.InModule() {
		return nil, exit.Usage("there is no go.mod in %s or above it: run parallax inside the module whose calls are to be read", root.Dir)
	}
	root.UseModule(req.Tags)
	return root, nil
}

// read lists the packages of a request and their dependencies. Packages that are recompiled for a
// test are merged with their ordinary form.
func read(ctx context.Context, req Request) (*list, error) {
	root, err := open(ctx, req)
	if err != nil {
		return nil, err
	}
	patterns := req.Patterns
	if len(patterns)+len(req.Tested) == 0 {
		patterns = []string{"."}
	}
	root.Progress("reading the packages whose calls are examined")
	plain, tested := patterns, req.Tested
	if req.Tests {
		plain, tested = nil, slices.Concat(patterns, req.Tested)
	}
	var pkgs []*gocommand.Package
	for i, named := range [][]string{plain, tested} {
		if len(named) == 0 {
			continue
		}
		args := [][]string{{"-deps", "--"}, {"-deps", "-test", "--"}}[i]
		more, err := root.List(ctx, append(args, named...)...)
		if err != nil {
			return nil, err
		}
		pkgs = append(pkgs, more...)
	}
	overlay, err := root.Overlay()
	if err != nil {
		return nil, err
	}
	l := &list{root: root}
	byPath := map[string]*source{}
	var external []*source
	for _, p := range pkgs {
		path := plainPath(p.ImportPath)
		if strings.HasSuffix(path, ".test") && p.Name == "main" && p.ForTest == "" && len(tested) > 0 && byPath[strings.TrimSuffix(path, ".test")] != nil {
			continue // the main package of a test binary
		}
		s := byPath[path]
		if s == nil {
			s = newSource(p, path)
			byPath[path] = s
			if p.ForTest != "" && path == p.ForTest+"_test" {
				s.tested = p.ForTest
				external = append(external, s)
			} else {
				l.sources = append(l.sources, s)
			}
			s.add(overlay, p)
		}
		s.join(overlay, p)
		if !p.DepOnly && p.ForTest == "" && !slices.Contains(l.matched, path) {
			l.matched = append(l.matched, path)
			if err := unreadable(root, p); err != nil {
				return nil, err
			}
		}
	}
	l.sources = append(l.sources, external...)
	if len(l.matched) == 0 {
		return nil, exit.Usage("no packages match %s in %s", strings.Join(slices.Concat(patterns, req.Tested), " "), root.Dir)
	}
	return l, l.runCgo(ctx, overlay)
}

// plainPath removes the test from the import path of a package that was compiled for it.
func plainPath(path string) string {
	plain, _, _ := strings.Cut(path, " [")
	return plain
}

// unreadable returns an error for a package that was requested by name and does not exist. Errors
// in its code do not count.
func unreadable(root *buildroot.Root, p *gocommand.Package) error {
	if p.Error == nil || len(p.GoFiles)+len(p.CgoFiles)+len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 {
		return nil
	}
	for _, pattern := range p.Match {
		if strings.Contains(pattern, "...") {
			return nil
		}
	}
	if problem := root.Env.NetworkError(p.Error.Err); problem != nil {
		return problem
	}
	return exit.Usage("the calls of package %s cannot be read: %s", p.ImportPath, p.Error)
}

func newSource(p *gocommand.Package, path string) *source {
	s := &source{path: path, standard: p.Standard, imports: map[string]string{}}
	if p.Module != nil && p.Module.GoVersion != "" {
		s.goVersion = "go" + p.Module.GoVersion
	}
	return s
}

// add takes the files of a package's ordinary form, or of external tests.
func (s *source) add(overlay buildroot.Overlay, p *gocommand.Package) {
	for _, name := range append(append([]string(nil), p.GoFiles...), p.CgoFiles...) {
		if s.tested == "" && strings.HasSuffix(name, "_test.go") {
			continue
		}
		s.written = append(s.written, overlay.Path(p.Dir, name))
	}
	s.files = s.written
	s.compiled = len(p.CgoFiles) > 0
	if p.Error != nil {
		s.problem = p.Error.String()
	}
}

// join takes the imports and test files of another form of the package.
func (s *source) join(overlay buildroot.Overlay, p *gocommand.Package) {
	for _, path := range p.Imports {
		if _, known := s.imports[path]; !known {
			s.imports[plainPath(path)] = plainPath(path)
		}
	}
	for from, to := range p.ImportMap {
		s.imports[from] = plainPath(to)
	}
	if p.ForTest != s.path || s.tested != "" || len(s.tests) > 0 {
		return
	}
	for _, name := range p.GoFiles {
		if strings.HasSuffix(name, "_test.go") {
			s.tests = append(s.tests, overlay.Path(p.Dir, name))
		}
	}
}

// runCgo replaces files that use cgo by their generated Go code. If that fails, such as without a C
// compiler or a library, the package gets a problem.
func (l *list) runCgo(ctx context.Context, overlay buildroot.Overlay) error {
	args := []string{"-compiled", "-json=CompiledGoFiles", "--"}
	wanted := map[string]*source{}
	for _, s := range l.sources {
		if s.compiled {
			wanted[s.path] = s
			args = append(args, s.path)
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	l.root.Progress("reading the Go code that cgo makes")
	pkgs, err := l.root.List(ctx, args...)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, p := range pkgs {
		s := wanted[p.ImportPath]
		if s == nil || len(p.CompiledGoFiles) == 0 || p.Error != nil {
			continue
		}
		delete(wanted, p.ImportPath)
		s.files = nil
		for _, name := range p.CompiledGoFiles {
			// cgo's output has a name of the build cache's
			if ext := filepath.Ext(name); ext == ".go" || ext == "" {
				s.files = append(s.files, overlay.Path(p.Dir, name))
			}
		}
	}
	for _, s := range l.sources {
		if wanted[s.path] != nil {
			s.problem = "its files that use cgo could not be prepared"
			if err != nil {
				s.problem += fmt.Sprintf(": %v", err)
			}
		}
	}
	return nil
}
