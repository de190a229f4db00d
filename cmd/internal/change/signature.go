package change

import (
	"go/ast"
	"go/token"

	"parallax/cmd/internal/flow"
)

// typeParams declares type parameters and writes their constraints.
func (n *normalizer) typeParams(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		for _, name := range f.Names {
			n.declare(name.Name)
		}
	}
	n.emit(list.Pos(), "[")
	for _, f := range list.List {
		for _, name := range f.Names {
			if id := n.lookup(name.Name); id > 0 {
				n.local(name.Pos(), id)
			}
			n.expr(f.Type)
			n.emit(f.Pos(), ",")
		}
	}
	n.emit(list.End(), "]")
}

// closure writes the body of a closure, after its statement.
func (n *normalizer) closure(lit *ast.FuncLit) {
	before, results := n.block, n.results
	labels := n.labels
	n.labels = map[string]int{}
	n.enter(flow.Entry, lit.Pos())
	n.push()
	n.function(lit.Pos(), lit.Type, nil, lit.Body)
	n.pop()
	n.labels = labels
	n.block, n.results = before, results
	n.mark(lit.End(), "end")
}

// function writes the signature and the body of a function. The name of a parameter does not
// matter, and an unused parameter needs none.
func (n *normalizer) function(pos token.Pos, typ *ast.FuncType, recv *ast.FieldList, body *ast.BlockStmt) int {
	type param struct {
		id    int
		words []word
	}
	var params []param
	var before []word
	head := n.add(signature, pos, func() {
		n.emit(pos, "func")
		if recv != nil && len(recv.List) > 0 {
			for _, name := range receiverParams(recv.List[0].Type) {
				n.declare(name)
			}
		}
		n.typeParams(typ.TypeParams)
		before = *n.out
	})
	n.results = nil
	declare := func(fields *ast.FieldList) {
		if fields == nil {
			return
		}
		for _, f := range fields.List {
			var words []word
			out := n.out
			n.out = &words
			n.expr(f.Type)
			n.out = out
			names := f.Names
			if len(names) == 0 {
				names = []*ast.Ident{nil}
			}
			for _, name := range names {
				p := param{words: words}
				if name != nil && name.Name != "_" {
					n.code.locals = append(n.code.locals, name.Name)
					p.id = len(n.code.locals)
				}
				params = append(params, p)
			}
		}
	}
	block := n.block
	declare(recv)
	declare(typ.Params)
	inputs := len(params)
	declare(typ.Results)
	for i, p := range params { // types cannot refer to parameters
		if p.id > 0 {
			n.scope[len(n.scope)-1][n.code.locals[p.id-1]] = p.id
			if i >= inputs {
				n.results = append(n.results, p.id)
			}
		}
	}
	first := len(n.code.atoms)
	if body != nil {
		n.within(head, 0, body.List)
	}
	used := map[int]bool{}
	for _, a := range n.code.atoms[first:] {
		for _, w := range a.words {
			used[w.local] = true
		}
	}
	out := n.out
	n.out = &before
	after := n.block
	n.block = block
	for i, p := range params {
		if i == inputs {
			n.emit(pos, "->")
		}
		if p.id > 0 && used[p.id] {
			n.local(pos, p.id)
		}
		*n.out = append(*n.out, p.words...)
		n.emit(pos, ",")
	}
	n.block = after
	n.out = out
	n.code.atoms[head].words = before
	return head
}

// receiverParams returns the names of a generic receiver's type parameters.
func receiverParams(t ast.Expr) (names []string) {
	add := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok {
			names = append(names, id.Name)
		}
	}
	switch t := t.(type) {
	case *ast.ParenExpr:
		return receiverParams(t.X)
	case *ast.StarExpr:
		return receiverParams(t.X)
	case *ast.IndexExpr:
		add(t.Index)
	case *ast.IndexListExpr:
		for _, e := range t.Indices {
			add(e)
		}
	}
	return names
}

// functionCode returns the code of a declared function.
func (p *source) functionCode(file *sourceFile, d *ast.FuncDecl) *code {
	c := &code{}
	n := newNormalizer(p, file, c)
	n.push()
	n.enter(flow.Entry, d.Type.Func)
	n.function(d.Type.Func, d.Type, d.Recv, d.Body)
	return c
}

// valueCode returns the code of an expression outside of functions: an atom, and the bodies of its
// closures.
func (p *source) valueCode(file *sourceFile, iota int, exprs ...ast.Expr) *code {
	c := &code{}
	n := newNormalizer(p, file, c)
	n.iota = iota
	n.push()
	n.code.lists = append(n.code.lists, list{head: -1, block: flow.None})
	n.current = 0
	pos := token.NoPos
	for _, e := range exprs {
		if e != nil && !pos.IsValid() {
			pos = e.Pos()
		}
	}
	n.add(statement, pos, func() {
		for _, e := range exprs {
			if e != nil {
				n.expr(e)
				n.emit(e.End(), ";")
			}
		}
	})
	return c
}

// typeCode returns the code of a declared type.
func (p *source) typeCode(file *sourceFile, s *ast.TypeSpec) *code {
	c := &code{}
	n := newNormalizer(p, file, c)
	n.push()
	n.code.lists = append(n.code.lists, list{head: -1, block: flow.None})
	n.current = 0
	n.add(statement, s.Pos(), func() {
		n.typeParams(s.TypeParams)
		if s.Assign.IsValid() {
			n.emit(s.Assign, "=")
		}
		n.expr(s.Type)
	})
	return c
}
