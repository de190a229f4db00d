package gobuild

import (
	"context"
	"fmt"
	"go/format"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/golang"
	"parallax/cmd/internal/gobuild/library"
)

// PlanFuzz plans the test binary of a package: the packages with counters, and the files added in
// an overlay. Programs, Shape and Target of the plan are empty, because only the running worker
// knows them. Out of the request is for this package alone. Functions, Toolchain, Clock and Marshal
// are ignored. PlanFuzz writes only below Out.
func PlanFuzz(ctx context.Context, req Request, pkg *fuzztest.Package) (*Plan, error) {
	root, err := buildroot.Reopen(req.Options, pkg.Env, pkg.Tags)
	if err != nil {
		return nil, err
	}
	if err := root.Replace(ctx); err != nil {
		return nil, err
	}
	p := &Plan{req: &req, root: root, fuzz: pkg, GoVersion: pkg.Env.GOVERSION, Own: []string{pkg.Module, pkg.External()}}
	if req.CallsInto != "" {
		p.Own = append(p.Own, req.CallsInto)
	}
	root.Progress("reading the packages that the tests of " + pkg.ImportPath + " import")
	own, err := p.readTestPackages(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.checkLibraries(); err != nil {
		return nil, err
	}
	p.findLibraries()
	p.findDependencies()
	if err := p.findGenerators(); err != nil {
		return nil, err
	}
	aids, err := fuzztest.FindAids(ctx, root, pkg, req.Repair, req.Generator)
	if err != nil {
		return nil, err
	}
	p.DrawnBy = aids.Generator.Canonical()
	if err := p.writeFuzz(aids); err != nil {
		return nil, err
	}
	if err := p.selectFuzz(ctx, append(own, pkg.Imports...)); err != nil {
		return nil, err
	}
	p.mineFuzzDictionary()
	p.Notes = root.Notes
	return p, nil
}

// readTestPackages lists the packages of the test binary. The go command compiles packages that
// import the one under test a second time for it. go list calls them "path [tested.test]", and the
// binary has only that form. The result lists imports of the package without its tests and without
// files of generators.
func (p *Plan) readTestPackages(ctx context.Context) (imports []string, err error) {
	suffix := " [" + p.fuzz.ImportPath + ".test]"
	all, err := p.root.List(ctx, "-deps", "-test", "--", p.fuzz.ImportPath)
	if err != nil {
		return nil, err
	}
	overlay, err := p.root.Overlay()
	if err != nil {
		return nil, err
	}
	anew := map[string]bool{}
	for _, q := range all {
		if path, ok := strings.CutSuffix(q.ImportPath, suffix); ok {
			anew[path] = true
		}
	}
	var kept []*gocommand.Package
	for _, q := range all {
		if q.ImportPath == p.fuzz.ImportPath {
			imports = append(imports, fuzztest.CountedImports(q, overlay)...)
		}
		if anew[q.ImportPath] || q.ImportPath == p.fuzz.ImportPath+".test" {
			continue
		}
		q.ImportPath = strings.TrimSuffix(q.ImportPath, suffix)
		for i, path := range q.Imports {
			q.Imports[i] = strings.TrimSuffix(path, suffix)
		}
		for from, to := range q.ImportMap {
			q.ImportMap[from] = strings.TrimSuffix(to, suffix)
		}
		kept = append(kept, q)
		p.Closure = append(p.Closure, q.ImportPath)
	}
	p.graph = gocommand.NewGraph(kept)
	return imports, p.root.Locate(kept)
}

// writeFuzz has the library found by the package's module, and lays a test file that imports it
// into the package.
func (p *Plan) writeFuzz(aids fuzztest.Aids) error {
	f := p.fuzz
	name := buildroot.FreeName(f.ModuleDir, mainFolder, "")
	p.main = path.Join(f.Module, name)
	needed := []string{"fuzzfunc"}
	if f.CallsDiff() {
		needed = append(needed, "implementation")
	}
	copyPath, err := p.useLibrary(filepath.Join(f.ModuleDir, "go.mod"), path.Join(p.main, "plx"), needed...)
	if err != nil {
		return err
	}
	text, err := format.Source(fuzztest.Inject(f, copyPath, aids))
	if err != nil {
		return fmt.Errorf("writing the test file that is added: %w", err)
	}
	injected := buildroot.FreeName(f.Dir, golang.Injected, "_test.go")
	p.files = append(p.files, buildroot.File{Path: injected, At: filepath.Join(f.Dir, injected), Text: text})
	return p.root.Lay(filepath.Join(f.ModuleDir, name), p.files)
}

// selectFuzz selects the packages to instrument: all except the standard library, and the part of
// it in imports. These are direct imports of the package and of the files with FuzzXxx, without
// those of generators' files (golang.GeneratorDirective).
func (p *Plan) selectFuzz(ctx context.Context, imports []string) error {
	if p.req.NoInstrument {
		return nil
	}
	extra, err := p.extraPackages(ctx)
	if err != nil {
		return err
	}
	direct := map[string]bool{}
	for _, path := range imports {
		direct[path] = !commonPackages[path] && !strings.HasPrefix(path, "testing/")
	}
	for _, q := range p.graph.All {
		if p.uncounted(q) || len(q.GoFiles)+len(q.CgoFiles) == 0 {
			continue
		}
		if !q.Standard || direct[q.ImportPath] && instrumentable(q.ImportPath) || extra[q.ImportPath] && p.requested(q.ImportPath) {
			p.Packages = append(p.Packages, instrumented(q))
		}
	}
	sort.Slice(p.Packages, func(i, j int) bool { return p.Packages[i].ImportPath < p.Packages[j].ImportPath })
	return nil
}

// checkLibraries checks the libraries that the tests compare by. The tool's own file compiles only
// with a library of its version.
func (p *Plan) checkLibraries() error {
	p.fuzz.Behind = nil
	if !p.fuzz.CallsDiff() {
		return nil
	}
	for _, path := range p.fuzz.Libraries {
		switch q := p.graph.Package(path); {
		case q == nil:
		case len(q.GoFiles) == 0 && q.Error != nil:
			return exit.Usage("tests of %s import the library as %s, which is not there: have it written with\n\tparallax init\nor correct the import; the go command says: %s", p.fuzz.ImportPath, path, q.Error)
		default:
			note, err := library.Known(path, q.Dir)
			if err != nil {
				return err
			}
			if note != "" {
				p.fuzz.Behind = append(p.fuzz.Behind, path)
				p.root.Note("%s", note)
			}
		}
	}
	return nil
}

// uncounted reports whether a package belongs to the library that the tests import, which is not
// under test.
func (p *Plan) uncounted(q *gocommand.Package) bool {
	return slices.ContainsFunc(p.Libraries, func(root string) bool { return library.Has(root, q.ImportPath) })
}

// mineFuzzDictionary fills Dictionary, first from the package and the files with FuzzXxx, then from
// their imports.
func (p *Plan) mineFuzzDictionary() {
	own := append([]string(nil), p.fuzz.Files...)
	var others []string
	for _, q := range p.Packages {
		switch {
		case q.ImportPath == p.fuzz.ImportPath:
			for _, name := range q.Files {
				if !strings.HasSuffix(name, "_test.go") {
					own = append(own, name)
				}
			}
		case !q.Standard && q.ImportPath != p.fuzz.External():
			others = append(others, q.Files...)
		}
	}
	p.mineDictionary(own, others)
}
