package golang

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"parallax/internal/cmplog"
)

// A siteFinder walks a file in source order and makes the edits that record. All of them are within
// expressions and keep statements, so that labels, jumps and terminating statements need no special
// treatment.
//
// Constant expressions and types are never entered, since a call inside would make them invalid.
type siteFinder struct {
	*cmplogUnit
	file  *file
	nest  int
	plain map[ast.Expr]bool // not to be recorded, although entered
	bare  bool              // only integers are recorded
}

// walk finds the sites of a file.
func (u *cmplogUnit) walk(f *file) {
	w := &siteFinder{cmplogUnit: u, file: f, plain: map[ast.Expr]bool{}, bare: bare(u.pkg.Path())}
	end := f.ast.Name.End()
	for _, d := range f.ast.Decls {
		if fn, ok := d.(*ast.FuncDecl); !ok {
			ast.Inspect(d, w.visit)
		} else if fn.Body != nil && !f.excluded(end, fn) {
			ast.Inspect(fn.Body, w.visit)
		}
		end = d.End()
	}
}

// editor begins the edits of the next site.
func (w *siteFinder) editor() editor {
	w.nest++
	return editor{w.cmplogUnit, w.file, w.nest}
}

// site returns a new site, as the first two arguments of a recording function.
func (w *siteFinder) site(kind cmplog.Kind, width int, flags uint8) string {
	w.sites++
	return strconv.Itoa(w.sites-1) + "," + strconv.Itoa(int(kind)|width<<8|int(flags)<<16)
}

func (w *siteFinder) visit(n ast.Node) bool {
	if e, ok := n.(ast.Expr); ok {
		if tv := w.info.Types[e]; tv.IsType() || tv.Value != nil {
			return false
		}
	}
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok == token.VAR
	case *ast.ValueSpec:
		if len(n.Names) == 2 && len(n.Values) == 1 && !w.takesBool(n.Names[1]) {
			w.plain[ast.Unparen(n.Values[0])] = true
		}
	case *ast.AssignStmt:
		w.assign(n)
	case *ast.IncDecStmt:
		w.plain[ast.Unparen(n.X)] = true
	case *ast.ForStmt:
		w.plain[counted(n)] = true
	case *ast.RangeStmt:
		return w.rangeStmt(n)
	case *ast.SwitchStmt:
		w.switchStmt(n)
	case *ast.FuncLit:
		if args, ok := cgoClosure(w.file, n); ok {
			for _, a := range args {
				ast.Inspect(a, w.visit)
			}
			return false
		}
	case *ast.BinaryExpr:
		w.compare(n)
	case *ast.IndexExpr:
		if !w.bare {
			w.lookup(n)
		}
	case *ast.CallExpr:
		if w.unevaluated(n) {
			return false
		}
		if !w.bare {
			w.call(n)
		}
	}
	return true
}

// assign marks the map elements that are assigned to, and lookups with a second result, which a
// function call cannot replace.
func (w *siteFinder) assign(s *ast.AssignStmt) {
	if s.Tok != token.DEFINE {
		for _, e := range s.Lhs {
			w.plain[ast.Unparen(e)] = true
		}
	}
	if len(s.Lhs) == 2 && len(s.Rhs) == 1 && !w.takesBool(s.Lhs[1]) {
		w.plain[ast.Unparen(s.Rhs[0])] = true
	}
}

// takesBool reports whether a variable takes a value of type bool, as it takes the untyped one of
// v, ok := m[k].
func (w *siteFinder) takesBool(e ast.Expr) bool {
	var t types.Type
	if id, ok := e.(*ast.Ident); ok && w.info.Defs[id] != nil {
		t = w.info.Defs[id].Type()
	} else if !ok || id.Name != "_" {
		t = w.info.TypeOf(e)
	}
	return t == nil || types.AssignableTo(types.Typ[types.Bool], t)
}

// counted returns the condition of a loop that counts its iterations. It has no more information
// about the input than the number of iterations.
func counted(s *ast.ForStmt) ast.Expr {
	cond, ok := s.Cond.(*ast.BinaryExpr)
	init, ok1 := s.Init.(*ast.AssignStmt)
	post, ok2 := s.Post.(*ast.IncDecStmt)
	if !ok || !ok1 || !ok2 || init.Tok != token.DEFINE {
		return nil
	}
	if id, ok := cond.X.(*ast.Ident); ok {
		if i, ok := post.X.(*ast.Ident); ok && i.Name == id.Name {
			return cond
		}
	}
	return nil
}

// rangeStmt enters a range statement. A range expression whose length is constant is not evaluated
// where no element is asked for, and must stay one.
func (w *siteFinder) rangeStmt(s *ast.RangeStmt) bool {
	if s.Tok == token.ASSIGN {
		for _, e := range []ast.Expr{s.Key, s.Value} {
			if e != nil {
				w.plain[ast.Unparen(e)] = true
			}
		}
	}
	t := w.info.TypeOf(s.X)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if _, array := t.Underlying().(*types.Array); !array || s.Value != nil {
		return true
	}
	if s.Key != nil {
		ast.Inspect(s.Key, w.visit)
	}
	ast.Inspect(s.Body, w.visit)
	return false
}

// unevaluated reports whether a call is one of package unsafe's that ask for the size of a type
// parameter.
func (w *siteFinder) unevaluated(e *ast.CallExpr) bool {
	s, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	b, ok := w.info.Uses[s.Sel].(*types.Builtin)
	return ok && (b.Name() == "Sizeof" || b.Name() == "Alignof" || b.Name() == "Offsetof")
}

// compare records a comparison. It becomes one of a recording function's result with 0, under the
// same operator: untyped like the comparison itself.
func (w *siteFinder) compare(e *ast.BinaryExpr) {
	kind := cmplog.IntOrder
	switch e.Op {
	case token.EQL, token.NEQ:
		kind = cmplog.IntEqual
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
	default:
		return
	}
	x, y := w.describe(e.X), w.describe(e.Y)
	if x.class != y.class || x.constant && y.constant || w.plain[e] || w.shifts(e.X) || w.shifts(e.Y) || w.bare && !x.integer() {
		return
	}
	if x.class == textClass || x.class == arrayClass {
		kind += cmplog.StringEqual - cmplog.IntEqual
	}
	flags := x.signed()
	if x.constant {
		flags |= flagConstA
	}
	if y.constant {
		flags |= flagConstB
	}
	var function, op string
	switch x.class {
	case noClass:
		return
	case parameterClass:
		if !w.generics || !x.constant && !y.constant && !types.Identical(x.typ, y.typ) {
			return
		}
		w.needs["parameter"] = true
		function, op = parameterFunctions[e.Op], "!="
		if e.Op == token.EQL {
			op = "=="
		}
	case arrayClass:
		w.needs["array "+strconv.Itoa(x.length)] = true
		function, op = "plxA"+strconv.Itoa(x.length), e.Op.String()
	default:
		function, op = "plxCmp"+x.letter(), e.Op.String()
	}
	before, after := x.conversion()
	ed := w.editor()
	ed.open(e.X.Pos(), "(%s(%s,%s", function, w.site(kind, x.width, flags), before)
	ed.replace(e.OpPos, len(e.Op.String()), after+","+before)
	ed.close(e.Y.End(), "%s) %s 0)", after, op)
}

// maxCases limits the recorded constants of a switch.
const maxCases = 64

// switchStmt records the tag of a switch against its constants. Tag and cases are converted to one
// type of ours.
func (w *siteFinder) switchStmt(s *ast.SwitchStmt) {
	if s.Tag == nil {
		return
	}
	tag := w.describe(s.Tag)
	if tag.constant || !tag.integer() && (tag.class != textClass || w.bare) || w.shifts(s.Tag) {
		return
	}
	var cases []ast.Expr
	var constants []string
	for _, c := range s.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			d := w.describe(e)
			if d.class != tag.class || w.shifts(e) {
				return
			}
			cases = append(cases, e)
			if d.constant && len(constants) < maxCases {
				constants = append(constants, literal(w.info.Types[e].Value))
			}
		}
	}
	if len(constants) == 0 {
		return
	}
	table := "plxCases" + strconv.Itoa(len(w.tables))
	before, after := tag.conversion()
	w.tables = append(w.tables, "var "+table+" = [...]plx"+tag.letter()+"{"+strings.Join(constants, ", ")+"}")
	ed := w.editor()
	ed.open(s.Tag.Pos(), "plxTag%s(%s,%s", tag.letter(), w.site(cmplog.Lookup, tag.width, tag.signed()|flagConstB), before)
	ed.close(s.Tag.End(), "%s,%s[:])", after, table)
	for _, e := range cases {
		ed.open(e.Pos(), "%s", before)
		ed.close(e.End(), "%s", after)
	}
}

// literal writes a constant for the support file.
func literal(v constant.Value) string {
	if v.Kind() == constant.String {
		text := constant.StringVal(v)
		return strconv.QuoteToASCII(text[:min(len(text), maxText)])
	}
	return constant.ToInt(v).ExactString()
}

// shifts reports whether an operand contains a shift of an untyped constant by a variable. Its type
// is that of the other operand, which a conversion would change.
func (w *siteFinder) shifts(e ast.Expr) bool {
	if w.info.Types[e].Value != nil {
		return false
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return w.shifts(e.X)
	case *ast.UnaryExpr:
		return w.shifts(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.SHL || e.Op == token.SHR {
			return w.untyped(e.X) || w.shifts(e.X)
		}
		return w.shifts(e.X) || w.shifts(e.Y)
	}
	return false
}

// untyped reports whether an expression is an untyped constant, whatever type its context gives it.
func (w *siteFinder) untyped(e ast.Expr) bool {
	if w.info.Types[e].Value == nil {
		return false
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return w.untyped(e.X)
	case *ast.UnaryExpr:
		return w.untyped(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.SHL || e.Op == token.SHR {
			return w.untyped(e.X)
		}
		return w.untyped(e.X) && w.untyped(e.Y)
	case *ast.Ident:
		return untypedObject(w.info.Uses[e])
	case *ast.SelectorExpr:
		return untypedObject(w.info.Uses[e.Sel])
	}
	return false
}

func untypedObject(o types.Object) bool {
	c, ok := o.(*types.Const)
	if !ok {
		return false
	}
	b, ok := c.Type().(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}
