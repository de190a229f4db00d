package golang

import (
	"go/ast"
	"go/types"
	"strings"

	"parallax/internal/cmplog"
)

// lookup records a map lookup with a key that is a string or an integer. If the language version
// has type parameters, the lookup becomes a call. Otherwise, a function receives the key and the
// map's keys, if the map expression can be repeated.
func (w *siteFinder) lookup(e *ast.IndexExpr) {
	tv := w.info.Types[e]
	m, ok := w.info.TypeOf(e.X).Underlying().(*types.Map)
	if !ok || w.plain[e] || w.shifts(e.Index) {
		return
	}
	if _, ok := types.Unalias(w.info.TypeOf(e.X)).(*types.TypeParam); ok {
		return
	}
	key := w.describeType(m.Key())
	letter := "T"
	switch key.class {
	case textClass:
	case signedClass, unsignedClass:
		letter = "I"
	default:
		return
	}
	flags := key.signed()
	if w.constant(e.Index) {
		flags |= flagConstA
	}
	if !w.generics {
		w.oldLookup(e, m, key, flags)
		return
	}
	w.needs["map"] = true
	results := ""
	if _, commaOK := tv.Type.(*types.Tuple); commaOK {
		results = "OK"
	}
	ed := w.editor()
	ed.open(e.X.Pos(), "plxMap%s%s(%s,", letter, results, w.site(cmplog.Lookup, key.width, flags))
	ed.replace(e.Lbrack, 1, ",")
	ed.replace(e.Rbrack, 1, ")")
}

// oldLookup records a lookup without type parameters.
func (w *siteFinder) oldLookup(e *ast.IndexExpr, m *types.Map, key operandType, flags uint8) {
	b, ok := types.Unalias(m.Key()).(*types.Basic)
	text := string(w.file.text[w.file.offset(e.X.Pos()):w.file.offset(e.X.End())])
	if !ok || !pure(e.X) || strings.Contains(text, "\n") {
		return
	}
	name := types.Typ[b.Kind()].Name() // not byte or rune
	w.needs["key "+key.letter()+" "+name] = true
	before, after := key.conversion()
	ed := w.editor()
	ed.open(e.Index.Pos(), "plxKey_%s(%s,func(plxAdd func(plx%s)uint8){for plxK:=range %s{if plxAdd(%splxK%s)==0{break}}},",
		name, w.site(cmplog.Lookup, key.width, flags), key.letter(), text, before, after)
	ed.close(e.Index.End(), ")")
}

// pure reports whether an expression can be evaluated twice as well as once: variables and fields.
func pure(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return pure(e.X)
	case *ast.ParenExpr:
		return pure(e.X)
	case *ast.StarExpr:
		return pure(e.X)
	}
	return false
}
