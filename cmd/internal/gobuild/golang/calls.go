package golang

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"
)

// A build with Options.Calls records what tests receive from the module under test. Old and new
// versions of the module are compared by these records (package subject), since a FuzzXxx itself
// returns nothing. In test files, each call f(x) of a function or method that the module declares
// elsewhere becomes plxRec7(f(x)). plxRec7 returns the results unchanged. Callees, their order,
// panics and types stay as before. Calls are not recorded if they have no results, if the callee is
// a variable, in go and defer, and in function literals that run concurrently.
//
// Many functions return an error and write their result through an argument: json.Unmarshal(data,
// &v) is the usual form. The value of v after the call is recorded like a result. So is the target
// of a pointer variable, if all results are errors.
//
// The callee is known by type, as in the cmplog build. Tests that cannot be checked, or do not
// compile with the insertions, are compiled without them, and their table has the reason.
//
// calls.go finds the calls. calls_reach.go finds the FuzzXxx that reach them. calls_support.go
// writes the insertions. calls_table.go writes the table for the tool.

// A callSite is a call with recorded results.
type callSite struct {
	call    *ast.CallExpr
	file    *file
	decl    types.Object // the function that it is in
	results []types.Type
	outs    []ast.Expr // arguments whose targets are recorded after the call
	Site
}

// callFinder finds the calls of a package.
type callFinder struct {
	*cmplogUnit
	module string
	except []string // import paths
	under  string   // the package under test
	sites  []*callSite

	file    *file
	fn      *ast.FuncDecl
	ordinal int // of the latest call in the function
}

// findCalls finds the calls to record in the test files of the unit, whose syntax trees do not
// change.
func (c compilation) findCalls(u *unit, sources []source) (f *callFinder, err error) {
	defer func() { // the reader of export data meets files of toolchains it does not know
		if r := recover(); r != nil {
			err = fmt.Errorf("reading types: %v", r)
		}
	}()
	f = &callFinder{cmplogUnit: newCmplogUnit(c.dialect), module: c.Calls, except: strings.FieldsFunc(c.Except, func(r rune) bool { return r == '|' }), under: strings.TrimSuffix(c.pkg, "_test")}
	f.unit.fset, f.unit.paths, f.unit.files = u.fset, u.paths, slices.Clone(u.files)
	for _, s := range sources {
		if generated(s.path) {
			extra, err := f.parse(s)
			if err != nil {
				return nil, err
			}
			f.unit.files = append(f.unit.files, extra)
		}
	}
	if err := f.free(); err != nil {
		return nil, err
	}
	if err := f.check(c); err != nil {
		return nil, err
	}
	for _, f.file = range u.files {
		if !strings.HasSuffix(f.file.path, "_test.go") {
			continue
		}
		for _, d := range f.file.ast.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				f.fn, f.ordinal = d, 0
				f.visit(d.Body, parallel(d.Body))
			}
		}
	}
	f.reach()
	return f, nil
}

// visit finds calls in a part of the function. concurrent means that the part runs concurrently
// with others.
func (f *callFinder) visit(n ast.Node, concurrent bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			f.unwrapped(n.Call, concurrent, true)
			return false
		case *ast.DeferStmt:
			f.unwrapped(n.Call, concurrent, concurrent)
			return false
		case *ast.FuncLit:
			f.visit(n.Body, concurrent || parallel(n.Body))
			return false
		case *ast.CallExpr:
			f.ordinal++
			if !concurrent {
				f.add(n)
			}
		}
		return true
	})
}

// unwrapped visits a call that is not recorded itself, because its statement allows no other
// expression. bodyConcurrent means that a called function literal runs concurrently.
func (f *callFinder) unwrapped(call *ast.CallExpr, concurrent, bodyConcurrent bool) {
	f.ordinal++
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		f.visit(lit.Body, bodyConcurrent || parallel(lit.Body))
	} else {
		f.visit(call.Fun, concurrent)
	}
	for _, a := range call.Args {
		f.visit(a, concurrent)
	}
}

// parallel reports whether a function runs concurrently with others, by t.Parallel.
func parallel(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			found = found || ok && sel.Sel.Name == "Parallel" && len(n.Args) == 0
		}
		return !found
	})
	return found
}

// maxResults limits the recorded results, since each has a letter.
const maxResults = 26

// add adds a call, if it is one of the module's functions and returns something.
func (f *callFinder) add(call *ast.CallExpr) {
	fn := f.callee(call.Fun)
	if fn == nil || !f.ofModule(fn) {
		return
	}
	value, ok := f.info.Types[call]
	if !ok || value.Type == nil {
		return
	}
	s := &callSite{call: call, file: f.file, decl: f.info.Defs[f.fn.Name]}
	switch t := value.Type.(type) {
	case *types.Tuple:
		for i := range t.Len() {
			s.results = append(s.results, t.At(i).Type())
		}
	default:
		s.results = []types.Type{t}
	}
	if n := len(s.results); n == 0 || n > maxResults {
		return
	}
	errors := !slices.ContainsFunc(s.results, func(t types.Type) bool { return !isError(t) })
	for _, arg := range call.Args {
		if f.pointsOut(arg, errors) && !(call.Ellipsis.IsValid() && arg == call.Args[len(call.Args)-1]) {
			s.outs = append(s.outs, arg)
		}
	}
	at := f.position(call.Lparen)
	s.File, s.Line, s.Func, s.Name = filepath.Base(at.Filename), at.Line, FuncName(f.fn), f.nameOf(fn)
	h := fnv.New64a()
	// the package may have had another name
	fmt.Fprintf(h, "%v %q %q %d", f.under != f.pkg.Path(), sortKey(f.file.path), s.Func, f.ordinal)
	s.Number = h.Sum64()
	f.sites = append(f.sites, s)
}

// pointsOut reports whether the target of an argument is recorded. errors means that the function
// returns only errors.
func (f *callFinder) pointsOut(arg ast.Expr, errors bool) bool {
	switch x := arg.(type) {
	case *ast.UnaryExpr:
		return x.Op == token.AND
	case *ast.Ident:
		t := f.info.TypeOf(x)
		if _, variable := f.info.Uses[x].(*types.Var); !errors || !variable || t == nil {
			return false
		}
		p, ok := t.Underlying().(*types.Pointer)
		if !ok {
			return false
		}
		named, ok := types.Unalias(p.Elem()).(*types.Named) // the test's T would contain too much
		return !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "testing"
	}
	return false
}

func isError(t types.Type) bool { return types.Unalias(t) == types.Universe.Lookup("error").Type() }

// callee returns the function or method that is called by name, or nil.
func (f *callFinder) callee(e ast.Expr) *types.Func {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			fn, _ := f.info.Uses[x].(*types.Func)
			return fn
		case *ast.SelectorExpr:
			fn, _ := f.info.Uses[x.Sel].(*types.Func)
			return fn
		default:
			return nil
		}
	}
}

// ofModule reports whether the module declares a function, and not in a test.
func (f *callFinder) ofModule(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false // error.Error
	}
	path := fn.Pkg().Path()
	if path != f.module && !strings.HasPrefix(path, f.module+"/") || strings.Contains(path+"/", "/plxharness/") {
		return false
	}
	for _, root := range f.except {
		if path == root || strings.HasPrefix(path, root+"/") {
			return false
		}
	}
	return !strings.HasSuffix(f.position(fn.Pos()).Filename, "_test.go")
}

// nameOf returns a function's name for users: Parse, Decoder.Decode, or json.Parse for another
// package than the one under test.
func (f *callFinder) nameOf(fn *types.Func) string {
	name := fn.Name()
	if recv := fn.Signature().Recv(); recv != nil {
		t := types.Unalias(recv.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		if named, ok := t.(*types.Named); ok {
			name = named.Obj().Name() + "." + name
		}
	}
	if fn.Pkg().Path() != f.under {
		name = fn.Pkg().Name() + "." + name
	}
	return name
}

// editsOf returns the edits of the unit's file together with those that record its calls.
func (f *callFinder) editsOf(file *file) []edit {
	// At one offset, closing texts precede opening texts of other edits. For calls that begin at
	// the same place, the outer one comes first.
	var opens, closes []edit
	for i, s := range f.sites {
		if s.file == file {
			opens = append(opens, edit{offset: file.offset(s.call.Pos()), form: formRecord, node: i})
			closes = append(closes, edit{offset: file.offset(s.call.End()), form: formRecorded})
			for k, arg := range s.outs {
				opens = append(opens, edit{offset: file.offset(arg.Pos()), form: formOut, node: i, arg: k})
				closes = append(closes, edit{offset: file.offset(arg.End()), form: formRecorded})
			}
		}
	}
	return append(append(closes, file.edits...), opens...)
}

// holdsTests reports whether there is a test file that is the user's.
func holdsTests(sources []source) bool {
	return slices.ContainsFunc(sources, func(s source) bool {
		return strings.HasSuffix(s.path, "_test.go") && !generated(s.path)
	})
}
