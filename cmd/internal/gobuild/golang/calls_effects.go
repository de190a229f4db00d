package golang

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A call may write its result to an argument or to its receiver. The recorder gets this value
// before the call, by plxOut(site, k, effect, x), which returns x. The effect selects the part that
// is recorded after the call.

// An out is an argument or receiver that a call may write to.
type out struct {
	expr    ast.Expr
	address bool // the receiver is a variable, and the method takes its address
	effect  effect
}

// effect is a set of ways in which an out is recorded. Package fuzzfunc of the library has the same
// numbers.
type effect uint8

const (
	// The target of the pointer is recorded, as in json.Unmarshal(data, &v).
	effectTarget effect = 1 << iota
	// The slice, the map or the pointer's target is recorded if the call has changed it.
	effectChanged
	// It is a buffer or holds one. Data written to it, in this call or later, is recorded.
	effectWriter
	// Of a slice that the call has changed, as many elements are recorded as the first result says,
	// an int, as for io.Reader.
	effectCount
)

// effects finds what a call may write to, and what shows what it did.
func (f *callFinder) effects(s *callSite, fn *types.Func) {
	errors := !slices.ContainsFunc(s.results, func(t types.Type) bool { return !isError(t) })
	if sel := f.receiverOf(s.call); sel != nil {
		s.Takes = f.typesOf(s.Takes, fn.Signature().Recv().Type())
		s.On = strings.Join(s.Takes, "")
		if o := f.receiverOut(sel, fn, errors); o.effect != 0 {
			s.outs = append(s.outs, o)
			s.Speaks = o.effect&effectWriter != 0
			s.Fails = o.effect&effectTarget != 0
		}
	}
	for i, arg := range s.call.Args {
		t := f.info.TypeOf(arg)
		if t == nil {
			continue
		}
		s.Takes = f.typesOf(s.Takes, t)
		s.Discards = s.Discards || f.isDiscard(arg)
		if s.call.Ellipsis.IsValid() && i == len(s.call.Args)-1 {
			continue
		}
		if e := f.effectOf(arg, t, parameter(fn, i), len(s.results) > 0 && errors); e != 0 {
			if _, slice := t.Underlying().(*types.Slice); slice && len(s.results) > 0 && types.Unalias(s.results[0]) == types.Typ[types.Int] {
				e |= effectCount
			}
			s.outs = append(s.outs, out{expr: arg, effect: e})
			s.Speaks = s.Speaks || e&effectWriter != 0
			s.Fails = true
		}
	}
	if f.onlyCallsBack(s, fn) {
		s.Fails = false
	}
	for _, t := range s.results {
		s.Makes = f.typesOf(s.Makes, t)
		s.Speaks = s.Speaks || !isError(t) && f.speaks(t, map[types.Type]bool{})
		s.Fails = s.Fails || isError(t)
	}
}

// onlyCallsBack reports whether a call returns nothing and passes its results to a function. Then a
// slice or map that it also takes is most likely its input. Functions of the standard library, such
// as sort.Slice, do change it.
func (f *callFinder) onlyCallsBack(s *callSite, fn *types.Func) bool {
	if len(s.results) > 0 || fn.Pkg() == nil || !strings.Contains(strings.Split(fn.Pkg().Path(), "/")[0], ".") {
		return false
	}
	if slices.ContainsFunc(s.outs, func(o out) bool { return o.effect != effectChanged }) {
		return false
	}
	return slices.ContainsFunc(s.call.Args, func(arg ast.Expr) bool {
		t := f.info.TypeOf(arg)
		if t == nil {
			return false
		}
		_, function := t.Underlying().(*types.Signature)
		return function
	})
}

// parameter returns the type of the parameter for the i-th argument.
func parameter(fn *types.Func, i int) types.Type {
	p := fn.Signature().Params()
	if fn.Signature().Variadic() && i >= p.Len()-1 {
		if s, ok := p.At(p.Len() - 1).Type().Underlying().(*types.Slice); ok {
			return s.Elem()
		}
	}
	if i < p.Len() {
		return p.At(i).Type()
	}
	return types.Typ[types.Invalid]
}

// effectOf returns how an argument is recorded. errors means that the function returns only errors.
func (f *callFinder) effectOf(arg ast.Expr, t, parameter types.Type, errors bool) (e effect) {
	if holdsWriter(t) && !f.isDiscard(arg) && !reads(parameter) {
		if e = effectWriter; slices.Contains([]string{"*bytes.Buffer", "*strings.Builder"}, types.TypeString(t, nil)) {
			return e
		}
	}
	if x, ok := arg.(*ast.UnaryExpr); ok && x.Op == token.AND {
		return e | effectTarget
	}
	if e != 0 || !f.retained(arg) {
		return e
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if _, variable := arg.(*ast.Ident); variable && errors && pkgOf(u.Elem()) != "testing" {
			return effectTarget
		}
		if f.plain(u.Elem()) {
			return effectChanged
		}
	case *types.Slice:
		if _, ok := u.Elem().Underlying().(*types.Basic); ok {
			return effectChanged
		}
	case *types.Map:
		return effectChanged
	case *types.Interface: // of json.Unmarshal(data, v)
		if p, ok := parameter.Underlying().(*types.Interface); ok && p.NumMethods() == 0 && u.NumMethods() == 0 {
			return effectChanged
		}
	}
	return 0
}

// receiverOf returns the receiver of a method that is called by a selector, or nil.
func (f *callFinder) receiverOf(call *ast.CallExpr) *ast.SelectorExpr {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	if fn, ok := f.info.Uses[sel.Sel].(*types.Func); !ok || fn.Signature().Recv() == nil || f.info.Types[sel.X].IsType() {
		return nil
	}
	return sel
}

// receiverOut returns how the receiver of a method is recorded. An effect of 0 means that it is
// not.
func (f *callFinder) receiverOut(sel *ast.SelectorExpr, fn *types.Func, errors bool) (o out) {
	t := f.info.TypeOf(sel.X)
	if t == nil {
		return o
	}
	_, byPointer := types.Unalias(fn.Signature().Recv().Type()).(*types.Pointer)
	_, pointer := t.Underlying().(*types.Pointer)
	o.expr = sel.X
	if o.address = byPointer && !pointer; o.address && !f.retained(sel.X) {
		return out{}
	}
	if holdsWriter(t) {
		o.effect = effectWriter
	} else if byPointer && errors && f.retained(sel.X) {
		if strings.HasPrefix(fn.Name(), "Unmarshal") {
			o.effect = effectTarget
		} else {
			o.effect = effectChanged
		}
	}
	return o
}

// retained reports whether the test may read an argument's contents after the call.
func (f *callFinder) retained(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return f.retained(x.X)
	case *ast.Ident:
		_, variable := f.info.Uses[x].(*types.Var)
		return variable
	case *ast.SelectorExpr:
		_, variable := f.info.Uses[x.Sel].(*types.Var)
		id, ok := x.X.(*ast.Ident)
		if ok {
			_, ok = f.info.Uses[id].(*types.PkgName)
		}
		return variable && (ok || f.retained(x.X))
	case *ast.SliceExpr:
		return f.retained(x.X)
	}
	return false
}

// plain reports whether values of a type can be read before and after a call. The state of values
// of other packages, such as the standard library, may change independently of the call.
func (f *callFinder) plain(t types.Type) bool {
	pkg := pkgOf(t)
	return pkg == "" || pkg == f.module || strings.HasPrefix(pkg, f.module+"/") || pkg == f.pkg.Path()
}

// pkgOf returns the import path of the package of a named type, or "".
func pkgOf(t types.Type) string {
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		return named.Obj().Pkg().Path()
	}
	return ""
}

// holdsWriter reports whether a value of a type may be or hold a buffer. The type has a method
// Write, or is a struct with an exported field of such a type.
func holdsWriter(t types.Type) bool {
	if pkgOf(pointee(t)) == "testing" {
		return false
	}
	if writes(t) {
		return true
	}
	s, ok := pointee(t).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range s.NumFields() {
		if v := s.Field(i); v.Exported() && writes(v.Type()) {
			return true
		}
	}
	return false
}

// writes reports whether a type has a method Write, as an io.Writer.
func writes(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, false, nil, "Write")
	fn, ok := obj.(*types.Func)
	return ok && fn.Signature().Params().Len() == 1 && fn.Signature().Results().Len() == 2 &&
		types.Identical(fn.Signature().Params().At(0).Type(), types.NewSlice(types.Typ[types.Byte]))
}

// reads reports whether a parameter's type is an interface without a method Write, as io.Reader.
func reads(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.NumMethods() > 0 && !writes(t)
}

func pointee(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// isDiscard reports whether an argument is a writer whose text is not compared.
func (f *callFinder) isDiscard(e ast.Expr) bool {
	e = ast.Unparen(e)
	if sel, ok := e.(*ast.SelectorExpr); ok {
		e = sel.Sel
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := f.info.Uses[id].(*types.Var)
	if !ok || v.Pkg() == nil {
		return false
	}
	return slices.Contains([]string{"io.Discard", "io/ioutil.Discard", "os.Stdout", "os.Stderr"}, v.Pkg().Path()+"."+v.Name())
}

// speaks reports whether a recorded value of a type differs between values: functions, channels and
// structs without anything that other packages see do not.
func (f *callFinder) speaks(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	for _, name := range []string{"String", "MarshalText"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name); obj != nil {
			return true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Signature, *types.Chan:
		return false
	case *types.Pointer:
		return f.speaks(u.Elem(), seen)
	case *types.Struct:
		if first, _, _ := strings.Cut(pkgOf(t), "/"); !f.plain(t) && !strings.Contains(first, ".") {
			return u.NumFields() > 0 // of the standard library, whose fields all count
		}
		for i := range u.NumFields() {
			if v := u.Field(i); v.Exported() || v.Embedded() && f.speaks(v.Type(), seen) {
				return true
			}
		}
		return false
	}
	return true
}

// typesOf appends the module's type that a value is of or points to.
func (f *callFinder) typesOf(list []string, t types.Type) []string {
	t = pointee(types.Unalias(t))
	if pkg := pkgOf(t); pkg == f.module || strings.HasPrefix(pkg, f.module+"/") {
		if name := pkg + "." + types.Unalias(t).(*types.Named).Obj().Name(); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// fullName returns a function's name as call graphs have it.
func fullName(fn *types.Func) string {
	fn = fn.Origin()
	name := fn.Name()
	recv := fn.Signature().Recv()
	if recv == nil {
		if fn.Signature().TypeParams().Len() > 0 {
			name += "[...]"
		}
		return fn.Pkg().Path() + "." + name
	}
	named, ok := types.Unalias(pointee(types.Unalias(recv.Type()))).(*types.Named)
	if !ok || types.IsInterface(named) {
		return ""
	}
	of := named.Obj().Name()
	if named.TypeParams().Len() > 0 {
		of += "[...]"
	}
	if _, pointer := types.Unalias(recv.Type()).(*types.Pointer); pointer {
		of = "(*" + of + ")"
	}
	return fn.Pkg().Path() + "." + of + "." + name
}

// statements returns the calls of a file that are statements of a block.
func statements(file *ast.File) map[*ast.CallExpr]bool {
	alone := map[*ast.CallExpr]bool{}
	note := func(list []ast.Stmt) {
		for _, s := range list {
			for {
				l, ok := s.(*ast.LabeledStmt)
				if !ok {
					break
				}
				s = l.Stmt
			}
			if x, ok := s.(*ast.ExprStmt); ok {
				if call, ok := x.X.(*ast.CallExpr); ok {
					alone[call] = true
				}
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			note(n.List)
		case *ast.CaseClause:
			note(n.Body)
		case *ast.CommClause:
			note(n.Body)
		}
		return true
	})
	return alone
}
