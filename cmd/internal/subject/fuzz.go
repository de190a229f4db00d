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
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

// Drawn is the suffix of targets of parallax fuzz whose inputs a generator that the user named
// draws.
const Drawn = "-drawn"

// FuzzTests holds the FuzzXxx that a command line names.
type FuzzTests struct {
	Tests []*FuzzTest
	Notes []string // on packages that are left out

	options *Options
	tool    string
	built   map[string]*build // by import path
	broken  map[string]error  // by import path: the error of a package that does not build
}

// FuzzTest is one such FuzzXxx.
type FuzzTest struct {
	Name string // of the target, safe as a file name: parse.FuzzHeader
	pkg  *fuzztest.Package
	fn   fuzztest.Func
}

// ListFuzz finds the FuzzXxx in the packages that the options name. For mode diff, it finds only
// those that compare implementations.
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
				t.Name += "-fuzz" // parallax diff has its own campaign on the same FuzzXxx
			}
			if o.Generator != "" && o.Mode == Fuzz {
				t.Name += Drawn // the target without the generator has its own campaign, whose inputs are no tapes
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

// targetName joins the package's folder in its module and the function. The name does not depend on
// the other targets.
func targetName(p *fuzztest.Package, fn string) string {
	dir, err := filepath.Rel(p.ModuleDir, p.Dir)
	if err != nil || dir == "." {
		dir = moduleName(p.Module)
	}
	return fileName(filepath.ToSlash(dir)) + "." + fn
}

// TestName returns the name of a FuzzXxx's target, from the module and the import path of its
// package.
func TestName(module, importPath, fn string) string {
	dir, below := strings.CutPrefix(importPath, module+"/")
	if !below {
		dir = moduleName(module)
	}
	return fileName(dir) + "." + fn
}

// moduleName returns the last element of a module's path that is no major version.
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

// distinguish prefixes names that packages of several modules share with the module's name.
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

// Build builds the package of a test once for all its tests, and starts the target once.
func (f *FuzzTests) Build(ctx context.Context, test *FuzzTest, o *Options, progress func(string)) (Target, error) {
	b, err := f.builtPackage(ctx, test.pkg, progress)
	if err != nil {
		return nil, err
	}
	plan := *b.plan
	if plan.DrawnBy != "" {
		o.Generator = plan.DrawnBy // finds the generator again
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
		return nil, t.explainUnready(ctx, o, err)
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

// closure lists all instrumented packages: a test does not separate them by implementation.
func closure(p *gobuild.Plan) []string {
	var paths []string
	for _, q := range p.Packages {
		paths = append(paths, q.ImportPath)
	}
	return paths
}

// builtPackage builds a package, or returns the result of its earlier build.
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
	key := []string{"test", pkg.ImportPath, pkg.Dir, f.options.Tags, fmt.Sprint(f.options.Instrument, f.options.NoInstrument), f.options.Mode}
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
		Options:   buildroot.Options{Dir: o.Dir, Out: space.Dir, Parallax: f.tool, Progress: progress},
		Libraries: space.Libraries(ctx, progress), Instrument: o.Instrument, NoInstrument: o.NoInstrument, Order: o.order(), Repair: o.Repair, Generator: o.Generator,
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

// Close releases the builds.
func (f *FuzzTests) Close() {
	for _, b := range f.built {
		b.space.Close()
	}
}

// args returns the arguments by which go test starts the test binary for one FuzzXxx.
func (t *FuzzTest) args() []string {
	return []string{"-test.run=^" + t.fn.Name + "$", "-test.paniconexit0", "-test.timeout=0"}
}

// Stored returns the options that find the target again.
func (t *FuzzTest) Stored() map[string]string {
	return map[string]string{"package": t.pkg.ImportPath, "package_dir": t.pkg.Dir, "fuzz": t.fn.Name}
}

// seedDir returns the folder in which go test keeps the target's seeds and regressions.
func (t *FuzzTest) seedDir() string { return filepath.Join(t.pkg.Dir, "testdata", "fuzz", t.fn.Name) }
