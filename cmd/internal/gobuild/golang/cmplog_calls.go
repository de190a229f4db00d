package golang

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"parallax/internal/cmplog"
)

// searchedKinds maps the recorded functions of two strings or two byte slices to the kinds of their
// comparisons.
var searchedKinds = func() map[string]cmplog.Kind {
	kinds := map[string]cmplog.Kind{
		"bytes.Equal":                       cmplog.StringEqual,
		"crypto/hmac.Equal":                 cmplog.StringEqual,
		"crypto/subtle.ConstantTimeCompare": cmplog.StringEqual,
		"slices.Equal":                      cmplog.StringEqual,
	}
	for kind, names := range map[cmplog.Kind]string{
		cmplog.StringOrder: "Compare",
		cmplog.Prefix:      "HasPrefix CutPrefix TrimPrefix",
		cmplog.Suffix:      "HasSuffix CutSuffix TrimSuffix",
		cmplog.Contains:    "Contains Index LastIndex Cut Count Split SplitN SplitAfter SplitAfterN",
		cmplog.Fold:        "EqualFold",
	} {
		for _, name := range strings.Fields(names) {
			kinds["strings."+name], kinds["bytes."+name] = kind, kind
		}
	}
	return kinds
}()

// call records the call of a function that compares its arguments: a helper receives the function
// and its arguments. It skips calls whose arguments are the results of another call.
func (w *siteFinder) call(e *ast.CallExpr) {
	fn := w.called(e)
	if fn == nil || fn.Pkg() == nil || len(e.Args) < 2 {
		return
	}
	name := fn.Pkg().Path() + "." + fn.Name()
	if name == "slices.Contains" || name == "slices.Index" {
		w.search(e)
		return
	}
	kind := searchedKinds[name]
	if kind == 0 {
		return
	}
	sig := fn.Type().(*types.Signature)
	if name == "slices.Equal" {
		if !w.inference || !w.isBytes(e.Args[0]) || !w.isBytes(e.Args[1]) {
			return
		}
		sig = bytesEqual
	}
	shape := shapeOf(sig)
	if shape == "" {
		return
	}
	n := slices.Index(w.shapes, shape)
	if n < 0 {
		n = len(w.shapes)
		w.shapes = append(w.shapes, shape)
	}
	var flags uint8
	if w.constant(e.Args[0]) {
		flags |= flagConstA
	}
	if w.constant(e.Args[1]) {
		flags |= flagConstB
	}
	if flags == flagConstA|flagConstB {
		return
	}
	w.wrapCall(e, "plxF"+strconv.Itoa(n), w.site(kind, 0, flags))
}

// wrapCall replaces a call by a helper's call with the function and the arguments as arguments.
func (w *siteFinder) wrapCall(e *ast.CallExpr, helper, site string) {
	ed := w.editor()
	ed.open(e.Fun.Pos(), "%s(%s,", helper, site)
	ed.replace(e.Lparen, 1, ",")
}

// search records a call of slices.Contains or slices.Index: the searched value against the
// elements.
func (w *siteFinder) search(e *ast.CallExpr) {
	list, ok := w.info.TypeOf(e.Args[0]).Underlying().(*types.Slice)
	if !ok || !w.inference || w.shifts(e.Args[1]) {
		return
	}
	d := w.describeType(list.Elem())
	var helper string
	switch d.class {
	case textClass:
		helper = "plxInT"
	case signedClass, unsignedClass:
		helper = "plxInI"
	default:
		return
	}
	flags := d.signed()
	if w.constant(e.Args[0]) {
		flags |= flagConstB
	}
	if w.constant(e.Args[1]) {
		flags |= flagConstA
	}
	w.needs["list"] = true
	w.wrapCall(e, helper, w.site(cmplog.Lookup, d.width, flags))
}

// called returns the function that a call names, if its name is all there is.
func (w *siteFinder) called(e *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch f := ast.Unparen(e.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return nil
	}
	fn, ok := w.info.Uses[id].(*types.Func)
	if !ok || fn.Signature().Recv() != nil {
		return nil
	}
	return fn
}

func (w *siteFinder) isBytes(e ast.Expr) bool {
	t := w.info.TypeOf(e)
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	s, ok := t.Underlying().(*types.Slice)
	return ok && isByte(s.Elem())
}

// bytesEqual is the signature of slices.Equal for two byte slices.
var bytesEqual = func() *types.Signature {
	bytes := types.NewVar(0, nil, "", types.NewSlice(types.Typ[types.Uint8]))
	equal := types.NewVar(0, nil, "", types.Typ[types.Bool])
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(bytes, bytes), types.NewTuple(equal), false)
}()

// shapeOf formats a signature that begins with two strings or two byte slices and uses only types
// without imports. The format is parameters, a blank, and results, as in "string,string,int
// []string". It returns "" for others.
func shapeOf(sig *types.Signature) string {
	params, ok := typeList(sig.Params())
	results, ok1 := typeList(sig.Results())
	if !ok || !ok1 || sig.TypeParams() != nil || sig.Variadic() || len(params) < 2 || params[0] != params[1] ||
		params[0] != "string" && params[0] != "[]uint8" {
		return ""
	}
	return strings.Join(params, ",") + " " + strings.Join(results, ",")
}

func typeList(tuple *types.Tuple) (names []string, ok bool) {
	for v := range tuple.Variables() {
		t, prefix := types.Unalias(v.Type()), ""
		for {
			s, ok := t.(*types.Slice)
			if !ok {
				break
			}
			t, prefix = types.Unalias(s.Elem()), prefix+"[]"
		}
		b, ok := t.(*types.Basic)
		if !ok {
			return nil, false
		}
		names = append(names, prefix+types.Typ[b.Kind()].Name()) // not byte or rune
	}
	return names, true
}
