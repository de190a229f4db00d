package callgraph

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/gobuild/golang"
)

// textual makes a graph from names alone, without types. A call x.F may call function F of the
// package that the file imports as x, else any method F. A call F may call function F of its
// package. A function named in an argument is a callee of the call. A function named elsewhere is a
// callee of the function that names it. Callees in the standard library are unknown.
//
// The graph has calls that the real one lacks. It lacks calls by fields and variables of function
// types, and calls of methods by the standard library.
func textual(ctx context.Context, l *list) (*Graph, error) {
	w := &world{fset: token.NewFileSet()}
	for _, s := range l.sources {
		if !s.standard {
			of := *s
			of.files = s.written // as the user wrote it, before cgo
			w.all = append(w.all, &checked{source: &of})
		}
	}
	if err := w.parse(ctx); err != nil {
		return nil, err
	}
	x := &texts{
		world: w, graph: &Graph{Textual: true}, files: map[string]int{}, packages: map[string]int{},
		declared: make([]map[string][]int, len(w.all)), methods: map[string][]int{}, ids: map[ast.Node]int{},
		within: map[int]bool{}, literals: map[int]int{}, sites: map[token.Pos]int{},
	}
	for i, c := range w.all {
		x.packages[c.path] = i
	}
	for i, c := range w.all {
		x.graph.packages = append(x.graph.packages, packageNode{path: c.path, own: true, imports: x.imported(c)})
		x.initializers = append(x.initializers, x.add(function{pkg: i, name: "init", file: -1, kind: initializer}, nil))
		x.declared[i] = map[string][]int{}
		for _, file := range c.syntaxes() {
			x.declare(i, file)
		}
	}
	for i, c := range w.all {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, file := range c.syntaxes() {
			x.read(i, c, file)
		}
	}
	for i := range x.graph.functions {
		for k := range x.graph.functions[i].sites {
			s := &x.graph.functions[i].sites[k]
			slices.Sort(s.callees)
			s.callees = slices.Compact(s.callees)
		}
	}
	x.graph.finish()
	return x.graph, nil
}

// texts holds the state of textual.
type texts struct {
	*world
	graph        *Graph
	files        map[string]int
	packages     map[string]int
	initializers []int              // by package
	declared     []map[string][]int // by package: functions by name
	methods      map[string][]int   // of all packages, by name
	ids          map[ast.Node]int   // of declarations and literals
	within       map[int]bool       // literals
	literals     map[int]int        // number per function
	sites        map[token.Pos]int  // in the function of the position

	// The current file:
	pkg     int
	imports map[string]int // packages by their names in the file, or absent
	dots    []int          // packages with dot imports
}

// absent means a package that the graph does not have.
const absent = -1

// syntaxes returns the files of a package and its tests that could be parsed, at least in part.
func (c *checked) syntaxes() []*ast.File { return present(slices.Concat(c.parsed[0], c.parsed[1])) }

func (x *texts) imported(c *checked) (list []int) {
	for _, path := range c.source.imports {
		if k, ok := x.packages[path]; ok {
			list = append(list, k)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// add adds a function. node is its declaration or literal.
func (x *texts) add(f function, node ast.Node) int {
	id := len(x.graph.functions)
	x.graph.functions = append(x.graph.functions, f)
	if node != nil {
		x.ids[node] = id
	}
	return id
}

// position returns the index of the file, the line and the column.
func (x *texts) position(p token.Pos) (file, line, col int) {
	at := x.fset.PositionFor(p, false)
	file, ok := x.files[at.Filename]
	if !ok {
		file = len(x.graph.files)
		x.files[at.Filename] = file
		x.graph.files = append(x.graph.files, at.Filename)
	}
	return file, at.Line, at.Column
}

// declare adds the functions that a file declares.
func (x *texts) declare(pkg int, file *ast.File) {
	for _, d := range file.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		f := function{pkg: pkg, name: golang.FuncName(decl)}
		f.file, f.line, f.col = x.position(decl.Type.Func)
		name := decl.Name.Name
		switch {
		case decl.Body == nil:
			f.kind = bodiless
		case decl.Recv != nil:
		case name == "init":
			f.kind = startup
		case strings.HasSuffix(x.graph.files[f.file], "_test.go") && fuzztest.IsName(name) && fuzztest.TakesF(decl.Type):
			f.kind = harness
		}
		id := x.add(f, decl)
		switch {
		case f.kind == startup:
			x.call(x.initializers[pkg], decl.Type.Func, id)
		case decl.Recv != nil:
			x.methods[name] = append(x.methods[name], id)
		default:
			x.declared[pkg][name] = append(x.declared[pkg][name], id)
		}
	}
}

// call adds callees to the site of a function at a position.
func (x *texts) call(from int, p token.Pos, callees ...int) *site {
	f := &x.graph.functions[from]
	at, ok := x.sites[p]
	if !ok {
		at = len(f.sites)
		x.sites[p] = at
		s := site{}
		s.file, s.line, s.col = x.position(p)
		f.sites = append(f.sites, s)
	}
	f.sites[at].callees = append(f.sites[at].callees, callees...)
	return &f.sites[at]
}

// read adds the calls of a file.
func (x *texts) read(pkg int, c *checked, file *ast.File) {
	x.pkg, x.imports, x.dots = pkg, map[string]int{}, nil
	for _, s := range file.Imports {
		written, err := strconv.Unquote(s.Path.Value)
		if err != nil {
			continue
		}
		k, known := x.packages[c.source.imports[written]]
		name := ""
		switch {
		case s.Name != nil:
			name = s.Name.Name
		case known:
			name = x.nameOf(k)
		default:
			name = path.Base(written)
		}
		switch {
		case name == "." && known:
			x.dots = append(x.dots, k)
		case known:
			x.imports[name] = k
		default:
			x.imports[name] = absent
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				x.body(x.ids[d], d.Body)
			}
		case *ast.GenDecl:
			if d.Tok == token.VAR {
				x.body(x.initializers[pkg], d)
			}
		}
	}
}

// nameOf returns the name in a package's package clause.
func (x *texts) nameOf(pkg int) string {
	for _, file := range x.all[pkg].syntaxes() {
		return file.Name.Name
	}
	return path.Base(x.all[pkg].path)
}

// body adds the calls of a function or a declaration, and the literals in it.
func (x *texts) body(from int, root ast.Node) {
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType, *ast.StructType, *ast.InterfaceType:
			return false
		case *ast.KeyValueExpr: // its key is usually the name of a field
			ast.Inspect(n.Value, visit)
			if _, name := n.Key.(*ast.Ident); !name {
				ast.Inspect(n.Key, visit)
			}
			return false
		case *ast.FuncLit:
			id := x.literal(from, n)
			x.call(from, n.Type.Func, id)
			x.body(id, n.Body)
			return false
		case *ast.GoStmt:
			x.called(from, n.Go, n.Call)
		case *ast.DeferStmt:
			x.called(from, n.Defer, n.Call)
		case *ast.CallExpr:
			x.called(from, n.Lparen, n)
			switch fun := plain(n.Fun).(type) {
			case *ast.Ident:
			case *ast.SelectorExpr:
				ast.Inspect(fun.X, visit)
			default:
				ast.Inspect(n.Fun, visit)
			}
			for _, arg := range n.Args {
				ast.Inspect(arg, visit)
			}
			return false
		case *ast.SelectorExpr:
			if ids := x.named(from, n); len(ids) > 0 {
				x.call(from, n.Sel.Pos(), ids...)
			}
			ast.Inspect(n.X, visit)
			return false
		case *ast.Ident:
			if ids := x.named(from, n); len(ids) > 0 {
				x.call(from, n.Pos(), ids...)
			}
		}
		return true
	}
	ast.Inspect(root, visit)
}

// called adds a call at a position, with the functions among its arguments.
func (x *texts) called(from int, p token.Pos, call *ast.CallExpr) {
	ids := x.named(from, call.Fun)
	known := len(ids) > 0
	for _, arg := range call.Args {
		ids = append(ids, x.named(from, arg)...)
	}
	if s := x.call(from, p, ids...); !known {
		s.unknown = true // a function of the standard library, a variable, or no function
	}
}

// named lists the functions that an expression may denote: a name, a selector or a literal.
func (x *texts) named(from int, e ast.Expr) []int {
	switch e := plain(e).(type) {
	case *ast.FuncLit:
		return []int{x.literal(from, e)}
	case *ast.Ident:
		ids := x.declared[x.pkg][e.Name]
		for _, k := range x.dots {
			ids = append(slices.Clone(ids), x.declared[k][e.Name]...)
		}
		return ids
	case *ast.SelectorExpr:
		if of, ok := e.X.(*ast.Ident); ok {
			switch k, imported := x.imports[of.Name]; {
			case imported && k == absent:
				return nil
			case imported:
				return x.declared[k][e.Sel.Name]
			}
		}
		return x.methods[e.Sel.Name]
	}
	return nil
}

// plain returns an expression without parentheses and type arguments.
func plain(e ast.Expr) ast.Expr {
	for {
		switch inner := e.(type) {
		case *ast.ParenExpr:
			e = inner.X
		case *ast.IndexExpr:
			e = inner.X
		case *ast.IndexListExpr:
			e = inner.X
		default:
			return e
		}
	}
}

// literal returns the number of a literal in a function.
func (x *texts) literal(from int, n *ast.FuncLit) int {
	if id, ok := x.ids[n]; ok {
		return id
	}
	x.literals[from]++
	format := "%s.func%d"
	if x.within[from] {
		format = "%s.%d"
	}
	f := function{pkg: x.pkg, name: fmt.Sprintf(format, x.graph.functions[from].name, x.literals[from])}
	f.file, f.line, f.col = x.position(n.Type.Func)
	id := x.add(f, n)
	x.within[id] = true
	return id
}
