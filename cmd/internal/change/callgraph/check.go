package callgraph

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"parallax/cmd/internal/base/gosyntax"
)

// checked is a package with its types. A package with a problem has no bodies.
type checked struct {
	*source
	types   *types.Package
	info    *types.Info
	files   []*ast.File // nil with a problem
	problem string

	opaque bool // without bodies, since it belongs to the runtime

	testProblem string // problem of its own tests, which are left out then

	checker *types.Checker
	parsed  [2][]*ast.File // its own files, and its tests
	syntax  [2]error
}

// world holds all packages of a graph. Each is checked once: first its own files, in the order of
// imports, then its tests, which can import packages that import it.
type world struct {
	fset   *token.FileSet
	sizes  types.Sizes
	all    []*checked
	byPath map[string]*checked
}

func check(ctx context.Context, l *list) (*world, error) {
	w := &world{fset: token.NewFileSet(), sizes: types.SizesFor("gc", l.root.Env.GOARCH), byPath: map[string]*checked{}}
	for _, s := range l.sources {
		if s.path == "unsafe" {
			continue
		}
		c := &checked{source: s, problem: s.problem, opaque: s.standard && s.isRuntime()}
		w.all = append(w.all, c)
		w.byPath[s.path] = c
	}
	if err := w.parse(ctx); err != nil {
		return nil, err
	}
	for _, step := range []func(*checked){w.checkOwn, w.checkTests, w.checkExternal} {
		for _, c := range w.all {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			step(c)
		}
	}
	return w, nil
}

// parse parses all files in parallel.
func (w *world) parse(ctx context.Context) error {
	var wait sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, c := range w.all {
		for k, names := range [][]string{c.source.files, c.tests} {
			c.parsed[k] = make([]*ast.File, len(names))
			wait.Add(1)
			slots <- struct{}{}
			go func() {
				defer func() { <-slots; wait.Done() }()
				for i, name := range names {
					if ctx.Err() != nil {
						return
					}
					file, err := w.parseFile(name)
					if err != nil && c.syntax[k] == nil {
						c.syntax[k] = err
					}
					c.parsed[k][i] = file
				}
			}()
		}
	}
	wait.Wait()
	return ctx.Err()
}

var bom = []byte("\xef\xbb\xbf")

func (w *world) parseFile(name string) (*ast.File, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return gosyntax.ParseFile(w.fset, name, bytes.TrimPrefix(text, bom), parser.SkipObjectResolution)
}

// present returns the files that could be parsed, at least in part.
func present(files []*ast.File) []*ast.File {
	var all []*ast.File
	for _, f := range files {
		if f != nil && f.Name != nil {
			all = append(all, f)
		}
	}
	return all
}

// check checks a package's own files.
func (w *world) check(c *checked) {
	c.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Scopes: map[ast.Node]*types.Scope{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	if c.syntax[0] != nil {
		c.fail(c.syntax[0])
	}
	if c.opaque {
		c.info = &types.Info{}
	}
	config := &types.Config{
		Importer: importer{w, c}, Sizes: w.sizes, GoVersion: c.goVersion, FakeImportC: c.problem != "", IgnoreFuncBodies: c.opaque, Error: c.fail,
	}
	files := present(c.parsed[0])
	c.types = types.NewPackage(c.path, "")
	if len(files) > 0 {
		c.types = types.NewPackage(c.path, files[0].Name.Name)
	}
	c.checker = types.NewChecker(config, w.fset, c.types, c.info)
	if err := c.checker.Files(files); err != nil {
		c.fail(err)
	}
	if c.problem == "" && w.doubtful(c) {
		c.problem = "it uses packages that could not be read"
	}
	switch {
	case c.opaque:
	case c.problem == "":
		c.files = files
	default:
		c.info.InitOrder = nil // has variables that are no longer declared
	}
}

// isRuntime reports whether a package belongs to the runtime, which is two fifths of the code that
// a test imports. It calls functions through go:linkname, from assembly and by pointers, which the
// source does not show.
func (s *source) isRuntime() bool {
	return s.path == "runtime" || strings.HasPrefix(s.path, "internal/runtime/")
}

func (w *world) checkOwn(c *checked) {
	if c.tested == "" {
		w.check(c)
	}
}

// checkExternal checks external tests, which use declarations of internal tests.
func (w *world) checkExternal(c *checked) {
	if c.tested != "" {
		w.check(c)
	}
}

// checkTests checks the files of a package's own tests.
func (w *world) checkTests(c *checked) {
	if len(c.parsed[1]) == 0 || c.problem != "" {
		return
	}
	if c.syntax[1] != nil {
		c.fail(c.syntax[1])
	}
	files := present(c.parsed[1])
	if err := c.checker.Files(files); err != nil {
		c.fail(err)
	}
	if c.problem == "" && w.doubtful(c) {
		c.problem = "it uses packages that could not be read"
	}
	if c.problem == "" {
		c.files = append(c.files, files...)
		return
	}
	// The types of the package itself are valid.
	c.testProblem, c.problem = c.problem, ""
	c.info.InitOrder = slices.DeleteFunc(c.info.InitOrder, func(i *types.Initializer) bool {
		return !slices.ContainsFunc(c.files, func(f *ast.File) bool { return f.FileStart <= i.Rhs.Pos() && i.Rhs.Pos() < f.FileEnd })
	})
}

// fail records the first problem of a package.
func (c *checked) fail(err error) {
	if c.problem != "" {
		return
	}
	if soft, ok := err.(types.Error); ok && soft.Soft {
		return // unused variables and imports
	}
	c.problem = err.Error()
}

// doubtful reports whether a package without own errors uses invalid types, such as those of broken
// packages. Checking such an expression gives no second error.
func (w *world) doubtful(c *checked) bool {
	near := false
	for _, path := range c.imports {
		if q := w.byPath[path]; q != nil && q.problem != "" {
			near = true
		}
	}
	if !near {
		return false
	}
	for _, tv := range c.info.Types {
		if tv.Type == types.Typ[types.Invalid] && !tv.IsBuiltin() {
			return true
		}
	}
	for _, objects := range []map[*ast.Ident]types.Object{c.info.Defs, c.info.Uses} {
		for _, o := range objects {
			switch o.(type) {
			case *types.Const, *types.Func, *types.TypeName, *types.Var:
				if o.Type() == types.Typ[types.Invalid] {
					return true
				}
			}
		}
	}
	return false
}

// importer resolves the imports of a package.
type importer struct {
	world *world
	of    *checked
}

func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if actual, ok := i.of.imports[path]; ok {
		path = actual
	}
	if c := i.world.byPath[path]; c != nil && c.types != nil {
		return c.types, nil
	}
	return nil, fmt.Errorf("package %s could not be read", path)
}
