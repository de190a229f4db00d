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

// A build with Options.Calls records what tests get back from the module under test: old and new versions of it are compared by
// that (package target), since a FuzzXxx itself returns nothing. In test files each call of a function or method that the
// module declares elsewhere, f(x), becomes plxRec7(f(x)), a function that hands the results on as they are. What is called, in
// which order, what panics and what the types are stays as it was. Not recorded are calls without results, of variables that
// hold functions, behind go and defer, and in function literals that run side by side with others.
//
// Many functions return an error and write their result where an argument points: json.Unmarshal(data, &v) is the usual form. What
// &v points to after the call is recorded like a result, and so is a variable that is a pointer where all results are errors.
//
// What a call is of is known by type, as in the cmplog build. Tests that cannot be checked, or do not compile with what was inserted,
// compile without it, and their table says why.
//
// calls.go finds the calls, calls_reach.go which FuzzXxx come to them, calls_support.go writes what is inserted, and
// calls_table.go the table that tells the tool.

// A callSite is a call whose results are recorded.
type callSite struct {
	call    *ast.CallExpr
	file    *file
	decl    types.Object // the function that it is in
	results []types.Type
	outs    []ast.Expr // arguments that point to what is recorded after the call
	Site
}

// callFinder looks for the calls of a package.
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

// findCalls finds what is recorded in the test files of the unit, whose syntax trees stay as they are.
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

// visit looks for calls in a part of the function. Aside says that it runs side by side with others.
func (f *callFinder) visit(n ast.Node, aside bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			f.unwrapped(n.Call, aside, true)
			return false
		case *ast.DeferStmt:
			f.unwrapped(n.Call, aside, aside)
			return false
		case *ast.FuncLit:
			f.visit(n.Body, aside || parallel(n.Body))
			return false
		case *ast.CallExpr:
			f.ordinal++
			if !aside {
				f.add(n)
			}
		}
		return true
	})
}

// unwrapped visits a call that is not recorded itself, because the statement takes no other. Inside says whether a function literal
// that is called runs aside.
func (f *callFinder) unwrapped(call *ast.CallExpr, aside, inside bool) {
	f.ordinal++
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		f.visit(lit.Body, inside || parallel(lit.Body))
	} else {
		f.visit(call.Fun, aside)
	}
	for _, a := range call.Args {
		f.visit(a, aside)
	}
}

// parallel reports whether a function says that it runs beside others, by t.Parallel.
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

// maxResults is how many results are recorded: each has a letter.
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
	fmt.Fprintf(h, "%v %q %q %d", f.under != f.pkg.Path(), sortKey(f.file.path), s.Func, f.ordinal) // the package may have had another name
	s.Number = h.Sum64()
	f.sites = append(f.sites, s)
}

// pointsOut reports whether what an argument points to is recorded. Errors says that the function returns nothing else.
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
		named, ok := types.Unalias(p.Elem()).(*types.Named) // the T of the test holds all of it
		return !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "testing"
	}
	return false
}

func isError(t types.Type) bool { return types.Unalias(t) == types.Universe.Lookup("error").Type() }

// callee is the function or method that is called by its name, nil if there is none.
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

// nameOf is a function's name for people: Parse, Decoder.Decode, and json.Parse of another package than the one under test.
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

// editsOf returns those of the unit's file together with those that record its calls.
func (f *callFinder) editsOf(file *file) []edit {
	// A call that ends where something else begins or ends is closed first, and one that begins there is opened last. Of two that begin at
	// one place the outer one comes first.
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
