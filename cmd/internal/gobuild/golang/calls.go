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
// panics and types stay as before. A call without results is recorded by a statement after it, if
// it is a statement of a block. Calls are not recorded if the callee is a variable, in go and
// defer, and in function literals that run concurrently.
//
// Many functions write their result through an argument: see calls_effects.go.
//
// The callee is known by type, as in the cmplog build. Tests that cannot be checked, or do not
// compile with the insertions, are compiled without them, and their table has the reason.
//
// calls.go finds the calls, and calls_effects.go what they write to. calls_reach.go finds the
// FuzzXxx that reach them. calls_support.go writes the insertions. calls_table.go writes the table
// for the tool.

// A callSite is a call with recorded results.
type callSite struct {
	call    *ast.CallExpr
	file    *file
	decl    types.Object // the function that it is in
	results []types.Type
	outs    []out
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
	ordinal int                    // of the latest call in the function
	alone   map[*ast.CallExpr]bool // calls that are statements of a block
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
		f.alone = statements(f.file.ast)
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
			f.add(n, !concurrent)
		}
		return true
	})
}

// unwrapped visits a call that is not recorded itself, because its statement allows no other
// expression. bodyConcurrent means that a called function literal runs concurrently.
func (f *callFinder) unwrapped(call *ast.CallExpr, concurrent, bodyConcurrent bool) {
	f.ordinal++
	f.add(call, false)
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

// add adds a call, if it is one of the module's functions. records means that its results can be
// recorded.
func (f *callFinder) add(call *ast.CallExpr, records bool) {
	fn := f.callee(call.Fun)
	if fn == nil || !f.ofModule(fn) {
		return
	}
	s := &callSite{call: call, file: f.file, decl: f.info.Defs[f.fn.Name]}
	results := fn.Signature().Results()
	if value, ok := f.info.Types[call]; ok && value.Type != nil { // of an instance, where it is generic
		if t, ok := value.Type.(*types.Tuple); ok {
			results = t
		} else {
			results = types.NewTuple(types.NewVar(token.NoPos, nil, "", value.Type))
		}
	}
	for i := range results.Len() {
		s.results = append(s.results, results.At(i).Type())
	}
	records = records && len(s.results) <= maxResults && (len(s.results) > 0 || f.alone[call])
	at := f.position(call.Lparen)
	s.File, s.Line, s.Func, s.Name, s.Callee = filepath.Base(at.Filename), at.Line, FuncName(f.fn), f.nameOf(fn), fullName(fn)
	if f.effects(s, fn); records {
		h := fnv.New64a()
		// the package may have had another name
		fmt.Fprintf(h, "%v %q %q %d", f.under != f.pkg.Path(), sortKey(f.file.path), s.Func, f.ordinal)
		s.Number = h.Sum64()
	} else {
		s.outs, s.Speaks, s.Fails = nil, false, false
	}
	f.sites = append(f.sites, s)
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
	for i, s := range f.recorded() {
		if s.file != file {
			continue
		}
		end := edit{offset: file.offset(s.call.End()), form: formRecorded}
		if len(s.results) > 0 {
			opens = append(opens, edit{offset: file.offset(s.call.Pos()), form: formRecord, node: i})
		} else {
			end.form, end.node = formAfter, i
		}
		closes = append(closes, end)
		for k, o := range s.outs {
			opens = append(opens, edit{offset: file.offset(o.expr.Pos()), form: formOut, node: i, arg: k, out: o})
			closes = append(closes, edit{offset: file.offset(o.expr.End()), form: formRecorded})
		}
	}
	return append(append(closes, file.edits...), opens...)
}

// recorded returns the sites whose results are recorded. The index of one is its number in inserted
// code.
func (f *callFinder) recorded() (list []*callSite) {
	for _, s := range f.sites {
		if s.Number != 0 {
			list = append(list, s)
		}
	}
	return list
}

// holdsTests reports whether there is a test file that is the user's.
func holdsTests(sources []source) bool {
	return slices.ContainsFunc(sources, func(s source) bool {
		return strings.HasSuffix(s.path, "_test.go") && !generated(s.path)
	})
}
