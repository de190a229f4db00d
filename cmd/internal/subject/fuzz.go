package subject

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

// Drawn ends the name of a target of parallax fuzz whose inputs a generator draws that the user has named.
const Drawn = "-drawn"

// FuzzTests are the FuzzXxx that a command line means.
type FuzzTests struct {
	Tests []*FuzzTest
	Notes []string // on packages that were left out

	options *Options
	tool    string
	built   map[string]*build // by package
	broken  map[string]error  // by package that does not build
}

// FuzzTest is one of them.
type FuzzTest struct {
	Name string // of the target, safe as a file name: parse.FuzzHeader
	pkg  *fuzztest.Package
	fn   fuzztest.Func
}

// ListFuzz finds the FuzzXxx in the packages that the options name: for mode diff those that compare implementations.
func ListFuzz(ctx context.Context, o *Options, tool string, progress func(string)) (*FuzzTests, error) {
	f := &FuzzTests{options: o, tool: tool, built: map[string]*build{}, broken: map[string]error{}}
	pkgs, notes, err := fuzztest.List(ctx, f.request(progress))
	if err != nil {
		return nil, err
	}
	f.Notes = notes
	for _, p := range pkgs {
		for _, fn := range p.Funcs {
			t := &FuzzTest{Name: targetName(p, fn.Name), pkg: p, fn: fn}
			if fn.Diff && o.Mode == Fuzz {
				t.Name += "-fuzz" // parallax diff has a campaign on it too, which is another
			}
			if o.Generator != "" && o.Mode == Fuzz {
				t.Name += Drawn // without the generator it has a campaign on it too, of which inputs are no tapes
			}
			f.Tests = append(f.Tests, t)
		}
	}
	distinguish(f.Tests)
	return f, nil
}

func (f *FuzzTests) request(progress func(string)) fuzztest.Request {
	o := f.options
	return fuzztest.Request{
		Dir: o.Dir, Parallax: f.tool, Patterns: o.Packages, Match: o.Match, Diff: o.Mode == Diff, Tags: o.Tags, Progress: progress,
	}
}

// targetName is the folder of the package in its module and the function: it does not depend on what else is fuzzed.
func targetName(p *fuzztest.Package, fn string) string {
	dir, err := filepath.Rel(p.ModuleDir, p.Dir)
	if err != nil || dir == "." {
		dir = moduleName(p.Module)
	}
	return fileName(filepath.ToSlash(dir)) + "." + fn
}

// TestName is what the target of a FuzzXxx is called, by the module and the import path of its package.
func TestName(module, importPath, fn string) string {
	dir, below := strings.CutPrefix(importPath, module+"/")
	if !below {
		dir = moduleName(module)
	}
	return fileName(dir) + "." + fn
}

// moduleName is the last element of a module's path that is no major version.
func moduleName(module string) string {
	base := path.Base(module)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" && path.Dir(module) != "." {
		base = path.Base(path.Dir(module))
	}
	return base
}

func fileName(s string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._-", c) {
			return c
		}
		return '_'
	}, s)
}

// distinguish puts the module's name before names that packages of several modules share.
func distinguish(tests []*FuzzTest) {
	count := map[string]int{}
	for _, t := range tests {
		count[t.Name]++
	}
	for _, t := range tests {
		if count[t.Name] > 1 {
			t.Name = fileName(t.pkg.Module) + "." + t.Name
		}
	}
}

// Build builds the package of a test, once for all its tests, and starts the target once.
func (f *FuzzTests) Build(ctx context.Context, test *FuzzTest, o *Options, progress func(string)) (Target, error) {
	b, err := f.builtPackage(ctx, test.pkg, progress)
	if err != nil {
		return nil, err
	}
	plan := *b.plan
	if plan.DrawnBy != "" {
		o.Generator = plan.DrawnBy // by which it is found again
	}
	t := &InProcess{
		Facts:  Facts{Plan: &plan, Name: test.Name, Mode: f.options.Mode, Test: test},
		binary: b.binary, built: b, dir: test.pkg.Dir,
	}
	progress("reading the control flow")
	w, err := execute.StartContext(ctx, t.Spec(o))
	if ctx.Err() != nil && err != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, t.unready(ctx, o, err)
	}
	defer w.Close()
	if len(w.Hello.Problems) > 0 {
		return nil, exit.Baseline("%s.%s: %s", test.pkg.ImportPath, test.fn.Name, strings.Join(w.Hello.Problems, "\n"))
	}
	if w.Hello.Refused != "" {
		return nil, exit.Usage("%s.%s: %s", test.pkg.ImportPath, test.fn.Name, w.Hello.Refused)
	}
	t.hello = w.Hello
	t.Names = w.Hello.Programs
	if t.Shape, err = input.ParseShape(w.Hello.Shape); err != nil {
		return nil, exit.Infra("%w", err)
	}
	plan.Shape, plan.Target, plan.CompareValues = t.Shape, t.Name, w.Hello.Values
	plan.Notes = append(slices.Clone(plan.Notes), w.Hello.Notes...)
	plan.Notes = append(plan.Notes, execute.LimitNotes(false)...)
	if w.Hello.Layers != 0 && !o.LayersGiven {
		o.Layers = oracle.Layers(w.Hello.Layers)
	}
	plan.Programs = nil
	for _, name := range t.Names {
		function := test.pkg.ImportPath + "." + test.fn.Name
		if name != test.fn.Name {
			function += ":" + name
		}
		plan.Programs = append(plan.Programs, gobuild.Program{
			Name: name, Function: function, Package: test.pkg.ImportPath, Module: test.pkg.Module, Closure: closure(&plan),
		})
	}
	return t, t.readTables(w.Hello.Regions)
}

// closure lists all instrumented packages: what a test may run is not told apart by implementation.
func closure(p *gobuild.Plan) []string {
	var paths []string
	for _, q := range p.Packages {
		paths = append(paths, q.ImportPath)
	}
	return paths
}

// builtPackage builds a package unless that was tried before.
func (f *FuzzTests) builtPackage(ctx context.Context, pkg *fuzztest.Package, progress func(string)) (*build, error) {
	if err := f.broken[pkg.ImportPath]; err != nil {
		return nil, err
	}
	b := f.built[pkg.ImportPath]
	if b == nil {
		var err error
		if b, err = f.buildPackage(ctx, pkg, progress); err != nil {
			f.broken[pkg.ImportPath] = err
			return nil, err
		}
		f.built[pkg.ImportPath] = b
	}
	return b, nil
}

func (f *FuzzTests) buildPackage(ctx context.Context, pkg *fuzztest.Package, progress func(string)) (*build, error) {
	key := []string{"test", pkg.ImportPath, pkg.Dir, f.options.Tags, fmt.Sprint(f.options.Instrument, f.options.Uncounted), f.options.Mode}
	if f.options.Generator != "" {
		key = append(key, f.options.Generator)
	}
	space, err := buildcache.Open(ctx, key...)
	if err != nil {
		return nil, err
	}
	b, err := f.buildTest(ctx, pkg, space, progress)
	if err != nil {
		space.Close()
		return nil, err
	}
	return b, nil
}

func (f *FuzzTests) buildTest(ctx context.Context, pkg *fuzztest.Package, space *buildcache.Folder, progress func(string)) (*build, error) {
	release, err := space.Lock(ctx, progress)
	if err != nil {
		return nil, err
	}
	defer release()
	o := f.options
	plan, err := gobuild.PlanFuzz(ctx, gobuild.Request{
		Dir: o.Dir, Out: space.Dir, Libraries: space.Libraries(ctx, progress), Parallax: f.tool, Instrument: o.Instrument, Uncounted: o.Uncounted, Order: o.order(), Repair: o.Repair, Generator: o.Generator, Progress: progress,
	}, pkg)
	if err != nil {
		return nil, err
	}
	built, err := plan.Build(ctx)
	if err != nil {
		return nil, err
	}
	b := newBuild(plan, space, progress)
	if b.binary, err = space.Own(built); err != nil {
		return nil, err
	}
	return b, nil
}

// Close gives up the builds.
func (f *FuzzTests) Close() {
	for _, b := range f.built {
		b.space.Close()
	}
}

// args start the test binary as go test does, for one FuzzXxx.
func (t *FuzzTest) args() []string {
	return []string{"-test.run=^" + t.fn.Name + "$", "-test.paniconexit0", "-test.timeout=0"}
}

// Stored are the options by which the target is found again.
func (t *FuzzTest) Stored() map[string]string {
	return map[string]string{"package": t.pkg.ImportPath, "package_dir": t.pkg.Dir, "fuzz": t.fn.Name}
}

// seedDir is where go test keeps the target's seeds and regressions.
func (t *FuzzTest) seedDir() string { return filepath.Join(t.pkg.Dir, "testdata", "fuzz", t.fn.Name) }
