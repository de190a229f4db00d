// Package harness turns the functions a user names on the command line into a program that can be fuzzed: it finds
// their packages, reads their signatures from source, writes a package main that calls them, and builds it with
// instrumentation. Nothing of the user's is written or changed: the harness lives in a scratch module, or in the user's
// module through the go command's -overlay only. FuzzXxx that exist already are found by their syntax, and their test
// binaries are built where they are, with the worker and a test file that installs it in an overlay.
//
// Functions take Resolve, FuzzXxx take ListFuzz and PlanFuzz; then come Plan.Build and Plan.Tables. Whatever the user can
// put right is an exit.Usage error; code that does not compile is exit.Build. Every go command runs under Guard, so that no
// compiler outlives parallax.
package harness

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/funcname"
	"parallax/cmd/internal/gocommand"
	"parallax/cmd/internal/gomod"
	"parallax/internal"
	"parallax/internal/input"
)

// Request says what to resolve and where.
type Request struct {
	Dir        string            // where the user stands; empty: the working directory
	Functions  []string          // as written
	Out        string            // folder for what is built; exists
	Parallax   string            // path of the parallax executable, for -toolexec and guard; empty: no guard, and no Build
	Instrument []string          // patterns of further packages to instrument, as `go list` takes them
	Order      bool              // record the order in which blocks are first hit
	Repair     string            // the function that repairs mutants, as written; empty: none
	Instead    []gomod.Instead   // modules whose code is taken from elsewhere
	Toolchain  string            // Go version that builds, such as 1.21.0; empty: that of PATH
	Clock      bool              // time.Now can be pinned, by golang.ClockVariable
	Marshal    bool              // values that are no text are written as JSON, for comparison with programs of other languages
	Progress   func(step string) // told of each long step; may be nil

	library []internal.File // of the tests
}

// Program is one function under test.
type Program struct {
	Name      string // unique in the target: json.Valid
	Function  string // import path and function: encoding/json.Valid
	Package   string // import path
	Module    string // module path; std for the standard library
	Version   string // of the module, or of Go; empty for code of the user's own
	Signature string
	ModuleDir string   // of a module that no proxy has
	Call      string   // for a reproducer: a Go expression over package pN and variables in, or in1, in2, ...; empty: none
	Results   []string // types of its results before the last error or bool
	Last      string   // "error", "bool" or ""
	Closure   []string // import paths of the packages that it may run
	Kind      string   // of a program that is no Go function: command, persistent, http
	Toolchain string   // Go version that it is built with, if the target names one
}

// Plan is a resolved target.
type Plan struct {
	Target        string // the programs' names, safe as a file name
	Programs      []Program
	Shape         input.Shape
	CompareValues bool
	Notes         []string  // for the user
	Packages      []Package // to instrument, sorted by import path
	Own           []string  // module paths, and packages of the standard library, whose functions are the programs' own
	Dictionary    [][]byte
	Seeds         [][]byte // flat forms
	GoVersion     string
	Closure       []string // of a test binary: import paths of the packages in it

	r     *resolver
	calls []*callable
	mends *callable    // the repair function; nil: none
	files []file       // of the harness
	main  string       // import path of the harness
	fuzz  *FuzzPackage // of a plan for FuzzXxx, which has no calls
}

// resolver is the state of one Resolve.
type resolver struct {
	Request
	env    gocommand.Env
	funcs  []funcname.Func
	site   site
	before map[string]*gocommand.Module // by what was written: the module as the user's own go.mod selects it
	pkgs   map[string]*gocommand.Package
	order  []*gocommand.Package // dependencies first
	mends  *callable
	notes  []string
}

func (r *resolver) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// Resolve finds the functions, reads their signatures and plans the harness. It writes below Out only.
func Resolve(ctx context.Context, req Request) (*Plan, error) {
	r := &resolver{Request: req, pkgs: map[string]*gocommand.Package{}}
	if err := r.prepare(); err != nil {
		return nil, err
	}
	r.Progress("asking the go command")
	if err := r.readEnv(ctx); err != nil {
		return nil, err
	}
	if err := r.choose(ctx); err != nil {
		return nil, err
	}
	if err := r.readToolchain(ctx); err != nil {
		return nil, err
	}
	r.Progress("reading signatures")
	if err := r.readPackages(ctx); err != nil {
		return nil, err
	}
	calls, err := r.bind()
	if err != nil {
		return nil, err
	}
	p := &Plan{r: r, calls: calls, mends: r.mends, GoVersion: r.env.GOVERSION, Target: targetName(calls)}
	if err := p.agree(); err != nil {
		return nil, err
	}
	if err := p.checkRepair(); err != nil {
		return nil, err
	}
	for _, c := range calls {
		p.Programs = append(p.Programs, c.program(r.env.GOVERSION))
	}
	if err := p.write(); err != nil {
		return nil, err
	}
	if err := p.selectPackages(ctx); err != nil {
		return nil, err
	}
	p.describe()
	r.Progress("mining seeds and the dictionary")
	if err := p.mine(); err != nil {
		return nil, err
	}
	p.Notes = r.notes
	return p, nil
}

// complete fills in what the request leaves out.
func (r *resolver) complete() (err error) {
	if r.Progress == nil {
		r.Progress = func(string) {}
	}
	if r.library == nil {
		r.library = internal.Files()
	}
	if r.Dir, err = filepath.Abs(r.Dir); err != nil {
		return exit.Infra("finding the working directory: %w", err)
	}
	if r.Out, err = filepath.Abs(r.Out); err != nil {
		return exit.Infra("finding the folder for the build: %w", err)
	}
	return nil
}

// prepare checks the request and takes the functions apart.
func (r *resolver) prepare() error {
	if err := r.complete(); err != nil {
		return err
	}
	if len(r.Functions) == 0 {
		return exit.Usage("no function named: write import/path.Func, as in encoding/json.Valid")
	}
	for i, arg := range r.Functions {
		f, err := funcname.Parse(arg)
		if err != nil {
			return err
		}
		if slices.Contains(r.Functions[:i], arg) {
			return exit.Usage("%s is named twice", arg)
		}
		r.funcs = append(r.funcs, f)
	}
	if err := r.parseRepair(); err != nil {
		return err
	}
	for i, f := range r.funcs {
		for _, g := range r.funcs[:i] {
			if f.Package == g.Package && f.Version != g.Version && f.Version != "" && g.Version != "" {
				return exit.Usage("%s and %s: %w", g.Written, f.Written, gomod.OneVersion("", f.Version))
			}
		}
	}
	return nil
}

// list runs go list at the site.
func (r *resolver) list(ctx context.Context, args ...string) ([]*gocommand.Package, error) {
	return r.env.List(ctx, r.command(), append(r.site.flags[:len(r.site.flags):len(r.site.flags)], args...)...)
}

// match finds the package of f among what go list answered.
func (r *resolver) match(pkgs []*gocommand.Package, f funcname.Func) *gocommand.Package {
	for _, p := range pkgs {
		if p.ImportPath == f.Package {
			return p
		}
		for _, m := range p.Match {
			if m == f.Package {
				return p
			}
		}
	}
	return nil
}

// readPackages lists the import closure of the functions' packages.
func (r *resolver) readPackages(ctx context.Context) error {
	var paths []string
	for _, f := range r.funcs {
		if !slices.Contains(paths, f.Package) {
			paths = append(paths, f.Package)
		}
	}
	all, err := r.list(ctx, append([]string{"-deps", "--"}, paths...)...)
	if err != nil {
		return err
	}
	return r.take(all)
}

// take keeps what go list said of the packages, with the names of their files absolute and as the user's overlay has them.
func (r *resolver) take(all []*gocommand.Package) error {
	overlay, err := r.userOverlay()
	if err != nil {
		return err
	}
	for _, p := range all {
		for _, names := range [][]string{p.GoFiles, p.CgoFiles} {
			for i, name := range names {
				names[i] = overlaid(overlay, p.Dir, name)
			}
		}
		r.pkgs[p.ImportPath] = p
	}
	r.order = all
	return nil
}

// overlaid is where the text of a file in dir is.
func overlaid(overlay map[string]string, dir, name string) string {
	path := gocommand.Absolute(dir, name)
	if other := overlay[path]; other != "" {
		return other
	}
	return path
}

// bind finds every function and reads its signature.
func (r *resolver) bind() ([]*callable, error) {
	calls, err := r.find(r.names(), r.checkPackage)
	if err != nil {
		return nil, err
	}
	if n := len(r.Functions); len(calls) > n {
		calls, r.mends = calls[:n], calls[n]
	}
	problems, failed := readAll(calls)
	if failed {
		return nil, r.unsupported(calls, problems)
	}
	return calls, nil
}

// readAll reads the signatures, with a problem for each that cannot be fuzzed.
func readAll(calls []*callable) (problems []*problem, failed bool) {
	for _, c := range calls {
		p := c.read()
		problems = append(problems, p)
		failed = failed || p != nil
	}
	return problems, failed
}

// find finds every function in packages that pass the check.
func (r *resolver) find(names []string, check func(funcname.Func, *gocommand.Package) error) ([]*callable, error) {
	l := newLoader(r.order, r.env.GOARCH)
	calls := make([]*callable, len(r.funcs))
	taken := map[string]*callable{}
	for i, f := range r.funcs {
		p := r.match(r.order, f)
		if err := check(f, p); err != nil {
			return nil, err
		}
		c := &callable{fn: f, name: names[i], pkg: p}
		if missing := c.lookup(l.load(p.ImportPath)); missing != "" {
			if p.Error != nil {
				return nil, exit.Build("%s does not build: %s", f.Written, p.Error)
			}
			return nil, exit.Usage("%s: %s", f.Written, missing)
		}
		if c.unresolved() {
			return nil, r.unresolved(c)
		}
		if other := taken[c.function()]; other != nil {
			return nil, exit.Usage("%s and %s are the same function", other.fn.Written, f.Written)
		}
		taken[c.function()] = c
		calls[i] = c
	}
	return calls, nil
}

// names names the programs. The package of the folder the user stands in has a name only once it is found.
func (r *resolver) names() []string {
	funcs := append([]funcname.Func(nil), r.funcs[:len(r.Functions)]...)
	for i, f := range funcs {
		if p := r.match(r.order, f); p != nil && strings.Trim(f.Package, "./") == "" {
			funcs[i].Written = path.Base(p.ImportPath) + f.Written[strings.LastIndexByte(f.Written, '/')+1:]
		}
	}
	return append(funcname.Shortest(funcs), "repair")
}

// checkPackage rejects a package that is missing, is not the version asked for, or cannot be imported.
func (r *resolver) checkPackage(f funcname.Func, p *gocommand.Package) error {
	if p == nil || len(p.GoFiles)+len(p.CgoFiles) == 0 {
		why := ""
		if p != nil && p.Error != nil {
			if e := r.env.NetworkError(f.Package + ": " + strings.ReplaceAll(p.Error.Err, "\n", " ")); e != nil {
				return e
			}
			why = strings.TrimSpace(p.Error.Err)
		}
		switch {
		case strings.Contains(why, "no required module provides package"), strings.Contains(why, "cannot find module providing"):
			return exit.Usage("%s: no module that yours requires has package %s: write %s@latest, or go get %s first%s", f.Written, f.Package, f, f.Package, r.likely(f))
		case strings.Contains(why, " is not in std"):
			return exit.Usage("%s: there is no package %s in the standard library or in your module%s", f.Written, f.Package, r.likely(f))
		case why != "":
			return exit.Usage("%s: there is no package %s: %s", f.Written, f.Package, why)
		}
		return exit.Usage("%s: there is no package %s", f.Written, f.Package)
	}
	if p.Name == "main" {
		return exit.Usage("%s: %s is a main package, which cannot be imported: move the function to a package of its own", f.Written, p.ImportPath)
	}
	if root, hidden := gocommand.InternalRoot(p.ImportPath); hidden && (p.Module == nil || !p.Module.Main || r.site.kind == scratch) {
		whose := "the standard library"
		if p.Module != nil {
			whose = "module " + p.Module.Path
		}
		if root == "" {
			root = "there"
		}
		return exit.Usage("%s: package %s is internal to %s: only code below %s may import it; name an exported function that calls it, or run parallax inside that module", f.Written, p.ImportPath, whose, root)
	}
	m := p.Module
	switch {
	case m == nil, r.instead(m.Path) != nil:
		return nil
	case f.Version != "" && m.Replace != nil:
		return exit.Usage("%s: your go.mod or go.work replaces module %s by %s, which is not the version asked for: run parallax outside of the module, or name the function without @%s", f.Written, m.Path, gomod.At(m.Replace.Path, m.Replace.Version), f.Version)
	case f.Version != "" && gomod.Exact(f.Version) && m.Version != f.Version && m.Version != f.Version+"+incompatible":
		return exit.Usage("%s: module %s resolves to %s, not to the %s asked for: another module in the target, or your go.mod, requires it; ask for %s, or run parallax outside of the module", f.Written, m.Path, m.Version, f.Version, m.Version)
	case f.Version != "" && m.Version != f.Version:
		r.note("%s is %s", f.Written, m.Version)
	case f.Version == "" && r.site.kind == mixed:
		if b := r.before[f.Written]; b != nil && b.Version != m.Version && b.Replace == nil && m.Replace == nil {
			return exit.Usage("%s: module %s is at %s in your go.mod, and the versions asked for in this target raise it to %s: %w", f.Written, m.Path, b.Version, m.Version, &gomod.VersionsError{Text: "two versions of one module cannot share a binary"})
		}
	}
	return nil
}

// function names the function by its import path, whatever the user wrote.
func (c *callable) function() string {
	name := c.fn.Name
	if c.fn.Receiver != "" {
		name = c.fn.Receiver + "." + name
		if _, pointer := recvPointer(c.sig); pointer && !c.variable {
			name = "(*" + c.fn.Receiver + ")." + c.fn.Name
		}
	}
	return c.pkg.ImportPath + "." + name
}

func (c *callable) program(goVersion string) Program {
	p := Program{Name: c.name, Function: c.function(), Package: c.pkg.ImportPath, Signature: c.signature()}
	if m := c.pkg.Module; m != nil {
		p.Module, p.Version = m.Path, m.Version
		if m.Replace != nil {
			p.Version = m.Replace.Version
		}
	} else if c.pkg.Standard {
		p.Module, p.Version = "std", goVersion
	}
	return p
}

func targetName(calls []*callable) string {
	var names []string
	for _, c := range calls {
		names = append(names, c.name)
	}
	return TargetName(names)
}

// TargetName joins the programs' names into one that is safe as a file name.
func TargetName(names []string) string {
	full := strings.Join(names, "+")
	safe := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.ContainsRune("._@+-", c):
			return c
		case strings.ContainsRune("(*)", c):
			return -1
		}
		return '_'
	}, full)
	safe = strings.TrimLeft(safe, "._-")
	if len(safe) <= 80 {
		return safe
	}
	sum := sha256.Sum256([]byte(full))
	return safe[:80-13] + "-" + hex.EncodeToString(sum[:6])
}

// instead finds what the request says of a module, nil if nothing.
func (r *resolver) instead(module string) *gomod.Instead {
	for i := range r.Instead {
		if r.Instead[i].Module == module {
			return &r.Instead[i]
		}
	}
	return nil
}
