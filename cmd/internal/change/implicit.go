package change

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// interfaceMethods collects the methods of all interfaces. Other methods cannot be requested from a
// value at run time.
func (f *finder) interfaceMethods(users []*Package) {
	// package errors asks for these in place
	f.requested = map[string]bool{"Is": true, "As": true, "Unwrap": true}
	for _, all := range []map[string]*types.Package{f.types.standard, f.types.packages} {
		for _, p := range all {
			for _, name := range p.Scope().Names() {
				if t, ok := p.Scope().Lookup(name).(*types.TypeName); ok {
					if i, ok := t.Type().Underlying().(*types.Interface); ok {
						for k := range i.NumExplicitMethods() {
							f.requested[i.ExplicitMethod(k).Name()] = true
						}
					}
				}
			}
		}
	}
	for _, p := range users {
		s, err := f.c.source(f.c.new, p)
		if err != nil {
			continue
		}
		for _, file := range s.files {
			ast.Inspect(file.ast, func(n ast.Node) bool {
				if i, ok := n.(*ast.InterfaceType); ok {
					for _, m := range i.Methods.List {
						for _, name := range m.Names {
							f.requested[name.Name] = true
						}
					}
				}
				return true
			})
		}
	}
}

// visible reports whether a change of a type is visible where a value becomes an interface. A nil
// interface means a comparison. Code that takes any value can inspect it, and other code can ask
// for a method.
func (f *finder) visible(e *edit, to *types.Interface) bool {
	empty := to != nil && to.NumMethods() == 0
	if e.deep {
		return empty || to == nil
	}
	for m := range e.methods {
		if empty && f.requested[m] {
			return true
		}
		for i := 0; to != nil && i < to.NumMethods(); i++ {
			if to.Method(i).Name() == m {
				return true
			}
		}
	}
	return false
}

// implicit finds uses that do not name the changed type: values that become interfaces or are
// compared, and composite literals without its name.
func (f *finder) implicit(fn *function, info *types.Info, block func(token.Pos) int) {
	hits := func(e ast.Expr, t types.Type, to *types.Interface) {
		if t == nil || e == nil {
			return
		}
		at := ast.Unparen(e).Pos()
		for _, ed := range f.held(t) {
			if f.visible(ed, to) {
				f.hit(ed, fn, block(at), at)
			}
		}
	}
	become := func(e ast.Expr, to types.Type) {
		from := info.TypeOf(e)
		if from == nil || to == nil || !types.IsInterface(to) || types.IsInterface(from) {
			return
		}
		if _, ok := types.Unalias(to).(*types.TypeParam); !ok {
			hits(e, from, to.Underlying().(*types.Interface))
		}
	}
	var results []*ast.FuncType
	if fn.decl != nil {
		results = append(results, fn.decl.Type)
	}
	var walk func(n ast.Node) bool
	walk = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			results = append(results, n.Type)
			ast.Inspect(n.Body, walk)
			results = results[:len(results)-1]
			return false
		case *ast.CallExpr:
			fun := info.Types[n.Fun]
			if fun.IsType() && len(n.Args) == 1 {
				become(n.Args[0], fun.Type)
			} else if sig, ok := underlying(fun.Type).(*types.Signature); ok {
				for i, a := range n.Args {
					become(a, parameter(sig, i, n.Ellipsis.IsValid()))
				}
			}
		case *ast.AssignStmt:
			if len(n.Lhs) == len(n.Rhs) && n.Tok == token.ASSIGN {
				for i, e := range n.Rhs {
					become(e, info.TypeOf(n.Lhs[i]))
				}
			}
		case *ast.ValueSpec:
			if n.Type != nil {
				for _, e := range n.Values {
					become(e, info.TypeOf(n.Type))
				}
			}
		case *ast.ReturnStmt:
			i := 0
			if list := results[len(results)-1].Results; list != nil && len(n.Results) == list.NumFields() {
				for _, r := range list.List {
					for range max(len(r.Names), 1) {
						become(n.Results[i], info.TypeOf(r.Type))
						i++
					}
				}
			}
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				if _, ok := underlying(info.TypeOf(n.X)).(*types.Struct); ok {
					hits(n.X, info.TypeOf(n.X), nil)
				}
			}
		case *ast.CompositeLit:
			if t := info.TypeOf(n); n.Type == nil && t != nil {
				for _, e := range f.named[nameOf(t)] {
					if e.deep {
						f.hit(e, fn, block(n.Lbrace), n.Lbrace)
					}
				}
			}
		}
		return true
	}
	ast.Inspect(fn.node, walk)
}

func underlying(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}

// parameter returns the type of an argument's parameter, or nil if it is unknown.
func parameter(sig *types.Signature, i int, spread bool) types.Type {
	n := sig.Params().Len()
	if sig.Variadic() && i >= n-1 {
		last := sig.Params().At(n - 1).Type()
		if s, ok := last.(*types.Slice); ok && !spread {
			return s.Elem()
		}
		return last
	}
	if i >= n {
		return nil
	}
	return sig.Params().At(i).Type()
}

// maxDeep limits the depth to which the contents of values are followed.
const maxDeep = 6

// held returns the edits of the types that a value holds or leads to.
func (f *finder) held(t types.Type) []*edit {
	t = types.Unalias(t)
	list, ok := f.known[t]
	if !ok {
		f.addHeld(t, 0, true, &list)
		f.known[t] = list
	}
	return list
}

// addHeld adds the edits of a type and its parts. Methods count only for elements and embedded
// fields, since code that inspects a struct's other fields sees their contents.
func (f *finder) addHeld(t types.Type, depth int, methods bool, list *[]*edit) {
	if depth > maxDeep {
		return
	}
	t = types.Unalias(t)
	if n, ok := t.(*types.Named); ok {
		for _, e := range f.named[n.Origin().Obj()] {
			if (methods || e.deep) && !slices.Contains(*list, e) {
				*list = append(*list, e)
			}
		}
		for i := range n.TypeArgs().Len() {
			f.addHeld(n.TypeArgs().At(i), depth+1, methods, list)
		}
		if p := n.Obj().Pkg(); p == nil || f.types.tree.byPath[p.Path()] == nil || f.types.tree.byPath[p.Path()].Standard {
			return // the standard library holds no types of the user's
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		f.addHeld(u.Elem(), depth+1, methods, list)
	case *types.Slice:
		f.addHeld(u.Elem(), depth+1, methods, list)
	case *types.Array:
		f.addHeld(u.Elem(), depth+1, methods, list)
	case *types.Map:
		f.addHeld(u.Key(), depth+1, methods, list)
		f.addHeld(u.Elem(), depth+1, methods, list)
	case *types.Struct:
		for i := range u.NumFields() {
			// printing and encoding skip unexported fields
			if v := u.Field(i); v.Exported() || v.Embedded() {
				f.addHeld(v.Type(), depth+1, methods && v.Embedded(), list)
			}
		}
	}
}
